import type { Alert } from "../catalogue/alert.ts";
import type { Metric, Moment } from "../catalogue/metric.ts";

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
}): readonly Alert[] {
  return [
    {
      name: "AvaxHostedDataStale",
      severity: "warning",
      expr: `time() - ${lastSuccess} > 3 * ${interval} and time() - ${lastSuccess} > 1800`,
      for: "10m",
      summary:
        "What {{ $labels.api_endpoint }} of the {{ $labels.api }} API said is {{ $value | humanizeDuration }} old",
      description:
        "The oldest answer of {{ $labels.api_endpoint }} is {{ $value | humanizeDuration }} old, more than three of its intervals. What was read from it is gone from /metrics.",
      runbook: {
        meaning:
          "For at least one chain, address or node ID the hosted service has not answered for three intervals. Its figures are gone, and alerts that need them are silent.",
        confirm:
          "The status page has the last error in words. `avax_hosted_up`, `avax_hosted_key_accepted` and `avax_hosted_paused_until_timestamp_seconds` tell whether the service, the key or the rate is the reason; `avax_hosted_overdue_intervals` whether the budget is.",
        commands: [
          {
            run: "call data-api /v1/chains",
            see: "The Data API answers, or says why not. Of the Metrics API: `avax-exporter call metrics-api` lists its paths.",
          },
        ],
        action:
          "An error about one question: correct or remove it in the configuration. Errors of the service: wait, or ask its operator. A budget that is too small: see the runbook of AvaxHostedBudgetExhausted.",
        falseWhen: "None is known: intervals of the configuration are taken into account.",
      },
      fires: {
        series: {
          'avax_hosted_endpoint_last_success_timestamp_seconds{api="data",api_endpoint="data.validators"}': "0x60",
          'avax_hosted_endpoint_interval_seconds{api="data",api_endpoint="data.validators"}': "600x60",
        },
        at: "50m",
        labels: { api: "data", api_endpoint: "data.validators" },
      },
      silent: {
        series: {
          'avax_hosted_endpoint_last_success_timestamp_seconds{api="metrics",api_endpoint="metrics.txCount"}': "0x60",
          'avax_hosted_endpoint_interval_seconds{api="metrics",api_endpoint="metrics.txCount"}': "3600x60",
        },
        at: "50m",
        why: "it is asked once an hour, as the configuration says",
      },
    },
    {
      name: "AvaxHostedNeverAnswered",
      severity: "warning",
      expr: `${failing} > 0 unless ${lastSuccess}`,
      for: "30m",
      summary: "{{ $labels.api_endpoint }} of the {{ $labels.api }} API refuses something that it is asked about",
      description:
        "For 30 minutes polls of {{ $labels.api_endpoint }} have failed ({{ $value }} chains, addresses or node IDs), and not all that it is asked about has ever been answered since the exporter started.",
      runbook: {
        meaning:
          "The service does not have what the configuration names, such as a chain that it does not index, or it has not answered since the exporter started. The figures of it are not on /metrics, and no alert about them can fire.",
        confirm:
          "The status page has the last error of each question in the service's words. `avax_hosted_up` tells whether the service answers at all.",
        commands: [
          {
            run: "call data-api /v1/chains",
            see: "The chains that the Data API knows: one that is not among them is refused. Of the Metrics API: `avax-exporter call metrics-api` lists its paths.",
          },
        ],
        action:
          "Correct or remove what is refused in the configuration. Where the service itself fails: see the runbook of AvaxHostedDataStale.",
        falseWhen: "The service indexes the chain from later on: the question is asked again by itself.",
      },
      fires: {
        series: {
          'avax_hosted_endpoint_failing_questions{api="data",api_endpoint="data.chain"}': "1x60",
          'avax_hosted_endpoint_last_success_timestamp_seconds{api="data",api_endpoint="data.validators"}': "0x60",
        },
        at: "40m",
        labels: { api: "data", api_endpoint: "data.chain" },
      },
      silent: {
        series: {
          'avax_hosted_endpoint_failing_questions{api="data",api_endpoint="data.chain"}': "1x60",
          'avax_hosted_endpoint_last_success_timestamp_seconds{api="data",api_endpoint="data.chain"}': "0x60",
        },
        at: "40m",
        why: "everything was answered once, and an old answer has an alert of its own",
      },
    },
    {
      name: "AvaxHostedKeyRefused",
      severity: "warning",
      expr: `${keyAccepted} == 0`,
      for: "15m",
      summary: "The {{ $labels.api }} API refuses the configured key",
      description:
        "For 15 minutes the {{ $labels.api }} API has answered requests with 401 or 403 although a key is configured.",
      runbook: {
        meaning:
          "The key is wrong, expired, sent in a header that the service does not know, or lacks the privilege for something that is asked.",
        confirm:
          "The status page shows which questions are refused and the service's words. All of them: the key or the header; one chain alone: the privilege.",
        commands: [
          {
            run: "call data-api /v1/chains",
            see: "With `--config.file` the configured key is sent: 401 or 403 is its refusal. Of the Metrics API: `avax-exporter call metrics-api` lists its paths.",
          },
        ],
        action:
          "Put the new key into the file that key_file names and reload the exporter. Check key_header: the public service expects x-glacier-api-key. Remove what the key may not ask.",
        falseWhen:
          "A gateway in front of the service answers 403 for reasons of its own, such as the address that asks.",
      },
      fires: { series: { 'avax_hosted_key_accepted{api="data"}': "0x30" }, at: "20m", labels: { api: "data" } },
      silent: {
        series: { 'avax_hosted_key_accepted{api="data"}': "1x10 0x5 1x20" },
        at: "20m",
        why: "it was refused for five minutes only",
      },
    },
    {
      name: "AvaxHostedBudgetExhausted",
      severity: "warning",
      expr: `${overdue} > 1`,
      for: "30m",
      summary: "The budget of the {{ $labels.api }} API does not suffice",
      description:
        "For 30 minutes polls of the {{ $labels.api }} API have been late by more than their own interval (the latest by {{ $value | humanize }} intervals).",
      runbook: {
        meaning:
          "More is asked of the service than its budget of units allows, or the service made the exporter wait. The most valuable questions go first; the others are older than configured.",
        confirm:
          "Compare `avax_hosted_demand_units` with `avax_hosted_budget_units` of the day, and look at `avax_hosted_paused_until_timestamp_seconds` for a service that asks to wait.",
        commands: [
          {
            run: "call data-api /v1/chains",
            see: "An answer: it is our own budget that is spent. 429: the service's limit is lower than the configured budget. Of the Metrics API: `avax-exporter call metrics-api` lists its paths.",
          },
        ],
        action:
          "Ask less often (endpoints, by id), about fewer chains and addresses, or get a key with a larger allowance and raise the budget to it.",
        falseWhen: "A start with much to ask: the first round is spread so that the budget is kept.",
      },
      fires: {
        series: { 'avax_hosted_overdue_intervals{api="metrics"}': "1.5x60" },
        at: "40m",
        labels: { api: "metrics" },
      },
      silent: {
        series: { 'avax_hosted_overdue_intervals{api="metrics"}': "0.4x60" },
        at: "40m",
        why: "polls are late by less than an interval",
      },
    },
  ];
}
