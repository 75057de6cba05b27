import { DETAIL, withoutPanel } from "../../catalogue/without-panel.ts";
import { Peers, type Peer } from "../../api/node/info.ts";
import { byRange, chainLabel, topByName, UPTIME_BOUNDS, UPTIME_RANGES } from "../labels.ts";
import { gauge, gauges, type Context } from "../../catalogue/metric.ts";
import { maybe } from "../../catalogue/needs.ts";
import { topic } from "../../catalogue/topic.ts";
import { Health } from "../../api/node/health.ts";
import { nodeHealthOf } from "./health-messages.ts";

/** A node with fewer peers is hardly connected to the network. */
export const FEW_PEERS = 5;
/** A peer without a message for this long is silent: the limit of the node's health check. Seconds. */
const SILENT_AFTER = 60;
const AGE_BOUNDS = [10, 60, 300] as const;
const AGE_RANGES = ["0-10s", "10s-1m", "1m-5m", "over 5m"] as const;

export const peerCount = topic(
  {
    id: "peer-count",
    about: "How many peers is the node connected to?",
    scope: "node",
    needs: { answer: maybe(Peers), report: maybe(Health) },
  },
  {
    count: gauge(
      "avax_node_peers",
      "Connected peers (info.peers, `numPeers`, else health API, check network: `connectedPeers`).",
      ({ answer, report }) =>
        answer?.numPeers ?? (report === undefined ? undefined : nodeHealthOf(report).connectedPeers),
    ),
  },
);

export const peers = topic(
  {
    id: "peers",
    about: "Which peers is the node connected to, and which are silent?",
    scope: "node",
    needs: { answer: Peers },
  },
  {
    version: gauges(
      "avax_node_peers_by_version",
      "Connected peers by advertised version; the rarest are summed as `other` (info.peers, `version`).",
      ["version"],
      ({ answer }) =>
        topByName(answer.peers.map(({ version }) => [version, 1])).map(([version, value]) => [{ version }, value]),
    ),
    tracking: gauges(
      "avax_node_peers_tracking_subnet",
      "Connected peers that track a configured subnet (info.peers, `trackedSubnets`).",
      ["subnet"],
      ({ answer }, { subnets }) =>
        subnets.map(({ id }) => [
          { subnet: id },
          answer.peers.filter(({ trackedSubnets }) => trackedSubnets.includes(id)).length,
        ]),
    ),
    benched: gauges(
      "avax_node_peers_benched",
      "Connected peers that are benched on a chain; absent without benched peers (info.peers, `benched`).",
      ["chain"],
      ({ answer }, context) =>
        topByName(
          answer.peers.flatMap(({ benched }) => benched.map((chain) => [chainLabel(context, chain), 1] as const)),
        ).map(([chain, value]) => [{ chain }, value]),
    ),
    withoutObservation: gauge(
      "avax_node_peers_without_observation",
      "Peers that observed no uptime of this node: before their first ping, or all of them when it is not a validator (info.peers, `observedUptime` 0).",
      ({ answer }) => answer.peers.filter(({ observedUptime }) => (observedUptime ?? 0) === 0).length,
    ),
    observed: gauges(
      "avax_node_peers_by_observed_uptime",
      "Peers by the uptime ratio that they observed of this node; ranges include their lower bound (info.peers, `observedUptime`).",
      ["range"],
      ({ answer }) =>
        byRange(
          UPTIME_BOUNDS,
          UPTIME_RANGES,
          answer.peers.flatMap(({ observedUptime }) =>
            observedUptime === undefined ? [] : [[observedUptime, 1] as const],
          ),
        ).map(([range, value]) => [{ range }, value]),
    ),
    silent: gauge(
      "avax_node_peers_silent",
      "Connected peers without a message for more than a minute, or without any message, by the node's clock (info.peers, `lastReceived`).",
      ({ answer }, context) => {
        const now = nodeTime(answer.peers, context);
        return answer.peers.filter(
          ({ lastReceived }) => lastReceived === undefined || now - lastReceived > SILENT_AFTER,
        ).length;
      },
    ),
    received: withoutPanel(
      DETAIL,
      gauges(
        "avax_node_peers_by_last_received_age",
        "Connected peers by the time since their last message; `never` without a message (info.peers, `lastReceived`).",
        ["age"],
        ({ answer }, context) => ages(answer.peers, context),
      ),
    ),
    watchedReceived: gauges(
      "avax_peer_last_received_timestamp_seconds",
      "Time of the last message from a watched validator that is a peer of this node; absent when it is not connected (info.peers, `lastReceived`).",
      ["node_id"],
      ({ answer }, { watch }) => {
        const watched = new Set(watch);
        return answer.peers
          .filter(({ nodeID }) => watched.has(nodeID))
          .map(({ nodeID, lastReceived }) => [{ node_id: nodeID }, lastReceived] as const);
      },
    ),
  },
);

/** The node's clock at the answer: the time of its latest message. Local time would add the skew between the clocks. */
function nodeTime(list: readonly Peer[], { time }: Context): number {
  let latest = 0;
  for (const { lastReceived, lastSent } of list) latest = Math.max(latest, lastReceived ?? 0, lastSent ?? 0);
  return latest === 0 ? time : latest;
}

/** Peers by the time since their last message. */
function ages(list: readonly Peer[], context: Context) {
  const now = nodeTime(list, context);
  const known = list.map(({ lastReceived }) => lastReceived).filter((time) => time !== undefined);
  const ranges = byRange(
    AGE_BOUNDS,
    AGE_RANGES,
    known.map((time) => [now - time, 1]),
  );
  return [...ranges, ["never", list.length - known.length] as const].map(([age, value]) => [{ age }, value] as const);
}
