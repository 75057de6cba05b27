import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { DEFECT_PLACES, type PollEvents } from "../runtime/log.ts";
import type { Reading } from "../exposition/sample.ts";
import { EXPORTER_FAMILIES, type ExporterFamily } from "../topics/exporter/exporter-families.ts";
import type { RestartPlan } from "../diagnosis/restart/restart-plan.ts";
import type { Build } from "./version.ts";
import { REFUSALS, type ProbeEvents } from "../topics/exporter/probe-events.ts";

type ExporterMetricsOptions = Build & {
  /** Index of this process among those that share the nodes, from 0, and their number. */
  readonly shard: { readonly index: number; readonly total: number };
  /** Number of series of the nodes; called at each scrape. */
  readonly series: () => number;
  /** Number of running probes; called at each scrape. */
  readonly probing: () => number;
  /** Whether the process has a state file. */
  readonly storing?: boolean;
  /** Unix seconds. */
  readonly startedAt: number;
};

/** The daemon's metrics about itself, in prom-client. */
export class ExporterMetrics {
  readonly registry = new Registry();
  readonly #metrics: Metrics;
  readonly events: PollEvents = {
    polled: (seconds, endpoint) => {
      this.#metrics.pollDuration.observe(seconds);
      this.#metrics.endpointPolls.inc({ api_endpoint: endpoint });
      this.#metrics.endpointSeconds.inc({ api_endpoint: endpoint }, seconds);
    },
    defect: (place) => this.#metrics.defects.inc({ place }),
    duplicates: (_metric, count) => this.#metrics.duplicates.inc(count),
  };
  readonly probes: ProbeEvents = {
    ended: (module, seconds, success) => {
      this.#metrics.probes.inc({ module });
      if (!success) this.#metrics.probeFailures.inc({ module });
      this.#metrics.probeDuration.observe(seconds);
    },
    refused: (reason) => this.#metrics.probesRefused.inc({ reason }),
  };

  constructor(options: ExporterMetricsOptions) {
    const { version, revision, buildDate, nodeVersion, shard, series, probing, storing = false, startedAt } = options;
    collectDefaultMetrics({ register: this.registry });
    const metrics = metricsIn(this.registry, { series, probesRunning: probing, utilization: loopUtilization() });
    this.#metrics = metrics;
    const built = buildDate === undefined ? {} : { build_date: buildDate };
    metrics.build.set({ version, revision, ...built, node_js_version: nodeVersion }, 1);
    metrics.shard.set({ index: String(shard.index), total: String(shard.total) }, 1);
    metrics.shards.set(shard.total);
    metrics.start.set(startedAt);
    // The directory was written to at the start. A gauge without labels is 0 until it is removed.
    if (storing) metrics.storageOk.set(1);
    else metrics.storageOk.remove();
    for (const place of DEFECT_PLACES) metrics.defects.inc({ place }, 0);
    for (const reason of REFUSALS) metrics.probesRefused.inc({ reason }, 0);
  }

  /** Creates the counters of probe modules with the value 0. */
  addModules(names: readonly string[]): void {
    for (const module of names)
      for (const counter of [this.#metrics.probes, this.#metrics.probeFailures]) counter.inc({ module }, 0);
  }

  /** @param seconds until the last byte was ready; @param bytes as sent */
  scraped(format: string, seconds: number, bytes: number): void {
    this.#metrics.scrapeDuration.observe({ format }, seconds);
    this.#metrics.scrapeSize.set({ format }, bytes);
  }

  /** A reload ended. @param at Unix seconds */
  reloaded(ok: boolean, at: number): void {
    this.#metrics.reloadOk.set(ok ? 1 : 0);
    if (ok) this.#metrics.reloadAt.set(at);
  }

  /** A write of the state file ended. */
  stored(ok: boolean): void {
    this.#metrics.storageOk.set(ok ? 1 : 0);
  }

  /** Sets which nodes can be restarted now, and why the others have to wait. */
  restarts(nodes: RestartPlan["nodes"]): void {
    const { restartSafe, restartBlocked } = this.#metrics;
    restartSafe.reset();
    restartBlocked.reset();
    for (const { node, network = "", block } of nodes) {
      restartSafe.set({ network, node }, block === undefined ? 1 : 0);
      if (block !== undefined) restartBlocked.set({ network, node, reason: block.reason }, 1);
    }
  }

  /** The present series of one of these metrics. */
  async readings(name: string): Promise<readonly Reading[]> {
    const found = await this.registry.getSingleMetric(name)?.get();
    return (found?.values ?? []).map(({ labels, value }) => ({
      name,
      labels: Object.fromEntries(Object.entries(labels).map(([label, text]) => [label, String(text)])),
      value,
    }));
  }
}

/** Least milliseconds of a window: the scrape itself is work, and two scrapers must not halve it. */
const WINDOW = 5000;

/** Returns the share of time in which the event loop was at work since the last call, or since the last window. */
function loopUtilization(): () => number {
  let [before, since, last] = [performance.eventLoopUtilization(), performance.now(), 0];
  return () => {
    if (performance.now() - since < WINDOW) return last;
    const now = performance.eventLoopUtilization();
    last = performance.eventLoopUtilization(now, before).utilization;
    [before, since] = [now, performance.now()];
    return last;
  };
}

type Families = typeof EXPORTER_FAMILIES;
type MetricOf<F> =
  F extends ExporterFamily<infer L, infer T>
    ? { readonly gauge: Gauge<L>; readonly counter: Counter<L>; readonly histogram: Histogram<L> }[T]
    : never;

/** A prom-client metric for each declared family. */
type Metrics = { readonly [K in keyof Families]: MetricOf<Families[K]> };

/** The functions in `live` are called at each scrape. */
function metricsIn(registry: Registry, live: { readonly [K in keyof Families]?: () => number }): Metrics {
  const values: Readonly<Record<string, (() => number) | undefined>> = live;
  const metrics = Object.entries(EXPORTER_FAMILIES).map(([key, family]) => [
    key,
    metricIn(registry, family, values[key]),
  ]);
  // The compiler cannot infer that each entry has the type of its declaration.
  return Object.fromEntries(metrics) as Metrics;
}

function metricIn(
  registry: Registry,
  { name, help, type, labels, buckets }: ExporterFamily,
  value: (() => number) | undefined,
): Gauge | Counter | Histogram {
  const common = { name, help, labelNames: labels, registers: [registry] };
  if (type === "counter") return new Counter(common);
  if (type === "histogram") return new Histogram({ ...common, buckets: [...buckets] });
  if (value === undefined) return new Gauge(common);
  return new Gauge({
    ...common,
    collect() {
      this.set(value());
    },
  });
}
