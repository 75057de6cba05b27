/**
 * What is dated later than its answer is no fact: whoever counts from it or waits for it would do so until that time. Readers of times of the
 * past ask `isLate`, and nothing after them needs a guard.
 */

/** Tolerated lead of a time over its answer: clocks that differ by more have an alert of their own. Seconds. */
const SKEW = 300;

/** The latest time that the answer which is being read can have, of a chain and of the node's own records. Unix seconds. */
const ANY = { chain: Infinity, node: Infinity };
let latest = ANY;

/**
 * Runs a reader of an answer, which must not be asynchronous.
 * @param answeredAt when it came by the exporter's clock; `undefined` for an answer that is only printed
 * @param date the node's clock at the answer: a node whose clock is ahead dates its own records by it, but no block
 */
export function readAsOf<R>(answeredAt: number | undefined, date: number | undefined, read: () => R): R {
  if (answeredAt === undefined) return read();
  latest = { chain: answeredAt + SKEW, node: Math.max(answeredAt, date ?? answeredAt) + SKEW };
  try {
    return read();
  } finally {
    latest = ANY;
  }
}

/** Whether a time of the past is later than the answer that is being read. */
export const isLate = (time: number | undefined, clock: keyof typeof ANY = "chain"): boolean =>
  time !== undefined && time > latest[clock];

export const LATE = "a time later than the answer";
