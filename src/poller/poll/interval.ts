/**
 * Intervals while the exporter is overloaded: all are multiplied by one factor, so that each node is polled less often and none
 * is left out.
 */

/**
 * Longest stretched interval, in seconds. A longer one of the configuration stays as it is: it adds little to the load.
 * Prometheus too takes a sample for the present value for five minutes.
 */
export const LONGEST_STRETCHED = 300;

/** An interval multiplied by a factor, as far as that is allowed. Seconds. */
export function stretched(every: number, factor: number): number {
  return Math.max(every, Math.min(every * factor, LONGEST_STRETCHED));
}

/** Intervals without an answer after which the last one expires. */
export const SILENT_INTERVALS = 3;

/**
 * Seconds for which an answer is held without another one: three intervals, also where they are stretched, but at most five
 * minutes more than without a stretch. At least one poll falls within.
 * @param every the interval without a stretch
 */
export function heldFor(every: number, factor: number): number {
  return SILENT_INTERVALS * every + Math.min(SILENT_INTERVALS * (stretched(every, factor) - every), LONGEST_STRETCHED);
}

/** A settled answer is requested once in this many intervals. */
export const EASED_INTERVALS = 4;
