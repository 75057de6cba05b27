import { BytesIEC, PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { BENCHED_RATIO, benched, benching } from "../../../topics/node/benched.ts";
import { LOW_DISK_RATIO, nodeNetwork } from "../../../topics/node/network.ts";
import { FEW_PEERS, peerCount, peers } from "../../../topics/node/peers.ts";
import { where } from "../../../catalogue/selector.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { lines } from "../parts/panels.ts";
import { NODE, NODE_CHAIN, shortVersions } from "../parts/selectors.ts";

const { metrics: peer } = peers;
const { metrics: own } = nodeNetwork;

/** Shares instead of counts, because a sum over several chosen nodes has no meaning. */
const shares = (label: string, selector: string) => `sum by (${label}) (${selector}) / scalar(sum(${selector}))`;

export const peersRow = {
  id: 400,
  title: "Peers and network",
  panels: [
    lines(
      {
        id: 401,
        title: "Peers",
        about: "Connected peers, as info.peers lists them.",
        width: 8,
        unit: Short,
        thresholds: redBelow(FEW_PEERS),
        alerts: ["AvaxNodeFewPeers"],
      },
      [[where(peerCount.metrics.count, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 402,
        title: "Peers by version",
        about: "Share of the chosen nodes' peers by the version that they claim; the rarest are counted together.",
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
        about: "Connected peers from which nothing came for a minute or ever, and peers that are benched on a chain.",
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
        title: "Connections from outside",
        about:
          "Connections that other nodes opened to this validator. 0 means that nobody can dial it: port 9651 or the public IP.",
        width: 8,
        unit: Short,
        alerts: ["AvaxNodeFewPeers"],
      },
      [[where(own.ingress, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 405,
        title: "Messages that could not be sent",
        about: "Share of messages to peers that could not be sent.",
        width: 8,
        unit: PercentUnit,
        softMax: 0.1,
      },
      [[where(own.sendFail, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 406,
        title: "Time since the last message",
        about: "How long ago the node received and sent its last message, by its own clock and that of Prometheus.",
        width: 8,
        unit: Seconds,
      },
      [
        [`time() - ${where(own.lastReceived, NODE)}`, "{{node}} received"],
        [`time() - ${where(own.lastSent, NODE)}`, "{{node}} sent"],
      ],
    ),
    lines(
      {
        id: 407,
        title: "Uptime as peers observed it",
        about:
          "Share of the chosen nodes' peers by the uptime that they observed of the node. Rewards are decided at 80 or 90 %.",
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
        title: "Peers that observed nothing, and peers in subnets",
        about:
          "Peers without an uptime of this node (all of them when it is no validator), and peers that track a configured subnet.",
        width: 8,
        unit: Short,
      },
      [
        [where(peer.withoutObservation, NODE), "{{node}} observed nothing"],
        [where(peer.tracking, NODE), "{{node}} tracking {{subnet}}"],
      ],
    ),
    lines(
      {
        id: 409,
        title: "Requests without an answer",
        about: "Requests to peers that wait for an answer.",
        width: 8,
        unit: Short,
      },
      [[where(own.outstanding, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 410,
        title: "Oldest request",
        about: "Age of the oldest request to a peer without an answer.",
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
          "Share of all stake that does not query the node, as far as the other polled nodes tell, and that the node itself does not query: on the chain where it is most.",
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

export const diskRow = {
  id: 500,
  title: "Disk",
  panels: [
    lines(
      {
        id: 501,
        title: "Free share of the disk",
        about: "Free share of the database's disk. The node stops itself below 3 %.",
        width: 12,
        unit: PercentUnit,
        thresholds: redBelow(LOW_DISK_RATIO),
        alerts: ["AvaxNodeDiskLow"],
      },
      [[where(own.diskRatio, NODE), "{{node}}"]],
    ),
    lines(
      {
        id: 502,
        title: "Free bytes of the disk",
        about:
          "Free bytes on the database's disk, and what is left in a week if the last day's trend goes on; 0 when it is full by then.",
        width: 12,
        unit: BytesIEC,
        alerts: ["AvaxNodeDiskLow"],
      },
      [
        [where(own.diskBytes, NODE), "{{node}}"],
        [`clamp_min(predict_linear(${where(own.diskBytes, NODE)}[1d], 7 * 86400), 0)`, "{{node}} in a week"],
      ],
    ),
  ],
};
