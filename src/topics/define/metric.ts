import type { TargetFacts } from "../../api/endpoint.ts";
import type { HistogramValue, MetricType, Sample, SummaryValue, Value } from "../../exposition/sample.ts";

/**
 * A metric is its name, help, type, labels and the pure function that reads its samples. `${metric}` is its name, so PromQL
 * cannot name a metric that does not exist.
 */

/**
 * The scope of a metric decides its first labels: node and observer → `node` and `network`, network and comparison → `network`;
 * hosted has none. The `network` of a node is empty, and so absent, while neither the configuration nor the node names it.
 */
export type Scope = "node" | "network" | "observer" | "comparison" | "hosted";

export const SCOPE_LABELS = {
  node: ["node", "network"],
  network: ["network"],
  observer: ["node", "network"],
  comparison: ["network"],
  hosted: [],
} as const satisfies Readonly<Record<Scope, readonly string[]>>;

/**
 * Labels that are added to series about a validator or a subnet: the names that the configuration has for them, and, where the series
 * is not one of an observing node, the polled node that the validator is. For whoever reads an alert, which joins nothing.
 */
export function nameLabels(scope: Scope, labels: readonly string[]): readonly string[] {
  const isOfValidator = labels.includes("node_id") && scope !== "node";
  const isObserved = scope === "observer" || labels.includes("node");
  return [
    ...(isOfValidator ? ["name", ...(isObserved ? [] : ["node"])] : []),
    ...(labels.includes("subnet") ? ["subnet_name"] : []),
  ];
}

/** Times and network of the data that is read. Times are Unix seconds. */
export type Moment = {
  /** Time of the oldest answer in the data. */
  readonly time: number;
  /** Time of the oldest answer of each need, by the need's name. */
  readonly times: Readonly<Record<string, number>>;
  /** Time of each answer to a keyed need, by the need's name, then by key. */
  readonly timesByKey: Readonly<Record<string, ReadonlyMap<string, number>>>;
  /** When the request for that answer was sent, by the need's name. */
  readonly asked: Readonly<Record<string, number>>;
  /** Label of the network; empty while it is unknown. */
  readonly networkLabel: string;
  /** In a comparison, the name of the network's reference node; `undefined` without one. */
  readonly reference?: string | undefined;
};

/** Context of reads that concern a target: a node, a network, or one node's view of it. */
export type Context = TargetFacts & Moment;

/** `C` is the context of its read: only the moment for answers of a hosted service. */
export type Metric<D, L extends string = string, C = Context> = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly L[];
  readonly read: (data: D, context: C) => ReadonlyArray<Sample<L, Value | HistogramValue | SummaryValue>>;
  readonly toString: () => string;
  /** It describes polls that repeat, or compares them, so neither a probe nor `once` has it: in one round it depends on which answer came first. */
  readonly recurring?: true;
};

type Samples<L extends string, V = Value> = ReadonlyArray<Sample<L, V>>;

/** Declares metrics of one type with labels. */
const labelled =
  <V extends Value | HistogramValue | SummaryValue>(type: MetricType) =>
  <D, const L extends string, C = Context>(
    name: string,
    help: string,
    labels: readonly L[],
    read: (data: D, context: C) => Samples<L, V>,
  ): Metric<D, L, C> => ({ name, help, type, labels, read, toString: () => name });

export const gauges = labelled<Value>("gauge");
export const counters = labelled<Value>("counter");
/** Cumulative histograms. */
export const histograms = labelled<HistogramValue>("histogram");
/** Summaries without quantiles: `_sum` and `_count`. */
export const summaries = labelled<SummaryValue>("summary");

const NO_LABELS: Readonly<Record<never, string>> = {};

/** Declares metrics of one type with one series per target. */
const single =
  (type: MetricType) =>
  <D, C = Context>(name: string, help: string, read: (data: D, context: C) => Value): Metric<D, never, C> =>
    labelled<Value>(type)(name, help, [], (data: D, context: C) => [[NO_LABELS, read(data, context)]]);

/**
 * A gauge with one series per target; `undefined` is unknown, and the series absent.
 * @example
 * import type { PeerList } from "../../api/peer.ts";
 * gauge(
 *   "avax_node_peers_without_upgrade_time",
 *   "Connected peers that report no time of their last upgrade (info.peers, `upgradeTime`).",
 *   ({ answer }: { readonly answer: PeerList }) => answer.peers.filter(({ upgradeTime }) => upgradeTime === 0).length,
 * );
 */
export const gauge = single("gauge");
export const counter = single("counter");

