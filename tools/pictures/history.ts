import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPrometheus, type Prometheus } from "./prometheus.ts";
import { addSeries, alertSeries } from "./rules.ts";
import { MINUTES, SPEED, STORIES } from "./stories.ts";
import { fastClock, startWorld } from "./world.ts";

/** Seconds between two scrapes, and between two evaluations of the rules, by the fast clock. */
export const SCRAPE = 15;
/** Seconds at the beginning in which not everything has been asked yet. */
const START = 240;

/** Makes an hour of history with its alerts in `folder`, where a Prometheus finds it; the shown part in unix seconds. */
export async function makeHistory(folder: string): Promise<{ readonly from: number; readonly to: number }> {
  const scraping = await mkdtemp(join(tmpdir(), "avax-scraping-"));
  const start = Date.now() - MINUTES * 60_000;
  const clock = fastClock(start, SPEED);
  const world = await startWorld(STORIES, clock);
  const target = { address: world.address, every: (SCRAPE * 1000) / SPEED };
  const prometheus = await startPrometheus(scraping, target);
  console.log(`${MINUTES} minutes pass in about ${Math.ceil(MINUTES / SPEED)}`);
  while (clock.now() < start + MINUTES * 60_000) await new Promise((resolve) => setTimeout(resolve, 500));
  const began = Math.floor(start / 1000);
  const to = Math.floor(clock.now() / 1000) - SCRAPE;
  await world.close();
  await prometheus.copyTo(folder);
  await prometheus.stop();
  await rm(scraping, { recursive: true, force: true });
  const when = { from: began, to, step: SCRAPE };
  await addSeries(folder, await answered(folder, (running) => alertSeries(running, when)));
  return { from: began + START, to };
}

async function answered(folder: string, ask: (prometheus: Prometheus) => Promise<string>): Promise<string> {
  const prometheus = await startPrometheus(folder);
  try {
    return await ask(prometheus);
  } finally {
    await prometheus.stop();
  }
}
