import type { Peer } from "../../api/node/info.ts";
import { share, type Stakes } from "../stake.ts";

/** What the validators among a node's peers say about the node's uptime, weighed with their stake. */

type Peers = { readonly peers: readonly Peer[] };

/** Uptimes are ratios in whole percent, rounded down by the peers. */
export type Observation = {
  /** Share of all stake, the node's own left out, that has said what it observed: 0 % stands for "not spoken yet". */
  readonly spoken: number;
  /** Of those who have spoken; the median by stake. Nothing while nobody has. */
  readonly least: number | undefined;
  readonly median: number | undefined;
  readonly most: number | undefined;
  /** Share of all stake that observed at least this uptime; the node's own stake grants it everything. */
  readonly granted: (threshold: number) => number | undefined;
};

const known = new WeakMap<
  Peers,
  { readonly nodeId: string; readonly stakes: Stakes; readonly observation: Observation }
>();

/** Nothing when the node is no validator: nobody measures it then. Worked out once for the same peers and stakes. */
export function observationOf(peers: Peers, stakes: Stakes, nodeId: string | undefined): Observation | undefined {
  const own = nodeId === undefined ? undefined : stakes.byNode.get(nodeId);
  if (own === undefined || nodeId === undefined) return undefined;
  const found = known.get(peers);
  if (found?.nodeId === nodeId && found.stakes === stakes) return found.observation;
  const observation = observe(peers.peers, stakes, nodeId, own);
  known.set(peers, { nodeId, stakes, observation });
  return observation;
}

/** Stake by the uptime that it saw, the lowest first: peers tell whole percent, so these are a hundred at most. */
type Seen = ReadonlyArray<{ readonly uptime: number; readonly stake: bigint }>;

function observe(peers: readonly Peer[], { byNode, total }: Stakes, nodeId: string, own: bigint): Observation {
  const byUptime = new Map<number, bigint>();
  let spoken = 0n;
  for (const { nodeID, observedUptime } of peers) {
    const stake = byNode.get(nodeID);
    if (nodeID === nodeId || stake === undefined || observedUptime === undefined || observedUptime === 0) continue;
    byUptime.set(observedUptime, (byUptime.get(observedUptime) ?? 0n) + stake);
    spoken += stake;
  }
  const seen = [...byUptime].map(([uptime, stake]) => ({ uptime, stake })).sort((a, b) => a.uptime - b.uptime);
  return {
    spoken: share(spoken, total) ?? 0,
    least: seen[0]?.uptime,
    median: medianOf(seen, spoken),
    most: seen.at(-1)?.uptime,
    granted: (threshold) =>
      share(
        seen.reduce((sum, { uptime, stake }) => (uptime >= threshold ? sum + stake : sum), own),
        total,
      ),
  };
}

/** The uptime below which less than half of the stake is. */
function medianOf(seen: Seen, spoken: bigint): number | undefined {
  let below = 0n;
  for (const { uptime, stake } of seen) {
    below += stake;
    if (below * 2n >= spoken) return uptime;
  }
  return undefined;
}

/** With less of the stake having spoken the median says nothing about the network. */
const ENOUGH_SPOKEN = 0.5;

/** The uptime that the network sees of a node: the median of those who have spoken, once they are half of the stake. */
export function uptimeByPeers({ spoken, median }: Observation): number | undefined {
  return spoken >= ENOUGH_SPOKEN ? median : undefined;
}
