import type { Moment } from "./define/metric.ts";

/** Tolerated lead of a time over its answer: clocks that differ by more have an alert of their own. Seconds. */
const SKEW = 300;

/**
 * The latest time that an answer can have of the past: by the exporter's clock, or by that of the node if it is ahead. A later one
 * would hide for ever that something stands still.
 */
export const latestPast = (answeredAt: number, date?: number): number =>
  Math.max(answeredAt, date ?? answeredAt) + SKEW;

/** The same for the answer to a need. */
export const latestOf = ({ times, time }: Moment, need: string, date?: number): number =>
  latestPast(times[need] ?? time, date);

/** A time of the past; `undefined` for one that cannot be. */
export function past(time: number | undefined, latest: number): number | undefined {
  return time !== undefined && time > latest ? undefined : time;
}
