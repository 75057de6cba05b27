import { PRIMARY } from "../../api/node/platform.ts";
import { isBelowRequirement, rewardStateOf } from "../../topics/validators/reward-verdict-alerts.ts";
import { HARDLY_SPENT_RATIO, LEAST_REWARDING_RATIO } from "../../topics/validators/uptime.ts";
import { labelOf, type Facts } from "./facts.ts";
import type { Subject } from "./observers.ts";
import type { StakeFacts } from "./stake-facts.ts";
import type { Verdict, VerdictState } from "./validator-view.ts";

/** The period of a stake has paid out when the Data API lists a completed one that ended no longer before. Seconds. */
const SAME_END = 3600;

/** Will this stake be rewarded? It is at risk while one of the alerts about its reward is true. */
export function rewardOf(facts: Facts, subject: Subject, stake: StakeFacts, ownNodes: ReadonlySet<string>): Verdict {
  const { left, budget, wholeBudget, margin } = stake;
  if (left !== undefined) return afterLeaving(facts, subject, stake.subnet, left);
  if (budget === undefined) return whyUnknown(facts, subject, stake, ownNodes);
  const state = rewardStateOf(budget, wholeBudget);
  if (state !== "safe") return { state, reason: "budget" };
  if (isBelowRequirement(margin, budget, wholeBudget)) return { state: "at_risk", reason: "below_requirement" };
  const voters = stake.subnet === PRIMARY ? [...ownNodes] : [];
  return voters.some((node) => lacksVotes(facts, node))
    ? { state: "at_risk", reason: "rewarding_stake" }
    : { state, reason: "budget" };
}

/** The condition of the alert AvaxUptimeRewardAtRisk. */
function lacksVotes(facts: Facts, node: string): boolean {
  const rewarding = facts.value("rewarding", node);
  const used = facts.value("budgetUsed", node);
  if (rewarding === undefined || used === undefined) return false;
  return rewarding < LEAST_REWARDING_RATIO && used >= HARDLY_SPENT_RATIO;
}

function afterLeaving(
  facts: Facts,
  { network, nodeId }: Subject,
  subnet: string,
  { at, early }: NonNullable<StakeFacts["left"]>,
): Verdict {
  if (at === undefined) return { state: "none", reason: "not_in_set" };
  if (early === true) return { state: subnet === PRIMARY ? "lost" : "none", reason: "left_early" };
  const completed = facts.value("lastCompleted", nodeId, { network });
  const rewarded = facts.value("lastRewarded", nodeId, { network });
  const isKnown = subnet === PRIMARY && completed !== undefined && completed >= at - SAME_END;
  if (!isKnown || rewarded === undefined) return { state: "none", reason: "ended" };
  return rewarded === 1 ? { state: "safe", reason: "paid" } : { state: "lost", reason: "denied" };
}

function whyUnknown(
  facts: Facts,
  { network, nodeId }: Subject,
  { subnet, requirement }: StakeFacts,
  ownNodes: ReadonlySet<string>,
): Verdict {
  if (requirement === undefined && subnet !== PRIMARY) return { state: "none", reason: "no_reward" };
  const observing = facts.rows("observedUptime", nodeId, { network, subnet }).map((row) => labelOf(row, "node") ?? "");
  if (observing.some((node) => !ownNodes.has(node))) return { state: "unknown", reason: "no_requirement" };
  return { state: "unknown", reason: observing.length > 0 ? "silent_peers" : "no_observer" };
}

/** Worst first. What is unknown can be a risk. */
const WORST: readonly VerdictState[] = ["lost", "at_risk", "unknown", "safe", "none"];

export function worstFirst(a: VerdictState, b: VerdictState): number {
  return WORST.indexOf(a) - WORST.indexOf(b);
}

/** The worst verdict of several stakes; `undefined` without any. */
export function worstOf(verdicts: readonly Verdict[]): Verdict | undefined {
  return verdicts.toSorted((a, b) => worstFirst(a.state, b.state))[0];
}
