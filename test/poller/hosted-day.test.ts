import { expect, it } from "vitest";
import { ALL_DATA, hostedBench, hostedConfig } from "../support/hosted.ts";
import type { Told } from "../../src/simulator/hosted-service.ts";

const CHAINS = ["43114", "43113", ...Array.from({ length: 18 }, (_, i) => String(99_001 + i))];
const hex = (i: number) => `0x${i.toString(16).padStart(40, "a")}`;
const ADDRESSES = Array.from({ length: 50 }, (_, i) => ({ chain: CHAINS[i % 20] ?? "", address: hex(i) }));

/** The largest sum of units within any span of `seconds`. */
function mostWithin(told: readonly Told[], seconds: number): number {
  let most = 0;
  let sum = 0;
  let first = 0;
  for (const { at, units } of told) {
    sum += units;
    for (let oldest = told[first]; oldest !== undefined && oldest.at <= at - seconds; oldest = told[++first])
      sum -= oldest.units;
    most = Math.max(most, sum);
  }
  return most;
}

const DAY = { timeout: 600_000 };

it("24 hours with 20 chains and 50 addresses stay in the budget and miss no value by its interval", DAY, async () => {
  const bench = hostedBench();
  bench.poller.apply(
    hostedConfig({
      data: { ...ALL_DATA, chains: CHAINS, accounts: ADDRESSES },
      metrics: { metricChains: CHAINS, intervals: ["day", "hour"] },
    }),
  );
  const told: Record<Told["service"], Told[]> = { data: [], metrics: [] };
  let overdue = 0;
  const series: number[] = [];
  for (let minute = 1; minute <= 24 * 60; minute++) {
    await bench.run(60);
    const now = bench.clock.now();
    for (const each of bench.services.requests().filter(({ at }) => at > now - 60)) told[each.service].push(each);
    // The first round has to be paid first; after it nothing may be late by an interval.
    if (minute > 90) for (const each of bench.poller.record().services) overdue = Math.max(overdue, each.overdue);
    if (minute % 60 === 0) series.push((await bench.series()).size);
  }
  for (const service of ["data", "metrics"] as const) {
    expect(mostWithin(told[service], 60), service).toBeLessThanOrEqual(6000);
    expect(mostWithin(told[service], 86_400), service).toBeLessThanOrEqual(1_200_000);
    expect(
      told[service].filter(({ status }) => status !== 200),
      service,
    ).toEqual([]);
  }
  expect(overdue).toBeLessThan(1);
  // Every series was there after the second hour, and none was added or lost since.
  expect(new Set(series.slice(1)).size).toBe(1);
  expect(series[1]).toBeGreaterThan(3500);
  for (const { endpoints } of bench.poller.record().services) {
    for (const each of endpoints) {
      expect(bench.clock.now() - (each.lastSuccess ?? 0), each.id).toBeLessThan(2 * each.every);
      expect([each.failing, each.truncated], each.id).toEqual([0, 0]);
    }
  }
  expect(bench.clock.waiting()).toBeLessThanOrEqual(8);
  expect(bench.readFailures).toEqual([]);
});
