import type { Reason } from "../api/reasons.ts";
import { OwnRecords, type EndpointRecord, type OwnRecord } from "./poll-record.ts";
import { counters, gauge, gauges, recurring, summaries } from "../catalogue/metric.ts";
import { topic } from "../catalogue/topic.ts";
import { where } from "../catalogue/selector.ts";

/** Answers may be older only where the configured interval is longer. Seconds. */
export const STALE_AFTER = 300;
/** An answer and its series go stale after this many intervals without a successful poll. */
export const STALE_INTERVALS = 3;

/** One sample for each endpoint. */
const eachEndpoint =
  <V>(read: (endpoint: EndpointRecord) => V) =>
  ({ record }: { readonly record: OwnRecord }) =>
    record.endpoints.map((endpoint) => [{ api_endpoint: endpoint.id }, read(endpoint)] as const);

/** Failures of endpoints together, by reason: those of `reasons` from 0, others once they occurred. */
export function byReason(reasons: readonly Reason[], endpoints: readonly EndpointRecord[]) {
  const sums = new Map<Reason, number>(reasons.map((reason) => [reason, 0]));
  for (const { failures } of endpoints)
    for (const [reason, count] of failures) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return [...sums].map(([reason, value]) => [{ reason }, value] as const);
}

export const polling = topic(
  {
    id: "polling",
    about: "Does the exporter reach each node, and how old is what it knows?",
    scope: "node",
    needs: { record: OwnRecords },
  },
  {
    up: gauge(
      "avax_node_up",
      "1 when the node answers the exporter; 0 at once when the connection is refused or lost, otherwise after 30 s without any answer (the exporter's own record).",
      ({ record }) => record.up,
    ),
    endpointUp: gauges(
      "avax_endpoint_up",
      "1 when the last poll of this endpoint succeeded, for all that it is asked about; absent when the server does not have an optional endpoint (the exporter's own record).",
      ["api_endpoint"],
      eachEndpoint(({ up }) => up),
    ),
    supported: gauges(
      "avax_endpoint_supported",
      "For endpoints that a server need not have: 1 when this one has it (the exporter's own record).",
      ["api_endpoint"],
      eachEndpoint(({ optional, supported }) => (optional ? supported : undefined)),
    ),
    lastSuccess: gauges(
      "avax_endpoint_last_success_timestamp_seconds",
      "When the last successful poll of this endpoint ended, the oldest of all that it is asked about (the exporter's own record).",
      ["api_endpoint"],
      eachEndpoint(({ lastSuccess }) => lastSuccess),
    ),
    interval: recurring(
      gauges(
        "avax_endpoint_interval_seconds",
        "Configured seconds between two polls of this endpoint; its series vanish after three intervals without success (the exporter's own record).",
        ["api_endpoint"],
        eachEndpoint(({ every }) => every),
      ),
    ),
    duration: summaries(
      "avax_poll_duration_seconds",
      "Duration of polls, failed ones included; the count is the number of polls (the exporter's own record).",
      ["api_endpoint"],
      eachEndpoint(({ seconds, polls }) => ({ sum: seconds, count: polls })),
    ),
    failures: counters(
      "avax_poll_failures_total",
      "Failed polls of all endpoints by reason; every reason for which a poll of this node can fail has a series from the start (the exporter's own record).",
      ["reason"],
      ({ record: { endpoints, reasons } }) => byReason(reasons, endpoints),
    ),
  },
  ({ up, endpointUp, supported, lastSuccess, interval }) => [
    {
      name: "AvaxNodeDown",
      severity: "critical",
      expr: `${up} == 0`,
      for: "2m",
      summary: "{{ $labels.node }} does not answer",
      description:
        "The exporter has had no answer from {{ $labels.node }} for 2 minutes. The exporter's status page has the last error in words.",
      runbook: {
        meaning:
          "The node's API cannot be reached from the exporter. The node may be down, or only its API or the way to it.",
        confirm:
          "The exporter's status page shows the last error in words. From the exporter's machine ask the node's `/ext/health` with curl. Ask another node whether it is connected: `avax_validator_connected`.",
        commands: [
          {
            run: "call <node> /ext/health/liveness",
            see: "It fails here too, and says why: `refused` is a process that is not there, `timeout` a machine or a firewall, `dns` a wrong name.",
          },
          {
            run: "call <any-node> info.peers",
            see: "In the list of another node of the network the lost one is missing, or its `lastReceived` is old: then it is down for everybody.",
          },
        ],
        action:
          "Start the node, or repair the way: --http-host, firewall of the API port, proxy, credentials. If other nodes still see the validator connected, only the API is gone and no uptime is lost.",
        falseWhen: "The exporter's own network is broken: AvaxExporterCannotPoll fires then, for all nodes at once.",
      },
      fires: { series: { 'avax_node_up{node="a"}': "1x3 0x10" }, at: "8m", labels: { node: "a" } },
      silent: {
        series: { 'avax_node_up{node="a"}': "1 0 1 0 1 0 1 0 1 0" },
        at: "8m",
        why: "each gap was shorter than 2 minutes",
      },
    },
    {
      name: "AvaxExporterCannotPoll",
      severity: "critical",
      expr: `count without (node, network) (${up}) > 1 unless sum without (node, network) (${up}) > 0`,
      // Shorter than that of AvaxNodeDown, which it inhibits: nodes are not found to be down all at the same moment.
      for: "1m",
      summary: "The exporter reaches none of its {{ $value }} nodes",
      description:
        "For a minute the exporter at {{ $labels.instance }} has had no answer from any of its {{ $value }} nodes: most likely the exporter or its network is broken, not the nodes.",
      runbook: {
        meaning:
          "Every node went silent at once. That is rarely the nodes: the observer is blind, and nothing else that it says can be trusted.",
        confirm:
          "Look at the reasons on the exporter's status page: `dns`, `unreachable` or `timeout` for all speak for the exporter's side.",
        commands: [
          {
            run: "call <any-node> info.getNodeID",
            see: "On the machine of the exporter it fails. If it succeeds on another machine, the nodes are well and the exporter's side is not.",
          },
        ],
        action: "Repair the exporter's network, DNS or credentials. Until then look at the nodes by other means.",
        falseWhen: "All nodes stand in one place and that place is down.",
      },
      fires: { series: { 'avax_node_up{node="a"}': "0x10", 'avax_node_up{node="b"}': "0x10" }, at: "4m", labels: {} },
      silent: {
        series: { 'avax_node_up{node="a"}': "0x10", 'avax_node_up{node="b"}': "1x10" },
        at: "4m",
        why: "one of two answers",
      },
    },
    {
      name: "AvaxHealthNotServed",
      severity: "warning",
      expr: `${where(supported, { api_endpoint: "health" })} == 0`,
      for: "15m",
      summary: "{{ $labels.node }} does not serve its health",
      description:
        "{{ $labels.node }} answers, but has no health API: avax_endpoint_supported of its health endpoint is {{ $value }}. Whether the node is healthy is not monitored.",
      runbook: {
        meaning:
          "The health API is switched off on this node, or a proxy in front of it hides it. Public API servers do not serve it either.",
        confirm: "The status page of the exporter lists the endpoint as not there.",
        commands: [
          {
            run: "call <node> /ext/health",
            see: "`http_status` with 404: the health API is switched off or not let through.",
          },
          {
            run: "call <node> info.getNodeID",
            see: "Answers: the node itself is there.",
          },
        ],
        action:
          "On a node of yours: remove --api-health-enabled=false, or let the proxy pass `/ext/health`. For a public server silence this alert for its `node`.",
        falseWhen: "The node is a public API server, which is only polled as another view.",
      },
      fires: {
        series: { 'avax_endpoint_supported{node="a",api_endpoint="health"}': "0x30" },
        at: "17m",
        labels: { node: "a", api_endpoint: "health" },
      },
      silent: {
        series: { 'avax_endpoint_supported{node="a",api_endpoint="health"}': "1x30" },
        at: "17m",
        why: "it serves its health",
      },
    },
    {
      name: "AvaxEndpointFailing",
      severity: "warning",
      expr: `${endpointUp} == 0 and ignoring (api_endpoint) ${up} == 1`,
      for: "15m",
      summary: "Polls of {{ $labels.api_endpoint }} of {{ $labels.node }} fail",
      description:
        "{{ $labels.node }} answers, but for 15 minutes the polls of {{ $labels.api_endpoint }} have failed, for one chain or subnet at least where it is asked about several. What could not be read is gone from /metrics.",
      runbook: {
        meaning:
          "One question to the node is not answered as it should be, others are. What is read from its answer is not monitored now.",
        confirm:
          "The status page has the last error in words: `http_status` 404 means that this API is switched off, `not_bootstrapped` that its chain is not ready, `schema` that a field has an unknown type.",
        commands: [
          {
            run: "call <node> <api_endpoint>",
            see: "The same error in words. It works where the endpoint is called like a method; `health` is the path `/ext/health`, those that begin with `evm.` ask methods that begin with `eth_`.",
          },
        ],
        action:
          "Switch the API on, wait for the chain, or set `enabled: false` for this endpoint in the exporter's configuration. Report a `schema` error to the exporter's authors, with the answer.",
        falseWhen: "A new node is bootstrapping: P-Chain endpoints fail until it is done.",
      },
      fires: {
        series: { 'avax_endpoint_up{node="a",api_endpoint="info.peers"}': "0x30", 'avax_node_up{node="a"}': "1x30" },
        at: "17m",
        labels: { node: "a", api_endpoint: "info.peers" },
      },
      silent: {
        series: { 'avax_endpoint_up{node="a",api_endpoint="info.peers"}': "0x30", 'avax_node_up{node="a"}': "0x30" },
        at: "17m",
        why: "the whole node is down, which is AvaxNodeDown",
      },
    },
    {
      name: "AvaxDataStale",
      severity: "warning",
      expr: `time() - ${lastSuccess} > ${STALE_AFTER} and time() - ${lastSuccess} > ${STALE_INTERVALS} * ${interval} and ignoring (api_endpoint) ${up} == 1`,
      for: "5m",
      summary: "What {{ $labels.api_endpoint }} of {{ $labels.node }} said is {{ $value | humanizeDuration }} old",
      description:
        "The last successful poll of {{ $labels.api_endpoint }} of {{ $labels.node }} was {{ $value | humanizeDuration }} ago, while the node answers other questions.",
      runbook: {
        meaning:
          "No poll of this endpoint has succeeded for three of its intervals, and for five minutes at least: its figures are gone from /metrics, and alerts that need them are silent. It comes before AvaxEndpointFailing, and also when polls hang or are not sent at all.",
        confirm:
          "Compare `avax_endpoint_last_success_timestamp_seconds` with the time, and see on the status page whether polls fail (with the error in words) or are missing: `avax_exporter_missed_polls_total`.",
        commands: [
          {
            run: "call <node> /ext/health",
            see: "An answer at once: the exporter is late, not the node. An error, or a long wait: the node.",
          },
        ],
        action:
          "Polls fail: as the runbook of AvaxEndpointFailing says. Polls are missing: the node answers too slowly for the interval, or the exporter is out of CPU.",
        falseWhen: "None is known: the interval of the configuration is taken into account.",
      },
      fires: {
        series: {
          'avax_endpoint_last_success_timestamp_seconds{node="a",api_endpoint="health"}': "60x30",
          'avax_endpoint_interval_seconds{node="a",api_endpoint="health"}': "15x30",
          'avax_node_up{node="a"}': "1x30",
        },
        at: "15m",
        labels: { node: "a", api_endpoint: "health" },
      },
      silent: {
        series: {
          'avax_endpoint_last_success_timestamp_seconds{node="a",api_endpoint="info.upgrades"}': "60x30",
          'avax_endpoint_interval_seconds{node="a",api_endpoint="info.upgrades"}': "600x30",
          'avax_node_up{node="a"}': "1x30",
        },
        at: "15m",
        why: "it is asked every ten minutes, as the configuration says",
      },
    },
  ],
);
