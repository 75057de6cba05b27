import type { Validator } from "../api/node/platform.ts";
import { perAnswer } from "./per-answer.ts";

/** Who holds how much of the Primary Network's stake: what votes about uptime, upgrades and rewards are weighed with. */

/** Answer about one validator set. */
export type ValidatorSet = { readonly validators: readonly Validator[] };
/** Answers by subnet ID or `primary`. */
export type ValidatorSets = ReadonlyMap<string, ValidatorSet>;

/** nAVAX by node ID, delegations included as in the node's own votes, and of all validators together. */
export type Stakes = { readonly byNode: ReadonlyMap<string, bigint>; readonly total: bigint };

/** The stakes of the last few networks: the set is asked for every minute and hardly ever changes. */
const recent: Stakes[] = [];
const RECENT = 4;

/**
 * Stakes of the Primary Network's set. The same stakes are the same object, so that what was worked out with them need
 * not be worked out again when the set is asked for once more.
 */
export const stakesOf = perAnswer(({ validators }: ValidatorSet): Stakes => {
  const byNode = new Map<string, bigint>();
  let total = 0n;
  for (const { nodeID, weight, delegatorWeight } of validators) {
    const stake = weight + (delegatorWeight ?? 0n);
    byNode.set(nodeID, (byNode.get(nodeID) ?? 0n) + stake);
    total += stake;
  }
  const known = recent.find((each) => each.total === total && same(each.byNode, byNode));
  if (known !== undefined) return known;
  const stakes = { byNode, total };
  recent.unshift(stakes);
  recent.splice(RECENT);
  return stakes;
});

/** Records of a set by node ID. */
export const recordsOf = perAnswer(
  ({ validators }: ValidatorSet): ReadonlyMap<string, Validator> =>
    new Map(validators.map((each) => [each.nodeID, each])),
);

/** A part of a sum, 0 to 1; nothing when there is no sum to be a part of. */
export function share(part: bigint, total: bigint): number | undefined {
  return total === 0n ? undefined : Number(part) / Number(total);
}

function same(a: ReadonlyMap<string, bigint>, b: ReadonlyMap<string, bigint>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (b.get(key) !== value) return false;
  return true;
}
