import type { ConnectedPeers, Peer } from "../../api/peer.ts";
import { PRIMARY } from "../../api/node/platform.ts";
import { perAnswer } from "../per-answer.ts";
import { share, stakesOf, type Stakes, type ValidatorSets } from "../stakes.ts";

/** Uptimes of a node as observed by the validators among its peers, weighted by their stake. */

/** Uptimes are ratios in whole percent, rounded down by the peers. */
export type Observation = {
  /** Share of all stake, without the node's own, that reported an uptime. 0 % means "not reported yet". */
  readonly observing: number;
  /** Of the reported uptimes; the median by stake. `undefined` without reports. */
  readonly least: number | undefined;
  readonly median: number | undefined;
  readonly most: number | undefined;
  /** Share of all stake that observed at least this uptime, including the node's own stake. */
  readonly stakeAbove: (threshold: number) => number | undefined;
};

/** `undefined` when the node is not a validator: peers measure only validators. */
export function observationOf(
  { peers, sets }: { readonly peers: ConnectedPeers | undefined; readonly sets: ValidatorSets | undefined },
  nodeId = "",
): Observation | undefined {
  const set = sets?.get(PRIMARY);
  if (peers === undefined || set === undefined) return undefined;
  return observe(peers.peers, stakesOf(set), nodeId);
}

/** Stake by observed uptime, lowest first. Peers report whole percent, so there are at most a hundred entries. */
type StakeByUptime = ReadonlyArray<{ readonly uptime: number; readonly stake: bigint }>;

const observe = perAnswer((peers: readonly Peer[], { byNode, total }: Stakes, nodeId: string) => {
  const own = byNode.get(nodeId);
  if (own === undefined) return undefined;
  const byUptime = new Map<number, bigint>();
  for (const { nodeID, observedUptime } of peers) {
    const stake = byNode.get(nodeID);
    if (nodeID === nodeId || stake === undefined || observedUptime === undefined || observedUptime === 0) continue;
    byUptime.set(observedUptime, (byUptime.get(observedUptime) ?? 0n) + stake);
  }
  const sorted = [...byUptime].map(([uptime, stake]) => ({ uptime, stake })).sort((a, b) => a.uptime - b.uptime);
  const observing = sorted.reduce((sum, { stake }) => sum + stake, 0n);
  const stakeFrom = (threshold: number) =>
    sorted.reduce((sum, { uptime, stake }) => (uptime >= threshold ? sum + stake : sum), own);
  return {
    observing: share(observing, total) ?? 0,
    least: sorted[0]?.uptime,
    median: medianOf(sorted, observing),
    most: sorted.at(-1)?.uptime,
    stakeAbove: (threshold: number) => share(stakeFrom(threshold), total),
  };
});

/** The uptime below which less than half of the stake is. */
function medianOf(sorted: StakeByUptime, observing: bigint): number | undefined {
  let below = 0n;
  for (const { uptime, stake } of sorted) {
    below += stake;
    if (below * 2n >= observing) return uptime;
  }
  return undefined;
}

/** With less stake reporting, the median does not represent the network. */
const ENOUGH_OBSERVING = 0.5;

/**
 * The uptime of a node as the network observes it: the median, once half of the stake reported. Peers round down to a whole
 * percent, so the middle of that percent is at most half a point wrong, and right on average; 100 % is exact. There is no
 * bracket: alerts and budgets need one figure, and half a point is at most a twentieth of a downtime budget.
 */
export function uptimeByPeers({ observing, median }: Partial<Observation> = {}): number | undefined {
  return (observing ?? 0) >= ENOUGH_OBSERVING && median !== undefined ? middleOf(median) : undefined;
}

/** The largest error of an uptime that peers report, a ratio; 100 % is exact. */
export function uptimeError(median: number): number {
  return middleOf(median) === median ? 0 : HALF_A_PERCENT;
}

const HALF_A_PERCENT = 0.005;

/**
 * The uptime in the middle of the whole percent that peers report. A server that reports fractions of a percent does not round
 * down.
 */
export function middleOf(uptime: number): number {
  const percent = Number((uptime * 100).toFixed(9));
  return uptime < 1 && Number.isInteger(percent) ? (percent + 0.5) / 100 : uptime;
}
