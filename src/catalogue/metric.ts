import type { Answer, Source, Subject } from "../api/endpoint.ts";
import type { HistogramValue, MetricType, Sample, Value } from "../exposition/sample.ts";
import type { Work } from "../runtime/work.ts";
import type { Alert } from "./alert.ts";
import type { ExampleFleet, Formula } from "./formula.ts";

/**
 * A metric is a value: its name, help, type, labels and the pure function that reads it. It cannot be declared without
 * being read, nor read without being declared; `${metric}` is its name, so PromQL cannot name a metric that is not there.
 */

/** Whose fact it is decides the first labels: node → `node`, network → `network`, vantage → both, fleet → named by each metric. */
export type Scope = "node" | "network" | "vantage" | "fleet" | "hosted";

export const SCOPE_LABELS = {
  node: ["node"],
  network: ["network"],
  vantage: ["node", "network"],
  fleet: [],
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
export type Context = Subject & Moment;

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

/** A need that a topic can do without: its data is `undefined` while there is no fresh answer. */
export type Optional<S> = { readonly optional: true; readonly source: S };

export function maybe<S extends Source<unknown>>(source: S): Optional<S> {
  return { optional: true, source };
}

export type Need = Source<unknown> | Optional<Source<unknown>>;
export type Needs = Readonly<Record<string, Need>>;

type Given<S> = S extends Source<infer A, infer Keyed> ? (true extends Keyed ? ReadonlyMap<string, A> : A) : never;

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
  E extends Source<infer A, infer Keyed> ? (true extends Keyed ? ReadonlyMap<string, Answer<A>> : Answer<A>) : never;

/** What the reads of a fleet topic are given. */
export type FleetData<N extends Needs> = { readonly members: ReadonlyArray<Member<N>> };

/** The metrics of a topic by the names that alerts and panels use; `L` holds the labels of each. */
type Metrics<D, L, C = Context> = { readonly [K in keyof L]: Metric<D, L[K] & string, C> };

type AlertsOf<D, L, C = Context> = (metrics: Metrics<D, L, C>) => readonly Alert[];

/** What a topic asks: its id, one sentence with the question that it answers, whose fact it is, and its endpoints. */
type Question<N extends Needs> = {
  readonly id: string;
  readonly about: string;
  readonly scope: Exclude<Scope, "fleet" | "hosted">;
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

type Counting<S, D, C = Context> = {
  readonly start: () => S;
  readonly next: (state: S, data: D, context: C) => S;
};

type Comparing<S, D> = {
  readonly start: () => S;
  readonly compare: (state: S, data: D, context: Context) => Work<S>;
};

/** A topic as the runner and the renderers see it. */
export type Topic = {
  readonly id: string;
  readonly about: string;
  readonly scope: Scope;
  readonly needs: Needs;
  readonly metrics: Readonly<Record<string, Metric<never, string, never>>>;
  readonly alerts: readonly Alert[];
  readonly formulas?: readonly Formula[];
  readonly watched?: true;
  readonly helpers?: true;
  /** Present on a topic that counts: the state before the first answer, and the one after each. */
  readonly start?: () => unknown;
  readonly next?: (state: never, data: never, context: never) => unknown;
  /** Instead of it on a topic that compares the nodes of a network. */
  readonly compare?: (state: never, data: never, context: Context) => Work<unknown>;
};

type Made<D, L, C = Context> = Omit<Topic, "metrics"> & { readonly metrics: Metrics<D, L, C> };

function made<D, L, C>(
  question: Omit<Topic, "metrics" | "alerts">,
  metrics: Metrics<D, L, C>,
  alerts: AlertsOf<D, L, C> | undefined,
): Made<D, L, C> {
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

/** What a hosted service answered: its reads know no node, only the time and the network. */
export function hostedTopic<const N extends Needs, L extends Record<string, string>>(
  question: Omit<Question<N>, "scope">,
  metrics: Metrics<Data<N>, L, Moment>,
  alerts?: AlertsOf<Data<N>, L, Moment>,
): Made<Data<N>, L, Moment> {
  return made({ ...question, scope: "hosted" }, metrics, alerts);
}

/** A topic of a hosted service that counts. */
export function hostedReducer<const N extends Needs, S, L extends Record<string, string>>(
  question: Omit<Question<N>, "scope"> & Counting<S, Data<N>, Moment>,
  metrics: Metrics<Data<N> & { readonly state: S }, L, Moment>,
  alerts?: AlertsOf<Data<N> & { readonly state: S }, L, Moment>,
): Made<Data<N> & { readonly state: S }, L, Moment> {
  return made({ ...question, scope: "hosted" }, metrics, alerts);
}

/** Marks a metric that describes a cadence: a single look at a node does not have it. */
export function recurring<D, L extends string, C = Context>(described: Metric<D, L, C>): Metric<D, L, C> {
  return { ...described, recurring: true };
}
