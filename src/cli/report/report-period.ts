/** The time of a report. */
export type ReportPeriod = {
  /** Unix seconds, a multiple of the step. */
  readonly until: number;
  /** Seconds, a multiple of the step. */
  readonly length: number;
  /** Seconds between two points. */
  readonly step: number;
  /** A sample counts for this long, seconds: Prometheus's own five minutes would hide short gaps. */
  readonly reach: number;
};

/** Prometheus refuses more points in one answer. */
export const MOST_POINTS = 11_000;
const MINUTE = 60;
/** A scrape every minute comes a little late at times. */
const LEAST_REACH = 90;

/** The period that ends at a time, with the smallest step in whole minutes that Prometheus accepts. @param length seconds */
export function periodUntil(time: number, length: number): ReportPeriod {
  const step = MINUTE * Math.ceil(length / MINUTE / (MOST_POINTS - 1));
  const until = Math.floor(time / step) * step;
  return { until, length: Math.max(1, Math.round(length / step)) * step, step, reach: Math.max(step, LEAST_REACH) };
}

export function startOf({ until, length }: ReportPeriod): number {
  return until - length;
}

/** The period of the same length before. */
export function before(period: ReportPeriod): ReportPeriod {
  return { ...period, until: startOf(period) };
}
