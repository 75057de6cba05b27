import type { Source, TargetFacts } from "../../api/endpoint.ts";
import type { Exposition } from "../../exposition/exposition.ts";
import { metricsOf } from "../../topics/define/catalogue.ts";
import { nameLabels, type Moment } from "../../topics/define/metric.ts";
import type { Topic } from "../../topics/define/topic.ts";
import type { Sample, Value } from "../../exposition/sample.ts";
import type { Log, PollEvents } from "../../runtime/log.ts";
import { Reaches } from "../../topics/reach.ts";
import { perAnswer } from "../../topics/per-answer.ts";
import { contextOf, gather, membersOf, needsOf, type Facts, type Member } from "./gather.ts";
import { Inputs, type Answers } from "./inputs.ts";
import type { Store } from "./store.ts";
import type { TopicStates } from "./topic-states.ts";

/** What a topic reads, and where its series belong. */
export type TopicView = {
  readonly facts: Facts;
  /** Name of the series' target in the exposition: a node, a network or a hosted service. */
  readonly target: string;
  /** The owner of a source's answers in the store. */
  readonly ownerOf: (source: Source<unknown>) => string | undefined;
  /** True while a label of its series is not settled: answers are counted and not exported yet. */
  readonly withheld?: boolean;
  /** The names of validators and subnets, where the facts have none. */
  readonly names?: Naming;
};

/** The nodes that a topic compares: those of a network, or all. */
export type ComparedNodes = {
  /** Name of the series' target. */
  readonly target: string;
  readonly nodes: readonly TopicView[];
  /** Name of the reference node. */
  readonly reference: string | undefined;
  /** Which series are exported. */
  readonly keep: (labels: Labels) => boolean;
  /** The present answers of these nodes to a source, in their order. */
  readonly answersOf: (source: Source<unknown>) => readonly Answers[];
};

/** What the configuration calls validators and subnets. */
export type Naming = Pick<TargetFacts, "watchDetails" | "subnetNames">;

const NO_NAMES: Naming = { watchDetails: new Map(), subnetNames: new Map() };

type Labels = Readonly<Record<string, string>>;
type Samples = ReadonlyArray<Sample<string, Value>>;

/** A comparison that reads outages is made again after this time without another answer, seconds. */
const TICK = 10;

/** The data and the state of a comparison. */
type Compared = { readonly members: () => readonly Member[]; readonly context: Moment; readonly state: unknown };
/** What was done with the inputs of a topic. */
type Done = "read" | "compared";

type CollectorParts = {
  readonly store: Store;
  readonly states: TopicStates;
  readonly exposition: Exposition;
  readonly log: Pick<Log, "error">;
  readonly events: Pick<PollEvents, "defect" | "duplicates">;
  /**
   * Index of one of several shards: the label of what it finds about all of its nodes, so that a shard which reaches none holds
   * back no page of another one.
   */
  readonly shard: string;
};

/**
 * Reads topics: where a source has another answer than at the last reading, an answer is too old or the facts have changed, the
 * text of the topic is replaced; all else keeps its text.
 */
