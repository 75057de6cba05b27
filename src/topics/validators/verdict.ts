/** What an uptime means for the reward at the end of a staking period. */

/** A staking period as seen at a moment. Unix seconds and a ratio; of an auto-renewed validator, its current cycle. */
export type Period = {
  readonly start: number;
  readonly end: number;
  /** When the uptime was observed. */
  readonly at: number;
  /** Share of the time since the start, 0 to 1. */
  readonly uptime: number;
};

/** Seconds that the validator may still be offline and be paid; below 0 the reward is lost. Not clamped. */
export function downtimeBudget({ start, end, at, uptime }: Period, requirement: number): number {
  return rounded(uptime * (at - start) + (end - at) - requirement * (end - start), 3);
}

/** The uptime at the end when it is never offline again, 0 to 1; nothing for a period without length. */
export function attainableUptime({ start, end, at, uptime }: Period): number | undefined {
  return end <= start ? undefined : rounded((uptime * (at - start) + (end - at)) / (end - start), 12);
}

/** Uptime above the requirement; below 0 under it. */
export function uptimeMargin(uptime: number, requirement: number): number {
  return rounded(uptime - requirement, 12);
}

/** Seconds that a period allows to be offline from its first second to its last. */
export function downtimeAllowance({ start, end }: Pick<Period, "start" | "end">, requirement: number): number {
  return rounded((1 - requirement) * (end - start), 3);
}

/** Share of the allowance that is used up; nothing where nothing is allowed. May be above 1: then the reward is lost. */
export function spentAllowance(period: Period, requirement: number): number | undefined {
  const allowance = downtimeAllowance(period, requirement);
  return allowance <= 0 ? undefined : rounded(((1 - period.uptime) * (period.at - period.start)) / allowance, 12);
}

/** Takes away what floating point adds behind the digits that the answers carry. */
function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
