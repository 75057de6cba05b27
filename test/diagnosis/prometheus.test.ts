import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { rulesOf } from "../../src/diagnosis/rules.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { rulesFile } from "../../generate/rules/rules.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { seriesKey } from "../e2e/support/exposition.ts";
import { startPrometheus, type Prometheus } from "../e2e/support/prometheus.ts";
import { simulatedExposition } from "../e2e/support/simulated-exposition.ts";
import { closeServer, listenOn } from "../e2e/support/recording-server.ts";
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
let prometheus: Prometheus;

beforeAll(async () => {
  const scenario = SCENARIOS.map((name, index) => ({ node: index + 3, name }));
  exposition = await simulatedExposition({ nodes: SCENARIOS.length + 2, scenario });
  const server = createServer((_request, response) =>
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(exposition),
  );
  const port = await listenOn(server);
  cleanup.add(() => closeServer(server));
  prometheus = await startPrometheus({ avax: `http://127.0.0.1:${port}` }, { rules: rulesFile() });
  cleanup.add(prometheus.stop);
  await vi.waitUntil(async () => (await prometheus.query("avax_node_up").catch(() => undefined))?.size, {
    timeout: 30_000,
    interval: 200,
  });
});
afterAll(cleanup.run);

it("returns the same for every condition that the exporter judges itself, and several hold", async () => {
  const samples = samplesOf(readingsIn(exposition), Date.now() / 1000);
  const holding: string[] = [];
  for (const { alert, find } of RULES) {
    const actual = new Map(find(samples).map(({ labels, value }) => [seriesKey("", labels), value]));
    const expected = withoutScrape(await prometheus.query(alert.expr));
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
