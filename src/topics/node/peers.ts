import { Peers } from "../../api/node/info.ts";
import { INVALID_TIME, LATE_TIME, type Peer, type PeerList } from "../../api/peer.ts";
import { byRange, topByName, UPTIME_BOUNDS, UPTIME_RANGES } from "../labels.ts";
import { chainIds, checkLabel } from "../chain-ids.ts";
import { gauge, gauges } from "../define/metric.ts";
import { optional } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { Health, type HealthReport } from "../../api/node/health.ts";
import { nodeHealthOf } from "./health-messages.ts";
import { perAnswer } from "../per-answer.ts";

/** A node with fewer peers is hardly connected to the network. */
export const FEW_PEERS = 5;
/** A peer without a message for this long is silent: the limit of the node's health check. Seconds. */
const SILENT_AFTER = 60;

export const peerCount = topic(
  {
    id: "peer-count",
    about: "How many peers is the node connected to?",
    scope: "node",
    needs: { answer: optional(Peers), report: optional(Health) },
  },
  {
    count: gauge(
      "avax_node_peers",
      "Connected peers (info.peers, `numPeers`, else health API, check network: `connectedPeers`).",
      ({ answer, report }) => peersOf(answer, report),
    ),
  },
);

export const peers = topic(
  {
    id: "peers",
    about: "Which peers is the node connected to, and which are silent?",
    scope: "node",
    needs: { answer: Peers, ids: chainIds },
  },
  {
    version: gauges(
      "avax_node_peers_by_version",
      "Connected peers by advertised version; the rarest are summed as `other` (info.peers, `version`).",
      ["version"],
      ({ answer }) => topByName(countsOf(answer.peers).byVersion).map(([version, value]) => [{ version }, value]),
    ),
    tracking: gauges(
      "avax_node_peers_tracking_subnet",
      "Connected peers that track a configured subnet; absent where a peer has no such list (info.peers, `trackedSubnets`).",
      ["subnet"],
      ({ answer }, { subnets }) => {
        const { bySubnet } = countsOf(answer.peers);
        return bySubnet === undefined ? [] : subnets.map(({ id }) => [{ subnet: id }, bySubnet.get(id) ?? 0]);
      },
    ),
    benched: gauges(
      "avax_node_peers_benched",
      "Connected peers that are benched on a chain; absent without benched peers, and where a peer has no such list (info.peers, `benched`).",
      ["chain"],
      ({ answer, ids }, context) => {
        const counts = Array.from(countsOf(answer.peers).benchedByChain);
        return topByName(counts.map(([chain, value]) => [checkLabel(context, ids, chain), value])).map(
          ([chain, value]) => [{ chain }, value],
        );
      },
    ),
    withoutObservation: gauge(
      "avax_node_peers_without_observation",
      "Peers that observed no uptime of this node: before their first ping, or all of them when it is not a validator (info.peers, `observedUptime` 0).",
      ({ answer }) => answer.peers.length - countsOf(answer.peers).observing,
    ),
    observed: gauges(
      "avax_node_peers_by_observed_uptime",
      "Peers by the uptime ratio that they observed of this node; ranges include their lower bound (info.peers, `observedUptime`).",
      ["range"],
      ({ answer }) =>
        byRange(UPTIME_BOUNDS, UPTIME_RANGES, countsOf(answer.peers).byUptime).map(([range, value]) => [
          { range },
          value,
        ]),
    ),
    silent: gauge(
      "avax_node_peers_silent",
      "Connected peers without a message for more than a minute, or without any message, by the node's clock; absent where the time of a peer cannot be read (info.peers, `lastReceived`).",
      ({ answer }) => agesOf(answer).silent,
    ),
    watchedReceived: gauges(
      "avax_peer_last_received_timestamp_seconds",
      "Time of the last message from a watched validator that is a peer of this node; absent when it is not connected (info.peers, `lastReceived`).",
      ["node_id"],
      ({ answer }, context) =>
        watchedIn(answer.peers, context.watch).flatMap(({ nodeID, index }) => {
          const at = receivedFrom(answer, index);
          return at === INVALID_TIME ? [] : [[{ node_id: nodeID }, at === LATE_TIME ? undefined : at] as const];
        }),
    ),
  },
);

/** The number of peers, which a node can report in two places. */
export function peersOf(
  answer: { readonly numPeers: number | undefined } | undefined,
  report: HealthReport | undefined,
): number | undefined {
  return answer?.numPeers ?? (report === undefined ? undefined : nodeHealthOf(report).connectedPeers);
}

/** Counts of peers, in one pass: a fleet sends more peers than anything else. */
const countsOf = perAnswer((peers: readonly Peer[]) => {
  const byVersion = new Map<string, number>();
  const bySubnet = new Map<string, number>();
  const benchedByChain = new Map<string, number>();
  const byUptime = new Map<number, number>();
  let [observing, known, benchKnown] = [0, true, true];
  for (const { version, trackedSubnets, benched, observedUptime } of peers) {
    add(byVersion, version);
    for (const subnet of trackedSubnets ?? []) add(bySubnet, subnet);
    for (const chain of benched ?? []) add(benchedByChain, chain);
    known &&= trackedSubnets !== undefined;
    benchKnown &&= benched !== undefined;
    if (observedUptime !== undefined) add(byUptime, observedUptime);
    if ((observedUptime ?? 0) !== 0) observing++;
  }
  // Where a list of a peer is unknown the sum would be too small.
  if (!benchKnown) benchedByChain.clear();
  return { byVersion, bySubnet: known ? bySubnet : undefined, benchedByChain, byUptime, observing };
});

/** Those of some validators, with their places in the list. */
const watchedIn = perAnswer((peers: readonly Peer[], watch: readonly string[]) => {
  const watched = new Set(watch);
  return peers.flatMap(({ nodeID }, index) => (watched.has(nodeID) ? [{ nodeID, index }] : []));
});

/** Peers by the time since their last message. */
export const agesOf = perAnswer((answer: PeerList) => {
  let [silent, unknown, invalid] = [0, 0, 0];
  // The node's clock at the answer is the time of its latest message. Local time would add the skew between the clocks.
  let newest = answer.latestSent;
  for (const at of answer.received) if (at !== LATE_TIME && at > newest) newest = at;
  for (const at of answer.received) {
    if (at === INVALID_TIME) invalid++;
    else if (at === LATE_TIME) unknown++;
    else if (Number.isNaN(at) || newest - at > SILENT_AFTER) silent++;
  }
  return { silent: invalid === 0 ? silent : undefined, unknown };
});

/** When the last message of a peer came, in Unix seconds; `undefined` without one. */
function receivedFrom({ received }: PeerList, index: number): number | undefined {
  const at = received[index];
  return at === undefined || Number.isNaN(at) ? undefined : at;
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
