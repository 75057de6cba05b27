import type { Dated, Interval } from "./hosted.ts";

/** The end of a time series: its last complete interval, and the one that runs. Times are Unix seconds. */

/** A figure about the interval that begins at `time`. */
export type Point = { readonly value: number; readonly time: number };

/** The two points that are of interest; either may be missing where the service is behind. */
export type SeriesEnd = Dated & {
  /** The newest interval that had ended, and of which the service had all data, when it was asked. */
  readonly complete: Point | undefined;
  /** The interval that was running. */
  readonly current: Point | undefined;
};

/** Seconds of an interval; of a month the longest. */
export const SECONDS: Readonly<Record<Interval, number>> = {
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 31 * 86_400,
};

/** When the interval that begins at `start` ends, in Unix seconds; months are as long as the calendar says (UTC). */
export function endOf(start: number, interval: Interval): number {
  if (interval !== "month") return start + SECONDS[interval];
  const date = new Date(start * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000;
}

/**
 * Tells the running interval from the last complete one, in whatever order the points come. An interval that has ended is
 * complete when the service has gone on to a later one, or was updated after its end: the last point of a service that is
 * behind holds a part of its interval, however long ago that was.
 * @param updatedAt when the service last updated the series, where it says so
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

/** What of an answer holds at a later time: an interval that has ended since does not run any more. */
export function withoutEnded<E extends SeriesEnd>(end: E, interval: Interval, now: number): E {
  return end.current === undefined || endOf(end.current.time, interval) > now ? end : { ...end, current: undefined };
}

function latest(points: readonly Point[]): Point | undefined {
  return points.reduce<Point | undefined>(
    (last, each) => (last === undefined || each.time > last.time ? each : last),
    undefined,
  );
}
