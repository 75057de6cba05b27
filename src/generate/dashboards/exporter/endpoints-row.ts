import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { apiCertificate, EXPIRES_SOON } from "../../../self/api-certificate.ts";
import { evmHead } from "../../../topics/evm/evm-head.ts";
import { EXPORTER_FAMILIES } from "../../../self/exporter-families.ts";
import { STALE_AFTER } from "../../../self/polling-alerts.ts";
import { polling } from "../../../self/polling.ts";
import { countOf, sumOf, where } from "../../../catalogue/selector.ts";
import { referenceNode } from "../../../topics/network/reference-node.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { TO_NODE } from "../parts/links.ts";
import { lines, timeline } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NETWORK, NODE } from "../parts/selectors.ts";

const { metrics: poll } = polling;
const { pollDuration } = EXPORTER_FAMILIES;

export const endpointsRow = {
  id: 200,
  title: "Polls",
  panels: [
    table(
      {
        id: 201,
        title: "Nodes",
        about:
          "Polled, failing and unsupported endpoints of each node, age of its oldest data, failed polls in the selected time range, and time left of its API certificate. Most failing endpoints first.",
        width: 12,
        height: 11,
        unit: Short,
        alerts: ["AvaxNodeDown", "AvaxEndpointFailing", "AvaxDataStale", "AvaxNodeApiCertificateExpiring"],
      },
      {
        labels: { node: { title: "Node", link: TO_NODE } },
        sortedBy: "-Failing",
        columns: [
          {
            title: "Reachable",
            expr: where(poll.up, NODE),
            mappings: YES_NO,
            width: 75,
          },
          { title: "Endpoints", expr: `count by (node) (${where(poll.endpointUp, NODE)})`, width: 85 },
          {
            title: "Failing",
            expr: `sum by (node) (${where(poll.endpointUp, NODE)} == bool 0)`,
            thresholds: redAbove(1),
            width: 65,
          },
          { title: "Unsupported", expr: `sum by (node) (${where(poll.supported, NODE)} == bool 0)`, width: 95 },
          {
            title: "Oldest data",
            expr: `time() - min by (node) (${where(poll.lastSuccess, NODE)} and on (instance, job, node, api_endpoint) ${where(poll.interval, NODE)} <= 60)`,
            unit: Seconds,
            decimals: 1,
            thresholds: redAbove(STALE_AFTER),
            width: 110,
          },
          {
            title: "Failed polls",
            expr: `sum by (node) (increase(${where(poll.failures, NODE)}[$__range]))`,
            decimals: 0,
            width: 95,
          },
          {
            title: "Certificate",
            expr: `${where(apiCertificate.metrics.expiry, NODE)} - time()`,
            unit: Seconds,
            decimals: 0,
            thresholds: redBelow(EXPIRES_SOON),
            width: 90,
          },
          { title: "EVM batch", expr: `min by (node) (${where(evmHead.metrics.batchLimit, NODE)})`, width: 85 },
        ],
      },
    ),
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
    lines(
      {
        id: 203,
        title: "Polls per second",
        about: "Finished polls of all endpoints per second, by node.",
        width: 8,
        unit: Short,
        alerts: ["AvaxExporterCannotPoll"],
      },
      [[`sum by (node) (rate(${where(countOf(poll.duration), NODE)}[$__rate_interval]))`, "{{node}}"]],
    ),
    lines(
      {
        id: 204,
        title: "Failures per second",
        about: "Failed polls of the chosen nodes per second, by reason.",
        width: 8,
        unit: Short,
        noValue: "no failures",
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [[`sum by (reason) (rate(${where(poll.failures, NODE)}[$__rate_interval])) > 0`, "{{reason}}"]],
      "stacked",
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
        [`histogram_quantile(0.5, sum by (le) (rate(${pollDuration.name}_bucket[$__rate_interval]))) > 0`, "p50"],
        [`histogram_quantile(0.9, sum by (le) (rate(${pollDuration.name}_bucket[$__rate_interval]))) > 0`, "p90"],
      ],
    ),
    timeline(
      {
        id: 206,
        title: "Endpoints by node",
        about: "All: every endpoint of the node answers. Some: at least one fails. None: the node does not answer.",
        width: 24,
        height: 11,
        unit: Short,
        mappings: { 0: ["none", "red"], 1: ["some", "orange"], 2: ["all", "green"] },
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [
        [
          `min by (node) (${where(poll.endpointUp, NODE)}) + max by (node) (${where(poll.endpointUp, NODE)})`,
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
};
