import type { Reason } from "../api/reasons.ts";
import { OwnRecords, type EndpointRecord, type OwnRecord } from "./poll-record.ts";
import { counter, counters, gauge, gauges, recurring, summaries, type Metric } from "../catalogue/metric.ts";
import { topic } from "../catalogue/topic.ts";
import { DETAIL, withoutPanel } from "../catalogue/without-panel.ts";
import { recording } from "../catalogue/recording.ts";
import { countOf, where } from "../catalogue/selector.ts";

/** Least age of a stale answer. Seconds. */
export const STALE_AFTER = 300;
/** An answer and its series are stale after this many intervals without a successful poll. */
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

/** A slow poll or two an hour are normal. One endpoint that misses half of its polls has some 4 % of a node's polls. */
export const MISSED_OFTEN_RATIO = 0.02;

function missedRatio(missed: Metric<never>, duration: Metric<never, "api_endpoint">) {
  return recording({
    name: "node:avax_polls_missed:ratio_increase15m",
    about: "Polls of a node that were skipped within 15 minutes, as a share of those sent.",
    expr: `increase(${missed}[15m]) / sum without (api_endpoint) (increase(${countOf(duration).name}[15m]))`,
    labels: ["node", "network"],
    proof: {
      series: {
        'avax_polls_missed_total{node="a",network="n"}': "0+2x20",
        'avax_poll_duration_seconds_count{node="a",network="n",api_endpoint="health"}': "0+4x20",
        'avax_poll_duration_seconds_count{node="a",network="n",api_endpoint="info.peers"}': "0+4x20",
      },
      at: "20m",
      samples: { '{node="a",network="n"}': 0.25 },
    },
  });
}

