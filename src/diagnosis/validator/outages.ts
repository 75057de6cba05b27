import { rewardStateOf } from "../../topics/validators/reward-verdict.ts";
import { budgetAfterOutage, isRewarded } from "../../topics/validators/verdict.ts";
import type { StakeView } from "./stakes.ts";

/** The answer for one outage. */
export type OutageAnswer = ReturnType<typeof outageOf>;

/** Whether a stake is still rewarded after an outage that begins now. Durations in seconds. */
export function outageOf(
  { budget, wholeBudget, end, observers }: Pick<StakeView, "budget" | "wholeBudget" | "end" | "observers">,
  from: number,
  seconds: number,
) {
  // Without a known end the whole outage counts.
  const outage = { from, seconds, end: end ?? Infinity };
  const budgets = observers.flatMap((each) => (each.budget === undefined ? [] : [each.budget]));
  const left = budget === undefined ? undefined : budgetAfterOutage(budget, outage);
  return {
    seconds,
    /** By the median of the observers; `undefined` while the downtime budget is unknown. */
    paid: left === undefined ? undefined : isRewarded(left),
    state: left === undefined ? undefined : rewardStateOf(left, wholeBudget),
    /** Downtime budget after the outage. */
    left,
    /** Whether the staking period ends before the outage. */
    untilEnd: from + seconds > outage.end,
    /** Observers whose own figure says "paid", of those with a figure. */
    observersPaid: budgets.filter((each) => isRewarded(budgetAfterOutage(each, outage))).length,
    observers: budgets.length,
  };
}

/** Whether some observers would pay a stake and others would not. */
export function disagreeing({ observers }: Pick<StakeView, "observers">): boolean {
  const votes = new Set(observers.flatMap(({ budget }) => (budget === undefined ? [] : [isRewarded(budget)])));
  return votes.size > 1;
}
