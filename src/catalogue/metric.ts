import type { Answer, Endpoint, Subject } from "../api/endpoint.ts";
import type { Alert } from "./alert.ts";
import type { ExampleFleet, Formula } from "./formula.ts";

/**
 * A metric is a value: its name, help, type, labels and the pure function that reads it. It cannot be declared without
 * being read, nor read without being declared; `${metric}` is its name, so PromQL cannot name a metric that is not there.
 */

export type MetricType = "gauge" | "counter" | "info" | "histogram";

/** Whose fact it is decides the first labels: node → `node`, network → `network`, vantage → both, fleet → named by each metric. */
export type Scope = "node" | "network" | "vantage" | "fleet" | "hosted";

export const SCOPE_LABELS = {
  node: ["node"],
  network: ["network"],
  vantage: ["node", "network"],
  fleet: [],
  hosted: [],
} as const satisfies Readonly<Record<Scope, readonly string[]>>;

/** A value, or nothing when it is not known: unknown is absent, never 0. */
export type Value = number | boolean | undefined;

/** Cumulative counts of a histogram: one per upper bound, the last bound is +Inf by `count`. */
export type HistogramValue = {
  readonly buckets: ReadonlyArray<readonly [le: number, count: number]>;
  readonly sum: number;
  readonly count: number;
};

export type Sample<L extends string = string, V = Value> = readonly [labels: Readonly<Record<L, string>>, value: V];

/** What a read knows beside its data. Times are Unix seconds. */
export type Context = Subject & {
  /** Of the oldest answer that it is read from. */
  readonly time: number;
  /** Of the oldest answer of each need, by the need's name. */
  readonly times: Readonly<Record<string, number>>;
  /** When that answer was asked for, by the need's name. */
  readonly asked: Readonly<Record<string, number>>;
  readonly networkLabel: string;
};

export type Metric<D, L extends string = string> = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly L[];
  readonly read: (data: D, context: Context) => ReadonlyArray<Sample<L, Value | HistogramValue>>;
  readonly toString: () => string;
};

type Read<D, R> = (data: D, context: Context) => R;
type Samples<L extends string> = ReadonlyArray<Sample<L>>;

function metric<D, L extends string>(
  type: MetricType,
  name: string,
  help: string,
  labels: readonly L[],
  read: Read<D, ReadonlyArray<Sample<L, Value | HistogramValue>>>,
): Metric<D, L> {
  return { name, help, type, labels, read, toString: () => name };
}

const NO_LABELS: Readonly<Record<never, string>> = {};

/** A gauge with one series a target. */
export function gauge<D>(name: string, help: string, read: Read<D, Value>): Metric<D, never> {
  return metric("gauge", name, help, [], (data: D, context) => [[NO_LABELS, read(data, context)]]);
}

/** A gauge with labels. */
export function gauges<D, const L extends string>(
  name: string,
  help: string,
  labels: readonly L[],
  read: Read<D, Samples<L>>,
): Metric<D, L> {
  return metric("gauge", name, help, labels, read);
}

/** A counter with one series a target; the name ends in `_total`. */
export function counter<D>(name: `${string}_total`, help: string, read: Read<D, Value>): Metric<D, never> {
  return metric("counter", name, help, [], (data: D, context) => [[NO_LABELS, read(data, context)]]);
}

/** A counter with labels. */
export function counters<D, const L extends string>(
  name: `${string}_total`,
  help: string,
  labels: readonly L[],
  read: Read<D, Samples<L>>,
): Metric<D, L> {
  return metric("counter", name, help, labels, read);
}

/** Facts in words, as labels of a series that is 1. `undefined` and empty values leave the label empty. */
export function infos<D, const L extends string>(
  name: `${string}_info`,
  help: string,
  labels: readonly L[],
  read: Read<D, ReadonlyArray<Readonly<Record<L, string>>>>,
): Metric<D, L> {
  return metric("info", name, help, labels, (data: D, context) => read(data, context).map((row) => [row, 1] as const));
}

/** One series a state, of which exactly one is 1. A state beyond the list is `unknown_state`. */
export function states<D, const L extends string>(
  name: string,
  help: string,
  labels: readonly L[],
  known: readonly string[],
  read: Read<D, ReadonlyArray<readonly [labels: Readonly<Record<Exclude<L, "state">, string>>, state: string]>>,
): Metric<D, L> {
  return metric("gauge", name, help, labels, (data: D, context) =>
    read(data, context).flatMap(([rest, state]) =>
      [...known, ...(known.includes(state) ? [] : ["unknown_state"])].map((each): Sample<L> => [
        { ...rest, state: each } as unknown as Readonly<Record<L, string>>,
        each === state || (each === "unknown_state" && !known.includes(state)),
      ]),
    ),
  );
}

/** A cumulative histogram with labels. */
export function histograms<D, const L extends string>(
  name: string,
  help: string,
  labels: readonly L[],
  read: Read<D, ReadonlyArray<Sample<L, HistogramValue>>>,
): Metric<D, L> {
  return metric("histogram", name, help, labels, read);
}

/** A need that a topic can do without: its data is `undefined` while there is no fresh answer. */
export type Optional<E> = { readonly optional: true; readonly endpoint: E };

export function maybe<E extends Endpoint<unknown>>(endpoint: E): Optional<E> {
  return { optional: true, endpoint };
}

export type Need = Endpoint<never> | Endpoint<unknown> | Optional<Endpoint<unknown>>;
export type Needs = Readonly<Record<string, Need>>;

