import { vi } from "vitest";
import { rulesFile } from "../../../generate/rules/rules.ts";
import type { Cleanup } from "../../support/create-cleanup.ts";
import type { RunningDaemon } from "./daemon.ts";
import { impatient, makeTrouble, startDashboardScene } from "./dashboard-scene.ts";
import { serveNativeMetrics } from "./native-metrics.ts";
import { startPrometheus, type Prometheus, type ScrapeConfig } from "./prometheus.ts";
import { startStampedRelay } from "./stamped-relay.ts";

/** The scene of the dashboards in a real Prometheus. */

/** Nodes are polled every two seconds about everything, on a machine that may be busy. */
export const SETTLED = { timeout: 120_000, interval: 200 };
/** Captures before nodes begin to fail, and after: enough for rates. */
const CAPTURES = [5, 8] as const;

export function scrape(address: string, labels: object, more: object = {}): ScrapeConfig {
  return { static_configs: [{ targets: [new URL(address).host], labels }], ...more };
}

export type Scene = {
  readonly exporter: RunningDaemon;
  readonly prometheus: Prometheus;
  /** Scrapes the exporter once more. */
  readonly capture: () => Promise<void>;
};

/** Prometheus scrapes this often, so that a capture is stored soon. */
const EVERY = { scrape: "250ms", evaluation: "1s", resend: "1s" };

/**
 * Resolves once something of each kind has happened: a rate needs a past, and an alert its moment.
 * @param meanwhile starts what else needs the exporter
 */
export async function startScene(
  cleanup: Cleanup,
  meanwhile: (exporter: RunningDaemon) => Promise<void>,
): Promise<Scene> {
  const relay = await startStampedRelay();
  cleanup.add(relay.close);
  const native = await serveNativeMetrics();
  cleanup.add(native.stop);
  const jobs = {
    "avax-exporter": relay.address,
    // As the scrape job of `/sd` labels a node of the scene.
    nodes: scrape(`http://${native.host}`, { node: "sim-1-0", network: "mainnet" }, { metrics_path: "/ext/metrics" }),
    // Some panels read families that Prometheus has, too: it does not scrape itself.
    prometheus: { static_configs: [] },
  };
  // Prometheus scrapes nothing in its first five seconds: the exporter starts meanwhile.
  const [prometheus, { simulations, daemon: exporter }] = await Promise.all([
    startPrometheus(jobs, { rules: impatient(rulesFile()), every: EVERY }),
    startDashboardScene(cleanup),
  ]);
  cleanup.add(prometheus.stop);
  await vi.waitUntil(exporter.isReady, SETTLED);
  async function capture(): Promise<void> {
    const captured = await relay.capture(exporter);
    const stored = () => prometheus.value("min(timestamp(avax_node_configured))").catch(() => undefined);
    await vi.waitUntil(async () => ((await stored()) ?? 0) >= captured - 0.0005, SETTLED);
  }
  for (let i = 0; i < CAPTURES[0]; i++) await capture();
  makeTrouble(simulations);
  const others = meanwhile(exporter);
  for (let i = 0; i < CAPTURES[1]; i++) await capture();
  // It fires as the last: a poll of the service that refuses it has to be late by an interval.
  const late = 'ALERTS{alertname="AvaxHostedBudgetExhausted",alertstate="firing"}';
  await vi.waitUntil(async () => {
    await capture();
    return (await prometheus.query(late)).size > 0;
  }, SETTLED);
  await others;
  return { exporter, prometheus, capture };
}
