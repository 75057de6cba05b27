import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { RECORDINGS } from "../../src/topics/all/recordings.ts";
import { NATIVE_FAMILIES } from "../../generate/dashboards/parts/native-families.ts";
import { rulesFile } from "../../generate/rules.ts";
import { allOf, DASHBOARDS, filled } from "../generate/dashboards/dashboard.ts";
import { vectorsWithin } from "../generate/promql.ts";
import { VOCABULARY } from "../generate/vocabulary.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { impatient, makeTrouble, startDashboardScene } from "./support/dashboard-scene.ts";
import type { RunningDaemon } from "./support/daemon.ts";
import { chosen, valuesOf } from "./support/dashboard-variables.ts";
import { seriesKey } from "./support/exposition.ts";
import { startPrometheus, type Prometheus, type ScrapeConfig } from "./support/prometheus.ts";
import { OPERATOR_LABELS, RESERVED_LABELS } from "./support/scraper-labels.ts";
import { startStampedRelay } from "./support/stamped-relay.ts";

/** Two Prometheus servers, one of which sets the labels of the operator, must return the same for every alert and panel. */

const SETTLED = { timeout: 60_000, interval: 200 };
/** Captures before and after nodes begin to fail: enough for rates. */
const CAPTURES = [5, 8] as const;
/** Seconds between evaluations of the same rule in both servers, for what depends on the time. */
const APART = 10;
const JOB = "avax-exporter";
const DOCUMENT = readFileSync(join(import.meta.dirname, "../../docs/collectors.md"), "utf8");
/** Recorded series and those of alerts have the times of the rules' evaluation and not those of the samples. */
const OF_RULES = /\bALERTS|\w:avax_/;
const TIMED = /ALERTS_FOR_STATE|_mismatch_seconds:/;

const cleanup = createCleanup();
let plain: Prometheus;
let labelled: Prometheus;
let exporter: RunningDaemon;
/** Time of the last samples, in Unix seconds. */
let captured: number;
/** A later time at which both servers have evaluated every rule. */
let evaluated: number;

beforeAll(async () => {
  const { simulations, daemon } = await startDashboardScene(cleanup);
  exporter = daemon;
  const relay = await startStampedRelay(daemon);
  cleanup.add(relay.close);
  await vi.waitUntil(daemon.isReady, SETTLED);
  const rules = impatient(rulesFile());
  // Some panels read families that Prometheus has, too.
  const jobs = (labels: object) => ({ [JOB]: scrape(relay.address, labels), prometheus: { static_configs: [] } });
  plain = await startPrometheus(jobs({}), { rules });
  cleanup.add(plain.stop);
  labelled = await startPrometheus(jobs(OPERATOR_LABELS), { rules });
  cleanup.add(labelled.stop);
  const step = async () => {
    captured = await relay.capture();
    await reached("timestamp(avax_node_configured)", captured - 0.0005);
  };
  for (let i = 0; i < CAPTURES[0]; i++) await step();
  makeTrouble(simulations);
  for (let i = 0; i < CAPTURES[1]; i++) await step();
  evaluated = Date.now() / 1000;
  for (const name of ["ALERTS", ...RECORDINGS.map(({ name }) => name)])
    await reached(`timestamp(${name}) or vector(${evaluated})`, evaluated);
  evaluated = Date.now() / 1000;
}, 150_000);
afterAll(cleanup.run);

function scrape(address: string, labels: object, more: object = {}): ScrapeConfig {
  return { static_configs: [{ targets: [new URL(address).host], labels }], ...more };
}

/** Resolves when all values of an expression have reached a limit in both servers. A query fails until Prometheus has started. */
async function reached(expr: string, limit: number): Promise<void> {
  for (const server of [plain, labelled])
    await vi.waitUntil(
      async () => ((await server.value(`min(${expr})`).catch(() => undefined)) ?? 0) >= limit,
      SETTLED,
    );
}

type Result = ReadonlyMap<string, number>;

