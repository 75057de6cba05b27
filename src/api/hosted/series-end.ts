import type { Dated, Interval } from "./hosted-endpoint.ts";

/** The end of a time series: the last complete interval and the current one. Times are Unix seconds. */

/** A value for the interval that begins at `time`. */
export type Point = { readonly value: number; readonly time: number };

/** Either point is `undefined` if the service is behind. */
export type SeriesEnd = Dated & {
  /** The newest interval that had ended at the time of the poll, and for which the service had all data. */
  readonly complete: Point | undefined;
  /** The interval that had not ended. */
  readonly current: Point | undefined;
};

/** Seconds of an interval; for a month the maximum. */
export const SECONDS: Readonly<Record<Interval, number>> = {
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 31 * 86_400,
};

/** End of the interval that begins at `start`, in Unix seconds; months follow the calendar (UTC). */
function endOf(start: number, interval: Interval): number {
  if (interval !== "month") return start + SECONDS[interval];
  const date = new Date(start * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000;
}

/**
 * Finds the last complete interval and the current one; the points can be in any order. An interval that has ended is complete
 * if there is a later one, or if the series was updated after its end. Without either, the last point of a service that is behind
 * covers only a part of its interval.
 * @param updatedAt when the service last updated the series, if known
 */
export function seriesEnd(
  points: readonly Point[],
  interval: Interval,
  now: number,
  updatedAt = -Infinity,
): Pick<SeriesEnd, "complete" | "current"> {
  const begun = points.filter(({ time }) => time > 0 && time <= now);
  const newest = latest(begun);
  if (newest === undefined) return { complete: undefined, current: undefined };
  const complete = begun.filter(({ time }) => {
    const end = endOf(time, interval);
    return end <= now && (time < newest.time || end <= updatedAt);
  });
  return { complete: latest(complete), current: endOf(newest.time, interval) > now ? newest : undefined };
}

/** The answer at a later time: without `current` if that interval has ended since. */
export function withoutEnded<E extends SeriesEnd>(end: E, interval: Interval, now: number): E {
  return end.current === undefined || endOf(end.current.time, interval) > now ? end : { ...end, current: undefined };
}

const latest = (points: readonly Point[]): Point | undefined => points.toSorted((a, b) => b.time - a.time)[0];
