import { DETAIL, withoutPanel } from "../../catalogue/without-panel.ts";
import { Peers } from "../../api/node/info.ts";
import type { Peer } from "../../api/peer.ts";
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
        topByName(counted(answer.peers, ({ version }) => version)).map(([version, value]) => [{ version }, value]),
    ),
    tracking: gauges(
      "avax_node_peers_tracking_subnet",
      "Connected peers that track a configured subnet (info.peers, `trackedSubnets`).",
      ["subnet"],
      ({ answer }, { subnets }) =>
        subnets.map(({ id }) => [
          { subnet: id },
          countOf(answer.peers, ({ trackedSubnets }) => trackedSubnets.includes(id)),
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
      ({ answer }) => countOf(answer.peers, ({ observedUptime }) => (observedUptime ?? 0) === 0),
    ),
    observed: gauges(
      "avax_node_peers_by_observed_uptime",
      "Peers by the uptime ratio that they observed of this node; ranges include their lower bound (info.peers, `observedUptime`).",
      ["range"],
      ({ answer }) =>
        byRange(
          UPTIME_BOUNDS,
          UPTIME_RANGES,
          counted(answer.peers, ({ observedUptime }) => observedUptime),
        ).map(([range, value]) => [{ range }, value]),
    ),
    silent: gauge(
      "avax_node_peers_silent",
      "Connected peers without a message for more than a minute, or without any message, by the node's clock (info.peers, `lastReceived`).",
      ({ answer }, context) => {
        const now = nodeTime(answer.peers, context);
        return countOf(
          answer.peers,
          ({ lastReceived }) => lastReceived === undefined || now - lastReceived > SILENT_AFTER,
        );
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

/** How many peers have each value; without the peers that have none. A list of 1,200 is read without a copy of it. */
function counted<V>(list: readonly Peer[], valueOf: (peer: Peer) => V | undefined): ReadonlyMap<V, number> {
  const counts = new Map<V, number>();
  for (const peer of list) {
    const value = valueOf(peer);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function countOf(list: readonly Peer[], isCounted: (peer: Peer) => boolean): number {
  let count = 0;
  for (const peer of list) if (isCounted(peer)) count++;
  return count;
}

/** Peers by the time since their last message. */
function ages(list: readonly Peer[], context: Context) {
  const now = nodeTime(list, context);
  const never = countOf(list, ({ lastReceived }) => lastReceived === undefined);
  const known = counted(list, ({ lastReceived }) => (lastReceived === undefined ? undefined : now - lastReceived));
  const ranges = byRange(AGE_BOUNDS, AGE_RANGES, known);
  return [...ranges, ["never", never] as const].map(([age, value]) => [{ age }, value] as const);
}
