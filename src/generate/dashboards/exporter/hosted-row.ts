import { DurationSeconds, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { hosted } from "../../../self/hosted-service.ts";
import { where } from "../../../catalogue/selector.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { table } from "../parts/table.ts";

const { metrics: own } = hosted;

export const hostedRow = {
  id: 300,
  title: "Hosted services",
  panels: [
    table(
      {
        id: 301,
        title: "Each service",
        about:
          "Whether each hosted service answers and takes the key, what may be spent on it and what the configuration asks for in a day, and how late answers are.",
        width: 24,
        height: 5,
        unit: Short,
        alerts: ["AvaxHostedKeyRefused", "AvaxHostedBudgetExhausted", "AvaxHostedDataStale"],
      },
      {
        labels: { api: { title: "Service" } },
        columns: [
          { title: "Answers", expr: own.up.name, mappings: YES_NO },
          { title: "Takes the key", expr: own.keyAccepted.name, mappings: YES_NO },
          { title: "Budget a minute", expr: where(own.budget, { period: "minute" }) },
          { title: "Budget a day", expr: where(own.budget, { period: "day" }) },
          { title: "Asked for a day", expr: own.demand.name },
          { title: "Waiting", expr: own.postponed.name, thresholds: redAbove(1) },
          { title: "Late", expr: own.overdue.name, unit: PercentUnit, decimals: 0, thresholds: redAbove(1) },
          { title: "Paused for", expr: `${own.paused.name} - time() > 0`, unit: DurationSeconds },
        ],
      },
    ),
    table(
      {
        id: 302,
        title: "Each question",
        about:
          "How many chains, addresses and node IDs each endpoint is asked about, how many of them fail or are cut off, and how old the oldest answer is.",
        width: 12,
        height: 10,
        unit: Short,
        alerts: ["AvaxHostedDataStale", "AvaxHostedNeverAnswered"],
      },
      {
        labels: { api_endpoint: { title: "Endpoint" } },
        columns: [
          { title: "Every", expr: own.interval.name, unit: Seconds, width: 80 },
          { title: "Questions", expr: own.questions.name, width: 95 },
          { title: "Answers", expr: own.endpointUp.name, mappings: YES_NO, width: 85 },
          { title: "Failing", expr: own.failing.name, thresholds: redAbove(1), width: 75 },
          { title: "Cut off", expr: own.truncated.name, width: 75 },
          { title: "Oldest", expr: `time() - ${own.lastSuccess}`, unit: Seconds, decimals: 1, width: 95 },
        ],
      },
    ),
    lines(
      {
        id: 303,
        title: "Budget spent a minute",
        about: "Units spent on each service in a minute, failed requests included.",
        width: 6,
        height: 10,
        unit: Short,
        alerts: ["AvaxHostedBudgetExhausted"],
      },
      [[`60 * rate(${own.spent}[$__rate_interval])`, "{{api}}"]],
    ),
    lines(
      {
        id: 304,
        title: "Requests and failures a minute",
        about: "Requests to each service, and polls that failed by reason, a minute.",
        width: 6,
        height: 10,
        unit: Short,
        alerts: ["AvaxHostedDataStale"],
      },
      [
        [`60 * sum by (api) (rate(${own.requests}[$__rate_interval]))`, "{{api}} requests"],
        [`60 * sum by (api, reason) (rate(${own.failures}[$__rate_interval])) > 0`, "{{api}} {{reason}}"],
      ],
    ),
  ],
};
