import type { RangeSeries } from "../report/prometheus-client.ts";

type Labels = RangeSeries["labels"];

/** Points without a gap at which a condition held: the first and the last, Unix seconds. */
export type Run = readonly [first: number, last: number];

/** The condition of an alert for one set of labels. */
export type FiringCondition = { readonly labels: Labels; readonly runs: readonly Run[] };

/** The labels as text, the same in any order. */
export function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Conditions = {
  readonly add: (tracks: readonly RangeSeries[]) => void;
  readonly all: () => readonly FiringCondition[];
};

/** Joins the points of answers that follow one another. @param step seconds between two points */
export function createConditions(step: number): Conditions {
  const found = new Map<string, { readonly labels: Labels; readonly runs: Array<[number, number]> }>();
  return {
    add(tracks) {
      for (const { labels: all, samples } of tracks) {
        const { __name__: _name, ...labels } = all;
        const key = keyOf(labels);
        const known = found.get(key) ?? { labels, runs: [] };
        found.set(key, known);
        for (const [at] of samples) {
          const run = known.runs.at(-1);
          if (run !== undefined && at - run[1] < 1.5 * step) run[1] = at;
          else known.runs.push([at, at]);
        }
      }
    },
    all: () => [...found.values()],
  };
}

/** How Prometheus evaluates a rule, all in seconds. */
type Timing = {
  readonly step: number;
  /** `for` */
  readonly hold: number;
  /** `keep_firing_for` */
  readonly keep: number;
  /** The last point, Unix seconds. */
  readonly end: number;
};

/** When an alert fires; `until` is the first point at which it no longer does, `undefined` while it fires at the end. */
export type Firing = { readonly from: number; readonly until: number | undefined };

/** The state of an alert over time, as Prometheus advances it at each evaluation. `short` are the runs that ended before `for`. */
export function firingsOf(
  runs: readonly Run[],
  { step, hold, keep, end }: Timing,
): { readonly firings: readonly Firing[]; readonly short: readonly Run[] } {
  const whole = (time: number): number => Math.ceil(time / step) * step;
  const firings: Array<{ from: number; until: number }> = [];
  const short: Run[] = [];
  for (const run of runs) {
    const [first, last] = run;
    const until = last + step + whole(keep);
    const current = firings.at(-1);
    if (current !== undefined && first <= current.until) current.until = until;
    else if (first + whole(hold) <= last) firings.push({ from: first + whole(hold), until });
    else if (last < end) short.push(run);
  }
  return { firings: firings.map(({ from, until }) => ({ from, until: until > end ? undefined : until })), short };
}
