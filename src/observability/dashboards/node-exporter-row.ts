import { Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { polling, STALE_AFTER } from "../../metrics/polling.ts";
import { where } from "../../metrics/promql.ts";
import { speaker } from "../../metrics/speaker.ts";
import { redAbove } from "./face.ts";
import { lines, timeline } from "./panels.ts";
import { OWN_FAMILIES } from "../../alerts/own-families.ts";

const NODE = { node: "=~$node" } as const;
const { metrics: poll } = polling;
const { missedPolls, pollDuration, scrapeDuration, series } = OWN_FAMILIES;

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
        width: 12,
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
        about: "Polls that failed, by reason, a second.",
        width: 8,
        unit: "ops",
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [
        [
          `sum by (node, endpoint, reason) (rate(${where(poll.failures, NODE)}[$__rate_interval])) > 0`,
          "{{node}} {{endpoint}} {{reason}}",
        ],
      ],
    ),
    lines(
      {
        id: 604,
        title: "Polls",
        about:
          "Polls that ended, a second, and polls of all nodes that were left out because the one before was still running.",
        width: 8,
        unit: "ops",
        alerts: ["AvaxExporterMissesPolls"],
      },
      [
        [`sum by (node) (rate(${where(poll.polls, NODE)}[$__rate_interval]))`, "{{node}}"],
        [`sum by (endpoint) (rate(${missedPolls.name}[$__rate_interval])) > 0`, "left out: {{endpoint}}"],
      ],
    ),
    lines(
      {
        id: 605,
        title: "Duration of polls",
        about: "Nine polls of ten were shorter, by endpoint, over all nodes; and the same for answering a scrape.",
        width: 8,
        unit: Seconds,
      },
      [
        [
          `histogram_quantile(0.9, sum by (le, endpoint) (rate(${pollDuration.name}_bucket[$__rate_interval])))`,
          "{{endpoint}}",
        ],
        [
          `histogram_quantile(0.9, sum by (le) (rate(${scrapeDuration.name}_bucket[$__rate_interval])))`,
          "answering a scrape",
        ],
      ],
    ),
    lines(
      {
        id: 606,
        title: "Series",
        about: "Series about nodes and networks on the exporter's /metrics.",
        width: 12,
        unit: Short,
      },
      [[series.name, "{{instance}}"]],
    ),
    timeline(
      {
        id: 607,
        title: "Who speaks for the network",
        about:
          "The node that is asked about its network as a whole. Where it changes often, figures of the network are those of one node and then of another.",
        width: 12,
        unit: Short,
        words: { 1: ["speaks", "green"] },
        alerts: ["AvaxNetworkWithoutSpeaker"],
      },
      [[where(speaker.metrics.speaker, { network: "=~$network" }), "{{network}} {{node}}"]],
    ),
  ],
};
