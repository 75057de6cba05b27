import type { Family } from "../../exposition/sample.ts";

/** A family of the process itself. In a template it is its name. */
export type ExporterFamily<L extends string = string, T extends Type = Type> = Family & {
  readonly type: T;
  readonly labels: readonly L[];
  /** Upper bounds of a histogram; empty for other types. */
  readonly buckets: readonly number[];
  readonly toString: () => string;
};

type Type = "gauge" | "counter" | "histogram";

const declare =
  <T extends Type>(type: T) =>
  <const L extends string = never>(
    name: string,
    help: string,
    labels: readonly L[] = [],
    buckets: readonly number[] = [],
  ): ExporterFamily<L, T> => ({ name, help, type, labels, buckets, toString: () => name });
const gauge = declare("gauge");
const counter = declare("counter");
const histogram = declare("histogram");

/** Upper bounds of buckets, in seconds. */
const POLL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SCRAPE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/**
 * The families that the daemon exports about itself, in the order of the exposition: counted in exporter-metrics.ts, listed in
 * the reference, used by rules and panels.
 */
export const EXPORTER_FAMILIES = {
  build: gauge(
    "avax_exporter_build_info",
    "Version, revision and time of the build of the running exporter (no time in a clone), and version of Node.js.",
    ["version", "revision", "build_date", "node_js_version"],
  ),
  shard: gauge(
    "avax_exporter_shard_info",
    "Index of this process among those that share the nodes, from 0, and their number.",
    ["index", "total"],
  ),
  shards: gauge("avax_exporter_shards", "Configured number of processes that share the nodes."),
  start: gauge("avax_exporter_start_timestamp_seconds", "When the exporter started."),
  series: gauge("avax_exporter_series", "Series of nodes and networks on /metrics."),
  pollDuration: histogram(
    "avax_exporter_poll_duration_seconds",
    "Duration of polls, failed ones included.",
    [],
    POLL_SECONDS,
  ),
  endpointPolls: counter(
    "avax_exporter_endpoint_polls_total",
    "Finished polls by endpoint, of all nodes and services.",
    ["api_endpoint"],
  ),
  endpointSeconds: counter(
    "avax_exporter_endpoint_poll_seconds_total",
    "Duration of polls by endpoint, of all nodes and services, failed ones included.",
    ["api_endpoint"],
  ),
  utilization: gauge(
    "avax_exporter_busy_ratio",
    "Share of the time since the last scrape in which the exporter's event loop was at work, from 0 to 1: near 1 it has more polls than it can do, and misses some.",
  ),
  defects: counter(
    "avax_exporter_defects_total",
    "Errors in the exporter's own code that were caught, by the place: must be 0; the log has the details.",
    ["place"],
  ),
  duplicates: counter(
    "avax_exporter_duplicate_samples_total",
    "Samples dropped because a series with the same labels already existed; the log has the family.",
  ),
  scrapeDuration: histogram(
    "avax_exporter_scrape_duration_seconds",
    "Time to build the response to a scrape.",
    ["format"],
    SCRAPE_SECONDS,
  ),
  scrapeSize: gauge("avax_exporter_scrape_size_bytes", "Size of the response to the last scrape, as sent.", ["format"]),
  probes: counter("avax_exporter_probes_total", "Completed probes, failed ones included.", ["module"]),
  probeFailures: counter("avax_exporter_probe_failures_total", "Probes in which the node did not answer every poll.", [
    "module",
  ]),
  probesRefused: counter(
    "avax_exporter_probes_refused_total",
    "Rejected probes: too many at once, a target that is not allowed, an invalid request or an unknown module.",
    ["reason"],
  ),
  probeDuration: histogram(
    "avax_exporter_probe_duration_seconds",
    "Duration of probes, failed ones included.",
    [],
    POLL_SECONDS,
  ),
  probesRunning: gauge("avax_exporter_probes_running", "Probes in progress."),
  reloadOk: gauge(
    "avax_exporter_config_last_reload_successful",
    "1 when the last load of the configuration succeeded.",
  ),
  reloadAt: gauge(
    "avax_exporter_config_last_reload_success_timestamp_seconds",
    "When the configuration was last loaded successfully.",
  ),
  storageOk: gauge(
    "avax_exporter_storage_last_write_successful",
    "1 when the last write of the state file succeeded, 0 when it failed or another exporter uses the directory; absent where no state is kept.",
  ),
  // Facts of nodes, derived from their other series at each scrape. For who restarts nodes, and for hooks that ask Prometheus.
  restartSafe: gauge(
    "avax_node_restart_safe",
    "1 while the node can be down for 10 minutes without harm to a reward, a quorum or another node's restart, 0 while it must wait or what is needed to judge is unknown (derived from the other series, as `/restart` shows them).",
    ["network", "node"],
  ),
  restartBlocked: gauge(
    "avax_node_restart_blocked",
    "1 with the first reason why the node must not be restarted now; absent while it can be (derived from the other series, as `/restart` shows them).",
    ["network", "node", "reason"],
  ),
} as const;
