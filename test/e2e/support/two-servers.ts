import { vi } from "vitest";
import { RECORDINGS } from "../../../src/topics/all/recordings.ts";
import { rulesFile } from "../../../generate/rules/rules.ts";
import type { Cleanup } from "../../support/create-cleanup.ts";
import type { RunningDaemon } from "./daemon.ts";
import { impatient, makeTrouble, startDashboardScene } from "./dashboard-scene.ts";
import { seriesKey } from "./exposition.ts";
import { serveNativeMetrics } from "./native-metrics.ts";
import { startPrometheus, type Prometheus, type ScrapeConfig } from "./prometheus.ts";
import { OPERATOR_LABELS } from "./scraper-labels.ts";
import { startStampedRelay } from "./stamped-relay.ts";

/** The scene of the dashboards in two Prometheus servers with the same samples, one of which sets the labels of the operator. */

/** Nodes are polled every two seconds about everything, on a machine that may be busy. */
export const SETTLED = { timeout: 120_000, interval: 200 };
export const JOB = "avax-exporter";
/** Captures before and after nodes begin to fail: enough for rates. */
const CAPTURES = [5, 8] as const;
/** Seconds between evaluations of the same rule in both servers, for what depends on the time. */
const APART = 10;
/** Recorded series and those of alerts have the times of the rules' evaluation and not those of the samples. */
const OF_RULES = /\bALERTS|\w:avax_/;
const TIMED = /ALERTS_FOR_STATE|_mismatch_seconds:/;

export type Comparison = { readonly size: number; readonly differences: readonly string[] };

export type TwoServers = {
  readonly exporter: RunningDaemon;
  readonly plain: Prometheus;
  readonly labelled: Prometheus;
  /** Scrapes the exporter once more. */
  readonly capture: () => Promise<void>;
  /** Time of the last samples, in Unix seconds. */
  readonly captured: () => number;
  /** Resolves when both have evaluated every rule with the last samples. */
  readonly evaluated: () => Promise<void>;
  /** Results of an expression in both, without the labels of the scraper. */
  readonly compare: (expr: string) => Promise<Comparison>;
};

export function scrape(address: string, labels: object, more: object = {}): ScrapeConfig {
  return { static_configs: [{ targets: [new URL(address).host], labels }], ...more };
}

export async function startTwoServers(cleanup: Cleanup): Promise<TwoServers> {
  const { simulations, daemon: exporter } = await startDashboardScene(cleanup);
  const relay = await startStampedRelay(exporter);
  cleanup.add(relay.close);
  const native = await serveNativeMetrics();
  cleanup.add(native.stop);
  await vi.waitUntil(exporter.isReady, SETTLED);
  const rules = impatient(rulesFile());
  // Some panels read families that Prometheus has, too: it does not scrape itself.
  const job = (labels: object) => ({ [JOB]: scrape(relay.address, labels), prometheus: { static_configs: [] } });
  // As the scrape job of `/sd` labels a node of the scene.
  const nodes = scrape(
    `http://${native.host}`,
    { node: "sim-1-0", network: "mainnet" },
    { metrics_path: "/ext/metrics" },
  );
  const plain = await startPrometheus({ ...job({}), nodes }, { rules });
  cleanup.add(plain.stop);
  const labelled = await startPrometheus(job(OPERATOR_LABELS), { rules });
  cleanup.add(labelled.stop);
  let [captured, evaluated] = [0, 0];

  async function reached(expr: string, limit: number): Promise<void> {
    for (const server of [plain, labelled])
      await vi.waitUntil(
        async () => ((await server.value(`min(${expr})`).catch(() => undefined)) ?? 0) >= limit,
        SETTLED,
      );
  }
  async function capture(): Promise<void> {
    captured = await relay.capture();
    await reached("timestamp(avax_node_configured)", captured - 0.0005);
  }
  async function resultOf(server: Prometheus, expr: string): Promise<ReadonlyMap<string, number>> {
    const series = await server.query(expr, OF_RULES.test(expr) ? evaluated : captured);
    return new Map(
      [...series.values()].map(({ name, labels, value }) => {
        const ours = Object.entries(labels).filter(([label]) => !(label in OPERATOR_LABELS));
        return [seriesKey(name, Object.fromEntries(ours)), value];
      }),
    );
  }
  for (let i = 0; i < CAPTURES[0]; i++) await capture();
  makeTrouble(simulations);
  for (let i = 0; i < CAPTURES[1]; i++) await capture();
  // It fires as the last: a poll of the service that refuses it has to be late by an interval.
  const late = 'ALERTS{alertname="AvaxHostedBudgetExhausted",alertstate="firing"}';
  await vi.waitUntil(async () => {
    await capture();
    const found = await Promise.all([plain, labelled].map(({ query }) => query(late)));
    return found.every(({ size }) => size > 0);
  }, SETTLED);
  return {
    exporter,
    plain,
    labelled,
    capture,
    captured: () => captured,
    async evaluated() {
      const now = Date.now() / 1000;
      for (const name of ["ALERTS", ...RECORDINGS.map((each) => each.name)])
        await reached(`timestamp(${name}) or vector(${now})`, now);
      evaluated = Date.now() / 1000;
    },
    async compare(expr) {
      const [ours, theirs] = await Promise.all([resultOf(plain, expr), resultOf(labelled, expr)]);
      const keys = new Set([...ours.keys(), ...theirs.keys()]);
      const differences = [...keys].flatMap((key) => {
        const [a, b] = [ours.get(key), theirs.get(key)];
        if (a !== undefined && b !== undefined && areClose(a, b, expr)) return [];
        return [`${expr}: ${key} is ${a ?? "absent"} without and ${b ?? "absent"} with the labels`];
      });
      return { size: ours.size, differences };
    },
  };
}

function areClose(a: number, b: number, expr: string): boolean {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Object.is(a, b);
  // Each server extrapolates an increase to the moment at which it evaluates the rule.
  return Math.abs(a - b) <= (TIMED.test(expr) ? APART : Math.abs(a) * (OF_RULES.test(expr) ? 0.01 : 1e-9));
}
