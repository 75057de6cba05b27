import { pick } from "./soak-faults.ts";

/** Seconds of simulated time; the moment a fault began or ended is when the node's server had confirmed it. */
type State = { fault: string | undefined; last: string | undefined; until: number; wellSince: number };

export type Weather = {
  /** Ends and begins faults. @param seconds since the step before */
  readonly step: (now: number, seconds: number) => Promise<void>;
  /** Ends all faults. */
  readonly clear: (now: () => number) => Promise<void>;
  /** Whether a node has no fault, and had none in the last seconds. */
  readonly isWell: (node: number, now: number, forSeconds: number) => boolean;
  /** What went before, for a report: the last fault of a node, and since when it is well. */
  readonly before: (node: number) => { readonly fault: string | undefined; readonly wellSince: number };
  /** Faults under way. */
  readonly faults: () => readonly string[];
  /** Faults that began, by their row. */
  readonly begun: ReadonlyMap<string, number>;
};

type Parts = {
  readonly nodes: number;
  readonly faults: readonly string[];
  readonly random: () => number;
  /** Seconds that a fault lasts, at least and at most. */
  readonly lasts: readonly [number, number];
  readonly begin: (node: number, fault: string) => Promise<void>;
  readonly end: (node: number) => Promise<void>;
};

/** Share of the nodes that are faulty on average. */
const SHARE = 0.25;

/** Faults that come and go at random nodes. Every row of the table gets its turn before one comes again. */
export function createWeather({ nodes, faults, random, lasts: [shortest, longest], begin, end }: Parts): Weather {
  // Most are short: the mean of a cube is a quarter.
  const rate = SHARE / (1 - SHARE) / (shortest + (longest - shortest) / 4);
  const states: State[] = Array.from({ length: nodes }, () => ({
    fault: undefined,
    last: undefined,
    until: 0,
    wellSince: -Infinity,
  }));
  const begun = new Map<string, number>();
  let deck: string[] = [];

  function next(): string {
    if (deck.length === 0) deck = [...faults];
    const fault = pick(random, deck);
    deck.splice(deck.indexOf(fault), 1);
    return fault;
  }

  async function finish(node: number, state: State, now: () => number): Promise<void> {
    await end(node);
    [state.last, state.fault] = [state.fault, undefined];
    state.wellSince = now();
  }

  return {
    async step(now, seconds) {
      for (const [node, state] of states.entries()) {
        if (state.fault !== undefined && state.until <= now) await finish(node, state, () => now);
        else if (state.fault === undefined && random() < rate * seconds) {
          state.fault = next();
          state.until = now + shortest + (longest - shortest) * random() ** 3;
          begun.set(state.fault, (begun.get(state.fault) ?? 0) + 1);
          await begin(node, state.fault);
        }
      }
    },
    async clear(now) {
      for (const [node, state] of states.entries()) if (state.fault !== undefined) await finish(node, state, now);
    },
    isWell(node, now, forSeconds) {
      const state = states[node];
      return state !== undefined && state.fault === undefined && now - state.wellSince >= forSeconds;
    },
    before: (node) => ({ fault: states[node]?.last, wellSince: states[node]?.wellSince ?? -Infinity }),
    faults: () => states.flatMap(({ fault }) => fault ?? []),
    begun,
  };
}
