import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { allOf, DASHBOARDS, filled, type DashboardJson } from "../generate/dashboards/dashboard.ts";
import { VOCABULARY } from "../generate/vocabulary.ts";
import { createCleanup } from "../support/create-cleanup.ts";
import { SILENT } from "./support/dashboard-scene.ts";
import { chosen, valuesOf } from "./support/dashboard-variables.ts";
import type { RunningDaemon } from "./support/daemon.ts";
import { startPrometheus, type Prometheus, type ScrapeConfig } from "./support/prometheus.ts";
import { OPERATOR_LABELS, RESERVED_LABELS } from "./support/scraper-labels.ts";
import { scrape, SETTLED, startScene, type Scene } from "./support/scene-server.ts";

/** Every panel of every dashboard has data, and no series loses or shares a label when Prometheus sets those of the operator. */

/** Labels that Prometheus adds and `query` strips. */
const SCRAPED = ["instance", "job"];
const DOCUMENT = readFileSync(join(import.meta.dirname, "../../docs/collectors.md"), "utf8");

const cleanup = createCleanup();
let scene: Scene;
let prometheus: Prometheus;
/** Another one, whose jobs set labels. */
let labelling: Prometheus;

beforeAll(async () => {
  scene = await startScene(cleanup, async (exporter) => void (labelling = await startLabelling(exporter)));
  prometheus = scene.prometheus;
}, 300_000);
afterAll(cleanup.run);

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
    expect(values(found, "network")).toEqual(new Set(["mainnet", undefined]));
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
    // An alert about a node has no node ID, which a restart of the exporter could lose.
    expect(values(found, "node_id")).toEqual(new Set([id, undefined]));
    expect(values(found, "node")).toEqual(new Set(["sim-4-0"]));
  });
});

describe.each(DASHBOARDS)("dashboard $uid", (dashboard) => {
  it("has values for every variable", async () => {
    const values = await valuesOf(dashboard, prometheus.query);
    const empty = [...values].filter(([, { offered }]) => offered.length === 0).map(([name]) => name);
    expect(empty).toEqual([]);
  });

  it("gets data for every query of every panel, with the labels of its legend", { timeout: 130_000 }, async () => {
    // Rare events, such as a transaction on the P-Chain, need some captures to show in a rate.
    await vi.waitFor(async () => {
      const found = await answersOf(dashboard);
      const silent = found.filter(({ panel, expr, series }) => series === 0 && exceptionFor(panel, expr) === undefined);
      if (silent.length > 0) await scene.capture();
      expect(silent.map(({ panel, expr }) => `${panel}: ${expr}`)).toEqual([]);
      expect(found.flatMap(({ panel, missing }) => missing.map((label) => `${panel}: ${label}`))).toEqual([]);
    }, SETTLED);
  });

  it("has no exception for a query that gets data", async () => {
    const found = await answersOf(dashboard);
    const wrong = found.filter(({ panel, expr, series }) => {
      const exception = exceptionFor(panel, expr);
      return series > 0 && exception !== undefined && exception[3] === undefined;
    });
    expect(wrong).toEqual([]);
  });
});

function exceptionFor(panel: string, expr: string): (typeof SILENT)[number] | undefined {
  return SILENT.find(([title, query]) => title === panel && query.test(expr));
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

/** Two of the families: of each node, and of each network. */
const FEW = { params: { "name[]": ["avax_node_configured", "avax_supply_avax"] } };

const NODE = { node: "worker-1" };
const NETWORK = { network: "vpc-1" };
const DOCUMENTED = [...DOCUMENT.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => parse(text) as unknown);
const REMEDY = DOCUMENTED.flatMap(
  (each) => (each as { scrape_configs?: readonly ScrapeConfig[] }).scrape_configs ?? [],
).find((each) => "relabel_configs" in each);

async function startLabelling({ address }: RunningDaemon): Promise<Prometheus> {
  // All series of a job are gone after a scrape that took longer: after one second, on a busy machine some did.
  const patient = { scrape_interval: "5s", scrape_timeout: "5s" };
  const job = (labels: object, more: object = {}) => scrape(address, labels, { ...patient, ...FEW, ...more });
  const jobs = {
    plain: job({}),
    operator: job(OPERATOR_LABELS, { params: {} }),
    node: job(NODE),
    network: job(NETWORK),
    honoured: job({ ...NODE, ...NETWORK }, { honor_labels: true }),
    dropped: job({ ...NODE, ...NETWORK }, { relabel_configs: REMEDY?.["relabel_configs"] }),
  };
  const started = await startPrometheus(jobs);
  cleanup.add(started.stop);
  const scraped = async () => started.value("count(up == 1)").catch(() => undefined);
  await vi.waitUntil(async () => (await scraped()) === Object.keys(jobs).length + 1, SETTLED);
  return started;
}

describe("a scrape job that sets a label of the exporter", () => {
  const alert = ALERTS.find(({ name }) => name === "AvaxLabelsOverwritten");
  /** Number of results of an expression by job. */
  async function byJob(expr: string): Promise<Readonly<Record<string, number>>> {
    const series = await labelling.query(`sum by (of) (label_replace(${expr}, "of", "$1", "job", "(.*)"))`);
    return Object.fromEntries([...series.values()].map(({ labels, value }) => [labels["of"] ?? "", value]));
  }

  it("makes AvaxLabelsOverwritten fire for its nodes, unless the exporter's labels win or the job drops its own", async () => {
    expect(REMEDY).toHaveProperty("relabel_configs");
    const nodes = await byJob("count by (job) (avax_node_configured)");
    expect(await byJob(alert?.expr ?? "")).toEqual({ node: nodes["plain"] });
  });

  it("of the Prometheus operator, has its labels beside those of the exporter", async () => {
    const series = [...(await labelling.query('{job="operator",__name__=~"(avax|process|nodejs)_.+"}')).values()];
    expect(series).not.toEqual([]);
    for (const { labels } of series) expect(labels).toMatchObject(OPERATOR_LABELS);
    expect(series.flatMap(({ labels }) => Object.keys(labels).filter((each) => each.startsWith("exported_")))).toEqual(
      [],
    );
  });

  it("adds the label to series of networks even where the exporter's labels win", async () => {
    expect(await byJob('count by (job) (avax_supply_avax{node!=""})')).toEqual({ node: 2, honoured: 2 });
  });
});

it("no family has a label that docs/collectors.md lists for the operator or a collector", () => {
  const taken = [...VOCABULARY].flatMap(([name, labels]) =>
    labels.filter((label) => RESERVED_LABELS.includes(label)).map((label) => `${name}: ${label}`),
  );
  expect(taken).toEqual([]);
  for (const label of RESERVED_LABELS) expect(DOCUMENT).toContain(`\`${label}\``);
});
