/** The time of a report. */
export type Period = Readonly<ReturnType<typeof periodUntil>>;

/** Prometheus refuses more points in one answer. */
export const MOST_POINTS = 11_000;
const MINUTE = 60;
/** A scrape every minute comes a little late at times. */
const LEAST_REACH = 90;

/** The period that ends at a time, with the smallest step in whole minutes that Prometheus accepts. @param length seconds */
export function periodUntil(time: number, length: number) {
  const step = MINUTE * Math.ceil(length / MINUTE / (MOST_POINTS - 1));
  const until = Math.floor(time / step) * step;
  return {
    /** Unix seconds, a multiple of the step. */
    until,
    /** Seconds, a multiple of the step. */
    length: Math.max(1, Math.round(length / step)) * step,
    /** Seconds between two points. */
    step,
    /** A sample counts for this long, seconds: Prometheus's own five minutes would hide short gaps. */
    reach: Math.max(step, LEAST_REACH),
  };
}

export function startOf({ until, length }: Period): number {
  return until - length;
}

/** The period of the same length before. */
export function before(period: Period): Period {
  return { ...period, until: startOf(period) };
}