type Given<E> = E extends Endpoint<infer A, infer Keyed> ? (true extends Keyed ? ReadonlyMap<string, A> : A) : never;

/** What the reads of a topic are given: an answer for each need, a map by key for a keyed endpoint. */
export type Data<N extends Needs> = {
  readonly [K in keyof N]: N[K] extends Optional<infer E> ? Given<E> | undefined : Given<N[K]>;
};

/** One node of a fleet with its data; a need without a fresh answer is `undefined`. */
export type Member<N extends Needs> = {
  readonly subject: Subject;
  readonly answers: { readonly [K in keyof N]: FleetAnswer<N[K]> | undefined };
};
type FleetAnswer<E> =
  E extends Endpoint<infer A, infer Keyed> ? (true extends Keyed ? ReadonlyMap<string, Answer<A>> : Answer<A>) : never;

/** What the reads of a fleet topic are given. */
export type FleetData<N extends Needs> = { readonly members: ReadonlyArray<Member<N>> };

/** Nodes of a fleet that are looked at in one step. */
const NODES_A_STEP = 100;

/** Nodes one after the other, in steps of some at a time: `yield* inSteps(members, (member) => …)`. */
export function* inSteps<A>(nodes: Iterable<A>, look: (node: A) => void): Steps<void> {
  let since = 0;
  for (const node of nodes) {
    if (since++ === NODES_A_STEP) {
      yield;
      since = 1;
    }
    look(node);
  }
}

/** The metrics of a topic by the names that alerts and panels use; `L` holds the labels of each. */
type Metrics<D, L> = { readonly [K in keyof L]: Metric<D, L[K] & string> };

type AlertsOf<D, L> = (metrics: Metrics<D, L>) => readonly Alert[];

/** What a topic asks: its id, one sentence with the question that it answers, whose fact it is, and its endpoints. */
type Question<N extends Needs> = {
  readonly id: string;
  readonly about: string;
  readonly scope: "node" | "network" | "vantage" | "hosted";
  readonly needs: N;
  /** How derived figures are made. */
  readonly formulas?: ReadonlyArray<Formula<NoInfer<Data<N>>>>;
} & Concern;

/** Whom a topic is about, where its scope does not say it. */
type Concern = {
  /** A topic of a network with series of each watched validator: of several shards, each tells of those that it polls. */
  readonly watched?: true;
  /** About the nodes of other shards that this one asks too, and about no node of its own. */
  readonly helpers?: true;
};

type Counting<S, D> = {
  readonly start: () => S;
  readonly next: (state: S, data: D, context: Context) => S;
};

/** Work in steps, and what comes out of it. With a thousand nodes others must have their turn in between. */
export type Steps<S> = Generator<undefined, S, undefined>;

type Comparing<S, D> = {
  readonly start: () => S;
  readonly compare: (state: S, data: D, context: Context) => Steps<S>;
};

/** A topic as the runner and the renderers see it. */
export type Topic = {
  readonly id: string;
  readonly about: string;
  readonly scope: Scope;
  readonly needs: Needs;
  readonly metrics: Readonly<Record<string, Metric<never>>>;
  readonly alerts: readonly Alert[];
  readonly formulas?: readonly Formula[];
  readonly watched?: true;
  readonly helpers?: true;
  /** Present on a topic that counts: the state before the first answer, and the one after each. */
  readonly start?: () => unknown;
  readonly next?: (state: never, data: never, context: Context) => unknown;
  /** Instead of it on a topic that compares the nodes of a network. */
  readonly compare?: (state: never, data: never, context: Context) => Steps<unknown>;
};

type Made<D, L> = Omit<Topic, "metrics"> & { readonly metrics: Metrics<D, L> };

function made<D, L>(
  question: Omit<Topic, "metrics" | "alerts">,
  metrics: Metrics<D, L>,
  alerts: AlertsOf<D, L> | undefined,
): Made<D, L> {
  return { ...question, metrics, alerts: alerts?.(metrics) ?? [] };
}

/** Holds the metrics of one question, the endpoints that they need, and their alerts. */
export function topic<const N extends Needs, L extends Record<string, string>>(
  question: Question<N>,
  metrics: Metrics<Data<N>, L>,
  alerts?: AlertsOf<Data<N>, L>,
): Made<Data<N>, L> {
  return made(question, metrics, alerts);
}

/** A topic that counts: `next` makes the state that the reads are given as `state`, once for each new answer. */
export function reducer<const N extends Needs, S, L extends Record<string, string>>(
  question: Question<N> & Counting<S, Data<N>>,
  metrics: Metrics<Data<N> & { readonly state: S }, L>,
  alerts?: AlertsOf<Data<N> & { readonly state: S }, L>,
): Made<Data<N> & { readonly state: S }, L> {
  return made(question, metrics, alerts);
}

/**
 * A topic that asks nobody: it compares what the nodes of a network answered, at most once a second. `compare` makes the state
 * that the reads are given as `state`.
 */
export function fleetTopic<const N extends Needs, S, L extends Record<string, string>>(
  question: Omit<Question<N>, "scope" | "formulas"> &
    Comparing<S, FleetData<N>> & { readonly formulas?: ReadonlyArray<Formula<NoInfer<ExampleFleet<N>>>> },
  metrics: Metrics<FleetData<N> & { readonly state: S }, L>,
  alerts?: AlertsOf<FleetData<N> & { readonly state: S }, L>,
): Made<FleetData<N> & { readonly state: S }, L> {
  return made({ ...question, scope: "fleet" }, metrics, alerts);
}
