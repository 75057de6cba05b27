/**
 * When a poll is due. Polls of one interval lie on a grid whose phase is hashed from what is polled: a thousand nodes do
 * not fire together, a restart keeps the phase, and nothing drifts, because the grid is counted from the Unix epoch.
 */

/** A number from 0 (inclusive) to 1 (exclusive), the same for the same text: FNV-1a, finished with a mix so that near texts differ. */
export function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return (hash >>> 0) / 2 ** 32;
}

/**
 * The first time on the grid after `now`. All in seconds.
 * @param phase 0 to `every`
 */
export function nextOnGrid(now: number, every: number, phase: number): number {
  const slot = phase + Math.ceil((now - phase) / every) * every;
  // Rounding may land on `now` itself, which has been served.
  return slot > now ? slot : slot + every;
}

/** Failures in a row that keep the full cadence: one lost packet is no reason to look away. */
const PATIENT = 2;
/** A failing endpoint is asked at least this often, unless its own cadence is slower. Seconds. */
const SLOWEST_RETRY = 60;

/** Seconds to wait after the n-th failure in a row: doubles from the third, never beyond a minute or the cadence itself. */
export function backOff(every: number, failures: number): number {
  const doubled = every * 2 ** Math.min(Math.max(0, failures - PATIENT), 20);
  return Math.min(doubled, Math.max(every, SLOWEST_RETRY));
}

/** Silent intervals after which an answer is gone. */
const SILENT_INTERVALS = 3;

/**
 * True when an answer is too old to be shown: three intervals have passed and the third poll failed or did not end either.
 * @param answeredAt Unix seconds
 */
export function isExpired(answeredAt: number, now: number, every: number, timeout: number, failures: number): boolean {
  const silent = now - answeredAt;
  const limit = SILENT_INTERVALS * every;
  return silent > limit + timeout || (failures >= SILENT_INTERVALS && silent >= limit - 1);
}
