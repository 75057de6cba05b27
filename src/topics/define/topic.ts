import { alertsOf, type Alerts, type Declared } from "./alert.ts";
import type { Context, Metric, Moment, Scope } from "./metric.ts";
import type { ComparedData, Data, Needs } from "./needs.ts";

/** The metrics of a topic by the names that alerts and panels use; `L` holds the labels of each. */
type Metrics<D, L, C = Context> = { readonly [K in keyof L]: Metric<D, L[K] & string, C> };

type AlertsOf<D, L, C = Context> = (metrics: Metrics<D, L, C>) => Alerts;

/** How a derived figure is computed, with an example that the reference shows and a test verifies. */
type Formula = {
  /** Name of the metric. */
  readonly metric: string;
  readonly formula: string;
  /** The example in words, with its figures. */
  readonly example: string;
  /** Expected value of the example, computed by hand. */
  readonly result: number;
};

/** What a topic asks: its id, the question that it answers in one sentence, its scope, and its sources. */
type Question<N extends Needs> = {
  readonly id: string;
  readonly about: string;
  readonly scope: Exclude<Scope, "comparison" | "hosted">;
  readonly needs: N;
  readonly formulas?: readonly Formula[];
  /** A network topic with series of each watched validator: each shard exports those of its own watch list. */
  readonly watched?: true;
  /** A comparison of which each shard exports what it finds of its own nodes, series of the network included. */
  readonly perShard?: true;
};

type Stateful<S> = { readonly start: () => S; readonly saved?: Saved<S> };
type Step<S, D> = (state: S, data: D, context: Context) => S;

/** How a state outlives the process and the settings of its node. Without it a state begins again at each start. */
export type Saved<S> = {
  /** The state as plain data for JSON, without times that advance with every answer: each change is written. */
  readonly save: (state: S) => unknown;
  /** The state of saved data, which can have any form. @throws where they are not usable */
  readonly restore: (saved: unknown) => S;
};

/** A topic, as the runner and the renderers use it. */
export type Topic = Omit<Question<Needs>, "scope"> & {
  readonly scope: Scope;
  /** A comparison of all nodes of this exporter at once, those of an unknown network included; its series have the network of their node. */
  readonly across?: true;
  readonly metrics: Readonly<Record<string, Metric<never, string, never>>>;
  readonly alerts: readonly Declared[];
  /** The state before the first answer, and the state after each, of a topic that counts. */
  readonly start?: () => unknown;
  readonly next?: (state: never, data: never, context: never) => unknown;
  readonly saved?: { readonly save: (state: never) => unknown; readonly restore: (saved: unknown) => unknown };
  /** The next state of a topic that compares the nodes of a network, instead of `next`. */
  readonly compare?: (state: never, data: never, context: Context) => unknown;
};

type Made<D, L, C = Context> = Omit<Topic, "metrics"> & { readonly metrics: Metrics<D, L, C> };

function made<D, L, C>(
  question: Omit<Topic, "metrics" | "alerts">,
  metrics: Metrics<D, L, C>,
  alerts: AlertsOf<D, L, C> | undefined,
): Made<D, L, C> {
  return { ...question, metrics, alerts: alertsOf(alerts?.(metrics) ?? {}) };
}

/**
 * A topic: the metrics of one question, their sources and alerts.
 * @example
 * import { Peers } from "../../api/node/info.ts";
 * import { gauge } from "./metric.ts";
 * topic(
 *   { id: "peers", about: "How many peers does the node have?", scope: "node", needs: { answer: Peers } },
 *   { count: gauge("avax_node_peers", "Connected peers (info.peers).", ({ answer }) => answer.peers.length) },
 * );
 */
export function topic<const N extends Needs, L extends Record<string, string>>(
  question: Question<N>,
  metrics: Metrics<Data<N>, L>,
  alerts?: AlertsOf<Data<N>, L>,
): Made<Data<N>, L> {
  return made(question, metrics, alerts);
}

/** A topic that counts: `next` computes the `state` of the reads, once for each new answer. */
export function reducer<const N extends Needs, S, L extends Record<string, string>>(
  question: Question<N> & Stateful<S> & { readonly next: Step<S, Data<N>> },
  metrics: Metrics<Data<N> & { readonly state: S }, L>,
  alerts?: AlertsOf<Data<N> & { readonly state: S }, L>,
): Made<Data<N> & { readonly state: S }, L> {
  return made(question, metrics, alerts);
}

/**
 * A topic that compares the answers of the nodes of a network, or with `across` of all polled nodes. `compare` computes the `state`
 * of the reads.
 */
export function comparingTopic<const N extends Needs, S, L extends Record<string, string>>(
  question: Omit<Question<N>, "scope"> &
    Stateful<S> & { readonly across?: true; readonly compare: Step<S, ComparedData<N>> },
  metrics: Metrics<ComparedData<N> & { readonly state: S }, L>,
  alerts?: AlertsOf<ComparedData<N> & { readonly state: S }, L>,
): Made<ComparedData<N> & { readonly state: S }, L> {
  return made({ ...question, scope: "comparison" }, metrics, alerts);
}

/** A topic of a hosted service: the context of its reads has the time and the network, but no node. */
export function hostedTopic<const N extends Needs, L extends Record<string, string>>(
  question: Omit<Question<N>, "scope">,
  metrics: Metrics<Data<N>, L, Moment>,
  alerts?: AlertsOf<Data<N>, L, Moment>,
): Made<Data<N>, L, Moment> {
  return made({ ...question, scope: "hosted" }, metrics, alerts);
}
