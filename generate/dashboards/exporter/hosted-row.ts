import { DurationSeconds, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { hosted } from "../../../src/topics/exporter/hosted-service.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";

const { metrics: own } = hosted;

export const hostedRow = {
  id: 300,
  title: "Hosted services",
  collapsed: true,
  panels: [
    table(
      {
        id: 301,
        title: "Services",
        about:
          "For each hosted service: whether it answers and accepts the key, its budget and the configured demand in units, its postponed polls, and the delay of the latest poll in intervals.",
        width: 24,
        height: 6,
        unit: Short,
        alerts: ["AvaxHostedKeyRefused", "AvaxHostedBudgetExhausted", "AvaxHostedDataStale"],
      },
      {
        labels: { api: { title: "Service" } },
        columns: [
          { title: "Reachable", expr: own.up.name, mappings: YES_NO },
          { title: "Key accepted", expr: own.keyAccepted.name, mappings: YES_NO },
          { title: "Budget per minute", expr: where(own.budget, { period: "minute" }) },
          { title: "Budget per day", expr: where(own.budget, { period: "day" }) },
          { title: "Demand per day", expr: own.demand.name },
          { title: "Postponed", expr: own.postponed.name, thresholds: redAbove(1) },
          {
            title: "Overdue",
            expr: own.overdue.name,
            unit: PercentUnit,
            decimals: 0,
            thresholds: redAbove(1),
          },
          { title: "Paused for", expr: `${own.paused.name} - time() > 0`, unit: DurationSeconds },
        ],
      },
    ),
    table(
      {
        id: 302,
        title: "Hosted endpoints",
        about:
          "Chains, addresses and node IDs polled by each endpoint (subjects), how many of them fail or are truncated, and the age of the oldest answer.",
        width: 12,
        height: 10,
        unit: Short,
        alerts: ["AvaxHostedDataStale", "AvaxHostedNeverAnswered"],
      },
      {
        labels: { api_endpoint: { title: "Endpoint" } },
        columns: [
          { title: "Every", expr: own.interval.name, unit: Seconds, width: 80 },
          { title: "Subjects", expr: own.questions.name, width: 95 },
          { title: "Success", expr: own.endpointUp.name, mappings: YES_NO, width: 85 },
          { title: "Failing", expr: own.failing.name, thresholds: redAbove(1), width: 85 },
          { title: "Truncated", expr: own.truncated.name, width: 100 },
          {
            title: "Oldest",
            expr: `time() - ${own.lastSuccess.name}`,
            unit: Seconds,
            decimals: 1,
            width: 95,
          },
        ],
      },
    ),
    lines(
      {
        id: 303,
        title: "Budget spent per minute",
        about: "Units spent on each service per minute, including failed requests.",
        width: 6,
        height: 10,
        unit: Short,
        alerts: ["AvaxHostedBudgetExhausted"],
      },
      [[`60 * rate(${own.spent.name}[$__rate_interval])`, "{{api}}"]],
    ),
    lines(
      {
        id: 304,
        title: "Requests and failures per minute",
        about: "Requests to each service, and failed polls by reason, per minute.",
        width: 6,
        height: 10,
        unit: Short,
        alerts: ["AvaxHostedDataStale"],
      },
      [
        [`60 * sum by (api) (rate(${own.requests.name}[$__rate_interval]))`, "{{api}} requests"],
        [`60 * sum by (api, reason) (rate(${own.failures.name}[$__rate_interval])) > 0`, "{{api}} {{reason}}"],
      ],
    ),
  ],
} as const;
