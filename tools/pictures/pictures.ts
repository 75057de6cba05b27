import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SCRAPE, makeHistory } from "./history.ts";
import type { Choice, Dashboard, Span } from "./page/dashboard.ts";
import { startPrometheus } from "./prometheus.ts";

/**
 * `npm run pictures`: lets simulated networks live for an hour in a few minutes, scrapes the daemon that watches them with a
 * real Prometheus, and draws the committed dashboards from its data with Grafana's own components. `npm run pictures -- FOLDER`
 * keeps the data there, and draws from it alone when it is there already.
 */

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../..");
const PICTURES = join(ROOT, "docs/pictures");
const WIDTH = 1600;

const ORDER = ["fleet", "node", "validator", "l1", "network", "exporter"] as const;
/** What is chosen on the bar of each dashboard; everything else stands at "All". */
const CHOICES: Readonly<Record<(typeof ORDER)[number], Choice>> = {
  fleet: {},
  node: { network: ["mainnet"], node: ["sgp-1", "sgp-2"] },
  validator: { network: ["mainnet"] },
  l1: { network: ["mainnet"] },
  network: {},
  exporter: {},
};

function install(): void {
  if (existsSync(join(HERE, "node_modules/@grafana/ui"))) return;
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: HERE, stdio: "inherit" });
  if (status !== 0) throw new Error("npm ci failed in tools/pictures");
}

async function main(): Promise<void> {
  install();
  const { bundlePage } = await import("./bundle.ts");
  const { drawPicture } = await import("./draw.ts");
  await bundlePage();
  const [kept] = process.argv.slice(2);
  const folder = kept === undefined ? await mkdtemp(join(tmpdir(), "avax-pictures-")) : resolve(kept);
  const span = await lived(folder);
  const prometheus = await startPrometheus(folder);
  await mkdir(PICTURES, { recursive: true });
  const dashboards = await Promise.all(ORDER.map(committed));
  const titles = dashboards.map(({ title }) => title);
  let failures = 0;
  for (const [index, dashboard] of dashboards.entries()) {
    const name = ORDER[index] ?? "fleet";
    const file = join(PICTURES, `${name}.png`);
    const picture = { dashboard, choice: CHOICES[name], span, width: WIDTH, dashboards: titles, file };
    const { empty, failed } = await drawPicture(picture, prometheus.address);
    failures += failed.length;
    console.log(
      `docs/pictures/${name}.png`,
      ...empty.map((title) => `\n  no data: ${title}`),
      ...failed.map((text) => `\n  ${text}`),
    );
  }
  await prometheus.stop();
  if (kept === undefined) await rm(folder, { recursive: true, force: true });
  process.exitCode = failures > 0 ? 1 : 0;
}

/** What the pictures show of the history in this folder, which is made where it is not there yet. */
async function lived(folder: string): Promise<Span> {
  const file = join(folder, "span.json");
  if (!existsSync(file)) {
    await mkdir(folder, { recursive: true });
    await writeFile(file, JSON.stringify({ ...(await makeHistory(folder)), scrape: SCRAPE }));
  }
  return JSON.parse(await readFile(file, "utf8")) as Span;
}

async function committed(name: string): Promise<Dashboard> {
  return JSON.parse(await readFile(join(ROOT, "grafana/dashboards", `${name}.json`), "utf8")) as Dashboard;
}

await main();
