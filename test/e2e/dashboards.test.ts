import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { rulesFile } from "../../generate/rules.ts";
import { allOf, DASHBOARDS, filled, type DashboardJson } from "../generate/dashboards/dashboard.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { impatient, makeTrouble, SILENT, startDashboardScene } from "./support/dashboard-scene.ts";
import { chosen, valuesOf } from "./support/dashboard-variables.ts";
import { serveNativeMetrics } from "./support/native-metrics.ts";
import { startPrometheus, type Prometheus } from "./support/prometheus.ts";

/** The start, and the time that rates need before and after a node begins to fail. Milliseconds. */
const SETTLED = { timeout: 30_000, interval: 250 };

/** Rare events, such as a transaction on the P-Chain, need a while to show in a rate. Milliseconds. */
const SOON = { timeout: 25_000, interval: 1000 };
/** Labels that Prometheus adds and `query` strips. */
const SCRAPED = ["instance", "job"];

const cleanup = createCleanup();
let prometheus: Prometheus;

beforeAll(async () => {
  const { simulations, daemon } = await startDashboardScene(cleanup);
  await vi.waitUntil(daemon.isReady, SETTLED);
  const native = await serveNativeMetrics();
  cleanup.add(native.stop);
  // As the scrape job of `/sd` labels a node of the scene.
  const nodes = {
    metrics_path: "/ext/metrics",
    static_configs: [{ targets: [native.host], labels: { node: "sim-1-0", network: "mainnet" } }],
  };
  prometheus = await startPrometheus({ "avax-exporter": daemon.address, nodes }, { rules: impatient(rulesFile()) });
  cleanup.add(prometheus.stop);
  await vi.waitUntil(async () => ((await scrapes()) ?? 0) >= 5, SETTLED);
  makeTrouble(simulations);
  await vi.waitUntil(async () => ((await scrapes()) ?? 0) >= 12, SETTLED);
}, 90_000);
afterAll(cleanup.run);

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
    // Before the first scrape the exporter was absent, and a page fires on for some time.
    const others = found.filter(({ network }) => network !== "mainnet").map(({ alertname }) => alertname);
    expect(others.filter((name) => name !== "AvaxExporterAbsent")).toEqual([]);
  });

  it("on Node: of the chosen nodes, and of the validators that are these nodes", async () => {
    const found = await lines("avax-node", { network: "mainnet", node: "sim-4-0" });
    expect(values(found, "node")).toEqual(new Set(["sim-4-0"]));
    const reward = await prometheus.value('count(ALERTS{alertname="AvaxUptimeBelowRequirement",alertstate="firing"})');
    expect(reward).toBeGreaterThan(1);
    expect(found.filter((labels) => labels["alertname"] === "AvaxUptimeBelowRequirement")).toHaveLength(1);
  });

  it("on Validator: of the chosen validators, and of the polled nodes that are these validators", async () => {
    const nodes = await prometheus.query('avax_node_info{node="sim-4-0"}');
    const [id = ""] = [...nodes.values()].map(({ labels }) => labels["node_id"]);
    const found = await lines("avax-validator", { network: "mainnet", validator: id });
    expect(values(found, "node_id")).toEqual(new Set([id]));
    expect(values(found, "node")).toEqual(new Set(["sim-4-0"]));
  });
});

describe.each(DASHBOARDS)("dashboard $uid", (dashboard) => {
  it("has values for every variable", async () => {
    const values = await valuesOf(dashboard, prometheus.query);
    const empty = [...values].filter(([, { offered }]) => offered.length === 0).map(([name]) => name);
    expect(empty).toEqual([]);
  });

  it("gets data for every query of every panel, with the labels of its legend", { timeout: 40_000 }, async () => {
    await vi.waitFor(async () => {
      const found = await answersOf(dashboard);
      const silent = found.filter(({ panel, expr, series }) => series === 0 && exceptionFor(panel, expr) === undefined);
      expect(silent.map(({ panel, expr }) => `${panel}: ${expr}`)).toEqual([]);
      expect(found.flatMap(({ panel, missing }) => missing.map((label) => `${panel}: ${label}`))).toEqual([]);
    }, SOON);
  });

  it("has no exception for a query that gets data", async () => {
    const found = await answersOf(dashboard);
    const wrong = found.filter(({ panel, expr, series }) => {
      const exception = exceptionFor(panel, expr);
      return series > 0 && exception !== undefined && exception.sometimes !== true;
    });
    expect(wrong).toEqual([]);
  });
});

function exceptionFor(panel: string, expr: string): (typeof SILENT)[number] | undefined {
  return SILENT.find((each) => each.panel === panel && each.query.test(expr));
}

type Found = {
  readonly panel: string;
  readonly expr: string;
  readonly series: number;
  readonly missing: readonly string[];
};

async function answersOf(dashboard: DashboardJson): Promise<readonly Found[]> {
  const values = await valuesOf(dashboard, prometheus.query);
  const targets = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map((target) => ({ title, ...target })),
  );
  return Promise.all(
    targets.map(async ({ title, expr, legendFormat }) => {
      const asked = chosen(allOf(filled(expr, "1m")), values);
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
