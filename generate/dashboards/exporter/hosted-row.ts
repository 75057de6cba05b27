import { DurationSeconds, PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { hosted } from "../../../src/topics/exporter/hosted-service.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { YES_NO, redAbove } from "../parts/format.ts";
import { type Row, lines } from "../parts/panels.ts";
import { column, table, usual } from "../parts/table.ts";

const { metrics: own } = hosted;

export const hostedRow: Row = {
  title: "Hosted services",
  collapsed: true,
  panels: [
    table(
      "Services",
      "For each hosted service: whether it answers and accepts the key, its budget and the configured demand in units, its postponed polls, and the delay of the latest poll in intervals.",
      {
        height: 6,
        alerts: ["AvaxHostedKeyRefused", "AvaxHostedBudgetExhausted", "AvaxHostedDataStale"],
        labels: { api: { title: "Service" } },
        columns: [
          column("Reachable", own.up.name, { mappings: YES_NO }),
          column("Key accepted", own.keyAccepted.name, { mappings: YES_NO }),
          column("Budget per minute", where(own.budget, { period: "minute" })),
          column("Budget per day", where(own.budget, { period: "day" })),
          column("Demand per day", own.demand.name),
          column("Postponed", own.postponed.name, { thresholds: redAbove(1) }),
          column("Overdue", own.overdue.name, { unit: PercentUnit, decimals: 0, thresholds: redAbove(1) }),
          column("Paused for", `${own.paused.name} - time() > 0`, { unit: DurationSeconds }),
        ],
      },
    ),
    table(
      "Hosted endpoints",
      "Chains, addresses and node IDs polled by each endpoint (subjects), how many of them fail or are truncated, and the age of the oldest answer.",
      {
        height: 10,
        alerts: ["AvaxHostedDataStale", "AvaxHostedNeverAnswered"],
        labels: usual("api_endpoint"),
        columns: [
          column("Every", own.interval.name, { unit: Seconds, width: 80 }),
          column("Subjects", own.questions.name, { width: 95 }),
          column("Success", own.endpointUp.name, { mappings: YES_NO, width: 85 }),
          column("Failing", own.failing.name, { thresholds: redAbove(1), width: 85 }),
          column("Truncated", own.truncated.name, { width: 100 }),
          column("Oldest", `time() - ${own.lastSuccess.name}`, { unit: Seconds, decimals: 1, width: 95 }),
        ],
      },
    ),
    lines(
      "Budget spent per minute",
      "Units spent on each service per minute, including failed requests.",
      [`60 * rate(${own.spent.name}[$__rate_interval])`, "{{api}}"],
      { width: 6, height: 10, alerts: ["AvaxHostedBudgetExhausted"] },
    ),
    lines(
      "Requests and failures per minute",
      "Requests to each service, and failed polls by reason, per minute.",
      [
        [`60 * sum by (api) (rate(${own.requests.name}[$__rate_interval]))`, "{{api}} requests"],
        [`60 * sum by (api, reason) (rate(${own.failures.name}[$__rate_interval])) > 0`, "{{api}} {{reason}}"],
      ],
      { width: 6, height: 10, alerts: ["AvaxHostedDataStale"] },
    ),
  ],
};
