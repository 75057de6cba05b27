import { afterAll, beforeAll, expect, it } from "vitest";
import { rulesOf } from "../../src/diagnosis/rules.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { sampleLines, seriesKey } from "../e2e/support/exposition.ts";
import { startOldPrometheus, type OldSeries } from "../e2e/support/old-prometheus.ts";
import { instantQuery, type Prometheus } from "../e2e/support/prometheus.ts";
import { simulatedExposition } from "../e2e/support/simulated-exposition.ts";
import { readingsIn } from "../support/readings.ts";

/** A real Prometheus and this evaluation must return the same results for one exposition of a faulty fleet. */

const SCENARIOS = [
  "left-behind",
  "low-uptime",
  "unhealthy-check",
  "bootstrapping",
  "frozen-health",
  "benched",
  "losing-peers",
  "slow",
] as const;
const { rules: RULES } = rulesOf();

const cleanup = createCleanup();
let exposition: string;
let query: Prometheus["query"];

beforeAll(async () => {
  const scenario = SCENARIOS.map((name, index) => ({ node: index + 3, name }));
  exposition = await simulatedExposition({ nodes: SCENARIOS.length + 2, scenario });
  const now = Math.floor(Date.now() / 1000);
  const series = sampleLines(exposition).map((line): OldSeries => {
    const [, name = "", value = ""] = /^(.*) (\S+)$/.exec(line) ?? [];
    return [name, [[now, Number(value.replace("Inf", "Infinity"))]]];
  });
  const prometheus = await startOldPrometheus(series);
  cleanup.add(prometheus.stop);
  query = (promql) => instantQuery(prometheus.url, promql);
});
afterAll(cleanup.run);

it("returns the same for every condition that the exporter judges itself, and several hold", async () => {
  const samples = samplesOf(readingsIn(exposition), Date.now() / 1000);
  const holding: string[] = [];
  for (const { alert, find } of RULES) {
    const actual = new Map(find(samples).map(({ series, value }) => [seriesKey("", series.labels), value]));
    const expected = withoutScrape(await query(alert.expr));
    expect([...actual.keys()].sort(), alert.name).toEqual([...expected.keys()].sort());
    for (const [key, value] of expected) {
      const found = actual.get(key) ?? NaN;
      // `time()` differs between the two.
      const distance = /time\(\)|_seconds/.test(alert.expr) ? 5 : Math.abs(value) * 1e-9;
      if (Number.isFinite(value)) expect(Math.abs(found - value), `${alert.name} ${key}`).toBeLessThanOrEqual(distance);
      else expect(found, `${alert.name} ${key}`).toBe(value);
    }
    if (expected.size > 0) holding.push(alert.name);
  }
  expect(holding.length).toBeGreaterThan(8);
  expect(holding).toEqual(
    expect.arrayContaining(["AvaxNodeBootstrapping", "AvaxNodeDiskLow", "AvaxChainNotBootstrapped"]),
  );
});

/** Results without the labels of the scrape, which the exporter's own values lack. */
function withoutScrape(found: Awaited<ReturnType<Prometheus["query"]>>): ReadonlyMap<string, number> {
  return new Map(
    [...found.values()].map(({ labels, value }) => {
      const { job: _job, instance: _instance, ...own } = labels;
      return [seriesKey("", own), value];
    }),
  );
}
