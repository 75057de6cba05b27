import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { bucketOf, countOf, where } from "../../../src/topics/define/selector.ts";
import { referenceNode } from "../../../src/topics/network/subnet-chains.ts";
import { redBelow, YES_NO, redAbove } from "../parts/format.ts";
import { column, table, usual, shares, spans } from "../parts/table.ts";
import { type Row, lines, timeline } from "../parts/panels.ts";
import { FEW_BARS, top, ofNetwork, ofNode } from "../parts/selectors.ts";
import { hostedService } from "../../../src/topics/exporter/hosted-service.ts";

const { metrics: poll } = polling;
const { endpointPolls, endpointSeconds, pollDuration, utilization } = EXPORTER_FAMILIES;

export const endpointsRow: Row = {
  title: "Polls",
  collapsed: true,
  legend: "{{instance}}",
  panels: [
    table(
      "Endpoints",
      "Which requests to nodes fail or are slow? By endpoint, of the nodes that are up, in the selected time range: share of nodes that answer it, mean duration and number of polls of all nodes, and share of time failing.",
      {
        height: 11,
        alerts: ["AvaxEndpointFailing", "AvaxNodePollsMissed"],
        labels: usual("api_endpoint"),
        sortedBy: "Success",
        columns: [
          shares("Success", `avg by (api_endpoint) (${ofNode(poll.endpointUp)})`, {
            decimals: 0,
            thresholds: redBelow(1),
            width: 85,
          }),
          column(
            "Duration",
            `sum by (api_endpoint) (increase(${endpointSeconds.name}[$__range])) / (sum by (api_endpoint) (increase(${endpointPolls.name}[$__range])) > 0)`,
            { unit: Seconds, width: 85 },
          ),
          column("Polls", `sum by (api_endpoint) (increase(${endpointPolls.name}[$__range]))`, {
            decimals: 0,
            width: 70,
          }),
          shares("Time failing", `1 - avg by (api_endpoint) (avg_over_time(${ofNode(poll.endpointUp)}[$__range]))`, {
            decimals: 1,
            width: 95,
          }),
        ],
      },
    ),
    table(
      "Interfaces of nodes",
      "Which nodes lack an interface? Polled endpoints of each node, those that it does not support, how many requests it accepts in one EVM batch, and how many names in its answers are new to the exporter.",
      {
        height: 11,
        labels: usual("node"),
        sortedBy: "-Unsupported",
        columns: [
          column("Endpoints", `count by (node) (${ofNode(poll.endpointUp)})`, { width: 110 }),
          column("Unsupported", `count by (node) (${ofNode(poll.unsupported)})`, { width: 120 }),
          column("New names", `max by (node) (${ofNode(poll.unknown)})`, { width: 110 }),
          column("EVM batch", `min by (node) (${ofNode(evmHead.metrics.batchLimit)})`, { width: 110 }),
        ],
      },
    ),
    lines(
      "Polls per minute",
      "Does each exporter keep polling? Finished polls of all endpoints per minute, by exporter.",
      top(`60 * sum by (instance) (rate(${ofNode(countOf(poll.duration))}[$__rate_interval]))`, {
        of: "highest",
        by: "instance",
      }),
      { smooth: "2m", alerts: ["AvaxExporterCannotPoll"] },
    ),
    lines(
      "Poll duration (p50, p90)",
      "How fast do the nodes answer? Time within which 50 % and 90 % of all polls finished.",
      [
        [`histogram_quantile(0.5, sum by (le) (rate(${bucketOf(pollDuration).name}[$__rate_interval]))) > 0`, "p50"],
        [`histogram_quantile(0.9, sum by (le) (rate(${bucketOf(pollDuration).name}[$__rate_interval]))) > 0`, "p90"],
      ],
      { unit: Seconds, softMax: 0.1 },
    ),
    lines(
      "Event loop",
      "Is an exporter too busy to poll in time? Share of the time in which the event loop of an exporter is at work, of those that are busiest. Near 1 it skips polls.",
      top(`max by (instance) (${utilization.name})`, { of: "highest", by: "instance" }),
      { unit: PercentUnit, alerts: ["AvaxExporterOverloaded"] },
    ),
    timeline(
      "Endpoints by node",
      `When did a node answer in part, or not at all? All: every endpoint of the node answers. Some: at least one fails. None: the node does not answer. Of the ${FEW_BARS} nodes that were worst in the selected time range. A gap: the exporter was not scraped.`,
      [
        top(
          `min by (node) (${ofNode(poll.up)}) == 0 or min by (node) (${ofNode(poll.endpointUp)}) + max by (node) (${ofNode(poll.endpointUp)})`,
          { of: "lowest", count: FEW_BARS },
        ),
        "{{node}}",
      ],
      {
        height: 11,
        mappings: { 0: ["none", "red"], 1: ["some", "orange"], 2: ["all", "green"] },
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
    ),
    timeline(
      "Reference node",
      "Which node do the figures of each network come from? If it changes often, these figures alternate between nodes.",
      [`${ofNetwork(referenceNode.metrics.node)} == 1`, "{{network}} {{node}}"],
      { height: 5, mappings: { 1: ["reference", "green"] }, alerts: ["AvaxNetworkWithoutReferenceNode"] },
    ),
  ],
};

const { metrics: own } = hostedService;

export const hostedRow: Row = {
  title: "Hosted services",
  collapsed: true,
  panels: [
    table(
      "Services",
      "Do the hosted services answer, within their budget? For each hosted service: whether it answers and accepts the key, its budget and the configured demand in units, its postponed polls, and the delay of the latest poll in intervals.",
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
          shares("Overdue", own.overdue.name, { decimals: 0, thresholds: redAbove(1) }),
          spans("Paused for", `${own.paused.name} - time() > 0`),
        ],
      },
    ),
    table(
      "Hosted endpoints",
      "Which data of the hosted services is missing or old? Chains, addresses and node IDs polled by each endpoint (subjects), how many of them fail, have never been answered or are truncated, the age of the oldest answer, and how long it is overdue.",
      {
        height: 10,
        alerts: ["AvaxHostedDataStale", "AvaxHostedNeverAnswered"],
        labels: usual("api_endpoint"),
        columns: [
          column("Every", own.interval.name, { unit: Seconds, width: 80 }),
          column("Subjects", own.questions.name, { width: 95 }),
          column("Success", own.endpointUp.name, { mappings: YES_NO, width: 85 }),
          column("Failing", own.failing.name, { thresholds: redAbove(1), width: 85 }),
          column("Never", own.unanswered.name, { thresholds: redAbove(1), width: 80 }),
          column("Truncated", own.truncated.name, { width: 100 }),
          spans("Oldest", `time() - ${own.lastSuccess.name}`, { width: 95 }),
          spans("Overdue", own.endpointOverdue.name, { thresholds: redAbove(1), width: 95 }),
        ],
      },
    ),
    lines(
      "Budget spent per minute",
      "How much of its budget does each hosted service cost? Units spent on each service per minute, including failed requests.",
      [`60 * rate(${own.spent.name}[$__rate_interval])`, "{{api}}"],
      { width: 6, height: 10, smooth: "2m", alerts: ["AvaxHostedBudgetExhausted"] },
    ),
    lines(
      "Requests and failures per minute",
      "When did requests to a hosted service fail, and why? Requests to each service, and failed polls by reason, per minute.",
      [
        [`60 * sum by (api) (rate(${own.requests.name}[$__rate_interval]))`, "{{api}} requests"],
        [`60 * sum by (api, reason) (rate(${own.failures.name}[$__rate_interval])) > 0`, "{{api}} {{reason}}"],
      ],
      { width: 6, height: 10, smooth: "2m", alerts: ["AvaxHostedDataStale"] },
    ),
  ],
};
