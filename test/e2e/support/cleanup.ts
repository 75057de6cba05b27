export type Cleanup = {
  /** Has something stopped in the end; what came last is stopped first. */
  readonly add: (stop: () => Promise<void>) => void;
  /** Stops everything, also when some of it cannot be stopped; throws the first error in the end. */
  readonly run: () => Promise<void>;
};

/** What a test has started and must not leave behind. */
export function createCleanup(): Cleanup {
  const stops: Array<() => Promise<void>> = [];
  return {
    add: (stop) => void stops.push(stop),
    async run() {
      const errors: unknown[] = [];
      for (const stop of stops.splice(0).reverse()) await stop().catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
  };
}
