import { PercentUnit, BytesIEC } from "@grafana/grafana-foundation-sdk/units";
import { BENCHED_RATIO, benched, benching } from "../../../src/topics/node/benched.ts";
import { FULL_DISK_RATIO, LITTLE_DISK_RATIO, nodeDisk } from "../../../src/topics/node/node-disk.ts";
import { nodeNetwork } from "../../../src/topics/node/node-network.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { UPTIME_RANGES } from "../../../src/topics/labels.ts";
import { FEW_PEERS, peerCount, peers } from "../../../src/topics/node/peers.ts";
import { NODE, withSubnetNames, shortVersions, ofNode, ofNodeChain, ofView } from "../parts/selectors.ts";
import { type Row, lines, timeline } from "../parts/panels.ts";
import { percentRange, redAbove, redBelow, redOrangeBelow, PLAIN_SECONDS, PER_MINUTE } from "../parts/format.ts";
import { STALE_AFTER, STALE_INTERVALS, polling } from "../../../src/topics/exporter/polling.ts";
import { spans, table } from "../parts/table.ts";

const { metrics: peer } = peers;
const { metrics: own } = nodeNetwork;

/** Shares instead of counts, because a sum over several chosen nodes has no meaning. Shares of 0 would only fill the legend. */
const shares = (label: string, selector: string) => `sum by (${label}) (${selector}) / scalar(sum(${selector})) > 0`;

