import type { Alerts } from "../define/alert.ts";
import { counted } from "../define/counted.ts";
import type { Reason } from "../../api/reasons.ts";
import { MISSED_REASONS, OwnRecords, type EndpointRecord, type OwnRecord } from "../own-records.ts";
import { counter, counters, gauge, gauges, perRow, summaries } from "../define/metric.ts";
import { EXPORTER_OVERLOADED, LATE_BLOCKS, NODE_OUT, SAME_NODE } from "../define/causes.ts";
import { percentOf } from "../../config/base/alert-limit.ts";
import type { Sample } from "../../exposition/sample.ts";
import { countOf, type Named, selector } from "../define/selector.ts";
import { threshold } from "../define/threshold.ts";
import { topic } from "../define/topic.ts";

/** An answer that is overdue for longer is stale: five minutes in which polls of a node that is up hang or are not sent. Seconds. */
export const STALE_AFTER = 300;
/** An answer and its series are stale after this many intervals without a successful poll. */
export const STALE_INTERVALS = 3;

/** A slow poll or two an hour are normal. One endpoint that misses half of its polls has some 4 % of a node's polls. */
export const MISSED_OFTEN_RATIO = 0.02;

const stale = threshold(
  "data-stale",
  "seconds",
  "when the data of an endpoint is older than three of its intervals by more than this",
  { standard: STALE_AFTER, least: 30, most: 86_400 },
);

const missedOften = threshold("polls-missed", "share", "above this share of skipped polls", {
  standard: MISSED_OFTEN_RATIO,
  least: 0.001,
  most: 1,
});

const NO_DESCRIPTORS = {
  ...EXPORTER_OVERLOADED,
  alert: "AvaxExporterOutOfDescriptors",
  why: "The exporter has no file descriptors left.",
} as const;

const ofEndpoint = perRow({
  labels: ["api_endpoint"],
  of: ({ record }: { readonly record: OwnRecord }) =>
    record.endpoints.map((each) => [{ api_endpoint: each.id }, each] as const),
});

/** How long the stalest answer is past three of its intervals: of endpoints whose polls do not fail, which have an alert of their own. */
function overdueOf({ up, endpoints }: OwnRecord, now: number): number | undefined {
  if (up !== true) return up === undefined ? undefined : 0;
  const late = endpoints
    .filter((each) => each.up !== false)
    .map(({ lastSuccess = now, every }) => now - lastSuccess - STALE_INTERVALS * every);
  return Math.max(0, ...late);
}

type Counted = Pick<EndpointRecord, "failures">;

