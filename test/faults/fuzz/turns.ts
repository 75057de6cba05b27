import { PerformanceObserver } from "node:perf_hooks";

/**
 * The longest turns of the event loop, in processor time of this thread: on a shared machine the wall clock counts the work of
 * others. The work of the fuzzer itself and of the garbage collector is left out.
 */
export type Turns = {
  /** Runs work of the fuzzer that does not count. */
  readonly aside: <A>(work: () => A) => A;
  /** Names what the thread works on, for the report. */
  readonly about: (what: string) => void;
  /** Forgets what was measured: the first answers are read by code that is not compiled yet. */
  readonly reset: () => void;
  /** Milliseconds, with what the thread worked on; the longest first. */
  readonly longest: () => ReadonlyArray<readonly [milliseconds: number, about: string]>;
  readonly stop: () => void;
};

/** `from` and `to` are milliseconds of the wall clock, to find the collections within the turn. */
type Turn = { readonly from: number; readonly to: number; took: number; readonly about: string };

const KEPT = 5;
/** Turns until the collections within a turn are reported. */
const REPORTED_AFTER = 10;

const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export function watchTurns(): Turns {
  let [last, at, own] = [cpu(), performance.now(), 0];
  let stopped = false;
  let longest: Turn[] = [];
  let subjects: string[] = [];
  const recent: Turn[] = [];
  const collections = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      const within = recent.find(({ from, to }) => startTime >= from && startTime <= to);
      if (within !== undefined) within.took -= duration;
    }
  });
  collections.observe({ entryTypes: ["gc"] });

  function turn(): void {
    const [now, wall] = [cpu(), performance.now()];
    recent.push({ from: at, to: wall, took: now - last - own, about: subjects.slice(0, 4).join(", ") });
    if (recent.length > REPORTED_AFTER) settle(recent.shift());
    [last, at, own, subjects] = [cpu(), wall, 0, []];
    if (!stopped) setImmediate(turn);
  }
  setImmediate(turn);

  function settle(settled: Turn | undefined): void {
    if (settled === undefined || settled.took <= (longest.at(KEPT - 1)?.took ?? 0)) return;
    longest = [...longest, settled].sort((a, b) => b.took - a.took).slice(0, KEPT);
  }

  return {
    aside(work) {
      const before = cpu();
      try {
        return work();
      } finally {
        own += cpu() - before;
      }
    },
    about: (what) => void subjects.push(what),
    reset() {
      recent.length = 0;
      longest = [];
    },
    longest: () => longest.map(({ took, about }) => [took, about] as const),
    stop() {
      stopped = true;
      collections.disconnect();
    },
  };
}
