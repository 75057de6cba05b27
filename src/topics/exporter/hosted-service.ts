import { HOSTED_REASONS } from "../../api/reasons.ts";
import { HostedRecords, type HostedRecord } from "./hosted-record.ts";
import type { EndpointRecord } from "../own-records.ts";
import { byReason, STALE_INTERVALS } from "./polling.ts";
import type { Alerts, Cause, Runbook } from "../define/alert.ts";
import type { Named } from "../define/selector.ts";
import { gauges, perRow, type Moment } from "../define/metric.ts";
import { hostedTopic } from "../define/topic.ts";

type Given = { readonly record: HostedRecord };

const OWN = "(the exporter's own record).";

/** Hosted data is late for good after three of its intervals, and not within half an hour. Seconds. */
const OVERDUE_AFTER = 1800;

/** How long the oldest answer is overdue; `undefined` while a query has never succeeded, which has an alert of its own. */
function overdueOf({ untried, lastSuccess, every }: EndpointRecord, now: number): number | undefined {
  if (untried > 0 || lastSuccess === undefined) return undefined;
  return Math.max(0, now - lastSuccess - Math.max(STALE_INTERVALS * every, OVERDUE_AFTER));
}

const ofService = perRow({
  labels: ["api"],
  of: ({ record }: Given) => record.services.map((each) => [{ api: each.service }, each] as const),
});
const ofEndpointRows = ({ record }: Given) =>
  record.services.flatMap(({ service, endpoints }) =>
    endpoints.map((each) => [{ api: service, api_endpoint: each.id }, each] as const),
  );
const ofEndpoint = perRow({ labels: ["api", "api_endpoint"], of: ofEndpointRows });
const ofAnswer = perRow({
  labels: ["api", "api_endpoint", "query"],
  of: ({ record }: Given) =>
    record.services.flatMap(({ service, answers }) =>
      answers.map((each) => [{ api: service, api_endpoint: each.endpoint, query: each.query }, each] as const),
    ),
});

/** What keeps a service from answering. */
const unserved = (alert: Cause["alert"], missing: string): Cause => ({
  alert,
  equal: ["job", "api"],
  why: `Without ${missing}, hosted data gets old or never arrives.`,
});
const UNSERVED = [unserved("AvaxHostedKeyRefused", "a valid key"), unserved("AvaxHostedBudgetExhausted", "budget")];

/** A call of the service of the alert. @param see what the answer of the Data API shows */
const callService = (see: string): Runbook["commands"] => ({
  "call data-api /v1/chains": `${see} For the Metrics API, \`avax-exporter call metrics-api\` lists the paths.`,
});

