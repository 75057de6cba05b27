import type { Alerts, Cause } from "../define/alert.ts";
import type { Metric, Moment } from "../define/metric.ts";

/** What keeps a service from answering. */
const UNSERVED: readonly Cause[] = [
  {
    alert: "AvaxHostedKeyRefused",
    equal: ["job", "instance", "api"],
    why: "Without a valid key, hosted data gets old or never arrives.",
  },
  {
    alert: "AvaxHostedBudgetExhausted",
    equal: ["job", "instance", "api"],
    why: "Without budget, hosted data gets old or never arrives.",
  },
];

/** Alerts about the hosted services themselves, not about a chain or a validator. */
export function hostedAlerts({
  keyAccepted,
  overdue,
  failing,
  lastSuccess,
  interval,
}: {
  readonly keyAccepted: Metric<never, "api", Moment>;
  readonly overdue: Metric<never, "api", Moment>;
  readonly failing: Metric<never, "api" | "api_endpoint", Moment>;
  readonly lastSuccess: Metric<never, "api" | "api_endpoint", Moment>;
  readonly interval: Metric<never, "api" | "api_endpoint", Moment>;
}): Alerts {
  return {
    AvaxHostedDataStale: {
      severity: "warning",
      expr: `time() - ${lastSuccess} > 3 * ${interval} and time() - ${lastSuccess} > 1800`,
      labels: ["api", "api_endpoint"],
      for: "10m",
      explainedBy: UNSERVED,
      summary: "{{ $labels.api }} API: {{ $labels.api_endpoint }} data is {{ $value | humanizeDuration }} old",
      description: "This is more than 3 of its intervals. Its series are removed from /metrics.",
      meaning:
        "For at least one chain, address or node ID the hosted service has not answered for three intervals. Its series are removed, and alerts that need them cannot fire.",
      confirm:
        "The status page shows the last error. `avax_hosted_up`, `avax_hosted_key_accepted` and `avax_hosted_paused_until_timestamp_seconds` show whether the service, the API key or the rate limit is the cause. `avax_hosted_overdue_intervals` shows whether the unit budget is.",
      commands: {
        "call data-api /v1/chains":
          "The Data API answers, or returns an error. For the Metrics API, `avax-exporter call metrics-api` lists the paths.",
      },
      action:
        "One query fails: correct or remove it. The service fails: contact its operator. The budget is too small: see AvaxHostedBudgetExhausted.",
      falseWhen: "No known false positives: the configured intervals are taken into account.",
    },
    AvaxHostedNeverAnswered: {
      severity: "warning",
      expr: `${failing} > 0 unless ${lastSuccess}`,
      labels: ["api", "api_endpoint"],
      for: "30m",
      explainedBy: UNSERVED,
      summary: "{{ $labels.api }} API: {{ $labels.api_endpoint }} has queries that never succeeded",
      description: "{{ $value }} queries (chains, addresses or node IDs) fail.",
      meaning:
        "The service does not have a configured item, such as a chain that it does not index, or it has not answered since the exporter started. The series are missing on /metrics, and no alert about them can fire.",
      confirm:
        "The status page shows the last error of each query. `avax_hosted_up` shows whether the service answers at all.",
      commands: {
        "call data-api /v1/chains":
          "The chains that the Data API indexes; it rejects all others. For the Metrics API, `avax-exporter call metrics-api` lists the paths.",
      },
      action:
        "Correct or remove the rejected queries. If the service itself fails, see the runbook of AvaxHostedDataStale.",
      falseWhen: "The service starts to index the chain later: the exporter repeats the query automatically.",
    },
    AvaxHostedKeyRefused: {
      severity: "warning",
      expr: `${keyAccepted} == 0`,
      labels: ["api"],
      for: "15m",
      summary: "{{ $labels.api }} API rejects the configured API key",
      description: "It answers with 401 or 403.",
      meaning:
        "The API key is wrong, expired, sent in a header that the service does not accept, or lacks the privilege for a query.",
      confirm:
        "The status page shows which queries are rejected, with the service's message. All of them: the API key or the header. One chain only: the privilege.",
      commands: {
        "call data-api /v1/chains":
          "With `--config.file` the configured API key is sent; 401 or 403 means that it is rejected. For the Metrics API, `avax-exporter call metrics-api` lists the paths.",
      },
      action:
        "Put the new key into the file of key_file and reload. Check key_header: the public service expects x-glacier-api-key.",
      falseWhen:
        "A gateway in front of the service returns 403 for another reason, such as the address of the exporter.",
    },
    AvaxHostedBudgetExhausted: {
      severity: "warning",
      expr: `${overdue} > 1`,
      labels: ["api"],
      for: "30m",
      summary: "{{ $labels.api }} API: polls are late, the unit budget is too small",
      description: "The latest is late by {{ $value | humanize }} intervals.",
      meaning:
        "The configured queries need more units than the budget allows, or the service made the exporter wait. Queries with the highest priority go first; the others are older than configured.",
      confirm:
        "Compare `avax_hosted_demand_units` with the daily `avax_hosted_budget_units`. Check `avax_hosted_paused_until_timestamp_seconds` for a pause that the service requested.",
      commands: {
        "call data-api /v1/chains":
          "An answer: the exporter's own budget is spent. 429: the service's limit is lower than the configured budget. For the Metrics API, `avax-exporter call metrics-api` lists the paths.",
      },
      action:
        "Poll less often (`endpoints`) or fewer chains and addresses, or get a key with a higher limit and raise the budget to it.",
      falseWhen: "After a start with many queries: the first round is spread to keep the budget.",
    },
  };
}
