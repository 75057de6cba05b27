import type { Track } from "../report/prometheus.ts";

type Labels = Track["labels"];

/** Points without a gap at which a condition held: the first and the last, Unix seconds. */
export type Run = readonly [first: number, last: number];

/** The condition of an alert for one set of labels. */
export type Condition = { readonly labels: Labels; readonly runs: readonly Run[] };

/** The labels as text, the same in any order. */
export function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Joins the points of answers that follow one another. @param step seconds between two points */
export function createConditions(step: number) {
  const found = new Map<string, { readonly labels: Labels; readonly runs: Array<[number, number]> }>();
  return {
    add(tracks: readonly Track[]): void {
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
    all: (): readonly Condition[] => [...found.values()],
  };
}

/** How Prometheus evaluates a rule, all in seconds. */
type Timing = {
  readonly step: number;
  /** `for` */
  readonly hold: number;
  /** The last point, Unix seconds. */
  readonly end: number;
};

/** When an alert fires; `until` is the first point at which it no longer does, `undefined` while it fires at the end. */
export type Firing = { readonly from: number; readonly until: number | undefined };

/** The state of an alert over time, as Prometheus advances it at each evaluation. `short` are the runs that ended before `for`. */
export function firingsOf(
  runs: readonly Run[],
  { step, hold, end }: Timing,
): { readonly firings: readonly Firing[]; readonly short: readonly Run[] } {
  const wait = Math.ceil(hold / step) * step;
  const firings: Firing[] = [];
  const short: Run[] = [];
  for (const run of runs) {
    const [first, last] = run;
    const until = last + step;
    if (first + wait <= last) firings.push({ from: first + wait, until: until > end ? undefined : until });
    else if (last < end) short.push(run);
  }
  return { firings, short };
}
