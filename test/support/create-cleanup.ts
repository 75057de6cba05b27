export type Cleanup = {
  /** Registers something to stop; the last registered is stopped first. */
  readonly add: (stop: () => Promise<void>) => void;
  /** Stops everything, even when something fails to stop; then throws the first error. */
  readonly run: () => Promise<void>;
};

/** Resources that a test must stop. */
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
