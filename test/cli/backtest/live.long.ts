import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createEvaluator } from "../../../src/cli/backtest/create-evaluator.ts";
import type { Backtest } from "../../../src/cli/backtest/backtest-summary.ts";
import { execute } from "../../../src/cli/execute.ts";
import { prometheusAt } from "../../../src/cli/report/prometheus-client.ts";
import { secondsOf } from "../../../src/topics/all/alert-settings.ts";
import { ALERT_GROUPS, ALERTS } from "../../../src/topics/all/alerts.ts";
import { rulesFile } from "../../../generate/rules/rules.ts";
import { createCleanup } from "../../support/create-cleanup.ts";
import { writtenSystem } from "../../support/written-system.ts";
import { startPrometheus } from "../../e2e/support/prometheus.ts";
import { closeServer, listenOn } from "../../e2e/support/recording-server.ts";
import { simulatedExposition } from "../../e2e/support/simulated-exposition.ts";
import { recordingsOf } from "../../../src/topics/all/recordings.ts";

const cleanup = createCleanup();
afterAll(cleanup.run);

/** The alerts in a minute: a second for each of their minutes. */
const GROUPS = ALERT_GROUPS.map((group) => ({
  ...group,
  alerts: group.alerts.map((alert) => ({ ...alert, for: `${Math.ceil(Math.min(600, secondsOf(alert)) / 60)}s` })),
}));

const FAULTS = [
  { node: 3, name: "left-behind" },
  { node: 4, name: "low-uptime" },
  { node: 5, name: "losing-peers" },
  { node: 6, name: "bootstrapping" },
] as const;

/** Two nodes are down, and no other one is connected to them. */
const down = (exposition: string): string =>
  exposition
    .replaceAll(/^(avax_node_up\{[^}]*node="sim-[12]"[^}]*\}) 1$/gm, "$1 0")
    .replaceAll(/^(avax_node_outage\{[^}]*node="sim-[12]"[^}]*outage="unseen"[^}]*\}) 0$/gm, "$1 1");

/** Its page lasts while the node is silent, which it is afterwards. */
const wrongKey = (exposition: string): string =>
  `${exposition.replace(/# EOF\n$/, "")}avax_node_bls_key_wrong{node="sim-1",network="local",subnet="primary"} 1\n`;

/** Seconds from the beginning, and what is scraped from then on; `undefined` fails. */
const scenesOf = (healthy: string, faulty: string): ReadonlyArray<readonly [number, string | undefined]> => [
  [0, healthy],
  [4, faulty],
  [18, healthy],
  [21, wrongKey(faulty)],
  [25, wrongKey(healthy)],
  [32, down(faulty)],
  [46, undefined],
  [54, healthy],
];
const LENGTH = 64;

type Times = ReadonlyArray<readonly [from: number, until: number]>;

/** When each alert fired by the samples that Prometheus wrote at its evaluations. */
async function written(at: number): Promise<ReadonlyMap<string, Times>> {
  const query = `ALERTS{alertstate="firing",alertname!="AvaxWatchdog"}[${LENGTH + 60}s]`;
  const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query, time: String(at) }).toString()}`);
  const { data } = (await response.json()) as {
    data: { result: ReadonlyArray<{ metric: Record<string, string>; values: ReadonlyArray<[number, string]> }> };
  };
  return new Map(
    data.result.map(({ metric: { __name__: _name, alertstate: _state, severity: _severity, ...labels }, values }) => {
      const runs: Array<[number, number]> = [];
      for (const [time] of values) {
        const run = runs.at(-1);
        if (run !== undefined && time - run[1] < 1.6) run[1] = time;
        else runs.push([time, time]);
      }
      // Before the first scrape nothing is known.
      return [keyOf(labels), runs.filter(([from]) => from > (began ?? 0) + 1)] as const;
    }),
  );
}

const keyOf = (labels: Readonly<Record<string, string>>): string => JSON.stringify(Object.entries(labels).sort());

let url: string;
let began: number | undefined;

beforeAll(async () => {
  const faulty = await simulatedExposition({ nodes: 6, scenario: FAULTS });
  const scenes = scenesOf(await simulatedExposition({ nodes: 6 }), faulty);
  const server = createServer((_request, response) => {
    began ??= Date.now() / 1000;
    const passed = Date.now() / 1000 - began;
    const text = scenes.findLast(([from]) => from <= passed)?.[1];
    response.writeHead(text === undefined ? 503 : 200, { "content-type": "text/plain; version=0.0.4" }).end(text ?? "");
  });
  const port = await listenOn(server);
  cleanup.add(() => closeServer(server));
  const prometheus = await startPrometheus({ avax: `http://127.0.0.1:${port}` }, { rules: rulesFile(GROUPS) });
  cleanup.add(prometheus.stop);
  ({ url } = prometheus);
  const isOver = (): boolean => began !== undefined && Date.now() / 1000 - began > LENGTH;
  await vi.waitUntil(isOver, { timeout: 120_000, interval: 500 });
}, 180_000);

