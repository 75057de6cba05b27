import { DurationSeconds } from "@grafana/grafana-foundation-sdk/units";
import { STALE_INTERVALS } from "../../../src/topics/exporter/polling-alerts.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { type Row, lines, timeline } from "../parts/panels.ts";
import { redAbove } from "../parts/format.ts";
import { column, table } from "../parts/table.ts";
import { NODE, select } from "../parts/selectors.ts";

const of = select(NODE);
const { metrics: poll } = polling;
const endpointUp = of(poll.endpointUp);
/** Aggregates by the first part of the endpoint's id: health, info, platform, evm and so on. */
const byInterface = (how: string) =>
  `${how} by (node, interface) (label_replace(${endpointUp}, "interface", "$1", "api_endpoint", "([^.]+).*"))`;

export const exporterRow: Row = {
  title: "Polls",
  collapsed: true,
  panels: [
    timeline(
      "Interfaces",
      "Whether the last polls of all, some or none of an interface's endpoints succeeded. Unsupported optional endpoints are left out.",
      [`${byInterface("min")} + ${byInterface("max")}`, "{{node}} {{interface}}"],
      {
        height: 10,
        mappings: { 0: ["none", "red"], 1: ["some", "orange"], 2: ["all", "green"] },
        alerts: ["AvaxEndpointFailing"],
      },
    ),
    table("Failing endpoints", "Endpoints whose last poll failed, and the time since the last success.", {
      width: 9,
      height: 10,
      noValue: "no failing endpoints",
      alerts: ["AvaxEndpointFailing", "AvaxDataStale"],
      labels: { node: { title: "Node", width: 100 }, api_endpoint: { title: "Endpoint" } },
      columns: [
        column("Last success", `time() - ${of(poll.lastSuccess)} and ${endpointUp} == 0`, {
          unit: DurationSeconds,
          decimals: 1,
          width: 160,
        }),
        column("Every", `${of(poll.interval)} and ${endpointUp} == 0`, { unit: "s", width: 80 }),
      ],
    }),
    lines(
      "Oldest data (intervals)",
      `Time since the last success of the endpoint that is most overdue, in its own intervals. After ${STALE_INTERVALS} intervals its series are removed.`,
      [`max by (node) ((time() - ${of(poll.lastSuccess)}) / ${of(poll.interval)})`, "{{node}}"],
      { decimals: 1, softMax: 1.5 * STALE_INTERVALS, thresholds: redAbove(STALE_INTERVALS), alerts: ["AvaxDataStale"] },
    ),
    lines(
      "Failures by reason",
      "Failed polls per second by node and reason.",
      [`sum by (node, reason) (rate(${of(poll.failures)}[$__rate_interval])) > 0`, "{{node}} {{reason}}"],
      { unit: "ops", noValue: "no failures", alerts: ["AvaxEndpointFailing", "AvaxNodeDown"] },
    ),
  ],
};
