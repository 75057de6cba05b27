import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { PollEvents } from "../runtime/events.ts";
import { REFUSALS, type ProbeEvents } from "../poller/probe/prober.ts";
import type { Shard } from "../poller/shard/shard.ts";

/** The daemon's metrics about itself, in prom-client. Nothing here is about a node. */
export type OwnMetrics = {
  readonly registry: Registry;
  readonly events: PollEvents;
  readonly probes: ProbeEvents;
  /** Makes the counters of modules start at 0. */
  readonly knowModules: (names: readonly string[]) => void;
  /** @param seconds until the last byte was ready; @param bytes as sent */
  readonly scraped: (format: string, seconds: number, bytes: number) => void;
  /** @param at Unix seconds */
  readonly reloaded: (ok: boolean, at: number) => void;
};

export type OwnMetricsOptions = {
  readonly version: string;
  readonly revision: string;
  readonly nodeVersion: string;
  readonly shard: Shard;
  /** Series of the nodes, asked at each scrape. */
  readonly series: () => number;
  /** Probes under way, asked at each scrape. */
  readonly probing: () => number;
  readonly endpoints: readonly string[];
};

const POLL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SCRAPE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** A registry with everything that the daemon counts about itself. */
export function createOwnMetrics({
  version,
  revision,
  nodeVersion,
  shard,
  series,
  probing,
  endpoints,
}: OwnMetricsOptions): OwnMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "avax_exporter_build_info",
    help: "The running exporter.",
    labelNames: ["version", "revision", "nodeversion"],
    registers,
  }).set({ version, revision, nodeversion: nodeVersion }, 1);
  new Gauge({
    name: "avax_exporter_shard_info",
    help: "Which of the processes that share the nodes this one is, from 0, and how many there are.",
    labelNames: ["index", "total"],
    registers,
  }).set({ index: String(shard.index), total: String(shard.total) }, 1);
  new Gauge({
    name: "avax_exporter_shards",
    help: "How many processes share the nodes, as this one is told.",
    registers,
  }).set(shard.total);
  new Gauge({
    name: "avax_exporter_series",
    help: "Series of nodes and networks on /metrics.",
    registers,
    collect() {
      this.set(series());
    },
  });
  const pollSeconds = new Histogram({
    name: "avax_exporter_poll_duration_seconds",
    help: "How long polls took, failed ones included.",
    labelNames: ["endpoint"],
    buckets: POLL_SECONDS,
    registers,
  });
  const missed = new Counter({
    name: "avax_exporter_missed_polls_total",
    help: "Polls that were due while the one before them was still running.",
    labelNames: ["endpoint"],
    registers,
  });
  const readFailures = new Counter({
    name: "avax_exporter_read_failures_total",
    help: "Defects of the exporter: readings of an answer that threw. Must be 0.",
    labelNames: ["topic"],
    registers,
  });
  const duplicates = new Counter({
    name: "avax_exporter_duplicate_samples_total",
    help: "Samples left out because a series of the same labels was there already.",
    labelNames: ["family"],
    registers,
  });
  const scrapeSeconds = new Histogram({
    name: "avax_exporter_scrape_duration_seconds",
    help: "How long it took to put a scrape's answer together.",
    labelNames: ["format"],
    buckets: SCRAPE_SECONDS,
    registers,
  });
  const scrapeBytes = new Gauge({
    name: "avax_exporter_scrape_size_bytes",
    help: "Size of the last scrape's answer as it was sent.",
    labelNames: ["format"],
    registers,
  });
  const probeCounters = probeCountersIn(registry, probing);
  const reloadOk = new Gauge({
    name: "avax_exporter_config_last_reload_successful",
    help: "1 when the last load of the configuration succeeded.",
    registers,
  });
  const reloadAt = new Gauge({
    name: "avax_exporter_config_last_reload_success_timestamp_seconds",
    help: "When the configuration was last loaded with success.",
    registers,
  });
  for (const endpoint of endpoints) {
    pollSeconds.zero({ endpoint });
    missed.inc({ endpoint }, 0);
  }
  return {
    registry,
    events: {
      polled: (endpoint, seconds) => pollSeconds.observe({ endpoint }, seconds),
      missed: (endpoint) => missed.inc({ endpoint }),
      readFailed: (topic) => readFailures.inc({ topic }),
      duplicates: (family, count) => duplicates.inc({ family }, count),
    },
    ...probeCounters,
    scraped(format, seconds, bytes) {
      scrapeSeconds.observe({ format }, seconds);
      scrapeBytes.set({ format }, bytes);
    },
    reloaded(ok, at) {
      reloadOk.set(ok ? 1 : 0);
      if (ok) reloadAt.set(at);
    },
  };
}

/** What is counted of probes. */
function probeCountersIn(registry: Registry, probing: () => number): Pick<OwnMetrics, "probes" | "knowModules"> {
  const registers = [registry];
  const probes = new Counter({
    name: "avax_exporter_probes_total",
    help: "Probes that were made, failed ones included.",
    labelNames: ["module"],
    registers,
  });
  const failures = new Counter({
    name: "avax_exporter_probe_failures_total",
    help: "Probes in which the node did not answer everything.",
    labelNames: ["module"],
    registers,
  });
  const refused = new Counter({
    name: "avax_exporter_probes_refused_total",
    help: "Probes that were not made: too many at once, a target that is not allowed, a request or a module that is none.",
    labelNames: ["reason"],
    registers,
  });
  const seconds = new Histogram({
    name: "avax_exporter_probe_duration_seconds",
    help: "How long probes took, failed ones included.",
    buckets: POLL_SECONDS,
    registers,
  });
  new Gauge({
    name: "avax_exporter_probes_running",
    help: "Probes under way.",
    registers,
    collect() {
      this.set(probing());
    },
  });
  for (const reason of REFUSALS) refused.inc({ reason }, 0);
  return {
    knowModules(names) {
      for (const module of names) for (const counter of [probes, failures]) counter.inc({ module }, 0);
    },
    probes: {
      ended(module, took, success) {
        probes.inc({ module });
        if (!success) failures.inc({ module });
        seconds.observe(took);
      },
      refused: (reason) => refused.inc({ reason }),
    },
  };
}
