import type { Family } from "../exposition/format.ts";

/**
 * What the daemon exports about itself, for the reference and for rules. The process counts these with prom-client
 * (src/self/own-metrics.ts); a test compares the two.
 */
export const OWN_FAMILIES = {
  build: own("gauge", "avax_exporter_build_info", "The running exporter.", ["version", "revision", "nodeversion"]),
  shard: own(
    "gauge",
    "avax_exporter_shard_info",
    "Which of the processes that share the nodes this one is, from 0, and how many there are.",
    ["index", "total"],
  ),
  shards: own("gauge", "avax_exporter_shards", "How many processes share the nodes, as this one is told."),
  series: own("gauge", "avax_exporter_series", "Series of nodes and networks on /metrics."),
  pollDuration: own("histogram", "avax_exporter_poll_duration_seconds", "How long polls took, failed ones included.", [
    "endpoint",
  ]),
  missedPolls: own(
    "counter",
    "avax_exporter_missed_polls_total",
    "Polls that were due while the one before them was still running.",
    ["endpoint"],
  ),
  readFailures: own(
    "counter",
    "avax_exporter_read_failures_total",
    "Defects of the exporter: readings of an answer that threw. Must be 0.",
    ["topic"],
  ),
  duplicates: own(
    "counter",
    "avax_exporter_duplicate_samples_total",
    "Samples left out because a series of the same labels was there already.",
    ["family"],
  ),
  scrapeDuration: own(
    "histogram",
    "avax_exporter_scrape_duration_seconds",
    "How long it took to put a scrape's answer together.",
    ["format"],
  ),
  scrapeSize: own("gauge", "avax_exporter_scrape_size_bytes", "Size of the last scrape's answer as it was sent.", [
    "format",
  ]),
  probes: own("counter", "avax_exporter_probes_total", "Probes that were made, failed ones included.", ["module"]),
  probeFailures: own(
    "counter",
    "avax_exporter_probe_failures_total",
    "Probes in which the node did not answer everything.",
    ["module"],
  ),
  probesRefused: own(
    "counter",
    "avax_exporter_probes_refused_total",
    "Probes that were not made: too many at once, a target that is not allowed, a request or a module that is none.",
    ["reason"],
  ),
  probeDuration: own(
    "histogram",
    "avax_exporter_probe_duration_seconds",
    "How long probes took, failed ones included.",
  ),
  probesRunning: own("gauge", "avax_exporter_probes_running", "Probes under way."),
  reloadOk: own(
    "gauge",
    "avax_exporter_config_last_reload_successful",
    "1 when the last load of the configuration succeeded.",
  ),
  reloadAt: own(
    "gauge",
    "avax_exporter_config_last_reload_success_timestamp_seconds",
    "When the configuration was last loaded with success.",
  ),
} as const;

/** A family of the process itself; in a template it is its name, as a metric is. */
export type OwnFamily = Family & { readonly labels: readonly string[]; readonly toString: () => string };

function own(type: Family["type"], name: string, help: string, labels: readonly string[] = []): OwnFamily {
  return { name, help, type, labels, toString: () => name };
}