/** Failures together, by reason: those of `reasons` from 0, others once they occurred. */
export function byReason(reasons: readonly Reason[], counted: readonly Counted[]): ReadonlyArray<Sample<"reason">> {
  const sums = new Map<Reason, number>(reasons.map((reason) => [reason, 0]));
  for (const { failures } of counted)
    for (const [reason, count] of failures) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return [...sums].map(([reason, value]) => [{ reason }, value] as const);
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
      "1 while the node answers the exporter; 0 at once when the connection is refused or lost, otherwise after 30 s without an answer; absent when the exporter has been too busy, or had no file descriptor, for any result for five minutes (the exporter's own record).",
      ({ record }) => record.up,
    ),
    idMatches: gauge(
      "avax_node_id_matches",
      "1 when the node that answered last has the configured node ID, 0 while another node answers; absent without a configured ID and when nothing has answered for three minutes or three intervals (header `node-id` of every answer; info.getNodeID, `nodeID`).",
      ({ record }) => record.idMatches,
    ),
    endpointUp: gauges(
      "avax_endpoint_up",
      "1 when the last poll of every query of this endpoint succeeded; absent while the node does not answer at all, and when the server lacks this optional endpoint (the exporter's own record).",
      ["api_endpoint"],
      ({ record: { up: isUp, endpoints } }) =>
        isUp === true ? endpoints.map(({ id, up }) => [{ api_endpoint: id }, up] as const) : [],
    ),
    unsupported: ofEndpoint.gauge(
      "avax_endpoint_unsupported",
      "1 while the server lacks this optional endpoint; absent otherwise (the exporter's own record).",
      ({ optional, supported }) => (optional && supported === false ? 1 : undefined),
    ),
    lastSuccess: ofEndpoint.gauge(
      "avax_endpoint_last_success_timestamp_seconds",
      "When the last successful poll of an endpoint that fails now ended, for the oldest of its queries; absent while it does not fail (the exporter's own record).",
      ({ up, lastSuccess }) => (up === false ? lastSuccess : undefined),
    ),
    overdue: {
      ...gauge(
        "avax_node_overdue_seconds",
        "How long the stalest answer of the node is past three of its intervals, those of failing endpoints left out; 0 while none is, and while the node does not answer (the exporter's own record).",
        ({ record }, { time }) => overdueOf(record, time),
      ),
      recurring: true,
    },
    unknown: gauge(
      "avax_node_unknown_names",
      "Fields, health checks, refused endpoints and releases of the node that are new to this release of the exporter; `/api/v1/unknown` lists them. Each answer is compared once an hour; absent until the first (the exporter's own record).",
      ({ record }) => record.unknown,
    ),
    duration: summaries(
      "avax_poll_duration_seconds",
      "Duration of polls of all endpoints, failed ones included; the count is the number of polls (the exporter's own record).",
      [],
      ({ record: { polls, seconds } }) => [[{}, { sum: seconds, count: polls }]],
    ),
    failed: counter(
      "avax_polls_failed_total",
      "Failed polls of all endpoints, without refusals of optional ones that have never answered (the exporter's own record).",
      ({ record }) => [...record.failures.values()].reduce((sum, count) => sum + count, 0),
    ),
    failures: counters(
      "avax_poll_failures_total",
      "Failed polls of all endpoints by reason, as avax_polls_failed_total; a reason has a series from its first failure on (the exporter's own record).",
      ["reason"],
      ({ record }) => byReason([], [record]),
    ),
    invalidRows: ofEndpoint.counter(
      "avax_poll_rows_invalid_total",
      "Rows of answers (peers, validators, UTXOs) that were read without a field of wrong type: the figures that need it are absent, the others are exported; absent until the first (the exporter's own record).",
      ({ invalidRows }) => (invalidRows === 0 ? undefined : invalidRows),
    ),
    missed: counters(
      "avax_polls_missed_total",
      "Polls without a result, by reason: `running`, the previous poll of the same query was still running; `overloaded`, the exporter was too busy to send the poll or to read the answer in time; `descriptors`, the exporter had no file descriptor left (the exporter's own record).",
      ["reason"],
      ({ record: { missed } }) => MISSED_REASONS.map((reason) => [{ reason }, missed[reason]] as const),
    ),
  },
  ({ endpointUp, unsupported, overdue, duration, missed }) => ({
    ...endpointAlerts(endpointUp, unsupported),
    AvaxDataStale: {
      severity: "warning",
      when: { of: overdue, above: stale },
      for: "5m",
      explainedBy: [EXPORTER_OVERLOADED, NO_DESCRIPTORS],
      summary: "{{ $labels.node }}: an answer is overdue by {{ $value | humanizeDuration }}",
      over: "is polled in time again",
      meaning: (words) =>
        `The stalest answer of the node is more than ${words(stale)} past three of its intervals, though the last poll of its endpoint did not fail. Its series are removed from /metrics, and alerts that need them cannot fire. Polls hang or are not sent. AvaxEndpointFailing reports polls that fail.`,
      confirm:
        "The status page lists the polls of the node: the oldest success is the endpoint. `avax_polls_missed_total` counts skipped polls.",
      commands: {
        "call <node> /ext/health":
          "An immediate answer: the exporter is slow. An error or a long wait: the node is the cause.",
      },
      action:
        "The node is too slow, or the exporter lacks CPU: see AvaxNodePollsMissed. Otherwise restart the exporter and report the defect.",
      falsePositives: "No known false positives: the configured interval is taken into account.",
    },
    AvaxExporterOutOfDescriptors: {
      severity: "critical",
      when: {
        promql: ({ series }) =>
          `count without (node, network, reason)(increase(${series(missed, { reason: "descriptors" })}[5m]) > 0)`,
      },
      labels: [],
      for: "5m",
      impact: "Sight of these nodes: whether they are down is unknown.",
      summary: `{{ $labels.instance }} has no file descriptors left for ${counted("node")}`,
      over: "polls all of its nodes again",
      meaning:
        "Each poll and each client of the exporter takes a descriptor. The limit of the process is too low for its nodes. No node is reported as down because of it.",
      confirm: "`process_open_fds` and `process_max_fds` of the exporter.",
      commands: {
        "call <any-node> info.getNodeID": "The node answers: only the exporter's process lacks descriptors.",
      },
      action:
        "Raise `LimitNOFILE` or `ulimit -n` to 200 plus four for each node, and restart. Docker: `--ulimit nofile`.",
      falsePositives: "No known false positives.",
    },
    AvaxNodePollsMissed: {
      severity: "warning",
      when: {
        promql: ({ series, limit }) =>
          `100 * max without (instance)(sum without (reason)(rate(${series(missed)}[15m])) / rate(${series(countOf(duration))}[15m])) > ${percentOf(limit(missedOften))}`,
      },
      for: "5m",
      explainedBy: [...NODE_OUT, EXPORTER_OVERLOADED, NO_DESCRIPTORS],
      summary: '{{ $labels.node }}: {{ $value | printf "%.1f" }} % of the polls are missed',
      over: "is polled in time again",
      description: "The previous poll still ran, or the exporter was too busy.",
      meaning:
        "Answers take longer than the interval, so figures are older than configured. The reason `overloaded` of `avax_polls_missed_total` shows that the exporter lacks CPU.",
      confirm:
        "`avax_poll_duration_seconds_sum` divided by `_count`, by node, shows which node is slow. The status page lists its polls.",
      commands: { "call <node> /ext/health": "Whether the answer is immediate or takes seconds." },
      action:
        "Find out why it is slow, or give the endpoint a longer interval or a shorter timeout. `overloaded`: give the exporter more CPU.",
      falsePositives:
        "The node disappeared without closing its connections, so every poll waits for its timeout: AvaxNodeDown reports that.",
    },
  }),
);