/** Texts as labels of a series whose value is 1. */
export function infos<D, const L extends string, C = Context>(
  name: string,
  help: string,
  labels: readonly L[],
  read: (data: D, context: C) => ReadonlyArray<Readonly<Record<L, string>>>,
): Metric<D, L, C> {
  return labelled<Value>("info")(name, help, labels, (data: D, context: C) =>
    read(data, context).map((row) => [row, 1] as const),
  );
}

/** One series with the present state, whose value is 1: nothing reads the others. A state that is not in `known` is `unknown_state`. */
export function states<D, const L extends string, C = Context>(
  name: string,
  help: string,
  labels: readonly L[],
  known: readonly string[],
  read: (
    data: D,
    context: C,
  ) => ReadonlyArray<readonly [labels: Readonly<Record<Exclude<L, "state">, string>>, state: string]>,
): Metric<D, L, C> {
  return gauges(name, help, labels, (data: D, context: C) =>
    read(data, context).map(([rest, state]): Sample<L> => {
      const present = known.includes(state) ? state : "unknown_state";
      // The compiler does not resolve that `Exclude<L, "state">` and "state" are together `L` while `L` is a parameter.
      return [{ ...rest, state: present } as unknown as Readonly<Record<L, string>>, 1];
    }),
  );
}

/** What several metrics read: labels, and what they are read from. */
export type Rows<D, L extends string, A, C = Moment> = {
  readonly labels: readonly L[];
  readonly of: (data: D, context: C) => Samples<L, A>;
};

type Single<D, L extends string, A, C> = (name: string, help: string, read: (row: A) => Value) => Metric<D, L, C>;
type Several<D, L extends string, A, C> = <const M extends string>(
  name: string,
  help: string,
  more: readonly M[],
  read: (row: A) => Samples<M>,
) => Metric<D, L | M, C>;

/** Metrics of the same rows, and the rows: `gauge` and `counter` have one series for each row, the others several with `more` labels. */
export type RowMetrics<D, L extends string, A, C = Moment> = {
  readonly rows: Rows<D, L, A, C>["of"];
  readonly gauge: Single<D, L, A, C>;
  readonly counter: Single<D, L, A, C>;
  readonly gauges: Several<D, L, A, C>;
  readonly counters: Several<D, L, A, C>;
  readonly infos: <const M extends string>(
    name: string,
    help: string,
    more: readonly M[],
    read: (row: A) => ReadonlyArray<Readonly<Record<M, string>>>,
  ) => Metric<D, L | M, C>;
};

/**
 * The metrics of some rows.
 * @example
 * type Heights = { readonly heights: ReadonlyMap<string, number> };
 * const ofChain = perRow({
 *   labels: ["chain"],
 *   of: ({ heights }: Heights) => [...heights].map(([chain, height]) => [{ chain }, height] as const),
 * });
 * ofChain.gauge("avax_chain_height", "Height of the last accepted block (platform.getHeight).", (height) => height);
 */
export function perRow<D, L extends string, A, C = Moment>(rows: Rows<D, L, A, C>): RowMetrics<D, L, A, C> {
  const { labels, of: gather } = rows;
  // The metrics of a topic are read one after the other from the same data: its rows are gathered once. Gathered for each metric they
  // are a twelfth of the garbage of a scrape of 200 nodes.
  let last: { readonly data: D; readonly context: C; readonly rows: Samples<L, A> } | undefined;
  const of: typeof gather = (data, context) => {
    if (last?.data !== data || last.context !== context) last = { data, context, rows: gather(data, context) };
    return last.rows;
  };
  const one = (read: (row: A) => Value) => (data: D, context: C) =>
    of(data, context).map(([given, row]) => [given, read(row)] as const);
  // The compiler does not resolve that the labels of two records are together `L | M` while these are parameters.
  const joined = <M extends string>(given: Readonly<Record<L, string>>, more: Readonly<Record<M, string>>) =>
    ({ ...given, ...more }) as unknown as Readonly<Record<L | M, string>>;
  const several =
    <M extends string>(read: (row: A) => Samples<M>) =>
    (data: D, context: C): Samples<L | M> =>
      of(data, context).flatMap(([given, row]) =>
        read(row).map(([more, value]): Sample<L | M> => [joined(given, more), value]),
      );
  return {
    rows: of,
    gauge: (name, help, read) => gauges(name, help, labels, one(read)),
    counter: (name, help, read) => counters(name, help, labels, one(read)),
    gauges: (name, help, more, read) => gauges(name, help, [...labels, ...more], several(read)),
    counters: (name, help, more, read) => counters(name, help, [...labels, ...more], several(read)),
    infos: (name, help, more, read) =>
      infos(name, help, [...labels, ...more], (data: D, context: C) =>
        of(data, context).flatMap(([given, row]) => read(row).map((texts) => joined(given, texts))),
      ),
  };
}
