import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { ALL_DATA, hostedBench, hostedConfig, mostWithin, type HostedBench } from "../../support/hosted.ts";

/** Both services with 50 chains and 50 accounts: far more than the budget of some minutes. */
const CHAINS = Array.from({ length: 50 }, (_, i) => String(99_001 + i));
const ACCOUNTS = CHAINS.map((chain, i) => ({ chain, address: `0x${i.toString(16).padStart(40, "a")}` }));
const FIFTY = {
  data: { ...ALL_DATA, chains: CHAINS, accounts: ACCOUNTS },
  metrics: { metricChains: CHAINS, intervals: ["day" as const, "hour" as const] },
};
const CONFIG = hostedConfig(FIFTY);

const asked = ({ services }: HostedBench, service: "data" | "metrics") =>
  services.requests().filter((each) => each.service === service);

function expectWithin(bench: HostedBench, perMinute: number, from = -Infinity): void {
  for (const service of ["data", "metrics"] as const) {
    const requests = asked(bench, service).filter(({ at }) => at >= from);
    expect(mostWithin(requests, 60), service).toBeLessThanOrEqual(perMinute);
  }
}

describe("with 50 chains", () => {
  it("the budget is kept from the first second on, and is used", async () => {
    const bench = hostedBench();
    bench.poller.apply(CONFIG);
    await bench.run(600);
    expectWithin(bench, 6000);
    const requests = asked(bench, "metrics");
    expect(mostWithin(requests, 600)).toBeGreaterThan(12_000);
    expect(requests.every(({ status }) => status === 200)).toBe(true);
    expect(await bench.value('avax_hosted_postponed_polls{api="metrics"}')).toBeGreaterThan(100);
    expect(await bench.value('avax_hosted_budget_units{api="metrics",period="minute"}')).toBe(6000);
    for (const { service, spent } of bench.poller.hostedRecord().services)
      expect(asked(bench, service).reduce((sum, { units }) => sum + units, 0)).toBe(spent);
  });

  it("the budget is kept in the minute of a restart", async () => {
    const first = hostedBench();
    first.poller.apply(CONFIG);
    await first.run(300);
    await first.poller.close();
    const second = hostedBench({}, first);
    second.poller.apply(CONFIG);
    await second.run(300);
    expect(asked(second, "metrics").length).toBeGreaterThan(asked(first, "metrics").length / 2);
    expectWithin(second, 6000);
  });
});

const other = (change: (service: NonNullable<Config["dataApi"]>) => NonNullable<Config["dataApi"]>): Config => ({
  ...CONFIG,
  ...(CONFIG.dataApi === undefined ? {} : { dataApi: change(CONFIG.dataApi) }),
  ...(CONFIG.metricsApi === undefined ? {} : { metricsApi: change(CONFIG.metricsApi) }),
});

describe("over reloads", () => {
  it.each<readonly [name: string, configs: readonly Config[]]>([
    [
      "with other chains",
      [hostedConfig({ ...FIFTY, metrics: { ...FIFTY.metrics, metricChains: CHAINS.slice(25) } }), CONFIG],
    ],
    [
      "with another key",
      [other((service) => ({ ...service, key: "k-1" })), other((service) => ({ ...service, key: "k-2" }))],
    ],
    ["without the sections, and with them again", [hostedConfig({}), CONFIG]],
    ["with another budget, and the old one again", [hostedConfig({ ...FIFTY, perMinute: 5000 }), CONFIG]],
  ])("%s the budget is kept in every minute", { timeout: 30_000 }, async (_, configs) => {
    const bench = hostedBench();
    bench.poller.apply(CONFIG);
    await bench.run(90);
    for (let round = 0; round < 6; round++) {
      const next = configs[round % configs.length];
      if (next !== undefined) bench.poller.apply(next);
      await bench.run(25);
    }
    await bench.run(60);
    expectWithin(bench, 6000);
    expect(asked(bench, "metrics").length).toBeGreaterThan(100);
  });

  it("units of the day stay spent when the section is removed and added again", async () => {
    const small = hostedConfig({ ...FIFTY, perDay: 20_000 });
    const bench = hostedBench();
    for (let round = 0; round < 20; round++) {
      bench.poller.apply(small);
      await bench.run(20);
      bench.poller.apply(hostedConfig({}));
    }
    const spent = asked(bench, "metrics").reduce((sum, { units }) => sum + units, 0);
    // The 200 units of a start; seven minutes of the day would add 83.
    expect(spent).toBe(200);
  });

  it("a smaller budget is kept from its first minute on", async () => {
    const bench = hostedBench();
    bench.poller.apply(CONFIG);
    await bench.run(300);
    const from = bench.clock.now();
    bench.poller.apply(hostedConfig({ ...FIFTY, perMinute: 1000 }));
    await bench.run(300);
    expectWithin(bench, 1000, from);
  });
});

describe("a budget that does not suffice", () => {
  it("is not exceeded by pages either", async () => {
    const bench = hostedBench();
    bench.poller.apply(hostedConfig({ data: { ...ALL_DATA, maxPages: 100 }, perMinute: 400, perDay: 100_000 }));
    await bench.run(1200);
    expect(asked(bench, "data").filter(({ url }) => url.includes("pageToken")).length).toBeGreaterThan(0);
    expectWithin(bench, 400);
  });

  it("is not exceeded by retries of failed polls", async () => {
    const bench = hostedBench();
    bench.services.set("metrics", "bad-request");
    bench.poller.apply(CONFIG);
    await bench.run(900);
    expect(asked(bench, "metrics").filter(({ status }) => status === 400).length).toBeGreaterThan(200);
    expectWithin(bench, 6000);
  });

  it("starves no poll: the lowest priority is polled too", async () => {
    const endpoints = { "data.validators": { every: 10 }, "data.nfts": { every: 600 } };
    const bench = hostedBench();
    bench.poller.apply(hostedConfig({ data: ALL_DATA, perMinute: 200, perDay: 200_000, endpoints }));
    await bench.run(7200);
    const nfts = bench.services.requests().filter(({ url }) => url.includes("/tokens/1"));
    expect(nfts.length).toBeGreaterThanOrEqual(4);
    expect(await bench.value('avax_hosted_overdue_intervals{api="data"}')).toBeGreaterThan(1);
  });
});
