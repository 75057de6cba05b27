import { BytesIEC, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { apiCertificate, EXPIRES_SOON } from "../../../src/topics/exporter/api-certificate.ts";
import { MISSED_OFTEN_RATIO, STALE_AFTER } from "../../../src/topics/exporter/polling-alerts.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { countOf, where } from "../../../src/topics/define/selector.ts";
import { EXPORTER_FAMILIES } from "../../../src/topics/exporter/exporter-families.ts";
import { TO_NODE } from "../parts/links.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { lines, stat } from "../parts/panels.ts";
import { PROCESS_FAMILIES } from "../parts/process-families.ts";
import { NODE, ofExporters } from "../parts/selectors.ts";
import { table } from "../parts/table.ts";

const { build, series, defects, duplicates, reloadOk } = EXPORTER_FAMILIES;
const { metrics: poll } = polling;

/** Nodes that the chosen exporters poll. */

export const processRow = {
  id: 100,
  title: "Current state",
  panels: [
    stat(
      { id: 101, title: "Version", about: "Version of each running exporter.", width: 6, unit: Short },
      [[`max by (version) (${build.name})`, "{{version}}"]],
      "name",
    ),
    stat(
      {
        id: 102,
        title: "Configuration",
        about: "Whether the last load of the configuration succeeded. If not, the previous configuration stays in use.",
        width: 3,
        unit: Short,
        mappings: { 0: ["invalid", "red"], 1: ["loaded", "green"] },
        alerts: ["AvaxExporterReloadFailed"],
      },
      [[`min(${reloadOk.name})`, "configuration"]],
    ),
    stat(
      {
        id: 104,
        title: "Series",
        about: "Exported series about nodes and networks on /metrics.",
        width: 3,
        unit: "locale",
      },
      [[`sum(${series.name})`, "series"]],
    ),
    stat(
      {
        id: 105,
        title: "Failing endpoints",
        about: "Endpoints of the chosen nodes whose last poll failed, without nodes that are down.",
        width: 3,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxEndpointFailing"],
      },
      [
        [
          `sum((${where(poll.endpointUp, NODE)} == bool 0) * on (instance, job, node) group_left () ${where(poll.up, NODE)})`,
          "endpoints",
        ],
      ],
    ),
    stat(
      {
        id: 106,
        title: "Missed polls",
        about:
          "Share of polls in the selected time range without a result: the previous poll was still running, or the exporter was too busy to read the answer.",
        width: 3,
        unit: PercentUnit,
        decimals: 2,
        thresholds: redAbove(MISSED_OFTEN_RATIO),
        alerts: ["AvaxNodePollsMissed"],
      },
      [
        [
          `sum(increase(${where(poll.missed, NODE)}[$__range])) / sum(increase(${where(countOf(poll.duration), NODE)}[$__range]))`,
          "missed",
        ],
      ],
    ),
    stat(
      {
        id: 107,
        title: "Defects",
        about:
          "Answers that failed to be processed and duplicate samples, in the selected time range. Both are defects of the exporter.",
        width: 3,
        unit: Short,
        decimals: 0,
        thresholds: redAbove(1),
        alerts: ["AvaxExporterDefect"],
      },
      [
        [
          `(sum(increase(${defects.name}[$__range])) or vector(0)) + (sum(increase(${duplicates.name}[$__range])) or vector(0))`,
          "defects",
        ],
      ],
    ),
    stat(
      {
        id: 108,
        title: "Memory",
        about: "Resident memory of the chosen exporters together.",
        width: 3,
        unit: BytesIEC,
        decimals: 0,
      },
      [[`sum(${ofExporters(PROCESS_FAMILIES.memory)})`, "resident"]],
    ),
    table(
      {
        id: 201,
        title: "Nodes",
        about:
          "Failing endpoints of each node, age of its oldest data, failed polls in the selected time range, and time left of its API certificate. Nodes that do not answer and most failing endpoints first.",
        width: 16,
        height: 15,
        unit: Short,
        alerts: ["AvaxNodeDown", "AvaxEndpointFailing", "AvaxDataStale", "AvaxNodeApiCertificateExpiring"],
      },
      {
        labels: { node: { title: "Node", link: TO_NODE } },
        sortedBy: "-Failing",
        columns: [
          { title: "Reachable", expr: where(poll.up, NODE), mappings: YES_NO, width: 100 },
          {
            title: "Failing",
            expr: `sum by (node) (${where(poll.endpointUp, NODE)} == bool 0)`,
            thresholds: redAbove(1),
            width: 85,
          },
          {
            title: "Oldest data",
            expr: `time() - min by (node) (${where(poll.lastSuccess, NODE)} and on (instance, job, node, api_endpoint) ${where(poll.interval, NODE)} <= 60)`,
            unit: Seconds,
            decimals: 1,
            thresholds: redAbove(STALE_AFTER),
            width: 115,
          },
          {
            title: "Failed polls",
            expr: `sum by (node) (increase(${where(poll.failures, NODE)}[$__range])) > 0`,
            decimals: 0,
            width: 110,
          },
          {
            title: "Certificate left",
            expr: `${where(apiCertificate.metrics.expiry, NODE)} - time()`,
            unit: Seconds,
            decimals: 0,
            thresholds: redBelow(EXPIRES_SOON),
            width: 130,
          },
        ],
      },
    ),
    lines(
      {
        id: 204,
        title: "Failures per minute",
        about: "Failed polls of the chosen nodes per minute, by reason.",
        width: 8,
        height: 15,
        unit: Short,
        noValue: "no failures",
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [[`60 * sum by (reason) (rate(${where(poll.failures, NODE)}[$__rate_interval])) > 0`, "{{reason}}"]],
      "stacked",
    ),
  ],
};
