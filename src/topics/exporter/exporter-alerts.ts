import { counted } from "../define/counted.ts";
import type { Alerts } from "../define/alert.ts";
import { nodeLabels } from "../node/identity.ts";
import { EXPORTER_FAMILIES } from "./exporter-families.ts";

const { defects, reloadOk, shard, shards, utilization } = EXPORTER_FAMILIES;

/** Share of the time in which an event loop is at work that leaves too little for what comes unevenly. */
const BUSY = 0.9;
const { configured } = nodeLabels.metrics;
/** The same under the name that Prometheus gives our label. */
const renamed = { name: configured.name, labels: ["exported_node"] } as const;

/** The name has a route of its own, to a service that reports when it hears nothing. */
export const WATCHDOG = "AvaxWatchdog";

/** Alerts about the exporter itself, which belong to no topic. */
export const EXPORTER_ALERTS: Alerts = {
  // Its silence outside shows that Prometheus, Alertmanager or the way out of them is dead.
  [WATCHDOG]: {
    severity: "none",
    ofPrometheus: true,
    when: { promql: () => "vector(1)" },
    labels: [],
    summary: "Alerting works (value {{ $value }})",
    description: "It fires all the time (value {{ $value }}): a dead man's switch reports its silence.",
    meaning:
      "The switch has heard nothing: Prometheus does not run or has not loaded the rules, Alertmanager does not run, or neither reaches the switch. No other alert arrives meanwhile, and none can report it.",
    confirm:
      "Prometheus shows the alert as firing on its page Alerts, and Alertmanager lists it. Where it is missing, the chain is broken before.",
    commands: {
      "doctor --config.file=<file>": "The problems of the nodes without Prometheus, until the alerts arrive again.",
    },
    action:
      "Start what does not run. Then check the route and the receiver of the switch in Alertmanager's configuration, and its log.",
    falsePositives: "Prometheus and Alertmanager were stopped for maintenance: pause the switch.",
  },
  AvaxExporterAbsent: {
    severity: "critical",
    when: { promql: ({ series }) => `absent(${series(configured)})` },
    labels: [],
    for: "5m",
    impact: "Sight of everything: no other alert about Avalanche nodes can fire.",
    summary: "Prometheus scrapes no avax-exporter: no other alert can fire",
    over: "Prometheus scrapes avax-exporter again",
    meaning:
      "Prometheus scrapes no exporter at all. All metrics of the nodes are missing, and missing series raise no alert.",
    confirm:
      "Check the targets page of Prometheus. Request the exporter's `/-/healthy` and `/metrics` from the machine of Prometheus.",
    commands: {
      "check-config --config.file=<file>":
        "The exporter does not start with an invalid configuration. Each problem is listed with its line.",
      "doctor --config.file=<file>": "What the exporter would report about the nodes, without Prometheus.",
    },
    action:
      "Start the exporter, or fix its scrape job. `avax-exporter check-config` lists the problems of its configuration.",
    falsePositives:
      "The rules are loaded where no exporter is scraped. A missing shard is reported by AvaxExporterShardMissing; one of several independent exporters, only by `up` of its job.",
  },
  AvaxExporterShardMissing: {
    severity: "critical",
    ofPrometheus: true,
    when: {
      promql: ({ series }) =>
        `max by (job)(${series(shards)}) - count by (job)(count by (job, index)(${series(shard)})) > 0`,
    },
    labels: [],
    for: "5m",
    impact: "Sight of the nodes of that shard, and without the first shard of the networks.",
    summary: "{{ $labels.job }}: {{ $value }} exporter shards are not scraped: their nodes are unwatched",
    over: "has all of its shards scraped again",
    description: "Without the first shard, networks are not monitored either.",
    meaning: "Each shard polls a part of the nodes, and one part is missing. Missing series raise no other alert.",
    confirm:
      "`avax_exporter_shard_info` has a series for each running shard of the job. Check which `index` is missing, and whether all have the same `total`.",
    commands: {
      "check-config --config.file=<file> --shard.total=3":
        "Use your own number of shards instead of 3. The output lists the nodes of each shard, including those that are not monitored now.",
    },
    action: "Start the missing shards, or fix their scrape. Their number is `--shard.total`, each has its own index.",
    falsePositives: "The number of shards is being changed: for a while, some processes still have the old number.",
  },
  AvaxLabelsOverwritten: {
    severity: "warning",
    ofPrometheus: true,
    // Prometheus renames a label of ours when the scrape job sets the same one.
    when: { promql: ({ series }) => `count by (job, instance)(${series(renamed, { exported_node: "!=" })})` },
    labels: [],
    for: "10m",
    summary: `{{ $labels.job }} overwrites the label node of ${counted("node")}`,
    over: "is scraped with its own label node",
    description: "The scrape of {{ $labels.instance }} does: alerts name the wrong node.",
    meaning:
      "The scrape job sets a label `node` on its targets, often the Kubernetes node. Prometheus renames the exporter's own label to `exported_node`. Alerts, inhibitions and dashboards then take all nodes for one.",
    confirm:
      "Query `avax_node_configured` in Prometheus: `node` has a value that is not in the exporter's configuration, and `exported_node` has the name of the node. The targets page of Prometheus shows the labels that the job sets.",
    commands: {
      "once --config.file=<file> --log.level=error":
        "The series as the exporter exports them. The label `node` of `avax_node_configured` has the names in the configuration.",
    },
    action:
      "Remove the relabelling that sets the label. Or end the job's `relabel_configs` with `{ action: labeldrop, regex: node|network }`.",
    falsePositives: "No known false positives.",
  },
  AvaxNodeNamesCollide: {
    severity: "warning",
    ofPrometheus: true,
    when: {
      promql: ({ series }) =>
        `count by (job, node, network)(count by (job, node, network, node_id)(${series(configured, { node_id: "!=" })})) > 1`,
    },
    for: "10m",
    summary: "{{ $labels.node }} is the name of {{ $value }} nodes in one job",
    over: "is the name of one node again",
    description: "Exporters of job {{ $labels.job }} poll different nodes under it.",
    meaning:
      "Exporters of one job are taken for exporters of the same nodes: their series are joined by the name of the node. Two nodes with one name then share one alert, and the worse of the two figures.",
    confirm: "`avax_node_configured` of this name: the series differ in `instance` and `node_id`.",
    commands: {
      "call <node> info.getNodeID":
        "`nodeID` of the node under this name. Run it with the configuration of each exporter.",
    },
    action: "Rename one of them in its configuration, or scrape the exporters in two jobs.",
    falsePositives: "One of two exporters has not noticed yet that another node answers at the address.",
  },
  AvaxExporterReloadFailed: {
    severity: "warning",
    when: { of: reloadOk, equals: 0, perExporter: true },
    labels: [],
    for: "5m",
    summary: "{{ $labels.instance }}: reload failed, the configuration before it is in use",
    over: "has loaded its configuration",
    meaning:
      "The configuration file was changed, and the exporter rejects it. New nodes are not monitored, and the next restart will fail.",
    confirm:
      "Run `avax-exporter check-config` on the file: it lists every problem with its line. The log has them too. `avax_exporter_config_last_reload_success_timestamp_seconds` is the time of the configuration in use.",
    commands: { "check-config --config.file=<file>": "Every problem of the file with its line." },
    action:
      "Correct the file and reload (SIGHUP, `POST /-/reload`). With `--config.enable-auto-reload` the file is enough.",
    falsePositives: "No known false positives.",
  },
  AvaxExporterOverloaded: {
    severity: "warning",
    when: { of: utilization, above: BUSY, perExporter: true },
    labels: [],
    for: "5m",
    summary: '{{ $labels.instance }} is overloaded: busy {{ $value | printf "%.0f" }} % of the time',
    over: "has time for its polls again",
    meaning:
      "One process polls on one core. Its event loop is busy nearly all the time: polls start late, are skipped, or their answers are read after the deadline. Such a poll counts in `avax_polls_missed_total` with the reason `overloaded`, not as a failure of the node.",
    confirm:
      "`rate(process_cpu_seconds_total[5m])` near 1: the process has more work than one core can do. Far below 1: it does not get the CPU, because of a limit of its container or of other processes.",
    commands: {
      "check-config --config.file=<file> --shard.total=3":
        "The nodes of each of three shards. Use the number that you plan.",
    },
    action:
      "Give it more CPU or longer intervals, or start several (`--shard.total`). Each has its own `--shard.index`.",
    falsePositives: "The exporter has just started: the first round of polls is more work than any later one.",
  },
  AvaxExporterDefect: {
    severity: "warning",
    when: { promql: ({ series }) => `increase(${series(defects)}[15m]) > 0` },
    labels: ["place"],
    summary: `{{ $labels.instance }}: ${counted("error")} in the exporter itself ({{ $labels.place }})`,
    over: "has no further errors of its own",
    description: "What they concern is missing, the rest goes on.",
    meaning:
      "A bug in the exporter. `place` is the part that failed: the request of an `endpoint`, the reading of a `metric`, a `page`, a `poll`, or the `process` outside of these.",
    confirm: "The exporter's log shows the error and what it concerns.",
    commands: {
      "once --config.file=<file> --log.level=error":
        "Polls everything once. The log shows the failing endpoint or metric and its error.",
    },
    action: "Report it to the exporter's authors with the log line and the node's answer.",
    falsePositives: "No known false positives.",
  },
};
