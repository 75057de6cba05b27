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

it(
  "24 hours with 20 chains and 50 addresses stay within 6,000 units a minute and miss no value by its interval",
  { timeout: 300_000 },
  async () => {
    const bench = hostedBench();
    bench.poller.apply(
      hostedConfig({
        data: { ...ALL_DATA, chains: CHAINS, accounts: ADDRESSES },
        metrics: { metricChains: CHAINS, intervals: ["day", "hour"] },
      }),
    );
    const told: { data: Told[]; metrics: Told[] } = { data: [], metrics: [] };
    let worst = 0;
    let afterHours = new Map<number, number>();
    let heap = 0;
    for (let minute = 1; minute <= 24 * 60; minute++) {
      await bench.run(60);
      const now = bench.clock.now();
      for (const each of bench.services.requests().filter(({ at }) => at > now - 60)) told[each.service].push(each);
      if (minute > 90) for (const { overdue } of bench.poller.record().services) worst = Math.max(worst, overdue);
      if (minute % 60 === 0) {
        afterHours.set(minute / 60, (await bench.series()).size);
        if (minute === 180) heap = process.memoryUsage().heapUsed;
      }
    }
    console.log(
      bench.poller.record().services.map(({ service, spent, demand, endpoints }) => ({
        service,
        spent,
        demand,
        requests: endpoints.reduce((s, e) => s + e.requests, 0),
      })),
    );
    console.log(
      "per minute",
      mostWithin(told.data, 60),
      mostWithin(told.metrics, 60),
      "worst",
      worst,
      [...afterHours],
      (process.memoryUsage().heapUsed - heap) / 1e6,
    );
    console.log(bench.logged.slice(0, 3), bench.readFailures.slice(0, 5));
    expect(worst).toBeLessThan(1);
  },
);
