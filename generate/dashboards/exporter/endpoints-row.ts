import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { bucketOf, countOf, sumOf, where } from "../../../src/topics/define/selector.ts";
import { referenceNode } from "../../../src/topics/network/reference-node.ts";
import { redBelow } from "../parts/thresholds.ts";
import { TO_NODE } from "../parts/links.ts";
import { lines, timeline } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK, NODE } from "../parts/selectors.ts";
import { FEW_BARS, top } from "../parts/top.ts";

const { metrics: poll } = polling;
const { pollDuration, utilization } = EXPORTER_FAMILIES;

/** Nodes that the chosen exporters poll. */

export const endpointsRow = {
  id: 200,
  title: "Polls",
  collapsed: true,
  panels: [
    table(
      {
        id: 202,
        title: "Endpoints",
        about:
          "By endpoint, in the selected time range: interval, share of nodes that answer, mean duration, number of polls, and share of time failing.",
        width: 12,
        height: 11,
        unit: Short,
        alerts: ["AvaxEndpointFailing", "AvaxNodePollsMissed"],
      },
      {
        labels: { api_endpoint: { title: "Endpoint" } },
        sortedBy: "Success",
        columns: [
          { title: "Every", expr: where(poll.interval, NODE), unit: Seconds, width: 75 },
          {
            title: "Success",
            expr: `avg by (api_endpoint) (${where(poll.endpointUp, NODE)})`,
            unit: PercentUnit,
            decimals: 0,
            thresholds: redBelow(1),
            width: 85,
          },
          {
            title: "Duration",
            expr: `sum by (api_endpoint) (increase(${where(sumOf(poll.duration), NODE)}[$__range])) / (sum by (api_endpoint) (increase(${where(countOf(poll.duration), NODE)}[$__range])) > 0)`,
            unit: Seconds,
            width: 85,
          },
          {
            title: "Polls",
            expr: `sum by (api_endpoint) (increase(${where(countOf(poll.duration), NODE)}[$__range]))`,
            decimals: 0,
            width: 70,
          },
          {
            title: "Time failing",
            expr: `1 - avg by (api_endpoint) (avg_over_time(${where(poll.endpointUp, NODE)}[$__range]))`,
            unit: PercentUnit,
            decimals: 1,
            width: 95,
          },
        ],
      },
    ),
    table(
      {
        id: 208,
        title: "Interfaces of nodes",
        about:
          "Polled endpoints of each node, those that it does not support, and how many requests it accepts in one EVM batch.",
        width: 12,
        height: 11,
        unit: Short,
      },
      {
        labels: { node: { title: "Node", link: TO_NODE } },
        sortedBy: "-Unsupported",
        columns: [
          { title: "Endpoints", expr: `count by (node) (${where(poll.endpointUp, NODE)})`, width: 110 },
          { title: "Unsupported", expr: `sum by (node) (${where(poll.supported, NODE)} == bool 0)`, width: 120 },
          { title: "EVM batch", expr: `min by (node) (${where(evmHead.metrics.batchLimit, NODE)})`, width: 110 },
        ],
      },
    ),
    lines(
      {
        id: 203,
        title: "Polls per second",
        about: "Finished polls of all endpoints per second, by exporter.",
        width: 8,
        unit: Short,
        alerts: ["AvaxExporterCannotPoll"],
      },
      [
        [
          top(`sum by (instance) (rate(${where(countOf(poll.duration), NODE)}[$__rate_interval]))`, {
            of: "highest",
            by: "instance",
          }),
          "{{instance}}",
        ],
      ],
    ),
    lines(
      {
        id: 205,
        title: "Poll duration (p50, p90)",
        about: "Time within which 50 % and 90 % of all polls finished.",
        width: 8,
        unit: Seconds,
        softMax: 0.1,
      },
      [
        [`histogram_quantile(0.5, sum by (le) (rate(${bucketOf(pollDuration).name}[$__rate_interval]))) > 0`, "p50"],
        [`histogram_quantile(0.9, sum by (le) (rate(${bucketOf(pollDuration).name}[$__rate_interval]))) > 0`, "p90"],
      ],
    ),
    lines(
      {
        id: 209,
        title: "Event loop",
        about:
          "Share of the time in which the event loop of an exporter is at work, of those that are busiest. Near 1 it skips polls.",
        width: 8,
        unit: PercentUnit,
        alerts: ["AvaxExporterOverloaded"],
      },
      [[top(`max by (instance) (${utilization.name})`, { of: "highest", by: "instance" }), "{{instance}}"]],
    ),
    timeline(
      {
        id: 206,
        title: "Endpoints by node",
        about: `All: every endpoint of the node answers. Some: at least one fails. None: the node does not answer. Of the ${FEW_BARS} nodes that were worst in the selected time range. A gap: the exporter was not scraped.`,
        width: 24,
        height: 11,
        unit: Short,
        mappings: { 0: ["none", "red"], 1: ["some", "orange"], 2: ["all", "green"] },
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [
        [
          top(`min by (node) (${where(poll.endpointUp, NODE)}) + max by (node) (${where(poll.endpointUp, NODE)})`, {
            of: "lowest",
            count: FEW_BARS,
          }),
          "{{node}}",
        ],
      ],
    ),
    timeline(
      {
        id: 207,
        title: "Reference node",
        about:
          "The node that is polled for the facts about its network. If it changes often, network figures alternate between nodes.",
        width: 24,
        height: 5,
        unit: Short,
        mappings: { 1: ["reference", "green"] },
        alerts: ["AvaxNetworkWithoutReferenceNode"],
      },
      [[`${where(referenceNode.metrics.node, NETWORK)} == 1`, "{{network}} {{node}}"]],
    ),
  ],
} as const;