export class Collector {
  readonly #parts: CollectorParts;
  /** What was read, by target, then by topic and what was done with it. */
  readonly #readings = new Map<string, Map<string, Inputs>>();
  /** Number of the reading of everything that is under way. */
  #round = 0;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
  }

  /** Counts a new answer in a topic that counts. */
  advance(topic: Topic, { facts, target, ownerOf }: TopicView, now: number): void {
    const gathered = gather(topic, this.#answersOf(topic, ownerOf, now));
    const { next } = topic;
    if (gathered === undefined || next === undefined) return;
    this.#guarded(topic, "next", () => {
      const before = this.#parts.states.get(topic, target);
      const context = contextOf(facts, gathered);
      this.#parts.states.put(topic, target, next(before as never, gathered.data as never, context as never));
    });
  }

  /** Begins a reading of everything. What is not read until `end` is no longer exported. */
  begin(): void {
    this.#round++;
  }

  /** Reads a topic about one target. @param now Unix seconds */
  read(topic: Topic, { facts, target, ownerOf, withheld, names = NO_NAMES }: TopicView, now: number): void {
    const { states, store } = this.#parts;
    const state = topic.next === undefined ? undefined : states.get(topic, target);
    const inputs = this.#begun(topic, target, "read");
    inputs.take(facts);
    inputs.take(names);
    inputs.take(withheld);
    inputs.take(state);
    for (const { source } of needsOf(topic)) inputs.takeAnswers(answersTo(source, ownerOf, store, now));
    if (!inputs.end()) return;
    const gathered = gather(topic, inputs.answers);
    const labels = withheld === true ? undefined : baseLabels(topic, facts);
    if (gathered === undefined || labels === undefined) return this.#hide(topic, target);
    const data = topic.next === undefined ? gathered.data : { ...gathered.data, state };
    this.#render(topic, target, labels, data, contextOf(facts, gathered), "watchDetails" in facts ? facts : names);
  }

  /** Reads a topic that compares nodes. */
  compare(topic: Topic, compared: ComparedNodes, now: number): void {
    const { target, nodes, reference, keep } = compared;
    const result = this.#compared(topic, compared, now);
    if (result === undefined) return this.#hide(topic, target);
    const { state, members, context } = result;
    const inputs = this.#begun(topic, target, "read");
    inputs.take(state);
    inputs.take(reference);
    for (const { facts, withheld } of nodes) {
      inputs.take(facts);
      inputs.take(withheld);
    }
    if (!inputs.end()) return;
    const isAcross = topic.across === true;
    const kept = (samples: Samples): Samples =>
      withLabelsOfNodes(samples, nodes, isAcross).filter(([labels]) => keep(labels));
    const base: Labels = isAcross ? { shard: this.#parts.shard } : { network: context.networkLabel };
    this.#render(topic, target, base, { members: members(), state }, context, namesOf(nodes), kept);
  }

  /** Leaves what is exported of a comparison as it is. */
  keep({ id }: Topic, target: string): void {
    const ofTarget = this.#readings.get(target);
    for (const each of [id, `${id} compared`]) {
      const reading = ofTarget?.get(each);
      if (reading !== undefined) reading.round = this.#round;
    }
  }

  /** Leaves what is exported of a target as it is. */
  keepAll(target: string): void {
    for (const reading of this.#readings.get(target)?.values() ?? []) reading.round = this.#round;
  }

  /** Counts the present answers in a topic that compares the nodes of a network, where one has changed; its data and state. */
  #compared(topic: Topic, { target, nodes, reference, answersOf }: ComparedNodes, now: number): Compared | undefined {
    const [first] = nodes;
    const { compare } = topic;
    if (first === undefined || compare === undefined) return undefined;
    const needs = needsOf(topic);
    const members = (): readonly Member[] =>
      membersOf(
        topic,
        nodes,
        needs.map(({ source }) => answersOf(source)),
      );
    const times = { compared: now };
    const context: Moment = { ...contextOf(first.facts, { times, timesByKey: {}, asked: {} }), reference };
    const inputs = this.#begun(topic, target, "compared");
    inputs.take(reference);
    // What follows from an outage changes with the time alone.
    inputs.take(needs.some(({ source }) => source === Reaches) ? Math.floor(now / TICK) : 0);
    for (const { facts } of nodes) inputs.take(facts);
    for (const { source } of needs) for (const answers of answersOf(source)) inputs.takeAnswers(answers);
    const before = this.#parts.states.get(topic, target);
    if (!inputs.end()) return { members, context, state: before };
    return this.#guarded(topic, "compare", () => {
      const made = members();
      const state = compare(before as never, { members: made } as never, context as never);
      this.#parts.states.put(topic, target, state);
      return { members: () => made, context, state };
    });
  }

  /** Ends a reading of everything. */
  end(): void {
    for (const [target, ofTarget] of this.#readings) {
      for (const [id, reading] of ofTarget) {
        if (reading.round === this.#round) continue;
        this.#hide(reading.topic, target);
        ofTarget.delete(id);
      }
      if (ofTarget.size === 0) this.#readings.delete(target);
    }
  }

  /** `undefined` where a function of a topic throws. */
  #guarded<T>(topic: Topic, metric: string, run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      this.#report(topic, metric, error);
      return undefined;
    }
  }

  /** What a topic throws is a defect of the exporter: only what the function gives is absent. */
  #report(topic: Topic, metric: string, err: unknown): void {
    this.#parts.log.error({ topic: topic.id, metric, err }, "defect in a metric");
    this.#parts.events.defect("metric", topic.id);
  }

  /** What this was done from the last time, to be compared with what there is now. */
  #begun(topic: Topic, target: string, done: Done): Inputs {
    const id = done === "read" ? topic.id : `${topic.id} ${done}`;
    let ofTarget = this.#readings.get(target);
    if (ofTarget === undefined) this.#readings.set(target, (ofTarget = new Map<string, Inputs>()));
    let inputs = ofTarget.get(id);
    if (inputs === undefined) ofTarget.set(id, (inputs = new Inputs(topic)));
    inputs.begin(this.#round);
    return inputs;
  }

  #render(
    topic: Topic,
    target: string,
    base: Labels,
    data: unknown,
    context: Moment,
    names: Naming,
    map?: (samples: Samples) => Samples,
  ): void {
    const { exposition, events } = this.#parts;
    for (const { metric, added } of labelledMetrics(topic, names.subnetNames.size > 0)) {
      const { name } = metric;
      let duplicates: number;
      try {
        const samples = metric.read(data as never, context as never) as Samples;
        const mapped = map === undefined ? samples : map(samples);
        duplicates = exposition.set(name, target, base, named(added, mapped, names));
      } catch (error) {
        this.#report(topic, name, error);
        duplicates = exposition.set(name, target, base, []);
      }
      if (duplicates > 0) events.duplicates(name, duplicates);
    }
  }

  #hide(topic: Topic, target: string): void {
    for (const { name } of metricsOf(topic)) this.#parts.exposition.set(name, target, {}, []);
  }

  #answersOf(topic: Topic, ownerOf: TopicView["ownerOf"], now: number): readonly Answers[] {
    return needsOf(topic).map(({ source }) => answersTo(source, ownerOf, this.#parts.store, now));
  }
}

