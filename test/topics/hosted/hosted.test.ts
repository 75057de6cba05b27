import { beforeAll, describe, expect, it } from "vitest";
import { SUBJECTS } from "../../support/hosted-client.ts";
import { ACCOUNT, ALL_DATA, hostedBench, hostedConfig, NODE } from "../../support/hosted.ts";
import { NOW, TODAY } from "./case.ts";
import { CASES } from "./cases.ts";

const DAY = 86_400;

const CONFIG = hostedConfig({
  data: ALL_DATA,
  metrics: { metricChains: SUBJECTS, intervals: ["day"] },
  perMinute: 100_000,
  perDay: 10_000_000,
});
/** After this time everything is polled again; a complete day stays complete. Seconds. */
const NEXT_ANSWER = 2000;

/** Every path has a body of its own, so that one bench answers all of them. */
describe.each([
  ["as the specification writes it", "spec"],
  ["as the real service sends it", "real"],
] as const)("a body %s", (_name, dialect) => {
  let first: ReadonlyMap<string, number>;
  let second: ReadonlyMap<string, number>;
  beforeAll(async () => {
    const cases = Object.values(CASES);
    const bench = hostedBench();
    for (const each of cases) bench.instead.set(each.path, each[dialect]);
    bench.poller.apply(CONFIG);
    await bench.run(60);
    first = await bench.series();
    for (const { path, later } of cases) if (later !== undefined) bench.instead.set(path, later[dialect]);
    await bench.run(NEXT_ANSWER);
    second = await bench.series();
    expect(bench.counted).toMatchObject({ defects: [], duplicates: 0 });
    const failing = bench.poller.status().targets.flatMap(({ endpoints }) => endpoints.filter(({ error }) => error));
    expect(failing).toEqual([]);
  });

  it.each(Object.entries(CASES))("%s", (_case, { both, specOnly, realOnly, later }) => {
    const check = (series: ReadonlyMap<string, number>, values: Readonly<Record<string, number>>) => {
      for (const [name, value] of Object.entries(values)) expect(series.get(name), name).toBeCloseTo(value, 9);
    };
    check(first, { ...both, ...(dialect === "spec" ? specOnly : realOnly) });
    if (later !== undefined) check(second, later.both);
  });
});

describe("every path of the two services", () => {
  it("exports the time and completeness of every answer", async () => {
    const bench = hostedBench();
    bench.poller.apply(CONFIG);
    await bench.run(60);
    const series = [...(await bench.series())];
    const polls = bench.poller
      .status()
      .targets.flatMap(({ endpoints }) => endpoints.map(({ id, key }) => `api_endpoint="${id}",query="${key}"}`));
    expect(polls).not.toEqual([]);
    for (const labels of polls) {
      const of = (family: string) => series.find(([line]) => line.startsWith(family) && line.endsWith(labels))?.[1];
      expect((of("avax_hosted_answer_timestamp_seconds") ?? 0) - NOW, labels).toBeGreaterThanOrEqual(0);
      expect((of("avax_hosted_answer_timestamp_seconds") ?? Infinity) - NOW, labels).toBeLessThan(60);
      expect(of("avax_hosted_answer_truncated"), labels).toBe(0);
    }
  });
});

