import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { ALL_DATA, hostedBench, hostedConfig, type HostedBench } from "../../support/hosted.ts";
import type { HostedRequestRecord } from "../../../simulator/hosted/hosted-service.ts";

const CHAINS = ["43114", "43113", ...Array.from({ length: 18 }, (_, i) => String(99_001 + i))];
const hex = (i: number) => `0x${i.toString(16).padStart(40, "a")}`;
const ADDRESSES = Array.from({ length: 50 }, (_, i) => ({ chain: CHAINS[i % 20] ?? "", address: hex(i) }));

/** The largest sum of units within any span of `seconds`; requests are added in the order of their times. */
function mostWithin(seconds: number) {
  const inside: Array<Pick<HostedRequestRecord, "at" | "units">> = [];
  let first = 0;
  let sum = 0;
  let most = 0;
  return {
    add({ at, units }: HostedRequestRecord) {
      inside.push({ at, units });
      sum += units;
      for (let oldest = inside[first]; oldest !== undefined && oldest.at <= at - seconds; oldest = inside[++first])
        sum -= oldest.units;
      if (first > 1000) first = inside.splice(0, first).length - first;
      most = Math.max(most, sum);
    },
    most: () => most,
  };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of the heap in use. */
function heap(): number {
  // The second collection frees what finalisers released.
  collectGarbage();
  collectGarbage();
  return getHeapStatistics().used_heap_size;
}

/** Series that are always present. A running interval has none from its end until the next answer. */
async function lasting({ series }: HostedBench): Promise<readonly string[]> {
  return [...(await series()).keys()].filter((name) => !name.includes('window="current"'));
}

/** The smallest leak of an answer, in bytes; 16 hours have 20,000 answers. */
const LEAST_LEAK = 50;

const DAY = { timeout: 600_000 };

it(
  "24 hours with 20 chains and 50 addresses stay in the budget, keep every cadence and leak nothing",
  DAY,
  async () => {
    // The simulated services keep only the requests of the last minute, so that their memory is not measured.
    // A tick every four seconds makes polls later by less than that. Published every quarter of an hour, because rendering, which has other tests, would take most of the time.
    const bench = hostedBench({ remembered: 500 });
    bench.poller.apply(
      hostedConfig({
        data: { ...ALL_DATA, chains: CHAINS, accounts: ADDRESSES },
        metrics: { metricChains: CHAINS, intervals: ["day", "hour"] },
      }),
    );
    const minutes = { data: mostWithin(60), metrics: mostWithin(60) };
    const days = { data: 0, metrics: 0 };
    let overdue = 0;
    let requests = 0;
    let refused = 0;
    let early = { bytes: 0, requests: 0, series: [] as readonly string[] };
    for (let minute = 1; minute <= 24 * 60; minute++) {
      const from = bench.clock.now();
      await bench.run(60, 4);
      for (const each of bench.services.requests().filter(({ at }) => at >= from)) {
        minutes[each.service].add(each);
        days[each.service] += each.units;
        requests++;
        if (each.status !== 200) refused++;
      }
      // Even at the start, when everything is due at once, no poll is late by its interval.
      for (const each of bench.poller.hostedRecord().services) overdue = Math.max(overdue, each.overdue);
      if (minute === 120) early = { ...early, series: await lasting(bench) };
      // Code that is compiled and tables of the engine grow for some hours: they are no leak. The list is not measured either.
      if (minute === 480) early = { ...early, bytes: heap(), requests };
      // All series are present after the second hour, and none is added or lost later.
      if (minute > 120 && minute % 60 === 0) expect(await lasting(bench)).toEqual(early.series);
    }
    for (const { service, spent } of bench.poller.hostedRecord().services) {
      expect(minutes[service].most(), service).toBeLessThanOrEqual(6000);
      expect(days[service], service).toBeLessThanOrEqual(1_200_000);
      expect(days[service], service).toBe(spent);
    }
    expect(refused).toBe(0);
    expect(overdue).toBeLessThan(1);
    expect(early.series.length).toBeGreaterThan(3000);
    expect(heap() - early.bytes).toBeLessThan(LEAST_LEAK * (requests - early.requests));
    for (const { endpoints } of bench.poller.hostedRecord().services) {
      for (const each of endpoints) {
        expect(bench.clock.now() - (each.lastSuccess ?? 0), each.id).toBeLessThan(2 * each.every);
        expect([each.failing, each.truncated], each.id).toEqual([0, 0]);
      }
    }
    expect(bench.clock.waiting()).toBeLessThanOrEqual(8);
    expect(bench.counted).toMatchObject({ defects: [], duplicates: 0 });
  },
);
