import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Choice, Dashboard } from "./page/dashboard.ts";
import { startPrometheus } from "./prometheus.ts";
import { MINUTES, SPEED, STORIES } from "./stories.ts";
import { fastClock, startWorld } from "./world.ts";

/**
 * `npm run pictures`: lets simulated networks live for an hour in a few minutes, scrapes the daemon that watches them with a
 * real Prometheus, and draws the committed dashboards from its data with Grafana's own components.
 */

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../..");
const PICTURES = join(ROOT, "docs/pictures");
const WIDTH = 1600;
/** Seconds between two scrapes, by the fast clock. */
const SCRAPE = 15;
/** Seconds at the beginning in which not everything has been asked yet. */
const START = 240;

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
  const folder = await mkdtemp(join(tmpdir(), "avax-pictures-"));
  const start = Date.now() - MINUTES * 60_000;
  const clock = fastClock(start, SPEED);
  const world = await startWorld(STORIES, clock);
  const prometheus = await startPrometheus(world.address, folder, (SCRAPE * 1000) / SPEED);
  console.log(`${MINUTES} minutes pass in about ${Math.ceil(MINUTES / SPEED)}`);
  while (clock.now() < start + MINUTES * 60_000) await new Promise((resolve) => setTimeout(resolve, 500));
  const span = { from: Math.floor(start / 1000) + START, to: Math.floor(clock.now() / 1000) - SCRAPE, scrape: SCRAPE };
  await world.close();
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
  await rm(folder, { recursive: true, force: true });
  process.exitCode = failures > 0 ? 1 : 0;
}

async function committed(name: string): Promise<Dashboard> {
  return JSON.parse(await readFile(join(ROOT, "grafana/dashboards", `${name}.json`), "utf8")) as Dashboard;
}

await main();