/** The present answers to a source. */
export function answersTo(
  source: Source<unknown>,
  ownerOf: TopicView["ownerOf"],
  store: Pick<Store, "all">,
  now: number,
): Answers {
  const owner = ownerOf(source);
  return owner === undefined ? undefined : store.all(owner, source, now);
}

/** The labels of the topic's scope; `undefined` while the network of a fact that needs one is unknown. */
function baseLabels({ scope }: Topic, facts: Facts): Labels | undefined {
  if (scope === "hosted") return NO_LABELS;
  if (facts.network === undefined && scope !== "node") return undefined;
  if (!("node" in facts) || scope === "network") return networkLabels(facts);
  return scope === "node" ? nodeLabels(facts) : observerLabels(facts);
}

const NO_LABELS: Labels = {};
// Once for all topics: a node has some sixty families.
const networkLabels = perAnswer(({ network = "" }: Facts): Labels => ({ network }));
const observerLabels = perAnswer(({ node, network = "" }: TargetFacts): Labels => ({ node, network }));
const nodeLabels = perAnswer(({ node, network = "", seriesLabels }: TargetFacts): Labels => ({
  node,
  network,
  ...seriesLabels,
}));

/** The labels that the samples of a comparison get, by the node that they are about: once for all topics that compare these nodes. */
const labelsByNode = perAnswer(
  (nodes: readonly TopicView[], isAcross: boolean): ReadonlyMap<string, Labels> =>
    new Map(
      nodes.flatMap(({ facts, withheld }): ReadonlyArray<readonly [string, Labels]> => {
        if (!("node" in facts) || (isAcross && withheld === true)) return [];
        const { node, network = "", seriesLabels } = facts;
        const labels = isAcross ? { network, ...seriesLabels } : seriesLabels;
        return Object.keys(labels).length === 0 ? [] : [[node, labels]];
      }),
    ),
);

/**
 * The samples of a comparison with the configured labels of the nodes that they are about. In one across all networks also with the
 * network of the node; those of a node whose labels are not settled are left out.
 */
function withLabelsOfNodes<V>(
  samples: ReadonlyArray<Sample<string, V>>,
  nodes: readonly TopicView[],
  isAcross: boolean,
) {
  const ofNodes = labelsByNode(nodes, isAcross);
  return samples.flatMap((sample): ReadonlyArray<Sample<string, V>> => {
    const [labels, value] = sample;
    const { node } = labels;
    const more = ofNodes.get(node ?? "");
    if (more === undefined) return isAcross && node !== undefined ? [] : [sample];
    return [[{ ...labels, ...more }, value]];
  });
}

/** The names of all validators and subnets of these nodes; the objects of a network are shared by its nodes. */
const namesOf = perAnswer((nodes: readonly TopicView[]): Naming => {
  const all = nodes.map(({ facts }) => facts).filter((each) => "watchDetails" in each);
  const [first = NO_NAMES] = all;
  const details = new Set(all.map(({ watchDetails }) => watchDetails));
  return details.size <= 1 ? first : { ...first, watchDetails: new Map([...details].flatMap((each) => [...each])) };
});

/** The metrics of a topic with the labels that `named` adds to them, looked up once for all targets. */
const labelledMetrics = perAnswer((topic: Topic, hasSubnets: boolean) =>
  metricsOf(topic).map((metric) => ({
    metric,
    added: nameLabels(topic.scope, metric.labels).filter((label) => label !== "subnet_name" || hasSubnets),
  })),
);

/** The samples with the names of the watched validator and of the configured subnet that they are about (`nameLabels`). */
function named<V>(
  added: readonly string[],
  samples: ReadonlyArray<Sample<string, V>>,
  { watchDetails, subnetNames }: Naming,
): ReadonlyArray<Sample<string, V>> {
  if (added.length === 0) return samples;
  return samples.map(([labels, value]): Sample<string, V> => {
    const { name = "", node = "" } = watchDetails.get(labels["node_id"] ?? "") ?? {};
    const names: Labels = { name, node, subnet_name: subnetNames.get(labels["subnet"] ?? "") ?? "" };
    const all: Record<string, string> = { ...labels };
    for (const label of added) all[label] = names[label] ?? "";
    return [all, value];
  });
}