/** The result of an expression without the labels of the scraper. */
async function resultOf(server: Prometheus, expr: string): Promise<Result> {
  const series = await server.query(expr, OF_RULES.test(expr) ? evaluated : captured);
  return new Map(
    [...series.values()].map(({ name, labels, value }) => {
      const ours = Object.entries(labels).filter(([label]) => !(label in OPERATOR_LABELS));
      return [seriesKey(name, Object.fromEntries(ours)), value];
    }),
  );
}

type Comparison = { readonly size: number; readonly differences: readonly string[] };

async function compare(expr: string): Promise<Comparison> {
  const [ours, theirs] = await Promise.all([resultOf(plain, expr), resultOf(labelled, expr)]);
  const keys = new Set([...ours.keys(), ...theirs.keys()]);
  const differences = [...keys].flatMap((key) => {
    const [a, b] = [ours.get(key), theirs.get(key)];
    if (a !== undefined && b !== undefined && areClose(a, b, expr)) return [];
    return [`${expr}: ${key} is ${a ?? "absent"} without and ${b ?? "absent"} with the labels`];
  });
  return { size: ours.size, differences };
}

function areClose(a: number, b: number, expr: string): boolean {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Object.is(a, b);
  return Math.abs(a - b) <= (TIMED.test(expr) ? APART : Math.abs(a) * 1e-9);
}

/** Compares one after the other, so that Prometheus is not flooded. */
async function compareAll(exprs: Iterable<string>): Promise<ReadonlyMap<string, Comparison>> {
  const compared = new Map<string, Comparison>();
  for (const expr of exprs) if (!compared.has(expr)) compared.set(expr, await compare(expr));
  return compared;
}

const NATIVE = Object.values(NATIVE_FAMILIES).map(({ name }) => name);

const differencesOf = (compared: ReadonlyMap<string, Comparison>) =>
  [...compared.values()].flatMap(({ differences }) => differences);
const withSeries = (compared: ReadonlyMap<string, Comparison>) =>
  [...compared.values()].filter(({ size }) => size > 0).length;

/** Two of the families: of each node, and of each network. */
const FEW = { params: { "name[]": ["avax_node_configured", "avax_supply_avax"] } };

describe("a scrape job that sets a label of the exporter", () => {
  const NODE = { node: "worker-1" };
  const NETWORK = { network: "vpc-1" };
  const documented = [...DOCUMENT.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => parse(text) as unknown);
  const remedy = documented
    .flatMap((each) => (each as { scrape_configs?: readonly ScrapeConfig[] }).scrape_configs ?? [])
    .find((each) => "relabel_configs" in each);
  const alert = ALERTS.find(({ name }) => name === "AvaxLabelsOverwritten");
  let server: Prometheus;

  /** Number of results of an expression by job. */
  async function byJob(expr: string): Promise<Readonly<Record<string, number>>> {
    const series = await server.query(`sum by (of) (label_replace(${expr}, "of", "$1", "job", "(.*)"))`);
    return Object.fromEntries([...series.values()].map(({ labels, value }) => [labels["of"] ?? "", value]));
  }

  beforeAll(async () => {
    const job = (labels: object, more: object = {}) => scrape(exporter.address, labels, { ...FEW, ...more });
    const jobs = {
      plain: job({}),
      operator: job(OPERATOR_LABELS),
      node: job(NODE),
      network: job(NETWORK),
      honoured: job({ ...NODE, ...NETWORK }, { honor_labels: true }),
      dropped: job({ ...NODE, ...NETWORK }, { relabel_configs: remedy?.["relabel_configs"] }),
    };
    server = await startPrometheus(jobs);
    cleanup.add(server.stop);
    const scraped = async () => server.value("count(up == 1)").catch(() => undefined);
    await vi.waitUntil(async () => (await scraped()) === Object.keys(jobs).length + 1, SETTLED);
  });

  it("makes AvaxLabelsOverwritten fire for its nodes, unless the exporter's labels win or the job drops its own", async () => {
    expect(remedy).toHaveProperty("relabel_configs");
    const nodes = await byJob("count by (job) (avax_node_configured)");
    expect(nodes["plain"]).toBe(9);
    expect(await byJob(alert?.expr ?? "")).toEqual({ node: 9, network: 9 });
  });

  it("adds the label to series of networks even where the exporter's labels win", async () => {
    expect(await byJob('count by (job) (avax_supply_avax{node!=""})')).toEqual({ node: 2, honoured: 2 });
  });
});

