import { rewardStateOf, type RewardState } from "../../topics/validators/reward-verdict-alerts.ts";
import { budgetAfterOutage, isRewarded } from "../../topics/validators/verdict.ts";
import type { StakeView } from "./validator-view.ts";

/** Whether a stake is still rewarded after an outage that begins now. Durations in seconds. */
export type OutageAnswer = {
  readonly seconds: number;
  /** By the median of the observers; `undefined` while the downtime budget is unknown. */
  readonly paid: boolean | undefined;
  readonly state: RewardState | undefined;
  /** Downtime budget after the outage. */
  readonly left: number | undefined;
  /** Whether the staking period ends before the outage. */
  readonly untilEnd: boolean;
  /** Observers whose own figure says "paid", of those with a figure. */
  readonly observersPaid: number;
  readonly observers: number;
};

export function outageOf(
  { budget, wholeBudget, end, observers }: Pick<StakeView, "budget" | "wholeBudget" | "end" | "observers">,
  from: number,
  seconds: number,
): OutageAnswer {
  // Without a known end the whole outage counts.
  const outage = { from, seconds, end: end ?? Infinity };
  const budgets = observers.flatMap((each) => (each.budget === undefined ? [] : [each.budget]));
  const left = budget === undefined ? undefined : budgetAfterOutage(budget, outage);
  return {
    seconds,
    paid: left === undefined ? undefined : isRewarded(left),
    state: left === undefined ? undefined : rewardStateOf(left, wholeBudget),
    left,
    untilEnd: from + seconds > outage.end,
    observersPaid: budgets.filter((each) => isRewarded(budgetAfterOutage(each, outage))).length,
    observers: budgets.length,
  };
}

/** Whether some observers would pay a stake and others would not. */
export function disagreeing({ observers }: Pick<StakeView, "observers">): boolean {
  const votes = new Set(observers.flatMap(({ budget }) => (budget === undefined ? [] : [isRewarded(budget)])));
  return votes.size > 1;
}
