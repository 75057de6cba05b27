import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { health } from "../../metrics/health.ts";
import { identity } from "../../metrics/identity.ts";
import { lag, LAGGING_BLOCKS, STANDING_AFTER } from "../../metrics/lag.ts";
import { networkVerdict } from "../../metrics/network-verdict.ts";
import { FEW_PEERS } from "../../metrics/node-network.ts";
import { peers } from "../../metrics/peers.ts";
import { polling } from "../../metrics/polling.ts";
import { where } from "../../metrics/promql.ts";
import { LEAST_REWARDING_RATIO } from "../../metrics/uptime.ts";
import { redAbove, redBelow, type Words } from "./face.ts";
import { bars, lines, timeline } from "./panels.ts";
import { NODE, shortVersions } from "./selectors.ts";

const ON = "on (instance, job, node)";
const up = where(polling.metrics.up, NODE);
const healthy = where(health.metrics.healthy, NODE);
const lagging = where(lag.metrics.blocks, NODE);

/** 0 no answer, 1 unhealthy, 2 healthy in its own eyes and behind, 3 well. With nobody to compare, nobody is behind. */
const keepsUp = `(max by (instance, job, node) (${lagging}) <= bool ${LAGGING_BLOCKS} or ${ON} ${healthy} ^ 0)`;
const state = `${up} * ${ON} (1 + ${healthy} * ${ON} (1 + ${keepsUp})) or ${ON} ${up}`;
const STATE: Words = {
  0: ["no answer", "red"],
  1: ["unhealthy", "orange"],
  2: ["healthy, but behind", "yellow"],
  3: ["well", "green"],
};

/** Since when is it wrong, and was it so before? */
export const overTimeRow = {
  id: 200,
  title: "Over time",
  panels: [
    timeline(
      {
        id: 201,
        title: "State of each node",
        about:
          "Red: no answer. Orange: the node calls itself unhealthy. Yellow: it calls itself healthy and is behind the others. Green: well.",
        width: 24,
        height: 11,
        unit: Short,
        words: STATE,
        alerts: ["AvaxNodeDown", "AvaxNodeUnhealthy", "AvaxNodeLagging"],
      },
      [[`max by (node) (${state})`, "{{node}}"]],
    ),
    lines(
      {
        id: 202,
        title: "Blocks behind",
        about: "Blocks that another polled node had already accepted, on the chain where the node is furthest behind.",
        width: 8,
        unit: Short,
        thresholds: redAbove(LAGGING_BLOCKS),
        alerts: ["AvaxNodeLagging"],
      },
      [[`max by (node) (${lagging})`, "{{node}}"]],
    ),
    lines(
      {
        id: 203,
        title: "P-Chain without a new block",
        about: "How long ago the P-Chain's height changed on the node. On a quiet network it stands still everywhere.",
        width: 8,
        unit: Seconds,
        thresholds: redAbove(STANDING_AFTER),
        alerts: ["AvaxNodeStandsStill"],
      },
      [[`time() - max by (node) (${where(lag.metrics.changed, { ...NODE, chain: "P" })})`, "{{node}}"]],
    ),
    lines(
      {
        id: 204,
        title: "Peers",
        about: "Connected peers of each node.",
        width: 8,
        unit: Short,
        thresholds: redBelow(FEW_PEERS),
        alerts: ["AvaxNodeFewPeers"],
      },
      [[where(peers.metrics.count, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 205,
        title: "Stake that would reward",
        about: "Share of all stake that saw the node up often enough for its reward.",
        width: 8,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[where(networkVerdict.metrics.required, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 206,
        title: "Failing polls",
        about: "Polls of each node that failed, a second: its own trouble, or the way to it.",
        width: 8,
        unit: "ops",
        alerts: ["AvaxEndpointFailing", "AvaxNodeDown"],
      },
      [[`sum by (node) (rate(${where(polling.metrics.failures, NODE)}[$__rate_interval]))`, "{{node}}"]],
    ),
    bars(
      {
        id: 207,
        title: "Nodes by version",
        about: "How many of the chosen nodes run each version.",
        width: 8,
        unit: Short,
        decimals: 0,
      },
      [[shortVersions(`count by (version) (${where(identity.metrics.node, NODE)})`), "{{version}}"]],
    ),
  ],
};
