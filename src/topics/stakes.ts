import { PRIMARY, type Validator } from "../api/node/platform.ts";
import type { Answer } from "../api/endpoint.ts";
import { perAnswer } from "./per-answer.ts";

/** Stake of the Primary Network by validator: the weight of votes about uptime, upgrades and rewards. */

/** Answer about one validator set. */
export type ValidatorSet = { readonly validators: readonly Validator[] };
/** Answers by subnet ID or `primary`. */
export type ValidatorSets = ReadonlyMap<string, ValidatorSet>;

/** nAVAX by node ID and in total. Delegations are included, as in the votes of nodes. */
export type Stakes = { readonly byNode: ReadonlyMap<string, bigint>; readonly total: bigint };

/** Weight of a validator's vote: delegations are included. */
export const weightOf = ({ weight, delegatorWeight = 0n }: Validator): bigint => weight + delegatorWeight;

export const totalWeight = (validators: readonly Validator[]): bigint =>
  validators.reduce((sum, validator) => sum + weightOf(validator), 0n);

/** A member of an L1 is active while it has a balance; a staker of a subnet is always active. */
export function isActive({ validationID, balance }: Validator): boolean {
  return validationID === undefined || balance === undefined || balance > 0;
}

/** Whether every weight is known: a validator with a delegation fee has delegations, also where the server leaves them out. */
export const isWeighed = perAnswer(({ validators }: ValidatorSet): boolean =>
  validators.every(
    ({ delegationFee, delegatorWeight }) => delegationFee === undefined || delegatorWeight !== undefined,
  ),
);

/** Stakes of the Primary Network's set; none, so that no share of it is known, where a weight is unknown. */
export const stakesOf = perAnswer((set: ValidatorSet): Stakes => {
  const byNode = new Map<string, bigint>();
  let total = 0n;
  if (!isWeighed(set)) return { byNode, total };
  const { validators } = set;
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
    new Map(validators.map((validator) => [validator.nodeID, validator])),
);

/** The Primary Network's set of the first node of a comparison that has it. */
export function primarySetOf(
  members: ReadonlyArray<{
    readonly answers: { readonly sets: ReadonlyMap<string, Answer<ValidatorSet>> | undefined };
  }>,
): ValidatorSet | undefined {
  return members.map(({ answers }) => answers.sets?.get(PRIMARY)?.value).find((set) => set !== undefined);
}

/** A ratio from 0 to 1; `undefined` when the total is 0. */
export function share(part: bigint, total: bigint): number | undefined {
  return total === 0n ? undefined : Number(part) / Number(total);
}
