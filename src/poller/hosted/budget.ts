/**
 * A budget of units per minute and per day, as two leaky buckets. Each holds a small share of its window's units and is refilled
 * with the rest over the window. A window of that length, wherever it begins, can use the share plus the refill at most, which
 * together are the budget; and spending is even.
 */

type Limits = {
  /** Units in any 60 seconds. */
  readonly perMinute: number;
  /** Units in any 24 hours. */
  readonly perDay: number;
};

/** `minute` and `day`: units that can be taken at once, by bucket. `at` is Unix seconds. */
export type Budget = {
  readonly limits: Limits;
  readonly at: number;
  /** Share of the minute's units that can be taken at once. */
  readonly share: number;
  readonly minute: number;
  readonly day: number;
  /** Units spent since the start. */
  readonly spent: number;
};

const MINUTE = 60;
const DAY = 86_400;
/** Share of a window's units that can be taken at once after a long pause. */
const SHARE = 0.1;
/** That of the minute for a person who waits, from the start on: a round of both services with few questions, in any minute. */
const SHARE_ATTENDED = 0.5;
/** Share of the day's units at the start of a process, because the spending of the previous process is unknown. */
const SHARE_AT_START = 0.01;
/** The most expensive request of the services. */
const LARGEST = 100;

/**
 * A budget at the start of the process: a hundredth of the day, and no units of the minute, because a process that restarts every few
 * seconds must not spend more. What a person starts at a terminal (`isAttended`) does not, and begins with half of them.
 */
export function newBudget(limits: Limits, now: number, isAttended = false): Budget {
  const share = isAttended ? SHARE_ATTENDED : SHARE;
  const minute = isAttended ? capacityOf(limits.perMinute, share) : 0;
  return { limits, at: now, share, minute, day: capacityOf(limits.perDay, SHARE_AT_START), spent: 0 };
}

/** The budget at `now`, possibly with other limits: saved units stay as far as these allow. A clock that was set back refills nothing. */
export function refilled(budget: Budget, now: number, limits = budget.limits): Budget {
  const passed = Math.max(0, now - budget.at);
  const minute = fill(budget.minute, limits.perMinute, budget.share, passed / MINUTE);
  return { ...budget, limits, at: now, minute, day: fill(budget.day, limits.perDay, SHARE, passed / DAY) };
}

const capacityOf = (units: number, share: number): number => Math.min(units, Math.max(LARGEST, units * share));

/** @param passed in windows */
function fill(level: number, units: number, share: number, passed: number): number {
  const capacity = capacityOf(units, share);
  return Math.min(capacity, level + (units - capacity) * passed);
}

/** The budget after taking units; `undefined` when they cannot be taken now. */
export function take(budget: Budget, units: number): Budget | undefined {
  const { minute, day, spent } = budget;
  if (minute < units || day < units) return undefined;
  return { ...budget, minute: minute - units, day: day - units, spent: spent + units };
}
