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

/** Weight of a validator's vote: delegations are included. */
export const weightOf = ({ weight, delegatorWeight = 0n }: Validator): bigint => weight + delegatorWeight;

/** Stakes of the Primary Network's set. */
export const stakesOf = perAnswer(({ validators }: ValidatorSet): Stakes => {
  const byNode = new Map<string, bigint>();
  let total = 0n;
  for (const each of validators) {
    const stake = weightOf(each);
    byNode.set(each.nodeID, (byNode.get(each.nodeID) ?? 0n) + stake);
    total += stake;
  }
  return { byNode, total };
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