export const hostedService = hostedTopic(
  {
    id: "hosted",
    about: "Do the hosted services answer, how old is their data, and is the unit budget large enough?",
    needs: { record: HostedRecords },
  },
  {
    up: ofService.gauge(
      "avax_hosted_up",
      `1 when the service answered the last request, errors about the query itself included ${OWN}`,
      ({ up }) => up,
    ),
    keyAccepted: ofService.gauge(
      "avax_hosted_key_accepted",
      `0 while the service rejects requests (HTTP 401, 403) although an API key is configured; absent without an API key ${OWN}`,
      ({ keyAccepted }) => keyAccepted,
    ),
    budget: ofService.gauges(
      "avax_hosted_budget_units",
      `Configured unit budget for any minute and for any day ${OWN}`,
      ["period"],
      ({ perMinute, perDay }) => [
        [{ period: "minute" }, perMinute],
        [{ period: "day" }, perDay],
      ],
    ),
    demand: ofService.gauge(
      "avax_hosted_demand_units",
      `Units per day that the configured polls need, with one page per answer; above the daily budget, answers are late ${OWN}`,
      ({ demand }) => demand,
    ),
    spent: ofService.counter(
      "avax_hosted_spent_units_total",
      `Units spent, those of failed requests included ${OWN}`,
      ({ spent }) => spent,
    ),
    postponed: ofService.gauge(
      "avax_hosted_postponed_polls",
      `Polls that are due and wait for the unit budget or for the end of a pause ${OWN}`,
      ({ postponed }) => postponed,
    ),
    overdue: ofService.gauge(
      "avax_hosted_overdue_intervals",
      `Delay of the most overdue poll, as a multiple of its own interval; above 1, figures are older than configured ${OWN}`,
      ({ overdue }) => overdue,
    ),
    paused: ofService.gauge(
      "avax_hosted_paused_until_timestamp_seconds",
      `When requests resume after the service limited the rate (HTTP 429) or failed many times; absent while requests are not paused ${OWN}`,
      ({ pausedUntil }) => pausedUntil,
    ),
    endpointUp: ofEndpoint.gauge(
      "avax_hosted_endpoint_up",
      `1 when the last poll of every query of this endpoint succeeded ${OWN}`,
      ({ up }) => up,
    ),
    failing: ofEndpoint.gauge(
      "avax_hosted_endpoint_failing_questions",
      `Queries of this endpoint (chains, addresses, node IDs) whose last poll failed ${OWN}`,
      ({ failing }) => failing,
    ),
    questions: ofEndpoint.gauge(
      "avax_hosted_endpoint_questions",
      `Queries of this endpoint: the chains, addresses or node IDs that it polls ${OWN}`,
      ({ questions }) => questions,
    ),
    truncated: ofEndpoint.gauge(
      "avax_hosted_endpoint_truncated_answers",
      `Answers of this endpoint that are cut off at the configured number of pages ${OWN}`,
      ({ truncated }) => truncated,
    ),
    lastSuccess: ofEndpoint.gauge(
      "avax_hosted_endpoint_last_success_timestamp_seconds",
      `When the last successful poll of this endpoint ended, for the oldest of its queries; absent while a query has never succeeded ${OWN}`,
      ({ untried, lastSuccess }) => (untried > 0 ? undefined : lastSuccess),
    ),
    endpointOverdue: gauges(
      "avax_hosted_endpoint_overdue_seconds",
      `How long the oldest answer of this endpoint is past three of its intervals, and past half an hour; 0 while it is not, absent while a query has never succeeded ${OWN}`,
      ["api", "api_endpoint"],
      (data: Given, context: Moment) =>
        ofEndpointRows(data).map(([labels, each]) => [labels, overdueOf(each, context.time)] as const),
    ),
    unanswered: ofEndpoint.gauge(
      "avax_hosted_endpoint_unanswered_questions",
      `Queries of this endpoint whose last poll failed, while one has never succeeded; 0 once each has ${OWN}`,
      ({ untried, lastSuccess, failing }) => (untried > 0 || lastSuccess === undefined ? failing : 0),
    ),
    interval: ofEndpoint.gauge(
      "avax_hosted_endpoint_interval_seconds",
      `Configured seconds between two polls of the same query ${OWN}`,
      ({ every }) => every,
    ),
    requests: ofEndpoint.counter(
      "avax_hosted_requests_total",
      `Requests to the service; each page and each failure counts ${OWN}`,
      ({ requests }) => requests,
    ),
    failures: ofService.counters(
      "avax_hosted_poll_failures_total",
      `Failed polls of all endpoints by reason, without refusals of optional ones that have never answered; each possible reason has a series from the start ${OWN}`,
      ["reason"],
      ({ endpoints }) => byReason(HOSTED_REASONS, endpoints),
    ),
    invalidRows: ofEndpoint.counter(
      "avax_hosted_poll_rows_invalid_total",
      `Rows of answers (periods, payments, outputs, transactions, points) that were read without a field of wrong type: the figures that need it are absent, the others are exported ${OWN}`,
      ({ invalidRows }) => invalidRows,
    ),
    answered: ofAnswer.gauge(
      "avax_hosted_answer_timestamp_seconds",
      `Time of the current answer to a query, by network, chain, address, contract or node ID; an answer older than three intervals is removed with its series ${OWN}`,
      ({ at }) => at,
    ),
    truncatedAnswer: ofAnswer.gauge(
      "avax_hosted_answer_truncated",
      `1 when the answer to a query has more pages than \`max_pages\`: sums and counts over all of them are absent, and counters miss events ${OWN}`,
      ({ truncated }) => truncated,
    ),
  },
  ({ keyAccepted, overdue, endpointOverdue, unanswered }) => ({
    ...unansweredAlerts(endpointOverdue, unanswered),
    AvaxHostedKeyRefused: {
      severity: "warning",
      when: { of: keyAccepted, equals: 0 },
      labels: ["api"],
      for: "15m",
      summary: "{{ $labels.api }} API rejects the configured API key",
      over: "accepts the configured API key",
      meaning:
        "The API key is wrong, expired, sent in a header that the service does not accept, or lacks the privilege for a query.",
      confirm:
        "The status page shows which queries are rejected, with the service's message. All of them: the API key or the header. One chain only: the privilege.",
      commands: callService(
        "With `--config.file` the configured API key is sent; 401 or 403 means that it is rejected.",
      ),
      action:
        "Put the new key into the file of key_file and reload. A server with a header of its own needs key_header.",
      falsePositives:
        "A gateway in front of the service returns 403 for another reason, such as the address of the exporter.",
    },
    AvaxHostedBudgetExhausted: {
      severity: "warning",
      when: { of: overdue, above: 1 },
      labels: ["api"],
      for: "30m",
      summary: "{{ $labels.api }} API: polls are late, the unit budget is too small",
      over: "is polled in time again",
      description: 'The latest is late by {{ $value | printf "%.1f" }} intervals.',
      meaning:
        "The configured queries need more units than the budget allows, or the service made the exporter wait. Queries with the highest priority go first; the others are older than configured.",
      confirm:
        "Compare `avax_hosted_demand_units` with the daily `avax_hosted_budget_units`. Check `avax_hosted_paused_until_timestamp_seconds` for a pause that the service requested.",
      commands: callService(
        "An answer: the exporter's own budget is spent. 429: the service's limit is lower than the configured budget.",
      ),
      action: "Poll less (endpoints, chains, addresses), or get a key with a higher limit. Raise the budget to it.",
      falsePositives: "After a start with many queries: the first round is spread to keep the budget.",
    },
  }),
);

