import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { needsHistoryWithin, rulesOf } from "../../src/diagnosis/rules.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { rulesFile } from "../../generate/rules.ts";
import { evaluate } from "../../src/diagnosis/promql/evaluate.ts";
import { parse } from "../../src/diagnosis/promql/parse.ts";
import { labelsOf } from "../../src/diagnosis/promql/sample.ts";
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
const { rules: RULES, recorded: RECORDED } = rulesOf();
const EVALUATED = [
  ...RULES.map(({ alert }) => alert),
  ...RECORDINGS.filter(({ expr }) => !needsHistoryWithin(parse(expr), RECORDED)),
];

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
  // Groups are evaluated at different times, and a recording uses the previous values of others in its group.
  const wanted = EVALUATED.filter(({ name }) => RECORDED.has(name)).map(
    ({ name, expr }) => [name, ours(expr).size] as const,
  );
  expect(wanted.length).toBeGreaterThan(2);
  await vi.waitUntil(
    async () => {
      // A query fails until Prometheus has started.
      for (const [name, size] of wanted)
        if ((await prometheus.query(name).catch(() => undefined))?.size !== size) return false;
      return true;
    },
    { timeout: 30_000, interval: 200 },
  );
});
afterAll(cleanup.run);

type Result = ReadonlyMap<string, number>;

function ours(expr: string): Result {
  const value = evaluate(parse(expr), samplesOf(readingsIn(exposition), Date.now() / 1000, RECORDED));
  if (typeof value === "number") return new Map([["{}", value]]);
  return new Map(value.map((sample) => [seriesKey(sample.name, Object.fromEntries(labelsOf(sample))), sample.value]));
}

async function agree(expr: string): Promise<number> {
  const actual = ours(expr);
  const expected = await prometheus.query(expr);
  expect([...actual.keys()].sort(), expr).toEqual([...expected.keys()].sort());
  for (const [key, { value }] of expected) {
    // `time()` differs between the two evaluations.
    const distance = /time\(\)|_parting_seconds/.test(expr) ? 5 : Math.abs(value) * 1e-9;
    const actualValue = actual.get(key) ?? NaN;
    if (Number.isFinite(value)) expect(Math.abs(actualValue - value), `${expr} ${key}`).toBeLessThanOrEqual(distance);
    else expect(actualValue, `${expr} ${key}`).toBe(value);
  }
  return expected.size;
}

describe("a real Prometheus", () => {
  it("returns the same for every rule that needs no history, and several rules fire", async () => {
    const sizes: Array<readonly [string, number]> = [];
    for (const { name, expr } of EVALUATED) sizes.push([name, await agree(expr)]);
    const firing = sizes.filter(([, size]) => size > 0).map(([name]) => name);
    expect(firing.length).toBeGreaterThan(8);
    expect(firing).toEqual(
      expect.arrayContaining(["AvaxNodeBootstrapping", "AvaxNodeDiskLow", "AvaxChainNotBootstrapped"]),
    );
  });

  it("returns the same for the parts of their expressions, which have more series", async () => {
    const parts = new Set(
      EVALUATED.flatMap(({ expr }) =>
        expr.split(/ (?:[<>]=?|==) -?[\d.]+(?: \* \d+)?| and on \(instance, job, node\) | and | unless /),
      ),
    );
    const valid = [...parts].filter((part) => isValid(part));
    expect(valid.length).toBeGreaterThan(30);
    for (const part of valid) await agree(part);
  });
});

function isValid(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  "count without (node) (avax_node_up)",
  "group by (node) (avax_node_up)",
  "sum by (chain) (avax_chain_lag_blocks)",
  "min by (node) (avax_node_health_check_duration_seconds)",
  "quantile(0.99, avax_validator_uptime_ratio)",
  "avax_endpoint_up * ignoring (api_endpoint) group_left () avax_node_up",
  "avax_node_up * on (node) group_left (version, network) avax_node_info",
  "avax_node_healthy == on (node) avax_node_ready",
  "avax_node_healthy == avax_node_ready",
  "0 < avax_chain_lag_blocks",
  "avax_node_up or avax_node_healthy",
  "avax_node_up or on (node) avax_node_healthy",
  "avax_node_healthy == 1 or avax_node_up unless on (node) avax_node_ready == 0",
  "avax_node_up / (avax_node_up - 1)",
  "avax_node_healthy == 0 or ignoring (chain) avax_chain_bootstrapped == 0",
  "avax_chain_lag_blocks > 0 or ignoring (chain, node) avax_node_up",
  "avax_chain_bootstrapped * on (node, network) group_left (node_id) avax_node_info",
  "avax_chain_bootstrapped == 0 and on (node) avax_node_up == 1",
  "avax_chain_lag_blocks * on (network, node) group_left (node_id) (avax_node_info * 0 + 1)",
  "avax_node_health_check_passing == 0 unless on (node, check) avax_chain_bootstrapped",
  "avax_validator_uptime_ratio * on (network, node_id) group_left (node) label_of_nobody",
  // Nodes with the same height are in an order of their own: which of them is kept is not compared.
  "max by (network, node_id) (topk by (network, node_id) (1, avax_validator_downtime_budget_remaining_seconds))",
  "max by (chain) (topk by (chain) (1, avax_chain_height))",
  "count by (chain) (topk by (chain) (1, avax_chain_height))",
  "count(topk(3, avax_chain_height))",
  "topk(0, avax_chain_height)",
  "quantile by (network, subnet, node_id) (0.5, avax_validator_uptime_ratio)",
  "(quantile without (node) (0.5, avax_validator_uptime_ratio)) * on (network, node_id) group_left (node) (topk by (network, node_id) (1, avax_node_info))",
  "avax_node_disk_available_ratio < on (node) avax_node_up",
  "avax_chain_height < on (chain) group_left () max by (chain) (avax_chain_height)",
  "avax_chain_height < on (network, node) group_left (node_id, version) avax_node_info * 1e12",
  'avax_chain_bootstrapped{chain=~"P|X",node!="sim-1"}',
  'avax_chain_bootstrapped{chain!~"P.*",nonsense=""}',
  "-avax_chain_lag_blocks + 2 * 3 / 4",
  "abs(-avax_node_up)",
  "time() - max without (check) (avax_node_health_check_duration_seconds)",
])("returns the same for %s", async (expr) => {
  await agree(expr);
});

test.each([
  "avax_node_health_check_passing + on (node) avax_node_up",
  "avax_node_up + on (node) avax_node_health_check_passing",
  'avax_chain_bootstrapped * on (node) group_left (chain) avax_chain_bootstrapped{chain="P"}',
])("rejects %s, as Prometheus does", async (expr) => {
  await expect(prometheus.query(expr)).rejects.toThrow(/match/);
  expect(() => ours(expr)).toThrow(/several series/);
});
