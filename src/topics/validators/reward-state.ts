import { quantile } from "../quantile.ts";
import { threshold } from "../define/threshold.ts";
import { isRewarded } from "./staking-period.ts";

/** Will a stake be rewarded? One judgement for alerts, pages, plans, reports and dashboards. */

/** An uptime with a margin below this is near its requirement. */
export const NEAR_REQUIREMENT_RATIO = 0.02;
/** An outage of a day is plausible, such as a crash on a weekend. Seconds. */
export const LITTLE_BUDGET = 86_400;
/** A day is long in a short period: from this share of the whole budget on, the remaining budget is not low. */
export const LITTLE_BUDGET_RATIO = 0.5;
/** A young stake quickly falls below the requirement: with more than this share of its budget left, it does not matter. */
export const INTACT_BUDGET_RATIO = 0.9;

/** Also of the page for a node that is down. */
export const littleBudget = threshold(
  "downtime-budget",
  "seconds",
  "when less downtime than this, and than half of the whole budget, is left before the reward is lost",
  { standard: LITTLE_BUDGET, least: 3_600, most: 30 * 86_400 },
);

/** The figures of a stake as one node observes it, or their medians. Seconds and ratios; `undefined` is unknown. */
export type RewardFigures = {
  readonly uptime: number | undefined;
  /** Uptime at the end without further downtime. */
  readonly attainable: number | undefined;
  /** Downtime left before the reward is lost; negative once it is. */
  readonly left: number | undefined;
  /** The same at the start of the period. */
  readonly whole: number | undefined;
  /** Uptime minus requirement. */
  readonly margin: number | undefined;
};

/** The medians of the observers: stake decides by majority, so a single bad observer does not count. */
export function verdictOf(observed: readonly RewardFigures[]): RewardFigures {
  const median = (of: keyof RewardFigures): number | undefined => {
    const values = observed.flatMap((each) => each[of] ?? []);
    return values.length === 0 ? undefined : Number(quantile(0.5, values).toFixed(12));
  };
  return {
    uptime: median("uptime"),
    attainable: median("attainable"),
    left: median("left"),
    whole: median("whole"),
    margin: median("margin"),
  };
}

/** The downtime left where it is less than half of the whole budget, and the reward is not lost; else infinite. Seconds. */
export function scarceDowntime(left: number, whole: number | undefined): number {
  return isRewarded(left) && left < LITTLE_BUDGET_RATIO * (whole ?? Infinity) ? left : Infinity;
}

/** How far the uptime is below its requirement where the stake is not young; else 0. Unknown figures are no reason. */
export function uptimeShortfall({ left, whole, margin }: Pick<RewardFigures, "left" | "whole" | "margin">): number {
  if (left === undefined || whole === undefined || margin === undefined) return 0;
  return margin < 0 && left <= INTACT_BUDGET_RATIO * whole ? -margin : 0;
}

/** The reward by what is observed. `at_risk`: hardly any downtime is left; `below_requirement`: it would be lost if the period ended now. */
export type RewardState = "safe" | "at_risk" | "below_requirement" | "lost";

/**
 * Judges a reward as the alerts do. Seconds, and a ratio.
 * @param little the limit of AvaxDowntimeBudgetLow
 */
export function rewardStateOf(
  { left, scarce, shortfall }: { readonly left: number; readonly scarce: number; readonly shortfall: number },
  little: number,
): RewardState {
  if (!isRewarded(left)) return "lost";
  if (scarce < little) return "at_risk";
  return shortfall > 0 ? "below_requirement" : "safe";
}
