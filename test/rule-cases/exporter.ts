import type { AlertCases } from "./case.ts";

export const EXPORTER_CASES: AlertCases = {
  AvaxExporterOutOfDescriptors: {
    at: "12m",
    fires: { 'avax_polls_missed_total{node="a",network="n",reason="descriptors"}': "0+4x20" },
    silent: { 'avax_polls_missed_total{node="a",network="n",reason="overloaded"}': "0+4x20" },
    why: "it lacks the processor",
  },
  AvaxHealthNotServed: {
    fires: { 'avax_endpoint_unsupported{node="a",api_endpoint="health"}': "1x30" },
    silent: { 'avax_endpoint_unsupported{node="a",api_endpoint="info.acps"}': "1x30" },
    why: "it serves the health API",
  },
  AvaxEndpointFailing: {
    fires: { 'avax_endpoint_up{node="a",api_endpoint="info.peers"}': "0x30" },
    silent: { 'avax_endpoint_up{node="a",api_endpoint="info.peers"}': "0x5 stale" },
    why: "the whole node is down: its endpoints have no series, and AvaxNodeDown fires",
  },
  AvaxDataStale: {
    at: "15m",
    fires: { 'avax_node_overdue_seconds{node="a"}': "0+60x30" },
    silent: { 'avax_node_overdue_seconds{node="a"}': "200x30" },
    why: "a poll or two hang",
  },
  AvaxNodePollsMissed: {
    at: "8m",
    fires: {
      'avax_polls_missed_total{node="a",reason="running"}': "0+2x40",
      'avax_poll_duration_seconds_count{node="a"}': "0+48x40",
    },
    silentAt: "13m",
    silent: {
      'avax_polls_missed_total{node="a",reason="running"}': "0x5 1x40",
      'avax_poll_duration_seconds_count{node="a"}': "0+48x40",
    },
    why: "one skipped poll in 15 minutes is harmless",
  },
  AvaxNodeApiCertificateExpiring: {
    fires: { 'avax_node_api_certificate_expiry_timestamp_seconds{node="a"}': "1209600x90" },
    silent: { 'avax_node_api_certificate_expiry_timestamp_seconds{node="a"}': "1209600x30 9000000x60" },
    why: "the certificate was renewed within the hour",
  },
  AvaxEvmWebSocketDown: {
    fires: { 'avax_evm_websocket_up{node="a",chain="C"}': "0x20" },
    silent: { 'avax_evm_websocket_up{node="a",chain="C"}': "1x5 0x10 1x10" },
    why: "the WebSocket reconnected",
  },
  AvaxHostedDataStale: {
    fires: { 'avax_hosted_endpoint_overdue_seconds{api="data",api_endpoint="data.validators"}': "60x60" },
    silent: { 'avax_hosted_endpoint_overdue_seconds{api="metrics",api_endpoint="metrics.txCount"}': "0x60" },
    why: "it is polled once an hour, as configured",
  },
  AvaxHostedNeverAnswered: {
    fires: { 'avax_hosted_endpoint_unanswered_questions{api="data",api_endpoint="data.chain"}': "1x60" },
    silent: { 'avax_hosted_endpoint_unanswered_questions{api="data",api_endpoint="data.chain"}': "0x60" },
    why: "everything was answered once, and an old answer has an alert of its own",
  },
  AvaxHostedKeyRefused: {
    fires: { 'avax_hosted_key_accepted{api="data"}': "0x30" },
    silent: { 'avax_hosted_key_accepted{api="data"}': "1x10 0x5 1x20" },
    why: "it was rejected for five minutes only",
  },
  AvaxHostedBudgetExhausted: {
    fires: { 'avax_hosted_overdue_intervals{api="metrics"}': "1.5x60" },
    silent: { 'avax_hosted_overdue_intervals{api="metrics"}': "0.4x60" },
    why: "polls are late by less than an interval",
  },
  AvaxWatchdog: { at: "1m", fires: { 'avax_node_up{node="a"}': "_x5" }, why: "it is never silent" },
  AvaxExporterAbsent: {
    fires: { 'avax_exporter_series{instance="x"}': "0x20" },
    silent: { 'avax_node_configured{node="a"}': "1x20" },
    why: "a node is configured",
  },
  AvaxExporterShardMissing: {
    fires: {
      'avax_exporter_shards{job="avax",instance="x"}': "3x20",
      'avax_exporter_shards{job="avax",instance="y"}': "3x20",
      'avax_exporter_shard_info{job="avax",instance="x",index="0",total="3"}': "1x20",
      'avax_exporter_shard_info{job="avax",instance="y",index="2",total="3"}': "1x20",
    },
    labels: { job: "avax" },
    silent: {
      'avax_exporter_shards{instance="x"}': "2x20",
      'avax_exporter_shards{instance="y"}': "2x20",
      'avax_exporter_shards{job="other",instance="z"}': "1x20",
      'avax_exporter_shard_info{instance="x",index="0",total="2"}': "1x20",
      'avax_exporter_shard_info{instance="y",index="1",total="2"}': "1x20",
      'avax_exporter_shard_info{job="other",instance="z",index="0",total="1"}': "1x20",
    },
    why: "both shards are scraped, and the other job has a single exporter",
  },
  AvaxLabelsOverwritten: {
    fires: {
      'avax_node_configured{job="avax",instance="x",node="worker-1",exported_node="a"}': "1x20",
      'avax_node_configured{job="avax",instance="x",node="worker-1",exported_node="b"}': "1x20",
    },
    labels: { job: "avax", instance: "x" },
    silent: { 'avax_node_configured{job="avax",instance="x",node="a",network="n"}': "1x20" },
    why: "the labels are the exporter's own",
  },
  AvaxNodeNamesCollide: {
    fires: {
      'avax_node_configured{job="avax",instance="x",node="a",network="n",node_id="NodeID-A"}': "1x20",
      'avax_node_configured{job="avax",instance="y",node="a",network="n",node_id="NodeID-B"}': "1x20",
    },
    labels: { job: "avax", node: "a", network: "n" },
    silent: {
      'avax_node_configured{job="avax",instance="x",node="a",network="n",node_id="NodeID-A"}': "1x20",
      'avax_node_configured{job="avax",instance="y",node="a",network="n",node_id="NodeID-A"}': "1x20",
      'avax_node_configured{job="avax",instance="z",node="a",network="n"}': "1x20",
      'avax_node_configured{job="other",instance="o",node="a",network="n",node_id="NodeID-B"}': "1x20",
    },
    why: "two exporters poll the same node, a third does not know its ID, and that of another job has its own names",
  },
  AvaxExporterReloadFailed: {
    at: "10m",
    fires: { 'avax_exporter_config_last_reload_successful{instance="x"}': "1x2 0x20" },
    labels: { instance: "x" },
    silent: { 'avax_exporter_config_last_reload_successful{instance="x"}': "1x30" },
    why: "no reload failed",
  },
  AvaxExporterOverloaded: {
    at: "12m",
    fires: { 'avax_exporter_busy_ratio{instance="x"}': "0.3x3 0.97x20" },
    labels: { instance: "x" },
    silent: { 'avax_exporter_busy_ratio{instance="x"}': "0.3x3 0.97x2 0.6x20" },
    why: "it was overloaded for three minutes only",
  },
  AvaxExporterDefect: {
    at: "12m",
    fires: { 'avax_exporter_defects_total{instance="x", place="metric"}': "0x5 1+1x20" },
    labels: { instance: "x", place: "metric" },
    silentAt: "17m",
    silent: { 'avax_exporter_defects_total{instance="x", place="metric"}': "3x40" },
    why: "the failures were long ago",
  },
};
