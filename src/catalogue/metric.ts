import type { TargetFacts } from "../api/endpoint.ts";
import type { HistogramValue, MetricType, Sample, Value } from "../exposition/sample.ts";

/**
 * A metric is a value: its name, help, type, labels and the pure function that reads it. It cannot be declared without
 * being read, nor read without being declared; `${metric}` is its name, so PromQL cannot name a metric that is not there.
 */

/** Whose fact it is decides the first labels: node → `node`, network → `network`, observer → both, comparison → named by each metric. */
export type Scope = "node" | "network" | "observer" | "comparison" | "hosted";

export const SCOPE_LABELS = {
  node: ["node"],
  network: ["network"],
  observer: ["node", "network"],
  comparison: [],
  hosted: [],
} as const satisfies Readonly<Record<Scope, readonly string[]>>;

/** What every read knows beside its data. Times are Unix seconds. */
export type Moment = {
  /** Of the oldest answer that it is read from. */
  readonly time: number;
  /** Of the oldest answer of each need, by the need's name. */
  readonly times: Readonly<Record<string, number>>;
  /** When that answer was asked for, by the need's name. */
  readonly asked: Readonly<Record<string, number>>;
  /** Label of the network; empty while it is not known. */
  readonly networkLabel: string;
};

/** What the read of a node, of a network or of one node's view knows: the target too. */
export type Context = TargetFacts & Moment;

/** `C` is what its read knows beside its data: the moment alone for what a hosted service answered. */
export type Metric<D, L extends string = string, C = Context> = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly L[];
  readonly read: (data: D, context: C) => ReadonlyArray<Sample<L, Value | HistogramValue>>;
  readonly toString: () => string;
  /** It describes a cadence, so a single look at a node does not have it. */
  readonly recurring?: true;
};

type Read<D, R, C> = (data: D, context: C) => R;
type Samples<L extends string> = ReadonlyArray<Sample<L>>;

function metric<D, L extends string, C>(
  type: MetricType,
  name: string,
  help: string,
  labels: readonly L[],
  read: Read<D, ReadonlyArray<Sample<L, Value | HistogramValue>>, C>,
): Metric<D, L, C> {
  return { name, help, type, labels, read, toString: () => name };
}

const NO_LABELS: Readonly<Record<never, string>> = {};

/** A gauge with one series a target. */
export function gauge<D, C = Context>(name: string, help: string, read: Read<D, Value, C>): Metric<D, never, C> {
  return metric("gauge", name, help, [], (data: D, context: C) => [[NO_LABELS, read(data, context)]]);
}

/** A gauge with labels. */
export function gauges<D, const L extends string, C = Context>(
  name: string,
  help: string,
  labels: readonly L[],
  read: Read<D, Samples<L>, C>,
): Metric<D, L, C> {
  return metric("gauge", name, help, labels, read);
}

/** A counter with one series a target; the name ends in `_total`. */
export function counter<D, C = Context>(
  name: `${string}_total`,
  help: string,
  read: Read<D, Value, C>,
): Metric<D, never, C> {
  return metric("counter", name, help, [], (data: D, context: C) => [[NO_LABELS, read(data, context)]]);
}

/** A counter with labels. */
export function counters<D, const L extends string, C = Context>(
  name: `${string}_total`,
  help: string,
  labels: readonly L[],
  read: Read<D, Samples<L>, C>,
): Metric<D, L, C> {
  return metric("counter", name, help, labels, read);
}

/** Facts in words, as labels of a series that is 1. `undefined` and empty values leave the label empty. */
export function infos<D, const L extends string, C = Context>(
  name: `${string}_info`,
  help: string,
  labels: readonly L[],
  read: Read<D, ReadonlyArray<Readonly<Record<L, string>>>, C>,
): Metric<D, L, C> {
  return metric("info", name, help, labels, (data: D, context: C) =>
    read(data, context).map((row) => [row, 1] as const),
  );
}

/** One series a state, of which exactly one is 1. A state beyond the list is `unknown_state`. */
export function states<D, const L extends string, C = Context>(
  name: string,
  help: string,
  labels: readonly L[],
  known: readonly string[],
  read: Read<D, ReadonlyArray<readonly [labels: Readonly<Record<Exclude<L, "state">, string>>, state: string]>, C>,
): Metric<D, L, C> {
  return metric("gauge", name, help, labels, (data: D, context: C) =>
    read(data, context).flatMap(([rest, state]) =>
      [...known, ...(known.includes(state) ? [] : ["unknown_state"])].map((each): Sample<L> => [
        { ...rest, state: each } as unknown as Readonly<Record<L, string>>,
        each === state || (each === "unknown_state" && !known.includes(state)),
      ]),
    ),
  );
}

/** A cumulative histogram with labels. */
export function histograms<D, const L extends string, C = Context>(
  name: string,
  help: string,
  labels: readonly L[],
  read: Read<D, ReadonlyArray<Sample<L, HistogramValue>>, C>,
): Metric<D, L, C> {
  return metric("histogram", name, help, labels, read);
}

/** Marks a metric that describes a cadence: a single look at a node does not have it. */
export function recurring<D, L extends string, C = Context>(described: Metric<D, L, C>): Metric<D, L, C> {
  return { ...described, recurring: true };
}
