import { z } from "zod";
import { maybeField, newest, pastMoment, positive } from "./data-fields.ts";
import type { Resource } from "../endpoint.ts";
import {
  getResource,
  hostedEndpoint,
  keyOf,
  listing,
  PAGE_SIZE,
  pageOf,
  partsOf,
  type HostedEndpoint,
  type Interval,
  type Page,
  type Priority,
} from "./hosted-endpoint.ts";
import { SECONDS, seriesEnd, withoutEnded, type Point, type SeriesEnd } from "./series-end.ts";
import { MOST } from "../wire.ts";

/** Metrics API: time series of chains. */

/** Every metric of the specification; `every` marks those that are also available by hour, week and month; `most` is the most that it can be. */
const CHAIN_METRICS = {
  activeAddresses: { intervals: "every", priority: 1, most: MOST.users },
  activeSenders: { intervals: "every", priority: 2, most: MOST.users },
  cumulativeTxCount: { intervals: "day", priority: 3, most: MOST.transactions },
  cumulativeAddresses: { intervals: "day", priority: 3, most: MOST.users },
  cumulativeContracts: { intervals: "day", priority: 4, most: MOST.users },
  cumulativeDeployers: { intervals: "day", priority: 4, most: MOST.users },
  contracts: { intervals: "day", priority: 3, most: MOST.users },
  deployers: { intervals: "day", priority: 4, most: MOST.users },
  gasUsed: { intervals: "every", priority: 2, most: MOST.monthGas },
  txCount: { intervals: "every", priority: 1, most: MOST.transactions },
  avgGps: { intervals: "day", priority: 3, most: MOST.rate },
  maxGps: { intervals: "day", priority: 4, most: MOST.rate },
  avgTps: { intervals: "day", priority: 2, most: MOST.rate },
  maxTps: { intervals: "day", priority: 3, most: MOST.rate },
  avgGasPrice: { intervals: "day", priority: 2, most: MOST.gasPrice },
  maxGasPrice: { intervals: "day", priority: 4, most: MOST.gasPrice },
  feesPaid: { intervals: "every", priority: 2, most: MOST.monthFees },
} as const satisfies Readonly<
  Record<string, { readonly intervals: "every" | "day"; readonly priority: Priority; readonly most: number }>
>;

export type ChainMetric = keyof typeof CHAIN_METRICS;
export const CHAIN_METRIC_NAMES = Object.keys(CHAIN_METRICS) as readonly ChainMetric[];

type MetricPage = Page<{ readonly value: number | undefined; readonly timestamp: number | undefined }>;
const pageUpTo = (most: number): z.ZodType<MetricPage> =>
  pageOf("results", z.object({ value: maybeField(positive(most)), timestamp: pastMoment }), ["value", "timestamp"]);

/** Leaves out points without a value or a time. */
function pointsOf(rows: MetricPage["rows"]): readonly Point[] {
  return rows.flatMap(({ value, timestamp: time }) =>
    value === undefined || time === undefined ? [] : [{ value, time }],
  );
}

export function chainMetric(metric: ChainMetric): Resource<MetricPage> {
  return getResource(
    `/v2/chains/{chainId}/metrics/${metric}`,
    `Chain metric ${metric}.`,
    pageUpTo(CHAIN_METRICS[metric].most),
  );
}

/** Length of the requested range: short enough for one page, and long enough for a service that is some intervals behind. */
const INTERVALS_BACK: Readonly<Record<Interval, number>> = { hour: 48, day: 14, week: 8, month: 6 };

function metricEndpoint(metric: ChainMetric): HostedEndpoint<SeriesEnd> {
  const resource = chainMetric(metric);
  const { intervals, priority } = CHAIN_METRICS[metric];
  return hostedEndpoint<SeriesEnd>(resource, {
    id: `metrics.${metric}`,
    units: 100,
    priority,
    // A value that is only available by day changes less often.
    every: intervals === "every" ? 3600 : 7200,
    keys: (wanted) => {
      const supported = wanted.intervals.filter((interval) => intervals === "every" || interval === "day");
      return wanted.metricChains.flatMap((chain) => supported.map((interval) => keyOf(chain, interval)));
    },
    async ask(api, key) {
      const [chainId, word] = partsOf(key);
      const interval = word as Interval;
      const start = Math.floor(api.now / 3600) * 3600 - INTERVALS_BACK[interval] * SECONDS[interval];
      const { rows, dated } = await listing(api, resource, { chainId }, 3, [
        ["timeInterval", interval],
        ["startTimestamp", String(Math.max(0, start))],
        PAGE_SIZE,
      ]);
      return { ...dated, ...seriesEnd(pointsOf(rows), interval, api.now) };
    },
    still: (answer, key, now) => withoutEnded(answer, partsOf(key)[1] as Interval, now),
  });
}

/** One endpoint per metric, so that each has its own cadence. */
export const CHAIN_METRIC_ENDPOINTS = Object.fromEntries(
  CHAIN_METRIC_NAMES.map((metric) => [metric, metricEndpoint(metric)]),
) as Readonly<Record<ChainMetric, HostedEndpoint<SeriesEnd>>>;

const legacyPage = pageUpTo(MOST.rate).and(z.object({ lastRun: pastMoment }));

export const LegacyAvgTps = getResource(
  "/v1/avg_tps/{chainId}",
  "Older series of the average transactions per second, by day.",
  legacyPage,
);

export type LegacySeries = SeriesEnd & { readonly lastRun: number | undefined };

/** Reads the newest pages until there is a complete day: the series is long, and the path has no range parameter. */
export const MetricsLegacyAvgTps = hostedEndpoint<LegacySeries>(LegacyAvgTps, {
  id: "metrics.legacy_avg_tps",
  units: 100,
  priority: 4,
  every: 21_600,
  optional: true,
  keys: ({ metricChains }) => metricChains.filter((chain) => /^\d+$/.test(chain)),
  async ask(api, chainId, { maxPages }) {
    const end = (pages: ReadonlyArray<z.output<typeof legacyPage>>) => {
      const lastRun = newest(pages.map((page) => page.lastRun));
      const points = pointsOf(pages.flatMap(({ rows }) => rows));
      return { lastRun, ...seriesEnd(points, "day", api.now, lastRun) };
    };
    const enough = (pages: ReadonlyArray<z.output<typeof legacyPage>>) => end(pages).complete !== undefined;
    const { pages, dated } = await listing(api, LegacyAvgTps, { chainId }, maxPages, [], enough);
    return { ...dated, ...end(pages) };
  },
  still: (answer, _key, now) => withoutEnded(answer, "day", now),
});
