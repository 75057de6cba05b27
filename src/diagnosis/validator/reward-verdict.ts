import { PRIMARY } from "../../api/node/platform.ts";
import { rewardStateOf, type RewardState } from "../../topics/validators/reward-state.ts";
import { LEAST_REWARDING_RATIO } from "../../topics/validators/uptime.ts";
import { labelOf } from "../samples.ts";
import { rowsOf, valueOf, type ValidatorFacts } from "./validator-facts.ts";
import type { Subject } from "./observers-of.ts";

/** `none`: there is no reward to wait for. One below its requirement is at risk. */
export type VerdictState = Exclude<RewardState, "below_requirement"> | "unknown" | "none";

export type VerdictReason =
  /** The downtime budget decides. */
  | "budget"
  /** It would not be rewarded if the period ended now. */
  | "below_requirement"
  /** Too little stake observed enough uptime of the node. */
  | "rewarding_stake"
  | "left_early"
  | "ended"
  | "paid"
  | "denied"
  /** A member of a permissioned subnet, or of an elastic one whose requirement is not configured. */
  | "no_reward"
  | "only_l1"
  | "not_in_set"
  | "not_a_validator"
  /** No answer about the validator set. */
  | "no_set"
  | "no_node_id"
  | "no_requirement"
  | "no_observer"
  /** Only the node itself observes, and less than half of all stake has reported to it. */
  | "silent_peers";

export type RewardVerdict = { readonly state: VerdictState; readonly reason: VerdictReason };

/** The period of a stake has paid out when the Data API lists a completed one that ended no longer before. Seconds. */
const SAME_END = 3600;

/** What decides about the reward of a stake; `left` while it is no longer in the set. */
type Judged = Readonly<Record<"requirement" | "budget" | "scarce" | "shortfall", number | undefined>> & {
  /** The limit of AvaxDowntimeBudgetLow. Seconds. */
  readonly atRiskBelow: number;
  readonly subnet: string;
  readonly left: { readonly at: number | undefined; readonly early: boolean | undefined } | undefined;
};

/** Will this stake be rewarded? It is at risk while one of the alerts about its reward is true. */
export function rewardOf(facts: ValidatorFacts, subject: Subject, stake: Judged): RewardVerdict {
  const { left, budget, scarce = Infinity, shortfall = 0, atRiskBelow } = stake;
  if (left !== undefined) return afterLeaving(facts, subject, stake.subnet, left);
  if (budget === undefined) return whyUnknown(facts, subject, stake);
  const state = rewardStateOf({ left: budget, scarce, shortfall }, atRiskBelow);
  if (state === "below_requirement") return { state: "at_risk", reason: state };
  if (state !== "safe") return { state, reason: "budget" };
  const voters = stake.subnet === PRIMARY ? [...subject.ownNodes] : [];
  return voters.some((node) => lacksVotes(facts, node))
    ? { state: "at_risk", reason: "rewarding_stake" }
    : { state, reason: "budget" };
}

/** The condition of the alert AvaxUptimeRewardAtRisk. */
function lacksVotes({ own }: ValidatorFacts, node: string): boolean {
  return (valueOf(own.votes, node) ?? Infinity) < LEAST_REWARDING_RATIO;
}

function afterLeaving(
  { validator }: ValidatorFacts,
  { network, nodeId }: Subject,
  subnet: string,
  { at, early }: NonNullable<Judged["left"]>,
): RewardVerdict {
  if (at === undefined) return { state: "none", reason: "not_in_set" };
  if (early === true) return { state: subnet === PRIMARY ? "lost" : "none", reason: "left_early" };
  const completed = valueOf(validator.lastCompleted, nodeId, { network }) ?? -Infinity;
  const rewarded = valueOf(validator.lastRewarded, nodeId, { network });
  if (subnet !== PRIMARY || completed < at - SAME_END || rewarded === undefined)
    return { state: "none", reason: "ended" };
  return rewarded === 1 ? { state: "safe", reason: "paid" } : { state: "lost", reason: "denied" };
}

function whyUnknown(
  { observed }: ValidatorFacts,
  { network, nodeId, ownNodes }: Subject,
  { subnet, requirement }: Judged,
): RewardVerdict {
  if (requirement === undefined && subnet !== PRIMARY) return { state: "none", reason: "no_reward" };
  const observing = rowsOf(observed.uptime, nodeId, { network, subnet }).map((row) => labelOf(row, "node") ?? "");
  if (observing.some((node) => !ownNodes.has(node))) return { state: "unknown", reason: "no_requirement" };
  return { state: "unknown", reason: observing.length > 0 ? "silent_peers" : "no_observer" };
}

/** Worst first. What is unknown can be a risk. */
const WORST: readonly VerdictState[] = ["lost", "at_risk", "unknown", "safe", "none"];

export function worstFirst(a: VerdictState, b: VerdictState): number {
  return WORST.indexOf(a) - WORST.indexOf(b);
}

/** The worst verdict of several stakes; `undefined` without any. */
export function worstOf(verdicts: readonly RewardVerdict[]): RewardVerdict | undefined {
  return verdicts.toSorted((a, b) => worstFirst(a.state, b.state))[0];
}
