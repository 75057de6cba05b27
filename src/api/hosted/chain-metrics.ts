import { z } from "zod";
import { listed, maybeField, moment, newest } from "./data-fields.ts";
import type { Resource } from "../endpoint.ts";
import {
  hostedEndpoint,
  keyOf,
  listing,
  nextPageToken,
  partsOf,
  type HostedEndpoint,
  type Interval,
  type Priority,
} from "./hosted.ts";
import { SECONDS, seriesEnd, withoutEnded, type Point, type SeriesEnd } from "./series-end.ts";
import { float } from "../wire.ts";

/** Metrics API: time series of chains. */

/** Every metric of the specification; `every` tells those that come by hour, week and month too. */
export const CHAIN_METRICS = {
  activeAddresses: { intervals: "every", priority: 1 },
  activeSenders: { intervals: "every", priority: 2 },
  cumulativeTxCount: { intervals: "day", priority: 3 },
  cumulativeAddresses: { intervals: "day", priority: 3 },
  cumulativeContracts: { intervals: "day", priority: 4 },
  cumulativeDeployers: { intervals: "day", priority: 4 },
  contracts: { intervals: "day", priority: 3 },
  deployers: { intervals: "day", priority: 4 },
  gasUsed: { intervals: "every", priority: 2 },
  txCount: { intervals: "every", priority: 1 },
  avgGps: { intervals: "day", priority: 3 },
  maxGps: { intervals: "day", priority: 4 },
  avgTps: { intervals: "day", priority: 2 },
  maxTps: { intervals: "day", priority: 3 },
  avgGasPrice: { intervals: "day", priority: 2 },
  maxGasPrice: { intervals: "day", priority: 4 },
  feesPaid: { intervals: "every", priority: 2 },
} as const satisfies Readonly<Record<string, { readonly intervals: "every" | "day"; readonly priority: Priority }>>;

export type ChainMetric = keyof typeof CHAIN_METRICS;
export const CHAIN_METRIC_NAMES = Object.keys(CHAIN_METRICS) as readonly ChainMetric[];

/** Points without a value or a time are none. */
const points = listed(z.object({ value: maybeField(float), timestamp: moment })).transform((raw): readonly Point[] =>
  raw.flatMap(({ value, timestamp: time }) => (value === undefined || time === undefined ? [] : [{ value, time }])),
);

const page = z.object({ nextPageToken, results: points });

export function chainMetric(metric: ChainMetric): Resource<z.output<typeof page>> {
  return {
    name: `GET /v2/chains/{chainId}/metrics/${metric}`,
    path: `/v2/chains/{chainId}/metrics/${metric}`,
    about: `Chain metric ${metric}.`,
    result: page,
  };
}

/** How far back is asked for, so that one page answers and a service that lags some intervals still shows its last one. */
const INTERVALS_BACK: Readonly<Record<Interval, number>> = { hour: 48, day: 14, week: 8, month: 6 };

function metricEndpoint(metric: ChainMetric): HostedEndpoint<SeriesEnd> {
  const resource = chainMetric(metric);
  const { intervals, priority } = CHAIN_METRICS[metric];
  return hostedEndpoint<SeriesEnd>({
    id: `metrics.${metric}`,
    about: resource.about,
    methods: [resource.name],
    service: "metrics",
    units: 100,
    priority,
    // What comes by day alone is worth half as many questions.
    every: intervals === "every" ? 3600 : 7200,
    keys: (wanted) => {
      const asked = wanted.intervals.filter((interval) => intervals === "every" || interval === "day");
      return wanted.metricChains.flatMap((chain) => asked.map((interval) => keyOf(chain, interval)));
    },
    async ask(api, key) {
      const [chainId, word] = partsOf(key);
      const interval = word as Interval;
      const start = Math.floor(api.now / 3600) * 3600 - INTERVALS_BACK[interval] * SECONDS[interval];
      const query = [
        ["timeInterval", interval] as const,
        ["startTimestamp", String(Math.max(0, start))] as const,
        ["pageSize", "100"] as const,
      ];
      const { pages, truncated } = await listing(api, resource, { chainId }, query, 3);
      const all = pages.flatMap(({ results }) => results);
      return { at: api.now, truncated, ...seriesEnd(all, interval, api.now) };
    },
    still: (answer, key, now) => withoutEnded(answer, partsOf(key)[1] as Interval, now),
  });
}

/** One endpoint for each metric, so that each has a cadence of its own. */
export const CHAIN_METRIC_ENDPOINTS = Object.fromEntries(
  CHAIN_METRIC_NAMES.map((metric) => [metric, metricEndpoint(metric)]),
) as Readonly<Record<ChainMetric, HostedEndpoint<SeriesEnd>>>;

const legacyPage = z.object({ nextPageToken, results: points, lastRun: moment });

export const LegacyAvgTps: Resource<z.output<typeof legacyPage>> = {
  name: "GET /v1/avg_tps/{chainId}",
  path: "/v1/avg_tps/{chainId}",
  about: "The older series of average transactions per second by day.",
  result: legacyPage,
};

export type LegacySeries = SeriesEnd & { readonly lastRun: number | undefined };

/** The newest pages alone, until there is a complete day: the series is long, and takes no range. */
export const MetricsLegacyAvgTps = hostedEndpoint<LegacySeries>({
  id: "metrics.legacy_avg_tps",
  about: LegacyAvgTps.about,
  methods: [LegacyAvgTps.name],
  service: "metrics",
  units: 100,
  priority: 4,
  every: 21_600,
  optional: true,
  keys: ({ metricChains }) => metricChains.filter((chain) => /^\d+$/.test(chain)),
  async ask(api, chainId, { maxPages }) {
    const end = (pages: ReadonlyArray<z.output<typeof legacyPage>>) => {
      const lastRun = newest(pages.map((each) => each.lastRun));
      const all = pages.flatMap(({ results }) => results);
      return { lastRun, ...seriesEnd(all, "day", api.now, lastRun) };
    };
    const enough = (pages: ReadonlyArray<z.output<typeof legacyPage>>) => end(pages).complete !== undefined;
    const { pages, truncated } = await listing(api, LegacyAvgTps, { chainId }, [], maxPages, enough);
    return { at: api.now, truncated, ...end(pages) };
  },
  still: (answer, _key, now) => withoutEnded(answer, "day", now),
});