describe("what is missing or null", () => {
  it("is not an empty list: HTTP 200 with {} or an error object fails every poll and sets nothing to 0", async () => {
    const bench = hostedBench();
    const paths = [...new Set(Object.values(CASES).map(({ path }) => path))];
    for (const [index, path] of paths.entries())
      bench.instead.set(path, index % 2 === 0 ? {} : { message: "too busy", error: "Service Unavailable" });
    bench.poller.apply(CONFIG);
    await bench.run(60);
    const polls = bench.poller.status().targets.flatMap(({ endpoints }) => endpoints);
    expect(polls.filter(({ error }) => error?.reason === "schema").length).toBeGreaterThanOrEqual(paths.length);
    const zeros = [...(await bench.series())].filter(
      ([name, value]) => value === 0 && /^avax_hosted_(?!endpoint).*(rewards|chains|periods|token)/.test(name),
    );
    expect(zeros.map(([name]) => name)).toEqual([]);
  });

  const read = async (path: string, body: object) => {
    const bench = hostedBench();
    bench.instead.set(path, () => body);
    bench.poller.apply(CONFIG);
    await bench.run(60);
    const errors = bench.poller
      .status()
      .targets.flatMap(({ endpoints }) => endpoints.flatMap(({ error }) => error ?? []));
    return { series: await bench.series(), errors: errors.map(({ reason }) => reason) };
  };

  it("in a point of a series leaves out only this point", async () => {
    const { series, errors } = await read("/v2/chains/43114/metrics/txCount", {
      results: [
        { value: null, timestamp: TODAY },
        { value: 3, timestamp: TODAY - DAY },
        { timestamp: TODAY - 2 * DAY },
        { value: 4, timestamp: TODAY - 3 * DAY },
      ],
    });
    expect(errors).toEqual([]);
    const shown = (window: string) =>
      series.get(`avax_hosted_chain_transactions{evm_chain_id="43114",interval="day",window="${window}"}`);
    expect([shown("complete"), shown("current")]).toEqual([4, undefined]);
  });

  it("in a price leaves out the worth, not the balance", async () => {
    const { series, errors } = await read(`/v1/chains/43114/addresses/${ACCOUNT}/balances:listErc721`, {
      nativeTokenBalance: {
        balance: "1500000000000000000",
        decimals: 18,
        price: { currencyCode: "usd", value: null },
        balanceValue: { value: 30 },
      },
      erc721TokenBalances: [],
    });
    expect(errors).toEqual([]);
    expect(series.get(`avax_hosted_address_balance_coins{evm_chain_id="43114",address="${ACCOUNT}"}`)).toBe(1.5);
    expect([...series.keys()].filter((name) => name.startsWith("avax_hosted_address_balance_fiat"))).toEqual([]);
  });

  it("in place of a list means an empty list", async () => {
    const { series, errors } = await read(`/v1/networks/mainnet/validators/${NODE}`, { validators: null });
    expect(errors).toEqual([]);
    expect(series.get(`avax_hosted_validator_unrewarded_periods{network="mainnet",node_id="${NODE}"}`)).toBe(0);
  });
});

describe("freshness", () => {
  const labels = 'metric="txCount",evm_chain_id="43114",interval="day"';

  it("data that is days behind has its own time, and its days are neither complete nor running", async () => {
    const bench = hostedBench();
    bench.services.lagBy(3 * DAY);
    bench.poller.apply(hostedConfig({ metrics: { metricChains: ["43114"], intervals: ["day"] } }));
    await bench.run(60);
    const series = await bench.series();
    expect(series.get(`avax_hosted_chain_metric_timestamp_seconds{${labels},window="complete"}`)).toBe(TODAY - 4 * DAY);
    expect(series.get(`avax_hosted_chain_metric_timestamp_seconds{${labels},window="current"}`)).toBeUndefined();
    expect(
      series.get('avax_hosted_chain_transactions{evm_chain_id="43114",interval="day",window="current"}'),
    ).toBeUndefined();
    // The older series has the time of its last update: the day before it is complete.
    expect(series.get('avax_hosted_chain_legacy_timestamp_seconds{evm_chain_id="43114",window="complete"}')).toBe(
      TODAY - 4 * DAY,
    );
  });

  it("an interval that has ended is no longer the running one, even without a new answer", async () => {
    const bench = hostedBench();
    bench.poller.apply(
      hostedConfig({ metrics: { metricChains: ["43114"], intervals: ["day", "hour"] }, endpoints: HALF_A_DAY }),
    );
    await bench.run(60);
    const running = (interval: string) =>
      bench.value(`avax_hosted_chain_transactions{evm_chain_id="43114",interval="${interval}",window="current"}`);
    expect([await running("hour"), await running("day")].map((value) => value !== undefined)).toEqual([true, true]);
    const complete = 'avax_hosted_chain_transactions{evm_chain_id="43114",interval="hour",window="complete"}';
    const before = await bench.value(complete);
    await bench.run(3600);
    expect(await running("hour")).toBeUndefined();
    expect(await running("day")).toBeGreaterThan(0);
    expect(await bench.value(complete)).toBe(before);
  });
});

const HALF_A_DAY = { "metrics.txCount": { every: 12 * 3600 } };