it("equals what a real Prometheus with the same rules fired, to the evaluation step", { timeout: 60_000 }, async () => {
  const until = Math.floor(Date.now() / 1000) - 2;
  const scope = { from: until - LENGTH - 20, until, step: 1, matchers: [] };
  const evaluator = createEvaluator(prometheusAt(url, 60_000), scope, () => undefined);
  const [first] = await evaluator.covered();
  const { outcomes } = await evaluator.evaluate(GROUPS, (first?.[0] ?? 0) - 1);
  const ours = Map.groupBy(outcomes, ({ alert, labels }) => keyOf({ ...labels, alertname: alert }));
  const theirs = await written(until);

  expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort());
  expect(theirs.size).toBeGreaterThan(30);
  for (const [key, runs] of theirs) {
    const found = (ours.get(key) ?? []).map(({ from, until: end }) => [from, (end ?? until + 1) - 1] as const);
    expect(found.length, `${key} ${JSON.stringify({ runs, found })}`).toBe(runs.length);
    // Both evaluate once a second, at other moments; recorded series that another group writes are up to a second older.
    const alert = ALERTS.find(({ name }) => key.includes(`"${name}"`));
    const steps = alert !== undefined && recordingsOf([alert]).length > 0 ? 2.2 : 1.2;
    for (const [index, [from, last]] of runs.entries()) {
      expect(Math.abs((found[index]?.[0] ?? 0) - from), `${key} fires`).toBeLessThan(steps);
      expect(Math.abs((found[index]?.[1] ?? 0) - last), `${key} ends`).toBeLessThan(steps);
    }
  }
});

it(
  "shows a changed threshold beside the shipped one, by node, and which series are missing",
  { timeout: 120_000 },
  async () => {
    const run = async (...flags: readonly string[]) => {
      const { system, written: result } = writtenSystem();
      const code = await execute(["backtest", `--prometheus=${url}`, "--since=1h", "--step=1s", ...flags], system);
      // The progress, on a machine that is slow.
      expect([code, result.err.replaceAll(/^alert \d+ of \d+\n/gm, "")]).toEqual([0, ""]);
      return result.out;
    };
    const backtest = JSON.parse(
      await run("--set=AvaxNodeDown.for=5s,AvaxExporterAbsent.for=4s", "--format=json"),
    ) as Backtest;
    expect(backtest.changed.toSorted()).toEqual(["AvaxExporterAbsent", "AvaxNodeDown"]);
    const nodeDown = backtest.alerts.find(({ alert }) => alert === "AvaxNodeDown");
    expect(nodeDown).toMatchObject({ for: 5, chosen: { fired: 2 }, shipped: { fired: 0, short: 2 } });
    expect(backtest.subjects.filter(({ alert }) => alert === "AvaxNodeDown").map(({ subject }) => subject)).toEqual([
      "sim-1",
      "sim-2",
    ]);
    expect(backtest.neverPossible).toContainEqual({
      alert: "AvaxNodeDatabaseStalls",
      missing: ["avalanche_db_writes_delayed_duration"],
    });
    expect(backtest.neverPossible?.some(({ alert }) => alert === "AvaxNodeDown")).toBe(false);
    const text = await run();
    expect(text).toContain("Shipped thresholds.");
    // Down for 14 s, and on through the 8 without the exporter.
    expect(text).toMatch(/^AvaxNodeDown +0 .* 2 \(2[0-9] s of 10 min\)$/m);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(await run("--format=html")).toContain("<h2>By node and cause</h2>");
  },
);
