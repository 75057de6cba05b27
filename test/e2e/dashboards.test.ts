import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { catalogueOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";
import { rulesFile } from "../../src/generate/rules.ts";
import { simulate } from "../../src/simulator/simulate.ts";
import {
  DASHBOARDS,
  filled,
  variableExpression,
  type DashboardJson,
  type VariableJson,
} from "../generate/dashboards/dashboard.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { startDaemon, writeConfig } from "./support/daemon.ts";
import { makeTrouble, SCENE, sceneConfig, SILENT } from "./support/dashboard-scene.ts";
import { startPrometheus, type Prometheus } from "./support/prometheus.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** The start, and the time that rates need before and after a node begins to fail. Milliseconds. */
const SETTLED = { timeout: 30_000, interval: 250 };

/** Rare events, such as a transaction on the P-Chain, need a while to show in a rate. Milliseconds. */
const SOON = { timeout: 25_000, interval: 1000 };
/** Labels that Prometheus adds and `query` strips. */
const SCRAPED = ["instance", "job"];

const cleanup = createCleanup();
let prometheus: Prometheus;

beforeAll(async () => {
  const simulations = await Promise.all(SCENE.map((options) => simulate(options)));
  for (const simulation of simulations) cleanup.add(() => simulation.close());
  const folder = await temporaryFolder();
  cleanup.add(folder.remove);
  const endpoints = catalogueOf(TOPICS)
    .endpoints.filter(({ scope }) => scope !== "hosted")
    .map(({ id }) => id);
  const config = await writeConfig(folder.path, sceneConfig(simulations, endpoints));
  const daemon = await startDaemon([`--config.file=${config}`]);
  cleanup.add(daemon.child.stop);
  await vi.waitUntil(daemon.isReady, SETTLED);
  prometheus = await startPrometheus({ "avax-exporter": daemon.address }, { rules: impatient(rulesFile()) });
  cleanup.add(prometheus.stop);
  await vi.waitUntil(async () => ((await scrapes()) ?? 0) >= 5, SETTLED);
  makeTrouble(simulations);
  await vi.waitUntil(async () => ((await scrapes()) ?? 0) >= 12, SETTLED);
}, 90_000);
afterAll(cleanup.run);

/** The rules without `for`, so that the alerts of the scene fire within seconds. */
function impatient(rules: string): string {
  return rules.replaceAll(/^( +for:) .*$/gm, "$1 0s");
}

/** How often Prometheus scraped the exporter; nothing while it is starting. */
async function scrapes(): Promise<number | undefined> {
  return prometheus.value('count_over_time(up{job="avax-exporter"}[5m])').catch(() => undefined);
}

it("the scene makes alerts of each severity fire, about nodes, validators and networks", async () => {
  const found = [...(await prometheus.query('ALERTS{alertname=~"Avax.+",alertstate="firing"}')).values()];
  for (const severity of ["critical", "warning", "info"])
    expect(found.map(({ labels }) => labels["severity"])).toContain(severity);
  for (const label of ["node", "node_id", "network", "subnet", "chain"])
    expect(found.filter(({ labels }) => label in labels)).not.toEqual([]);
});

describe("firing alerts of what is chosen", () => {
  /** Labels of the lines that a dashboard's table of alerts has for these choices. */
  async function lines(uid: string, choices: Readonly<Record<string, string>>) {
    const panels = DASHBOARDS.find((each) => each.uid === uid)?.panels ?? [];
    const [target] = panels.find(({ title }) => title === "Firing alerts")?.targets ?? [];
    const expr = (target?.expr ?? "").replaceAll(/\$([a-z]\w*)/g, (_all, name: string) => choices[name] ?? ".*");
    return [...(await prometheus.query(expr)).values()].map(({ labels }) => labels);
  }
  const values = (found: ReadonlyArray<Readonly<Record<string, string>>>, label: string) =>
    new Set(found.map((labels) => labels[label]));

  it("on Fleet: of the chosen nodes, of their network, and those without these labels", async () => {
    const found = await lines("avax-fleet", { network: "mainnet", node: "sim-4-0" });
    expect(values(found, "node")).toEqual(new Set(["sim-4-0", undefined]));
    expect(values(found, "network")).toEqual(new Set(["mainnet"]));
  });

  it("on Node: of the chosen nodes, and of the validators that are these nodes", async () => {
    const found = await lines("avax-node", { network: "mainnet", node: "sim-4-0" });
    expect(values(found, "node")).toEqual(new Set(["sim-4-0", undefined]));
    const reward = await prometheus.value('count(ALERTS{alertname="AvaxUptimeBelowRequirement",alertstate="firing"})');
    expect(reward).toBeGreaterThan(1);
    expect(found.filter((labels) => labels["alertname"] === "AvaxUptimeBelowRequirement")).toHaveLength(1);
  });

  it("on Validator: of the chosen validators, and of the polled nodes that are these validators", async () => {
    const nodes = await prometheus.query('avax_node_info{node="sim-4-0"}');
    const [id = ""] = [...nodes.values()].map(({ labels }) => labels["node_id"]);
    const found = await lines("avax-validator", { network: "mainnet", validator: id });
    expect(values(found, "node_id")).toEqual(new Set([id, undefined]));
    expect(values(found, "node")).toEqual(new Set(["sim-4-0", undefined]));
  });
});

describe.each(DASHBOARDS)("dashboard $uid", (dashboard) => {
  it("has values for every variable", async () => {
    const values = await valuesOf(dashboard);
    const empty = [...values].filter(([, { offered }]) => offered.length === 0).map(([name]) => name);
    expect(empty).toEqual([]);
  });

  it("gets data for every query of every panel, with the labels of its legend", { timeout: 40_000 }, async () => {
    await vi.waitFor(async () => {
      const found = await answersOf(dashboard);
      const silent = found.filter(({ panel, expr, series }) => series === 0 && reasonFor(panel, expr) === undefined);
      expect(silent.map(({ panel, expr }) => `${panel}: ${expr}`)).toEqual([]);
      expect(found.flatMap(({ panel, missing }) => missing.map((label) => `${panel}: ${label}`))).toEqual([]);
    }, SOON);
  });

  it("has no exception for a query that gets data", async () => {
    const found = await answersOf(dashboard);
    expect(found.filter(({ panel, expr, series }) => series > 0 && reasonFor(panel, expr) !== undefined)).toEqual([]);
  });
});

function reasonFor(panel: string, expr: string): string | undefined {
  return SILENT.find((each) => each.panel === panel && each.query.test(expr))?.reason;
}

type Values = ReadonlyMap<string, { readonly text: string; readonly offered: readonly string[] }>;

/** What Grafana fills in for each variable when "All" is chosen. */
async function valuesOf({ templating }: DashboardJson): Promise<Values> {
  const values = new Map<string, { text: string; offered: readonly string[] }>();
  for (const variable of templating.list.filter(({ type }) => type === "query")) {
    const offered = await offeredBy(variable, values);
    values.set(variable.name, { offered, text: `(${offered.join("|")})` });
  }
  return values;
}

async function offeredBy(variable: VariableJson, values: Values): Promise<readonly string[]> {
  const series = [...(await prometheus.query(chosen(variableExpression(variable), values))).values()];
  const [, asked] = /, (\w+)\)$/.exec(variable.query) ?? [];
  const [, shown] = /^\/(\w+)=/.exec(variable.regex ?? "") ?? [];
  const label = shown ?? asked ?? "";
  return [...new Set(series.flatMap(({ labels }) => labels[label] ?? []))];
}

function chosen(expr: string, values: Values): string {
  return expr.replaceAll(/\$([a-z]\w*)/g, (all, name: string) => values.get(name)?.text ?? all);
}

type Found = {
  readonly panel: string;
  readonly expr: string;
  readonly series: number;
  readonly missing: readonly string[];
};

async function answersOf(dashboard: DashboardJson): Promise<readonly Found[]> {
  const values = await valuesOf(dashboard);
  const targets = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map((target) => ({ title, ...target })),
  );
  return Promise.all(
    targets.map(async ({ title, expr, legendFormat }) => {
      const asked = chosen(filled(expr, "1m"), values);
      const series = [...(await prometheus.query(asked)).values()];
      const wanted = [...legendFormat.matchAll(/{{(\w+)}}/g)]
        .map(([, label = ""]) => label)
        .filter((label) => !SCRAPED.includes(label));
      return {
        panel: title,
        expr,
        series: series.length,
        missing: series.length === 0 ? [] : wanted.filter((label) => !series.some(({ labels }) => label in labels)),
      };
    }),
  );
}