export const peersRow: Row = {
  title: "Peers and network",
  collapsed: true,
  legend: "{{node}}",
  panels: [
    lines(
      "Peers",
      "When did the node lose peers? Connected peers, as listed by info.peers.",
      ofNode(peerCount.metrics.count),
      { thresholds: redBelow(FEW_PEERS), alerts: ["AvaxNodeFewPeers", "AvaxNodeCutOff"] },
    ),
    lines(
      "Peers by version",
      "Which releases do the peers run? Share of the chosen nodes' peers by advertised version. The rarest versions are one group.",
      [shortVersions(shares("version", ofNode(peer.version))), "{{version}}"],
      { unit: PercentUnit, stacked: true },
    ),
    lines(
      "Silent peers",
      "How many peers are silent or benched? Connected peers without a message for a minute or since connecting, and peers benched on a chain.",
      [
        [ofNode(peer.silent), "{{node}} silent"],
        [`sum by (node) (${ofNode(peer.benched)})`, "{{node}} benched, by chain"],
      ],
    ),
    lines(
      "Inbound connections",
      "Is the node reachable from outside? Connections that other nodes opened to this validator. At 0 check port 9651 and the public IP.",
      ofNode(own.ingress),
      { alerts: ["AvaxNodeFewPeers", "AvaxNodeCutOff"] },
    ),
    lines(
      "Failed sends",
      "Do messages reach the peers? Share of messages to peers that failed to be sent.",
      ofNode(own.sendFail),
      { unit: PercentUnit, softMax: 0.1 },
    ),
    lines(
      "Last message age",
      "Is the node cut off? Time since the node last received and sent a message, by its clock and that of Prometheus.",
      [
        [`time() - ${ofNode(own.lastReceived)}`, "{{node}} received"],
        [`time() - ${ofNode(own.lastSent)}`, "{{node}} sent"],
      ],
      { unit: PLAIN_SECONDS, signed: true },
    ),
    lines(
      "Peers by observed uptime",
      "How do the peers judge the node? Share of the chosen nodes' peers by the uptime that they observed. Rewards require 80 or 90 %.",
      UPTIME_RANGES.map(
        (range) =>
          [
            `sum(${where(peer.observed, { ...NODE, range })}) / scalar(sum(${ofNode(peer.observed)})) > 0`,
            percentRange(range),
          ] as const,
      ),
      { unit: PercentUnit, alerts: ["AvaxUptimeRewardAtRisk"], stacked: true },
    ),
    lines(
      "Peers without uptime, peers by subnet",
      "How many peers do not judge the node, and how many track its subnets? Peers without an observed uptime of this node (all peers of a non-validator), and peers that track a configured subnet.",
      [
        [ofNode(peer.withoutObservation), "{{node}} no uptime"],
        [withSubnetNames(ofView(peer.tracking)), "{{node}} tracking {{name}}"],
      ],
    ),
    lines(
      "Benched stake",
      "Does the network avoid the node, or the node the network? Share of all stake that benches the node (known from the other polled nodes), and that the node benches, on its worst chain.",
      [
        [`max by (node) (${ofNodeChain(benched.metrics.stake)})`, "{{node}} is benched"],
        [`max by (node) (${ofNodeChain(benching.metrics.stake)})`, "{{node}} benches"],
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

const free = ofNode(nodeDisk.metrics.bytes);
const WEEK = 7 * 86_400;
/** The trend of a day that is not over yet would be that of a few minutes. */
const inAWeek = `clamp_min(predict_linear(${free}[1d], ${WEEK}), 0) and ${free} offset 23h`;

export const diskRow: Row = {
  title: "Disk",
  collapsed: true,
  panels: [
    lines(
      "Free disk (share)",
      "How full is the disk? Free share of the database's disk, the last one while the node does not answer. The node shuts down below 3 %.",
      [ofNode(nodeDisk.metrics.ratio), "{{node}}"],
      {
        unit: PercentUnit,
        thresholds: redOrangeBelow(FULL_DISK_RATIO, LITTLE_DISK_RATIO),
        alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFilling", "AvaxNodeDiskFull"],
      },
    ),
    lines(
      "Free disk (bytes)",
      "When will the disk be full? Free bytes on the database's disk now, and in a week at the last day's trend. 0: full by then. The trend is unknown until there is a day of data.",
      [
        [free, "{{node}}"],
        [inAWeek, "{{node}} in a week"],
      ],
      { unit: BytesIEC, alerts: ["AvaxNodeDiskLow", "AvaxNodeDiskFilling", "AvaxNodeDiskFull"] },
    ),
  ],
};

const { metrics: poll } = polling;
const endpointUp = ofNode(poll.endpointUp);
/** Aggregates by the first part of the endpoint's id: health, info, platform, evm and so on. */
const byInterface = (how: string) =>
  `${how} by (node, interface) (label_replace(${endpointUp}, "interface", "$1", "api_endpoint", "([^.]+).*"))`;

export const exporterRow: Row = {
  title: "Polls",
  collapsed: true,
  panels: [
    timeline(
      "Interfaces",
      "When did an interface of the node fail? Whether the last polls of all, some or none of an interface's endpoints succeeded. Unsupported optional endpoints are left out.",
      [`${byInterface("min")} + ${byInterface("max")}`, "{{node}} {{interface}}"],
      {
        height: 10,
        mappings: { 0: ["none", "red"], 1: ["some", "orange"], 2: ["all", "green"] },
        alerts: ["AvaxEndpointFailing"],
      },
    ),
    table(
      "Failing endpoints",
      "Which requests does the node not answer, and since when? Endpoints whose last poll failed, and the time since the last success. Empty while the node does not answer at all.",
      {
        width: 9,
        height: 10,
        noValue: "no failing endpoints",
        alerts: ["AvaxEndpointFailing", "AvaxDataStale"],
        labels: { node: { title: "Node", width: 100 }, api_endpoint: { title: "Endpoint" } },
        columns: [spans("Last success", `time() - ${ofNode(poll.lastSuccess)}`, { width: 120 })],
      },
    ),
    lines(
      "Overdue answers",
      `Is the node polled in time? How long its stalest answer is past ${STALE_INTERVALS} of its intervals, after which its series are removed. Endpoints whose polls fail are left out.`,
      ofNode(poll.overdue),
      { unit: PLAIN_SECONDS, softMax: 60, thresholds: redAbove(STALE_AFTER), alerts: ["AvaxDataStale"] },
    ),
    lines(
      "Failures by reason",
      "Why do polls of the node fail? Failed polls per minute by node and reason.",
      [`60 * sum by (node, reason) (rate(${ofNode(poll.failures)}[$__rate_interval])) > 0`, "{{node}} {{reason}}"],
      { unit: PER_MINUTE, noValue: "no failures", alerts: ["AvaxEndpointFailing", "AvaxNodeDown"] },
    ),
  ],
};