/** Alerts about endpoints with queries that the service no longer answers, or never has. */
function unansweredAlerts(endpointOverdue: Named<string>, unanswered: Named<string>): Alerts {
  return {
    AvaxHostedDataStale: {
      severity: "warning",
      when: { of: endpointOverdue, above: 0 },
      labels: ["api", "api_endpoint"],
      for: "10m",
      explainedBy: UNSERVED,
      summary: "{{ $labels.api }} API: {{ $labels.api_endpoint }} data is {{ $value | humanizeDuration }} overdue",
      over: "answers {{ $labels.api_endpoint }} again",
      meaning:
        "For at least one chain, address or node ID the hosted service has not answered for three intervals. Its series are removed, and alerts that need them cannot fire.",
      confirm:
        "The status page shows the last error. `avax_hosted_up`, `avax_hosted_key_accepted` and `avax_hosted_paused_until_timestamp_seconds` show whether the service, the API key or the rate limit is the cause. `avax_hosted_overdue_intervals` shows whether the unit budget is.",
      commands: callService("The Data API answers, or returns an error."),
      action:
        "One query fails: correct or remove it. The service fails: contact its operator. The budget is too small: see AvaxHostedBudgetExhausted.",
      falsePositives: "No known false positives: the configured intervals are taken into account.",
    },
    AvaxHostedNeverAnswered: {
      severity: "warning",
      when: { of: unanswered, above: 0 },
      labels: ["api", "api_endpoint"],
      for: "30m",
      explainedBy: UNSERVED,
      summary: "{{ $labels.api }} API: {{ $labels.api_endpoint }} has queries that never succeeded",
      over: "answers every query of {{ $labels.api_endpoint }}",
      description: "Failing queries: {{ $value }}.",
      meaning:
        "The service does not have a configured item, such as a chain that it does not index, or it has not answered since the exporter started. The series are missing on /metrics, and no alert about them can fire.",
      confirm:
        "The status page shows the last error of each query. `avax_hosted_up` shows whether the service answers at all.",
      commands: callService("The chains that the Data API indexes; it rejects all others."),
      action:
        "Correct or remove the rejected queries. If the service itself fails, see the runbook of AvaxHostedDataStale.",
      falsePositives: "The service starts to index the chain later: the exporter repeats the query automatically.",
    },
  };
}
