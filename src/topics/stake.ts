import { PRIMARY, type Validator } from "../api/node/platform.ts";
import type { Answer } from "../api/endpoint.ts";
import { perAnswer } from "./per-answer.ts";

/** Stake of the Primary Network by validator: the weight of votes about uptime, upgrades and rewards. */

/** Answer about one validator set. */
type ValidatorSet = { readonly validators: readonly Validator[] };
/** Answers by subnet ID or `primary`. */
export type ValidatorSets = ReadonlyMap<string, ValidatorSet>;

/** nAVAX by node ID and in total. Delegations are included, as in the votes of nodes. */
export type Stakes = { readonly byNode: ReadonlyMap<string, bigint>; readonly total: bigint };

/** The last stakes of a few networks: the set is polled every minute and rarely changes. */
const recent: Stakes[] = [];
const RECENT = 4;

/** Stakes of the Primary Network's set. Equal stakes are the same object, so that results computed from them can be cached. */
export const stakesOf = perAnswer(({ validators }: ValidatorSet): Stakes => {
  const byNode = new Map<string, bigint>();
  let total = 0n;
  for (const { nodeID, weight, delegatorWeight } of validators) {
    const stake = weight + (delegatorWeight ?? 0n);
    byNode.set(nodeID, (byNode.get(nodeID) ?? 0n) + stake);
    total += stake;
  }
  const equal = recent.find((each) => each.total === total && same(each.byNode, byNode));
  if (equal !== undefined) return equal;
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

/** The Primary Network's set of the first node of a comparison that has it. */
export function primarySetOf(
  members: ReadonlyArray<{
    readonly answers: { readonly sets: ReadonlyMap<string, Answer<ValidatorSet>> | undefined };
  }>,
): ValidatorSet | undefined {
  for (const { answers } of members) {
    const set = answers.sets?.get(PRIMARY);
    if (set !== undefined) return set.value;
  }
  return undefined;
}

/** A ratio from 0 to 1; `undefined` when the total is 0. */
export function share(part: bigint, total: bigint): number | undefined {
  return total === 0n ? undefined : Number(part) / Number(total);
}

function same(a: ReadonlyMap<string, bigint>, b: ReadonlyMap<string, bigint>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (b.get(key) !== value) return false;
  return true;
}
