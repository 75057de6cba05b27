/** Consequences of an uptime for the reward at the end of a staking period. */

/** A staking period at a moment; of an auto-renewed validator, its current cycle. Times are Unix seconds. */
export type StakingPeriod = {
  readonly start: number;
  readonly end: number;
  /** When the uptime was observed. */
  readonly at: number;
  /** Ratio of the time since the start, 0 to 1. */
  readonly uptime: number;
};

/** The period up to its end: after that nothing can be attained or lost. */
export function periodOf(period: StakingPeriod): StakingPeriod {
  return { ...period, at: Math.max(period.start, Math.min(period.at, period.end)) };
}

/** Seconds of downtime left before the reward is lost; negative when it is lost. Not clamped. */
export function downtimeBudget({ start, end, at, uptime }: StakingPeriod, requirement: number): number {
  return rounded(uptime * (at - start) + (end - at) - requirement * (end - start), 3);
}

/** The uptime at the end without further downtime, 0 to 1; `undefined` for a period without length. */
export function attainableUptime({ start, end, at, uptime }: StakingPeriod): number | undefined {
  return end <= start ? undefined : rounded((uptime * (at - start) + (end - at)) / (end - start), 12);
}

/** When the uptime reaches the requirement without further downtime; `undefined` while it suffices. Unix seconds. */
export function recoveredAt(
  { start, at, uptime }: Omit<StakingPeriod, "end">,
  requirement: number,
): number | undefined {
  if (uptime >= requirement || requirement >= 1) return undefined;
  return Math.ceil(rounded((at - uptime * (at - start) - requirement * start) / (1 - requirement), 3));
}

/** Uptime minus requirement. */
export function uptimeMargin(uptime: number, requirement: number): number {
  return rounded(uptime - requirement, 12);
}

/** Downtime budget of the whole period, in seconds. */
export function wholeBudget({ start, end }: Pick<StakingPeriod, "start" | "end">, requirement: number): number {
  return rounded((1 - requirement) * (end - start), 3);
}

/** Used share of the downtime budget; above 1 the reward is lost. `undefined` without a budget. */
export function budgetUsed(period: StakingPeriod, requirement: number): number | undefined {
  const whole = wholeBudget(period, requirement);
  return whole <= 0 ? undefined : rounded(((1 - period.uptime) * (period.at - period.start)) / whole, 12);
}

/** Whether a validator with this downtime budget, in seconds, is rewarded at the end. A budget of 0 is just enough. */
export function isRewarded(budget: number): boolean {
  return budget >= 0;
}

/** Downtime without an interruption. Seconds; times are Unix seconds. */
export type DowntimeSpell = {
  readonly from: number;
  readonly seconds: number;
  /** End of the staking period: later downtime costs nothing. */
  readonly end: number;
};

/** The downtime budget in seconds after an outage, if the validator is online until it begins. */
export function budgetAfterOutage(budget: number, { from, seconds, end }: DowntimeSpell): number {
  return rounded(budget - Math.max(0, Math.min(seconds, end - from)), 3);
}

/** Removes floating-point errors beyond the precision of the answers. */
function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
