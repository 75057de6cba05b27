/** How long the balance of an L1 validator lasts, and the price where no server reports it. */

/** AVAX, AVAX per second, and Unix seconds. */
export type Balance = {
  readonly balance: number;
  readonly price: number;
  /** The P-Chain's clock at which the balance applies. */
  readonly asOf: number;
  /** Now. */
  readonly at: number;
};

/**
 * Seconds until the balance is used up. The time since the P-Chain's clock last moved is subtracted, because the fee accrues
 * between blocks. 0 when the next block will use the balance up; `undefined` without a price.
 */
export function runwayOf({ balance, price, asOf, at }: Balance): number | undefined {
  if (price <= 0) return undefined;
  return Math.max(0, Number((balance / price - (at - asOf)).toFixed(3)));
}

/** A balance and the time of the first answer with it: a block, with an error of one poll interval. */
type Point = { readonly balance: number; readonly at: number };
/** Selected falls of one balance, oldest first; the last is the latest. `balance` is the present one. */
export type Falls = { readonly balance: number; readonly points: readonly Point[] };

/** Over a shorter span the error of the poll interval dominates the price. Seconds. */
const LEAST_SPAN = 600;
const MOST_POINTS = 24;

/**
 * Adds a balance. Balances only change with the P-Chain's blocks, so only the times right after a change can be compared. A
 * balance that grew was topped up, which invalidates the earlier falls.
 */
export function fell(falls: Falls | undefined, balance: number, at: number): Falls {
  if (falls === undefined || balance > falls.balance) return { balance, points: [] };
  if (balance === falls.balance) return falls;
  const [last, before] = [falls.points.at(-1), falls.points.at(-2)];
  const tooNear = last !== undefined && before !== undefined && last.at - before.at < LEAST_SPAN;
  const kept = tooNear ? falls.points.slice(0, -1) : falls.points;
  return { balance, points: [...kept, { balance, at }].slice(-MOST_POINTS) };
}

/** AVAX per second by which a balance fell; `undefined` until the falls span `LEAST_SPAN`. */
export function observedPrice({ points }: Falls): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < LEAST_SPAN) return undefined;
  return (first.balance - last.balance) / (last.at - first.at);
}
