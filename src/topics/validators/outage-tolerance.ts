import { loopOutages, type Reach } from "../reach.ts";
import { scarceDowntime } from "./reward-state.ts";
import type { WatchedStake } from "./watched-stake.ts";

/** How long a node's outages can go on before they cost a reward of its validator. Infinite while nothing is in danger. Seconds. */

/** Outages of a crash loop: the standard of the threshold `crash-loop`. */
export const LOOP_OUTAGES = 3;
/** What the pace of a crash loop is measured by. Seconds. */
const PACE_WITHIN = 1800;

/** Of a node that does not answer and that no other one is connected to. */
export function outageTolerance(stakes: readonly WatchedStake[]): number {
  return Math.min(
    ...stakes.map(({ figures: { left, whole } }) => (left === undefined ? Infinity : scarceDowntime(left, whole))),
  );
}

/** Of a node that keeps coming and going, if it goes on at its pace: a budget that lasts until the end of the stake is not used up. */
export function loopTolerance(stakes: readonly WatchedStake[], record: Reach, now: number): number {
  const pace = paceOf(record, now);
  const spans = stakes.flatMap(({ figures: { left }, end }) => {
    const lasts = left === undefined || left < 0 ? Infinity : left / pace;
    return lasts < end - now ? [lasts] : [];
  });
  return Math.min(...spans);
}

/** The share of the last half hour in which a looping node did not answer; 0 for one that does not loop. It stays while the node is down: nothing is over then. */
function paceOf(record: Reach, now: number): number {
  const loop = loopOutages(record, now);
  if (loop.length < LOOP_OUTAGES) return 0;
  const down = loop.reduce((sum, { from, to = now }) => sum + Math.max(0, to - Math.max(from, now - PACE_WITHIN)), 0);
  return down / PACE_WITHIN;
}
