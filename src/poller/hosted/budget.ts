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

type Bucket = { readonly capacity: number; readonly perSecond: number };

/** `minute` and `day`: units that can be taken at once, by bucket. `at` is Unix seconds. */
export type Budget = {
  readonly limits: Limits;
  readonly at: number;
  readonly minute: number;
  readonly day: number;
  /** Units spent since the start. */
  readonly spent: number;
};

const MINUTE = 60;
const DAY = 86_400;
/** Share of a window's units that can be taken at once after a long pause. */
const SHARE = 0.1;
/** Share of the day's units at the start of a process, because the spending of the previous process is unknown. */
const SHARE_AT_START = 0.01;
/** The most expensive request of the services. */
const LARGEST = 100;

function bucketsOf({ perMinute, perDay }: Limits): { readonly minute: Bucket; readonly day: Bucket } {
  return { minute: bucket(perMinute, MINUTE), day: bucket(perDay, DAY) };
}

function bucket(units: number, window: number): Bucket {
  const capacity = Math.min(units, Math.max(LARGEST, units * SHARE));
  return { capacity, perSecond: (units - capacity) / window };
}

/** A budget at the start of the process: no units of the minute, a hundredth of the day. */
export function newBudget(limits: Limits, now: number): Budget {
  const day = Math.max(LARGEST, limits.perDay * SHARE_AT_START);
  return { limits, at: now, minute: 0, day: Math.min(bucketsOf(limits).day.capacity, day), spent: 0 };
}

/** The budget at `now`; a clock that was set back refills nothing. */
export function refilled(budget: Budget, now: number): Budget {
  const { minute, day } = bucketsOf(budget.limits);
  const passed = Math.max(0, now - budget.at);
  return { ...budget, at: now, minute: fill(budget.minute, minute, passed), day: fill(budget.day, day, passed) };
}

function fill(level: number, { capacity, perSecond }: Bucket, seconds: number): number {
  return Math.min(capacity, level + perSecond * seconds);
}

/** The budget with other limits; saved units stay as far as the new limits allow. */
export function limited(budget: Budget, limits: Limits, now: number): Budget {
  const saved = refilled(budget, now);
  const { minute, day } = bucketsOf(limits);
  return { ...saved, limits, minute: Math.min(saved.minute, minute.capacity), day: Math.min(saved.day, day.capacity) };
}

/** Seconds until the units can be taken; 0 when they can be taken now, `Infinity` when they never can. */
export function waitFor(budget: Budget, units: number): number {
  const { minute, day } = bucketsOf(budget.limits);
  return Math.max(lacking(budget.minute, minute, units), lacking(budget.day, day, units));
}

function lacking(level: number, { capacity, perSecond }: Bucket, units: number): number {
  if (level >= units) return 0;
  return units > capacity || perSecond <= 0 ? Infinity : (units - level) / perSecond;
}

/**
 * The budget after taking units.
 * @throws RangeError when they cannot be taken now
 */
export function take(budget: Budget, units: number): Budget {
  if (waitFor(budget, units) > 0) throw new RangeError(`${units} units are more than the budget has now`);
  return { ...budget, minute: budget.minute - units, day: budget.day - units, spent: budget.spent + units };
}
