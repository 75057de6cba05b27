import type { Work } from "../runtime/work.ts";
import type { Alert } from "./alert.ts";
import type { ExampleFleet, Formula } from "./formula.ts";
import type { Context, Metric, Moment, Scope } from "./metric.ts";
import type { ComparedData, Data, Needs } from "./needs.ts";

/** The metrics of a topic by the names that alerts and panels use; `L` holds the labels of each. */
type Metrics<D, L, C = Context> = { readonly [K in keyof L]: Metric<D, L[K] & string, C> };

type AlertsOf<D, L, C = Context> = (metrics: Metrics<D, L, C>) => readonly Alert[];

/** What a topic asks: its id, one sentence with the question that it answers, whose fact it is, and its endpoints. */
type Question<N extends Needs> = {
  readonly id: string;
  readonly about: string;
  readonly scope: Exclude<Scope, "comparison" | "hosted">;
  readonly needs: N;
  /** How derived figures are made. */
  readonly formulas?: ReadonlyArray<Formula<NoInfer<Data<N>>>>;
} & Concern;

/** Whom a topic is about, where its scope does not say it. */
type Concern = {
  /** A topic of a network with series of each watched validator: of several shards, each tells of those that it polls. */
  readonly watched?: true;
  /** About the nodes of other shards that this one asks too, and about no node of its own. */
  readonly auxiliary?: true;
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
  readonly auxiliary?: true;
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
export function comparingTopic<const N extends Needs, S, L extends Record<string, string>>(
  question: Omit<Question<N>, "scope" | "formulas"> &
    Comparing<S, ComparedData<N>> & { readonly formulas?: ReadonlyArray<Formula<NoInfer<ExampleFleet<N>>>> },
  metrics: Metrics<ComparedData<N> & { readonly state: S }, L>,
  alerts?: AlertsOf<ComparedData<N> & { readonly state: S }, L>,
): Made<ComparedData<N> & { readonly state: S }, L> {
  return made({ ...question, scope: "comparison" }, metrics, alerts);
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
