import type { Reason } from "../../api/reasons.ts";
import { MISSED_REASONS, OwnRecords, type EndpointRecord, type OwnRecord } from "./poll-record.ts";
import { counters, gauge, gauges, recurring, summaries } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { pollingAlerts } from "./polling-alerts.ts";

/** One sample for each endpoint. */
const eachEndpoint =
  <V>(read: (endpoint: EndpointRecord) => V) =>
  ({ record }: { readonly record: OwnRecord }) =>
    record.endpoints.map((endpoint) => [{ api_endpoint: endpoint.id }, read(endpoint)] as const);

/** Failures together, by reason: those of `reasons` from 0, others once they occurred. */
export function byReason(reasons: readonly Reason[], counted: ReadonlyArray<Pick<EndpointRecord, "failures">>) {
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
        "Seconds between two polls of this endpoint now: as configured, longer for a settled answer; its series are removed after three intervals without success (the exporter's own record).",
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
      ({ record }) => byReason(record.reasons, [record]),
    ),
    invalidRows: counters(
      "avax_poll_rows_invalid_total",
      "Rows of answers (peers, validators, UTXOs) that were read without a field of wrong type: the figures that need it are absent, the others are exported (the exporter's own record).",
      ["api_endpoint"],
      eachEndpoint(({ invalidRows }) => invalidRows),
    ),
    missed: counters(
      "avax_polls_missed_total",
      "Polls without a result, by reason: `running`, the previous poll of the same query was still running; `overloaded`, the exporter was too busy to send the poll or to read the answer in time; `descriptors`, the exporter had no file descriptor left (the exporter's own record).",
      ["reason"],
      ({ record: { missed } }) => MISSED_REASONS.map((reason) => [{ reason }, missed[reason]] as const),
    ),
  },
  pollingAlerts,
);
