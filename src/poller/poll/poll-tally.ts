import type { Reason } from "../../api/reasons.ts";

/** Polls of one endpoint since the start, over all its keys. */
export type PollTally = {
  polls: number;
  /** Their duration. */
  seconds: number;
  /** Of a hosted service, pages included. */
  requests: number;
  /** Rows of answers that were read without a field; `undefined` where rows cannot lack any. */
  invalidRows: number | undefined;
  readonly failures: Map<Reason, number>;
};

/** The tally of an endpoint, created on first use. */
export function tallyOf(tallies: Map<string, PollTally>, endpoint: string): PollTally {
  const known = tallies.get(endpoint);
  if (known !== undefined) return known;
  const none = { polls: 0, seconds: 0, requests: 0, invalidRows: undefined, failures: new Map<Reason, number>() };
  tallies.set(endpoint, none);
  return none;
}

/** Failed polls of all endpoints by reason, with those of endpoints that are not polled now. */
export function failuresOf(tallies: ReadonlyMap<string, PollTally>): ReadonlyMap<Reason, number> {
  const sums = new Map<Reason, number>();
  for (const { failures } of tallies.values())
    for (const [reason, count] of failures) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return sums;
}
