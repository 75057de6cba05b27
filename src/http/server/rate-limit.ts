/** `undefined` when the request is accepted, else the seconds after which one is accepted again. */
export type RateLimit = (now: number) => number | undefined;

export type RateLimitSettings = {
  /** Seconds after which one more request is accepted. */
  readonly interval: number;
  /** Requests that are accepted at once. */
  readonly burst: number;
};

/** A token bucket, full at the beginning, for the requests of all clients together. `now` is monotonic, in seconds. */
export function createRateLimit({ interval, burst }: RateLimitSettings): RateLimit {
  let tokens = burst;
  let filledAt: number | undefined;
  return (now) => {
    tokens = Math.min(burst, tokens + (now - (filledAt ?? now)) / interval);
    filledAt = now;
    // Rounding of the sum must not refuse the request that comes exactly in time.
    if (tokens < 1 - 1e-9) return (1 - tokens) * interval;
    tokens = Math.max(0, tokens - 1);
    return undefined;
  };
}
