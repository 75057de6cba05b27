import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { BENCHED_RATIO, benched, benching } from "../../../src/topics/node/benched.ts";
import { nodeNetwork } from "../../../src/topics/node/network.ts";
import { FEW_PEERS, peerCount, peers } from "../../../src/topics/node/peers.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { withSubnetNames } from "../parts/names.ts";
import type { Row } from "../parts/panel-options.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { NODE, NODE_CHAIN, shortVersions, VIEW } from "../parts/selectors.ts";
import { PLAIN_SECONDS } from "../parts/units.ts";

const { metrics: peer } = peers;
const { metrics: own } = nodeNetwork;

/** Shares instead of counts, because a sum over several chosen nodes has no meaning. Shares of 0 would only fill the legend. */
const shares = (label: string, selector: string) => `sum by (${label}) (${selector}) / scalar(sum(${selector})) > 0`;

export const peersRow: Row = {
  id: 400,
  title: "Peers and network",
  collapsed: true,
  panels: [
    lines(
      {
        id: 401,
        title: "Peers",
        about: "Connected peers, as listed by info.peers.",
        width: 8,
        unit: Short,
        thresholds: redBelow(FEW_PEERS),
        alerts: ["AvaxNodeFewPeers", "AvaxNodeCutOff"],
      },
      [[where(peerCount.metrics.count, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 402,
        title: "Peers by version",
        about: "Share of the chosen nodes' peers by advertised version. The rarest versions are one group.",
        width: 8,
        unit: PercentUnit,
      },
      [[shortVersions(shares("version", where(peer.version, NODE))), "{{version}}"]],
      "stacked",
    ),
    lines(
      {
        id: 403,
        title: "Silent peers",
        about: "Connected peers without a message for a minute or since connecting, and peers benched on a chain.",
        width: 8,
        unit: Short,
      },
      [
        [where(peer.silent, NODE), "{{node}} silent"],
        [`sum by (node) (${where(peer.benched, NODE)})`, "{{node}} benched, by chain"],
      ],
    ),
    lines(
      {
        id: 404,
        title: "Inbound connections",
        about:
          "Connections that other nodes opened to this validator. 0: unreachable from outside. Check port 9651 and the public IP.",
        width: 8,
        unit: Short,
        alerts: ["AvaxNodeFewPeers", "AvaxNodeCutOff"],
      },
      [[where(own.ingress, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 405,
        title: "Failed sends",
        about: "Share of messages to peers that failed to be sent.",
        width: 8,
        unit: PercentUnit,
        softMax: 0.1,
      },
      [[where(own.sendFail, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 406,
        title: "Last message age",
        about: "Time since the node last received and sent a message, by its clock and that of Prometheus.",
        width: 8,
        unit: PLAIN_SECONDS,
      },
      [
        [`time() - ${where(own.lastReceived, NODE)}`, "{{node}} received"],
        [`time() - ${where(own.lastSent, NODE)}`, "{{node}} sent"],
      ],
    ),
    lines(
      {
        id: 407,
        title: "Peers by observed uptime",
        about: "Share of the chosen nodes' peers by the uptime that they observed. Rewards require 80 or 90 %.",
        width: 8,
        unit: PercentUnit,
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[shares("range", where(peer.observed, NODE)), "{{range}}"]],
      "stacked",
    ),
    lines(
      {
        id: 408,
        title: "Peers without uptime, peers by subnet",
        about:
          "Peers without an observed uptime of this node (all peers of a non-validator), and peers that track a configured subnet.",
        width: 8,
        unit: Short,
      },
      [
        [where(peer.withoutObservation, NODE), "{{node}} no uptime"],
        [withSubnetNames(where(peer.tracking, VIEW)), "{{node}} tracking {{name}}"],
      ],
    ),
    lines(
      {
        id: 409,
        title: "Outstanding requests",
        about: "Requests to peers that are still unanswered.",
        width: 8,
        unit: Short,
      },
      [[where(own.outstanding, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 410,
        title: "Oldest request",
        about: "Age of the oldest unanswered request to a peer.",
        width: 12,
        unit: Seconds,
        softMax: 0.1,
      },
      [[where(own.longestRequest, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 411,
        title: "Benched stake",
        about:
          "Share of all stake that benches the node (known from the other polled nodes), and that the node benches, on its worst chain.",
        width: 12,
        unit: PercentUnit,
        softMax: 0.2,
        thresholds: redAbove(BENCHED_RATIO),
        alerts: ["AvaxNodeBenched", "AvaxNodeBenchesStake"],
      },
      [
        [`max by (node) (${where(benched.metrics.stake, NODE_CHAIN)})`, "{{node}} is benched"],
        [`max by (node) (${where(benching.metrics.stake, NODE_CHAIN)})`, "{{node}} benches"],
      ],
    ),
  ],
};
