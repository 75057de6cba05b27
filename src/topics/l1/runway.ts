/** How long the balance of an L1 validator lasts, and the price of its second where no server tells it. */

/** AVAX, AVAX per second, and Unix seconds. */
export type Balance = {
  readonly balance: number;
  /** What the validator pays for a second. */
  readonly price: number;
  /** The P-Chain's clock when the balance was this. */
  readonly asOf: number;
  /** Now. */
  readonly at: number;
};

/**
 * Seconds until the balance is used up: what it pays for, less the time since the P-Chain's clock last moved, because
 * the fee goes on while its balances stand. 0 when it is used up and the next block will say so; nothing without a price.
 */
export function runwayOf({ balance, price, asOf, at }: Balance): number | undefined {
  if (price <= 0) return undefined;
  return Math.max(0, Number((balance / price - (at - asOf)).toFixed(3)));
}

/** A balance when it was first seen: right after a block, to the interval of the polls. */
type Point = { readonly balance: number; readonly at: number };
/** Falls of one balance, oldest first, thinned out; the last is the latest. `balance` is the last one that was seen. */
export type Falls = { readonly balance: number; readonly points: readonly Point[] };

/** A price worked out over less time would be mostly the error of the polls' interval. Seconds. */
const LEAST_SPAN = 600;
const MOST_POINTS = 24;

/**
 * Takes in a balance. Balances stand between the P-Chain's blocks and then jump, so only the moments right after a jump
 * can be compared. A balance that grew was topped up: what was known before says nothing any more.
 */
export function fell(known: Falls | undefined, balance: number, at: number): Falls {
  if (known === undefined || balance > known.balance) return { balance, points: [] };
  if (balance === known.balance) return known;
  const [last, before] = [known.points.at(-1), known.points.at(-2)];
  const tooNear = last !== undefined && before !== undefined && last.at - before.at < LEAST_SPAN;
  const kept = tooNear ? known.points.slice(0, -1) : known.points;
  return { balance, points: [...kept, { balance, at }].slice(-MOST_POINTS) };
}

/** AVAX per second by which a balance fell; nothing until it fell long enough. */
export function observedPrice({ points }: Falls): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < LEAST_SPAN) return undefined;
  return (first.balance - last.balance) / (last.at - first.at);
}
