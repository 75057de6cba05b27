import type { Alert } from "../catalogue/alert.ts";
import { nodeLabels } from "../topics/node/identity.ts";
import { recording } from "../catalogue/recording.ts";
import { EXPORTER_FAMILIES } from "./exporter-families.ts";

const { readFailures, reloadOk, reloadAt, missedPolls, pollDuration, shard, shards } = EXPORTER_FAMILIES;
const { configured } = nodeLabels.metrics;

/** More than one skipped poll in ten is not a single slow answer. */
export const MISSED_OFTEN_RATIO = 0.1;

const missedRatio = recording({
  name: "instance:avax_exporter_missed_polls:ratio_increase15m",
  about: "Polls of all endpoints of all nodes that were skipped within 15 minutes, as a share of those sent.",
  expr: `increase(${missedPolls.name}[15m]) / increase(${pollDuration.name}_count[15m])`,
  labels: [],
  proof: {
    series: {
      'avax_exporter_missed_polls_total{instance="x"}': "0+2x20",
      'avax_exporter_poll_duration_seconds_count{instance="x"}': "0+8x20",
    },
    at: "20m",
    samples: { '{instance="x"}': 0.25 },
  },
});

/** Alerts about the exporter itself, which no topic has. */
export const EXPORTER_ALERTS: readonly Alert[] = [
  {
    name: "AvaxExporterAbsent",
    severity: "critical",
    expr: `absent(${configured.name})`,
    for: "5m",
    summary: "Prometheus scrapes no exporter of Avalanche nodes",
    description:
      "For 5 minutes Prometheus has had no series of any configured node. No other alert about Avalanche nodes can fire now.",
    runbook: {
      meaning:
        "Prometheus scrapes no exporter at all, so everything that is read from the nodes is missing, and missing series raise no alert.",
      confirm:
        "Look at the targets page of Prometheus, and ask the exporter's `/-/healthy` and `/metrics` from the machine of Prometheus.",
      commands: [
        {
          run: "check-config --config.file=<file>",
          see: "The exporter does not start with a configuration that has problems; each is named with its line.",
        },
        {
          run: "doctor --config.file=<file>",
          see: "What the exporter would say of the nodes, without Prometheus.",
        },
      ],
      action:
        "Start the exporter, or repair its scrape job: address, TLS, credentials. If it does not start, `avax-exporter check-config` says what is wrong with its configuration.",
      falseWhen:
        "The rules are loaded where no exporter is scraped. One of several that share the nodes is told by AvaxExporterShardMissing; one of several independent ones by `up` of its job alone.",
    },
    fires: { series: { 'avax_exporter_series{instance="x"}': "0x20" }, at: "7m", labels: {} },
    silent: { series: { 'avax_node_configured{node="a"}': "1x20" }, at: "7m", why: "a node is configured" },
  },
  {
    name: "AvaxExporterShardMissing",
    severity: "critical",
    ofPrometheus: true,
    expr: `max by (job) (${shards.name}) - count by (job) (count by (job, index) (${shard.name})) > 0`,
    for: "5m",
    summary: "{{ $value }} of the exporters that share the nodes of {{ $labels.job }} are not scraped",
    description:
      "For 5 minutes {{ $value }} of the processes that share the nodes of the job {{ $labels.job }} have not been scraped. Their nodes are not monitored now; without the first of them no network is either.",
    runbook: {
      meaning:
        "Each process polls its part of the nodes, and a part of them is missing: nothing is known of it, and missing series raise no other alert.",
      confirm:
        "`avax_exporter_shard_info` of the job has a series for each process that is there: see which `index` is missing, and whether all have the same `total`.",
      commands: [
        {
          run: "check-config --config.file=<file> --shard.total=3",
          see: "With your own number of processes instead of 3: the nodes of each, and so which are not monitored now.",
        },
      ],
      action:
        "Start what is missing, or repair its scrape. As many processes must run as `--shard.total` says, each with an index of its own.",
      falseWhen: "The number of processes is being changed: for a while some are told the old number and some the new.",
    },
    fires: {
      series: {
        'avax_exporter_shards{job="avax",instance="x"}': "3x20",
        'avax_exporter_shards{job="avax",instance="y"}': "3x20",
        'avax_exporter_shard_info{job="avax",instance="x",index="0",total="3"}': "1x20",
        'avax_exporter_shard_info{job="avax",instance="y",index="2",total="3"}': "1x20",
      },
      at: "7m",
      labels: { job: "avax" },
    },
    silent: {
      series: {
        'avax_exporter_shards{instance="x"}': "2x20",
        'avax_exporter_shards{instance="y"}': "2x20",
        'avax_exporter_shards{job="other",instance="z"}': "1x20",
        'avax_exporter_shard_info{instance="x",index="0",total="2"}': "1x20",
        'avax_exporter_shard_info{instance="y",index="1",total="2"}': "1x20",
        'avax_exporter_shard_info{job="other",instance="z",index="0",total="1"}': "1x20",
      },
      at: "7m",
      why: "both are there, and an exporter of another job is alone as it should be",
    },
  },
  {
    name: "AvaxExporterReloadFailed",
    severity: "warning",
    expr: `time() - ${reloadAt.name} and ${reloadOk.name} == 0`,
    for: "5m",
    summary: "{{ $labels.instance }} runs on a configuration that is {{ $value | humanizeDuration }} old",
    description:
      "The last reload of the exporter at {{ $labels.instance }} failed. It goes on with the configuration that it loaded {{ $value | humanizeDuration }} ago.",
    runbook: {
      meaning:
        "The configuration file changed into one that the exporter does not accept. Nodes that were added are not watched, and the next restart will fail.",
      confirm:
        "Run `avax-exporter check-config` on the file: it names every problem with its line. The log has them too.",
      commands: [
        {
          run: "check-config --config.file=<file>",
          see: "Every problem of the file with its line.",
        },
      ],
      action: "Correct the file and reload (SIGHUP, or `POST /-/reload`).",
      falseWhen: "None is known.",
    },
    fires: {
      series: {
        'avax_exporter_config_last_reload_successful{instance="x"}': "1x2 0x20",
        'avax_exporter_config_last_reload_success_timestamp_seconds{instance="x"}': "0x30",
      },
      at: "10m",
      labels: { instance: "x" },
    },
    silent: {
      series: {
        'avax_exporter_config_last_reload_successful{instance="x"}': "1x30",
        'avax_exporter_config_last_reload_success_timestamp_seconds{instance="x"}': "0x30",
      },
      at: "10m",
      why: "an old configuration is fine while nothing failed",
    },
  },
  {
    name: "AvaxExporterReadFails",
    severity: "warning",
    expr: `increase(${readFailures.name}[15m]) > 0`,
    for: "0m",
    summary: '{{ $labels.instance }} fails to read {{ $value | printf "%.0f" }} answers',
    description:
      'In 15 minutes about {{ $value | printf "%.0f" }} reads of answers threw an error in the exporter at {{ $labels.instance }}. Their metrics are missing.',
    runbook: {
      meaning: "A defect of the exporter: an answer passed the checks of its form, and reading it failed all the same.",
      confirm: "The log of the exporter has the metric and the error.",
      commands: [
        {
          run: "once --config.file=<file> --log.level=error",
          see: "Polls everything once; the reading that throws is in the log with the metric and the error.",
        },
      ],
      action: "Report it to the exporter's authors with the log line and, if possible, the node's answer.",
      falseWhen: "None is known.",
    },
    fires: {
      series: { 'avax_exporter_read_failures_total{instance="x"}': "0x5 1+1x20" },
      at: "12m",
      labels: { instance: "x" },
    },
    silent: {
      series: { 'avax_exporter_read_failures_total{instance="x"}': "3x40" },
      at: "30m",
      why: "the failures were long ago",
    },
  },
  {
    name: "AvaxExporterMissesPolls",
    severity: "warning",
    expr: `${missedRatio} > ${MISSED_OFTEN_RATIO}`,
    records: [missedRatio],
    for: "5m",
    summary: "{{ $labels.instance }} skips {{ $value | humanizePercentage }} of its polls",
    description:
      "In the last 15 minutes the exporter at {{ $labels.instance }} skipped {{ $value | humanizePercentage }} of its polls because the poll before them was still running.",
    runbook: {
      meaning:
        "Answers take longer than the interval: figures are older than they should be. With many nodes, a few slow ones are enough.",
      confirm:
        "`avax_poll_duration_seconds_sum` divided by `_count`, by node and endpoint, shows which polls are slow; so does the status page.",
      commands: [
        {
          run: "call <any-node> /ext/health",
          see: "Answers at once, or takes seconds? Ask the nodes whose polls are slow, by the status page.",
        },
      ],
      action:
        "Find out why the node answers slowly; or give the endpoint a longer interval or a shorter deadline. If all endpoints are slow, the exporter lacks CPU.",
      falseWhen:
        "Many nodes went away without closing their connections, so that every poll waits for its deadline: AvaxNodeDown tells that.",
    },
    fires: {
      series: {
        'avax_exporter_missed_polls_total{instance="x"}': "0+2x40",
        'avax_exporter_poll_duration_seconds_count{instance="x"}': "0+6x40",
      },
      at: "30m",
      labels: { instance: "x" },
    },
    silent: {
      series: {
        'avax_exporter_missed_polls_total{instance="x"}': "0x10 1x40",
        'avax_exporter_poll_duration_seconds_count{instance="x"}': "0+4x40",
      },
      at: "20m",
      why: "one poll in a quarter of an hour is no matter",
    },
  },
];
