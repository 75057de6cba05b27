import { DurationSeconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { STALE_INTERVALS } from "../../../src/topics/exporter/polling-alerts.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { where } from "../../../src/topics/define/selector.ts";
import type { Row } from "../parts/panel-options.ts";
import { redAbove } from "../parts/thresholds.ts";
import { lines, timeline } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NODE } from "../parts/selectors.ts";

const { metrics: poll } = polling;
const endpointUp = where(poll.endpointUp, NODE);
/** Aggregates by the first part of the endpoint's id: health, info, platform, evm and so on. */
const byInterface = (how: string) =>
  `${how} by (node, interface) (label_replace(${endpointUp}, "interface", "$1", "api_endpoint", "([^.]+).*"))`;

export const exporterRow: Row = {
  id: 600,
  title: "Polls",
  collapsed: true,
  panels: [
    timeline(
      {
        id: 604,
        title: "Interfaces",
        about:
          "Whether the last polls of all, some or none of an interface's endpoints succeeded. Unsupported optional endpoints are left out.",
        width: 15,
        height: 10,
        unit: Short,
        mappings: { 0: ["none", "red"], 1: ["some", "orange"], 2: ["all", "green"] },
        alerts: ["AvaxEndpointFailing"],
      },
      [[`${byInterface("min")} + ${byInterface("max")}`, "{{node}} {{interface}}"]],
    ),
    table(
      {
        id: 605,
        title: "Failing endpoints",
        about: "Endpoints whose last poll failed, and the time since the last success.",
        width: 9,
        height: 10,
        unit: Short,
        noValue: "no failing endpoints",
        alerts: ["AvaxEndpointFailing", "AvaxDataStale"],
      },
      {
        labels: { node: { title: "Node", width: 100 }, api_endpoint: { title: "Endpoint" } },
        columns: [
          {
            title: "Last success",
            expr: `time() - ${where(poll.lastSuccess, NODE)} and ${endpointUp} == 0`,
            unit: DurationSeconds,
            decimals: 1,
            width: 160,
          },
          { title: "Every", expr: `${where(poll.interval, NODE)} and ${endpointUp} == 0`, unit: "s", width: 80 },
        ],
      },
    ),
    lines(
      {
        id: 606,
        title: "Oldest data (intervals)",
        about: `Time since the last success of the endpoint that is most overdue, in its own intervals. After ${STALE_INTERVALS} intervals its series are removed.`,
        width: 12,
        unit: Short,
        decimals: 1,
        softMax: 1.5 * STALE_INTERVALS,
        thresholds: redAbove(STALE_INTERVALS),
        alerts: ["AvaxDataStale"],
      },
      [[`max by (node) ((time() - ${where(poll.lastSuccess, NODE)}) / ${where(poll.interval, NODE)})`, "{{node}}"]],
    ),
    lines(
      {
        id: 603,
        title: "Failures by reason",
        about: "Failed polls per second by node and reason.",
        width: 12,
        unit: "ops",
        noValue: "no failures",
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [[`sum by (node, reason) (rate(${where(poll.failures, NODE)}[$__rate_interval])) > 0`, "{{node}} {{reason}}"]],
    ),
  ],
};