describe("with the labels of the Prometheus operator", () => {
  // What was captured is compared; polls of nodes would only take processor time.
  beforeAll(async () => exporter.child.stop());

  it("every series is stored once, with the operator's labels beside the exporter's", async () => {
    const expr = `{job="${JOB}",__name__=~"(avax|process|nodejs)_.+"}`;
    const { size, differences } = await compare(expr);
    expect(differences).toEqual([]);
    expect(size).toBeGreaterThan(5000);
    const series = [...(await labelled.query(expr, captured)).values()];
    expect(series).toHaveLength(size);
    for (const { labels } of series) expect(labels).toMatchObject(OPERATOR_LABELS);
    const renamed = series.filter(({ labels }) => Object.keys(labels).some((label) => label.startsWith("exported_")));
    expect(renamed).toEqual([]);
  });

  it("every recording rule returns the same", async () => {
    const compared = await compareAll(RECORDINGS.flatMap(({ name, expr }) => [name, expr]));
    expect(differencesOf(compared)).toEqual([]);
    // All nodes of the scene validate.
    const empty = RECORDINGS.filter(({ name }) => name === "node:avax_node_configured:not_validating");
    const filled = 2 * (RECORDINGS.length - empty.length);
    expect([compared.size, withSeries(compared)]).toEqual([2 * RECORDINGS.length, filled]);
  });

  it("every alert, and every part of its expression, returns the same", async () => {
    const compared = await compareAll(ALERTS.flatMap(({ expr }) => [expr, ...vectorsWithin(expr)]));
    expect(differencesOf(compared)).toEqual([]);
    expect(ALERTS.filter(({ expr }) => compared.has(expr)).length).toBeGreaterThan(60);
    expect(withSeries(compared)).toBeGreaterThan(120);
  });

  it("the same alerts fire", async () => {
    const { size, differences } = await compare('ALERTS{alertname=~"Avax.+",alertstate="firing"}');
    expect(differences).toEqual([]);
    expect(size).toBeGreaterThan(50);
  });

  it.each(DASHBOARDS)("every panel of $uid shows the same", async (dashboard) => {
    const [values, others] = await Promise.all([plain, labelled].map(({ query }) => valuesOf(dashboard, query)));
    expect(others).toEqual(values);
    const exprs = dashboard.panels.flatMap(({ targets = [] }) =>
      targets
        // The recorded metrics of a node itself have no second job here.
        .filter(({ expr }) => !NATIVE.some((name) => expr.includes(name)))
        .map(({ expr }) => chosen(allOf(filled(expr, "1m")), values ?? new Map())),
    );
    const compared = await compareAll(exprs);
    expect(differencesOf(compared)).toEqual([]);
    expect(exprs.length).toBeGreaterThanOrEqual(20);
    expect(withSeries(compared)).toBeGreaterThan(0.8 * compared.size);
  });
});

it("no family has a label that docs/collectors.md lists for the operator or a collector", () => {
  const taken = [...VOCABULARY].flatMap(([name, labels]) =>
    labels.filter((label) => RESERVED_LABELS.includes(label)).map((label) => `${name}: ${label}`),
  );
  expect(VOCABULARY.size).toBeGreaterThan(200);
  expect(taken).toEqual([]);
  for (const label of RESERVED_LABELS) expect(DOCUMENT).toContain(`\`${label}\``);
});
