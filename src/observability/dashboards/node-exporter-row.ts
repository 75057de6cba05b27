import { Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { polling, STALE_AFTER } from "../../metrics/polling.ts";
import { where } from "../../metrics/promql.ts";
import { redAbove } from "./face.ts";
import { lines, timeline } from "./panels.ts";
import { NODE } from "./selectors.ts";

const { metrics: poll } = polling;

/** How much of all this is known, and how old is it? */
export const exporterRow = {
  id: 600,
  title: "What the exporter knows",
  panels: [
    timeline(
      {
        id: 601,
        title: "Endpoints",
        about:
          "Whether the last poll of each endpoint succeeded. What a server need not have and does not have is left out.",
        width: 24,
        height: 18,
        unit: Short,
        words: { 0: ["fails", "red"], 1: ["answers", "green"] },
        alerts: ["AvaxEndpointFailing"],
      },
      [[where(poll.endpointUp, NODE), "{{node}} {{endpoint}}"]],
    ),
    lines(
      {
        id: 602,
        title: "Age of what is known",
        about:
          "How long ago each endpoint was last polled with success. After three of its intervals its figures are removed.",
        width: 12,
        unit: Seconds,
        thresholds: redAbove(STALE_AFTER),
        alerts: ["AvaxDataStale"],
      },
      [[`time() - ${where(poll.lastSuccess, NODE)}`, "{{node}} {{endpoint}}"]],
    ),
    lines(
      {
        id: 603,
        title: "Failures by reason",
        about: "Polls of each node that failed, by reason, a second.",
        width: 12,
        unit: "ops",
        nothing: "no failures",
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [[`sum by (node, reason) (rate(${where(poll.failures, NODE)}[$__rate_interval])) > 0`, "{{node}} {{reason}}"]],
    ),
  ],
};
