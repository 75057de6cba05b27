import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { SCRAPE, makeHistory } from "./history.ts";
import type { Picture } from "./draw.ts";
import type { Choice, Dashboard, Span, Theme } from "./page/dashboard.ts";
import { startPrometheus } from "./prometheus.ts";

/**
 * `npm run pictures`: lets simulated networks live for an hour in a few minutes, scrapes the daemon that watches them with a
 * real Prometheus, and draws the committed dashboards from its data with Grafana's own components. `npm run pictures -- FOLDER`
 * keeps the data there, and draws from it alone when it is there already. The README has the options.
 */

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../..");
const PICTURES = join(ROOT, "docs/pictures");
const WIDTH = 1600;
/** Height of a screen, for the pictures of the README. */
const SCREEN = 1000;
const THEMES: readonly Theme[] = ["light", "dark"];

/** The first dashboards of the bar; others follow by name, the exporter last. */
const FIRST = ["fleet", "node", "validator"];
/** What is chosen on the bar of a dashboard; everything else stands at "All", or at the first value. */
const CHOICES: Readonly<Partial<Record<string, Choice>>> = {
  node: { network: ["mainnet"], node: ["sgp-1", "sgp-2"] },
  validator: { network: ["mainnet"] },
  l1: { network: ["mainnet"] },
  network: { network: ["mainnet"] },
};
/** Dashboards of which the README shows a screen. */
const SCREENS = ["fleet", "validator"];

function install(): void {
  if (existsSync(join(HERE, "node_modules/@grafana/ui"))) return;
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: HERE, stdio: "inherit" });
  if (status !== 0) throw new Error("npm ci failed in tools/pictures");
}

/** Pictures that need no history, by the name that `--board` takes. */
const OTHERS = {
  pages: async (to: string) => (await import("./exporter-pages.ts")).drawExporterPages(to),
  notifications: async (to: string) => (await import("./notifications.ts")).drawNotifications(to),
} as const;

async function main(): Promise<void> {
  install();
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      board: { type: "string", multiple: true },
      theme: { type: "string", multiple: true },
      open: { type: "boolean", default: false },
      to: { type: "string", default: PICTURES },
    },
  });
  const { board: chosen } = values;
  for (const [name, drawOthers] of Object.entries(OTHERS))
    if (chosen === undefined || chosen.includes(name)) await drawOthers(values.to);
  if (chosen?.every((name) => name in OTHERS) === true) return;
  const { bundlePage } = await import("./bundle.ts");
  await bundlePage();
  const [kept] = positionals;
  const folder = kept === undefined ? await mkdtemp(join(tmpdir(), "avax-pictures-")) : resolve(kept);
  const span = betweenTicks(await lived(folder));
  const prometheus = await startPrometheus(folder);
  await mkdir(values.to, { recursive: true });
  const names = await dashboardNames();
  const all = await Promise.all(names.map(async (name) => [name, await committed(name)] as const));
  const titles = all.map(([, { title }]) => title);
  let failures = 0;
  for (const [name, dashboard] of all) {
    if (chosen !== undefined && !chosen.includes(name)) continue;
    for (const theme of THEMES) {
      if (values.theme !== undefined && !values.theme.includes(theme)) continue;
      const file = join(values.to, `${name}-${theme}.png`);
      const choice = CHOICES[name] ?? {};
      const picture = { dashboard, choice, span, width: WIDTH, dashboards: titles, theme, allOpen: values.open, file };
      failures += await draw(name, picture, prometheus.address);
    }
  }
  await prometheus.stop();
  if (kept === undefined) await rm(folder, { recursive: true, force: true });
  process.exitCode = failures > 0 ? 1 : 0;
}

/** Draws a picture, and a screen of it for the README; the number of failures. */
async function draw(name: string, picture: Picture, prometheus: string): Promise<number> {
  const { drawPicture, wholeLines } = await import("./draw.ts");
  const { empty, failed } = await drawPicture(picture, prometheus);
  if (SCREENS.includes(name) && !picture.allOpen) {
    const { writeTop } = await import("./few-colours.ts");
    await writeTop(picture.file, wholeLines(picture, SCREEN), picture.file.replace(name, `${name}-screen`));
  }
  console.log(
    basename(picture.file),
    ...empty.map((title) => `\n  no data: ${title}`),
    ...failed.map((text) => `\n  ${text}`),
  );
  return failed.length;
}

/** Names of the committed dashboards in the order of the bar. */
async function dashboardNames(): Promise<readonly string[]> {
  const files = (await readdir(join(ROOT, "grafana/dashboards"))).filter((file) => file.endsWith(".json"));
  const place = (name: string) =>
    name === "exporter" ? FIRST.length + 1 : (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1);
  return files.map((file) => file.replace(".json", "")).sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

/**
 * Ends a span between two ticks of five minutes: Grafana leaves eight pixels beside a plot, where the second half of a time that
 * stands at its very end does not fit.
 */
function betweenTicks(span: Span): Span {
  const TICK = 300;
  const beyond = (span.to % TICK) - TICK / 2;
  return { ...span, to: span.to - (beyond < 0 ? beyond + TICK : beyond) };
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
