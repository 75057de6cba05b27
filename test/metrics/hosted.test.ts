import { describe, expect, it } from "vitest";
import { CHAIN_METRIC_NAMES, CHAIN_METRICS, type ChainMetric } from "../../src/api/chain-metrics.ts";
import { ALL_DATA, hostedBench, hostedConfig } from "../support/hosted.ts";
import { CASES } from "./hosted-bodies.ts";

describe.each(Object.entries(CASES))("%s", (_, { path, spec, real, both, specOnly, realOnly }) => {
  it.each([
    ["as the specification writes it", spec, { ...both, ...specOnly }],
    ["as the real service sends it", real, { ...both, ...realOnly }],
  ] as const)("%s", async (_name, body, expected) => {
    const bench = hostedBench();
    bench.instead.set(path, body);
    bench.poller.apply(hostedConfig({ data: ALL_DATA }));
    await bench.run(60);
    const series = await bench.series();
    for (const [name, value] of Object.entries(expected)) expect(series.get(name), name).toBeCloseTo(value, 9);
    expect(bench.readFailures).toEqual([]);
    expect(bench.poller.status()[0]?.endpoints.filter(({ state }) => state === "failing")).toEqual([]);
  });
});

/** Family of each metric, and what of the value 2.5e18 it shows. */
const FAMILIES: Readonly<Record<ChainMetric, readonly [family: string, shown: number]>> = {
  activeAddresses: ["avax_chain_active_addresses", 2.5e18],
  activeSenders: ["avax_chain_active_senders", 2.5e18],
  cumulativeTxCount: ["avax_chain_cumulative_transactions", 2.5e18],
  cumulativeAddresses: ["avax_chain_cumulative_addresses", 2.5e18],
  cumulativeContracts: ["avax_chain_cumulative_contracts", 2.5e18],
  cumulativeDeployers: ["avax_chain_cumulative_deployers", 2.5e18],
  contracts: ["avax_chain_new_contracts", 2.5e18],
  deployers: ["avax_chain_deployers", 2.5e18],
  gasUsed: ["avax_chain_gas_used", 2.5e18],
  txCount: ["avax_chain_transactions", 2.5e18],
  avgGps: ["avax_chain_average_gas_rate", 2.5e18],
  maxGps: ["avax_chain_max_gas_rate", 2.5e18],
  avgTps: ["avax_chain_average_transaction_rate", 2.5e18],
  maxTps: ["avax_chain_max_transaction_rate", 2.5e18],
  avgGasPrice: ["avax_chain_average_gas_price_gwei", 2.5e9],
  maxGasPrice: ["avax_chain_max_gas_price_gwei", 2.5e9],
  feesPaid: ["avax_chain_fees_paid", 2.5],
};

/** 0:00 UTC of the day on which the bench's clock stands. */
const TODAY = 1_799_971_200;
const DAY = 86_400;

describe.each(CHAIN_METRIC_NAMES)("metric %s", (metric) => {
  const [family, shown] = FAMILIES[metric];
  const labels = 'chain_id="43114",interval="day"';
  const points = [
    { value: 2.5e18, timestamp: TODAY - DAY },
    { value: 7, timestamp: TODAY - 2 * DAY },
  ];
  it.each([
    ["newest first, in one page", { results: [{ value: 1e18, timestamp: TODAY }, ...points] }],
    [
      "oldest first, in text and with null",
      {
        nextPageToken: null,
        results: [...points.toReversed(), { value: "1000000000000000000", timestamp: String(TODAY) }],
      },
    ],
  ])("%s", async (_, body) => {
    const bench = hostedBench();
    bench.instead.set(`/v2/chains/43114/metrics/${metric}`, body);
    bench.poller.apply(hostedConfig({ metrics: { metricChains: ["43114"], intervals: ["day", "hour"] } }));
    bench.instead.set("none", undefined);
    await bench.run(60);
    const series = await bench.series();
    expect(series.get(`${family}{${labels},window="complete"}`)).toBe(shown);
    expect(series.get(`${family}{${labels},window="current"}`)).toBe((shown * 1e18) / 2.5e18);
    const time = (window: string) =>
      series.get(`avax_chain_metric_timestamp_seconds{metric="${metric}",${labels},window="${window}"}`);
    expect([time("complete"), time("current")]).toEqual([TODAY - DAY, TODAY]);
  });

  it("asks only for intervals that the service has", async () => {
    const bench = hostedBench();
    bench.poller.apply(hostedConfig({ metrics: { metricChains: ["total"], intervals: ["hour", "week", "month"] } }));
    await bench.run(60);
    const asked = bench.services.requests().filter(({ url }) => url.includes(`/${metric}?`));
    expect(asked.map(({ status }) => status)).toEqual(
      CHAIN_METRICS[metric].intervals === "every" ? [200, 200, 200] : [],
    );
  });
});

describe("freshness", () => {
  const labels = 'metric="txCount",chain_id="43114",interval="day"';
  it("data that is days behind carries its own time, and no running interval is made up", async () => {
    const bench = hostedBench();
    bench.services.lagBy(3 * DAY);
    bench.poller.apply(hostedConfig({ metrics: { metricChains: ["43114"], intervals: ["day"] } }));
    await bench.run(60);
    const series = await bench.series();
    expect(series.get(`avax_chain_metric_timestamp_seconds{${labels},window="complete"}`)).toBe(TODAY - 4 * DAY);
    expect(series.get(`avax_chain_metric_timestamp_seconds{${labels},window="current"}`)).toBeUndefined();
    expect(series.get('avax_chain_transactions{chain_id="43114",interval="day",window="current"}')).toBeUndefined();
  });

  it("the older series says when it was last updated", async () => {
    const bench = hostedBench();
    bench.instead.set("/v1/avg_tps/43114", {
      results: [
        { timestamp: TODAY, value: 1.98 },
        { timestamp: TODAY - DAY, value: 2.17 },
      ],
      status: 200,
      lastRun: TODAY + 3600,
    });
    bench.poller.apply(hostedConfig({ metrics: { metricChains: ["43114"], intervals: ["day"] } }));
    await bench.run(60);
    const series = await bench.series();
    expect(series.get('avax_chain_legacy_average_transaction_rate{chain_id="43114",window="complete"}')).toBe(2.17);
    expect(series.get('avax_chain_legacy_tps_last_run_timestamp_seconds{chain_id="43114"}')).toBe(TODAY + 3600);
  });
});