export const polling = topic(
  {
    id: "polling",
    about: "Does the exporter reach each node, and how old is its data?",
    scope: "node",
    needs: { record: OwnRecords },
  },
  {
    up: gauge(
      "avax_node_up",
      "1 while the node answers the exporter; 0 at once when the connection is refused or lost, otherwise after 30 s without an answer (the exporter's own record).",
      ({ record }) => record.up,
    ),
    idMatches: withoutPanel(
      DETAIL,
      gauge(
        "avax_node_id_matches",
        "1 when the node that answered last has the configured node ID, 0 while another node answers; absent without a configured ID and when nothing has answered for three minutes or three intervals (header `node-id` of every answer; info.getNodeID, `nodeID`).",
        ({ record }) => record.idMatches,
      ),
    ),
    endpointUp: gauges(
      "avax_endpoint_up",
      "1 when the last poll of every query of this endpoint succeeded; absent when the server lacks this optional endpoint (the exporter's own record).",
      ["api_endpoint"],
      eachEndpoint(({ up }) => up),
    ),
    supported: gauges(
      "avax_endpoint_supported",
      "1 when the server has this optional endpoint, 0 when it lacks it; absent for endpoints that are not optional (the exporter's own record).",
      ["api_endpoint"],
      eachEndpoint(({ optional, supported }) => (optional ? supported : undefined)),
    ),
    lastSuccess: gauges(
      "avax_endpoint_last_success_timestamp_seconds",
      "When the last successful poll of this endpoint ended, for the oldest of its queries (the exporter's own record).",
      ["api_endpoint"],
      eachEndpoint(({ lastSuccess }) => lastSuccess),
    ),
    interval: recurring(
      gauges(
        "avax_endpoint_interval_seconds",
        "Configured seconds between two polls of this endpoint; its series are removed after three intervals without success (the exporter's own record).",
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
      "Failed polls of all endpoints by reason; each possible reason has a series from the start (the exporter's own record).",
      ["reason"],
      ({ record: { endpoints, reasons } }) => byReason(reasons, endpoints),
    ),
    missed: counter(
      "avax_polls_missed_total",
      "Polls that were due while the previous poll of the same query was still running (the exporter's own record).",
      ({ record }) => record.missed,
    ),
  },
  ({ up, endpointUp, supported, lastSuccess, interval, duration, missed }) => {
    const ratio = missedRatio(missed, duration);
    return [
      {
        name: "AvaxNodeDown",
        severity: "critical",
        expr: `${up} == 0`,
        for: "2m",
        summary: "{{ $labels.node }} does not answer",
        description:
          "{{ $labels.node }} has not answered the exporter for 2 minutes. The exporter's status page shows the last error.",
        runbook: {
          meaning:
            "The exporter cannot reach the node's API. The node is down, its API is down, or the network path to it is broken.",
          confirm:
            "The exporter's status page shows the last error. Request the node's `/ext/health` with curl from the exporter's machine. Check `avax_validator_connected` on another node.",
          commands: [
            {
              run: "call <node> /ext/health/liveness",
              see: "The same failure with its reason: `refused` means that the process is not running, `timeout` a machine or firewall problem, `dns` a wrong name.",
            },
            {
              run: "call <any-node> info.peers",
              see: "If the node is missing in another node's list, or its `lastReceived` is old, it is down for the whole network.",
            },
          ],
          action:
            "Start the node, or fix the network path: --http-host, firewall of the API port, proxy, credentials. If other nodes still see the validator connected, only the API is down and no uptime is lost.",
          falseWhen: "The exporter's own network is broken: AvaxExporterCannotPoll then fires for all nodes together.",
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
        // Shorter than that of AvaxNodeDown, which it inhibits: the exporter does not find all nodes down at the same moment.
        for: "1m",
        summary: "The exporter reaches none of its {{ $value }} nodes",
        description:
          "For a minute the exporter at {{ $labels.instance }} has had no answer from any of its {{ $value }} nodes. Most likely the exporter or its network is broken, not the nodes.",
        runbook: {
          meaning:
            "All nodes stopped answering at once. The nodes are rarely the cause. Until it is fixed, other metrics and alerts of this exporter are unreliable.",
          confirm:
            "Check the reasons on the exporter's status page: `dns`, `unreachable` or `timeout` for all nodes point to the exporter's side.",
          commands: [
            {
              run: "call <any-node> info.getNodeID",
              see: "It fails on the exporter's machine. If it succeeds on another machine, the nodes are fine and the exporter's side is not.",
            },
          ],
          action: "Fix the exporter's network, DNS or credentials. Until then, monitor the nodes by other means.",
          falseWhen: "All nodes are in one place, and that place is down.",
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
        summary: "{{ $labels.node }} does not serve the health API",
        description:
          "{{ $labels.node }} answers, but has no health API: avax_endpoint_supported of its health endpoint is {{ $value }}. The node's health is not monitored.",
        runbook: {
          meaning:
            "The health API is disabled on this node, or a proxy in front of the node blocks it. Public API servers do not serve it either.",
          confirm: "The status page of the exporter lists the endpoint as not supported.",
          commands: [
            {
              run: "call <node> /ext/health",
              see: "`http_status` with 404: the health API is disabled or blocked by the proxy.",
            },
            {
              run: "call <node> info.getNodeID",
              see: "Answers: the node itself is running.",
            },
          ],
          action:
            "On your own node: remove --api-health-enabled=false, or let the proxy pass `/ext/health`. For a public server, silence this alert for its `node`.",
          falseWhen: "The node is a public API server that is polled for comparison only.",
        },
        fires: {
          series: { 'avax_endpoint_supported{node="a",api_endpoint="health"}': "0x30" },
          at: "17m",
          labels: { node: "a", api_endpoint: "health" },
        },
        silent: {
          series: { 'avax_endpoint_supported{node="a",api_endpoint="health"}': "1x30" },
          at: "17m",
          why: "it serves the health API",
        },
      },
      {
        name: "AvaxEndpointFailing",
        severity: "warning",
        expr: `${endpointUp} == 0 and ignoring (api_endpoint) ${up} == 1`,
        for: "15m",
        summary: "{{ $labels.node }}: polls of {{ $labels.api_endpoint }} fail",
        description:
          "{{ $labels.node }} answers, but polls of {{ $labels.api_endpoint }} have failed for 15 minutes, for at least one chain or subnet if it has several. The affected series are missing on /metrics.",
        runbook: {
          meaning:
            "The node answers other requests, but not this one as expected. The metrics of this endpoint are not monitored now.",
          confirm:
            "The status page shows the last error: `http_status` 404 means that this API is disabled, `not_bootstrapped` that its chain is not ready, `schema` that a field has an unknown type.",
          commands: [
            {
              run: "call <node> <api_endpoint>",
              see: "The same error. This works where the endpoint is named like a method; `health` is the path `/ext/health`, and endpoints that begin with `evm.` use methods that begin with `eth_`.",
            },
          ],
          action:
            "Enable the API, wait for the chain, or set `enabled: false` for this endpoint in the exporter's configuration. Report a `schema` error to the exporter's authors, with the answer.",
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
          why: "the whole node is down: AvaxNodeDown fires",
        },
      },
      {
        name: "AvaxDataStale",
        severity: "warning",
        expr: `time() - ${lastSuccess} > ${STALE_AFTER} and time() - ${lastSuccess} > ${STALE_INTERVALS} * ${interval} and ignoring (api_endpoint) ${up} == 1`,
        for: "5m",
        summary: "{{ $labels.api_endpoint }} data from {{ $labels.node }} is {{ $value | humanizeDuration }} old",
        description:
          "The last successful poll of {{ $labels.api_endpoint }} on {{ $labels.node }} was {{ $value | humanizeDuration }} ago, while the node answers other requests.",
        runbook: {
          meaning:
            "No poll of this endpoint has succeeded for three of its intervals, and for at least five minutes. Its series are removed from /metrics, and alerts that need them cannot fire. This alert comes before AvaxEndpointFailing, and it also fires when polls hang or are not sent.",
          confirm:
            "Compare `avax_endpoint_last_success_timestamp_seconds` with the current time. The status page shows whether polls fail, with the error. `avax_polls_missed_total` counts skipped polls.",
          commands: [
            {
              run: "call <node> /ext/health",
              see: "An immediate answer: the exporter is slow. An error or a long wait: the node is the cause.",
            },
          ],
          action:
            "Polls fail: follow the runbook of AvaxEndpointFailing. Polls are missing: the node answers too slowly for the interval, or the exporter lacks CPU.",
          falseWhen: "No known false positives: the configured interval is taken into account.",
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
          why: "it is polled every ten minutes, as configured",
        },
      },
      {
        name: "AvaxNodePollsMissed",
        severity: "warning",
        expr: `100 * (${ratio} > ${MISSED_OFTEN_RATIO})`,
        records: [ratio],
        for: "5m",
        summary: '{{ $labels.node }}: {{ $value | printf "%.1f" }} % of the polls are skipped',
        description:
          'In the last 15 minutes the exporter skipped {{ $value | printf "%.1f" }} % of the polls of {{ $labels.node }}, because the previous poll was still running.',
        runbook: {
          meaning:
            "Answers take longer than the interval, so figures are older than configured. If all nodes are affected, the exporter lacks CPU.",
          confirm:
            "`avax_poll_duration_seconds_sum` divided by `_count`, by node and endpoint, shows which polls are slow. So does the status page.",
          commands: [
            {
              run: "call <node> /ext/health",
              see: "Whether the answer is immediate or takes seconds.",
            },
          ],
          action:
            "Find out why the node answers slowly, or give the endpoint a longer interval or a shorter timeout. If all nodes are affected, give the exporter more CPU.",
          falseWhen:
            "The node disappeared without closing its connections, so every poll waits for its timeout: AvaxNodeDown reports that.",
        },
        fires: {
          series: {
            'avax_polls_missed_total{node="a"}': "0+2x40",
            'avax_poll_duration_seconds_count{node="a",api_endpoint="health"}': "0+2x40",
            'avax_poll_duration_seconds_count{node="a",api_endpoint="info.peers"}': "0+46x40",
          },
          at: "30m",
          labels: { node: "a" },
        },
        silent: {
          series: {
            'avax_polls_missed_total{node="a"}': "0x10 1x40",
            'avax_poll_duration_seconds_count{node="a",api_endpoint="health"}': "0+48x40",
          },
          at: "20m",
          why: "one skipped poll in 15 minutes is harmless",
        },
      },
    ];
  },
);
