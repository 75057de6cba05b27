import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { BENCHED_RATIO, benched, benching } from "../../../src/topics/node/benched.ts";
import { nodeNetwork } from "../../../src/topics/node/network.ts";
import { FEW_PEERS, peerCount, peers } from "../../../src/topics/node/peers.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { withSubnetNames, NODE, NODE_CHAIN, shortVersions, VIEW, select } from "../parts/selectors.ts";
import { type Row, lines } from "../parts/panels.ts";
import { redAbove, redBelow, PLAIN_SECONDS } from "../parts/format.ts";

const of = select(NODE);
const { metrics: peer } = peers;
const { metrics: own } = nodeNetwork;

/** Shares instead of counts, because a sum over several chosen nodes has no meaning. Shares of 0 would only fill the legend. */
const shares = (label: string, selector: string) => `sum by (${label}) (${selector}) / scalar(sum(${selector})) > 0`;

export const peersRow: Row = {
  title: "Peers and network",
  collapsed: true,
  legend: "{{node}}",
  panels: [
    lines("Peers", "Connected peers, as listed by info.peers.", of(peerCount.metrics.count), {
      thresholds: redBelow(FEW_PEERS),
      alerts: ["AvaxNodeFewPeers", "AvaxNodeCutOff"],
    }),
    lines(
      "Peers by version",
      "Share of the chosen nodes' peers by advertised version. The rarest versions are one group.",
      [shortVersions(shares("version", of(peer.version))), "{{version}}"],
      { unit: PercentUnit, stacked: true },
    ),
    lines(
      "Silent peers",
      "Connected peers without a message for a minute or since connecting, and peers benched on a chain.",
      [
        [of(peer.silent), "{{node}} silent"],
        [`sum by (node) (${of(peer.benched)})`, "{{node}} benched, by chain"],
      ],
    ),
    lines(
      "Inbound connections",
      "Connections that other nodes opened to this validator. 0: unreachable from outside. Check port 9651 and the public IP.",
      of(own.ingress),
      { alerts: ["AvaxNodeFewPeers", "AvaxNodeCutOff"] },
    ),
    lines("Failed sends", "Share of messages to peers that failed to be sent.", of(own.sendFail), {
      unit: PercentUnit,
      softMax: 0.1,
    }),
    lines(
      "Last message age",
      "Time since the node last received and sent a message, by its clock and that of Prometheus.",
      [
        [`time() - ${of(own.lastReceived)}`, "{{node}} received"],
        [`time() - ${of(own.lastSent)}`, "{{node}} sent"],
      ],
      { unit: PLAIN_SECONDS },
    ),
    lines(
      "Peers by observed uptime",
      "Share of the chosen nodes' peers by the uptime that they observed. Rewards require 80 or 90 %.",
      [shares("range", of(peer.observed)), "{{range}}"],
      { unit: PercentUnit, alerts: ["AvaxUptimeRewardAtRisk"], stacked: true },
    ),
    lines(
      "Peers without uptime, peers by subnet",
      "Peers without an observed uptime of this node (all peers of a non-validator), and peers that track a configured subnet.",
      [
        [of(peer.withoutObservation), "{{node}} no uptime"],
        [withSubnetNames(where(peer.tracking, VIEW)), "{{node}} tracking {{name}}"],
      ],
    ),
    lines("Outstanding requests", "Requests to peers that are still unanswered.", of(own.outstanding)),
    lines("Oldest request", "Age of the oldest unanswered request to a peer.", of(own.longestRequest), {
      unit: Seconds,
      softMax: 0.1,
    }),
    lines(
      "Benched stake",
      "Share of all stake that benches the node (known from the other polled nodes), and that the node benches, on its worst chain.",
      [
        [`max by (node) (${where(benched.metrics.stake, NODE_CHAIN)})`, "{{node}} is benched"],
        [`max by (node) (${where(benching.metrics.stake, NODE_CHAIN)})`, "{{node}} benches"],
      ],
      {
        unit: PercentUnit,
        softMax: 0.2,
        thresholds: redAbove(BENCHED_RATIO),
        alerts: ["AvaxNodeBenched", "AvaxNodeBenchesStake"],
      },
    ),
  ],
};