/** Alerts about endpoints that a node does not serve, or whose polls fail. */
function endpointAlerts(endpointUp: Named<string>, unsupported: Named<"api_endpoint">): Alerts {
  return {
    AvaxHealthNotServed: {
      severity: "warning",
      when: { of: selector(unsupported, { api_endpoint: "health" }), equals: 1 },
      labels: ["node", "network", "api_endpoint"],
      for: "15m",
      explainedBy: [...NODE_OUT],
      summary: "{{ $labels.node }} does not serve the health API",
      over: "serves the health API",
      meaning:
        "The health API is disabled on this node, or a proxy in front of the node blocks it. Public API servers do not serve it either.",
      confirm: "The status page of the exporter lists the endpoint as not supported.",
      commands: {
        "call <node> /ext/health": "`http_status` with 404: the health API is disabled or blocked by the proxy.",
        "call <node> info.getNodeID": "Answers: the node itself is running.",
      },
      action:
        "Remove --api-health-enabled=false, or let the proxy pass `/ext/health`. A public server: set its `public_server: true`.",
      falsePositives: "The node is a public API server that is polled for comparison only.",
    },
    AvaxEndpointFailing: {
      severity: "warning",
      when: { of: endpointUp, equals: 0 },
      labels: ["node", "network", "api_endpoint"],
      for: "15m",
      explainedBy: [
        ...NODE_OUT,
        ...LATE_BLOCKS,
        {
          alert: "AvaxChainNotRun",
          equal: SAME_NODE,
          targetMatchers: { api_endpoint: "=~evm\\..+" },
          why: "Polls of a chain that the node does not run fail.",
        },
      ],
      summary: "{{ $labels.node }}: polls of {{ $labels.api_endpoint }} fail",
      over: "answers {{ $labels.api_endpoint }} again",
      description: "For at least one chain or subnet, whose series are missing.",
      meaning:
        "The node answers other requests, but not this one as expected. The metrics of this endpoint are not monitored now.",
      confirm:
        "The status page shows the last error: `http_status` 404 means that this API is disabled, `not_bootstrapped` that its chain is not ready, `schema` that a field has an unknown type.",
      commands: {
        "call <node> <api_endpoint>":
          "The requests of one poll with their answers, and the same error. An endpoint about chains or subnets is polled for each of them; `--chain` selects one.",
      },
      action:
        "Enable the API, wait for the chain, or set `enabled: false` for the endpoint. Report a `schema` error with the answer.",
      falsePositives: "A new node is bootstrapping: P-Chain endpoints fail until it is done.",
    },
  };
}
