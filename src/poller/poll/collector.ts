import type { Answer, Source, TargetFacts } from "../../api/endpoint.ts";
import type { Exposition } from "../../exposition/exposition.ts";
import { isOptional, metricsOf, sourceOf } from "../../topics/define/catalogue.ts";
import { nameLabels, type Moment, type Scope } from "../../topics/define/metric.ts";
import type { Topic } from "../../topics/define/topic.ts";
import type { Sample, Value } from "../../exposition/sample.ts";
import type { Log, PollEvents } from "../../runtime/log.ts";
import { Reaches } from "../../topics/reach.ts";
import { perAnswer, valuesOf } from "../../topics/per-answer.ts";
import type { Store } from "./store.ts";
import type { TopicStates } from "./topic-states.ts";

/** What a topic reads, and where its series belong. */
export type TopicView = {
  /** Facts of the node or network; of a hosted service only its network. */
  readonly facts: TargetFacts | { readonly network: string };
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

/** By key; `undefined` without any. */
export type Answers = ReadonlyMap<string, Answer> | undefined;
type Member = { readonly facts: TopicView["facts"]; readonly answers: Readonly<Record<string, unknown>> };
/** The data and the state of a comparison. */
type Compared = { readonly members: () => readonly Member[]; readonly context: Moment; readonly state: unknown };
/** What a topic was read from, and when. */
type Inputs = { readonly topic: Topic; others: readonly unknown[]; answers: readonly unknown[]; round: number };

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
    const answers = this.#answersOf(topic, ownerOf, now);
    const state = topic.next === undefined ? undefined : this.#parts.states.get(topic, target);
    if (!this.#isChanged(topic, target, [facts, names, withheld, state], answers)) return;
    const gathered = gather(topic, answers);
    const labels = withheld === true ? undefined : baseLabels(topic, facts);
    if (gathered === undefined || labels === undefined) return this.#hide(topic, target);
    const data = topic.next === undefined ? gathered.data : { ...gathered.data, state };
    this.#render(topic, target, labels, data, contextOf(facts, gathered), "watchDetails" in facts ? facts : names);
  }

  /** Reads a topic that compares nodes. */
  compare(topic: Topic, compared: ComparedNodes, now: number): void {
    const { target, nodes, reference, keep } = compared;
    const result = this.compared(topic, compared, now);
    if (result === undefined) return this.#hide(topic, target);
    const { state, members, context } = result;
    const facts = nodes.map((each) => each.facts);
    const settled = nodes.map(({ withheld }) => withheld);
    if (!this.#isChanged(topic, target, [state, reference, ...facts, ...settled])) return;
    const isAcross = topic.across === true;
    const kept = (samples: Samples): Samples =>
      withLabelsOfNodes(samples, nodes, isAcross).filter(([labels]) => keep(labels));
    const base: Labels = isAcross ? { shard: this.#parts.shard } : { network: context.networkLabel };
    this.#render(topic, target, base, { members: members(), state }, context, namesOf(nodes), kept);
  }

  /** Counts the present answers in a topic that compares the nodes of a network, where one has changed; its data and state. */
  compared(topic: Topic, { target, nodes, reference, answersOf }: ComparedNodes, now: number): Compared | undefined {
    const [first] = nodes;
    const { compare } = topic;
    if (first === undefined || compare === undefined) return undefined;
    const answers = needsOf(topic).map(({ source }) => answersOf(source));
    const members = (): readonly Member[] => membersOf(topic, nodes, answers);
    const times = { compared: now };
    const context: Moment = { ...contextOf(first.facts, { times, timesByKey: {}, asked: {} }), reference };
    // What follows from an outage changes with the time alone.
    const moment = needsOf(topic).some(({ source }) => source === Reaches) ? Math.floor(now / TICK) : 0;
    const others = [reference, moment, ...nodes.map(({ facts }) => facts)];
    const before = this.#parts.states.get(topic, target);
    if (!this.#isChanged(topic, target, others, answers.flat(), "compared")) return { members, context, state: before };
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

  /** `undefined` where a function of a topic throws, which is a defect of the exporter: only what it gives is absent. */
  #guarded<T>(topic: Topic, metric: string, run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      this.#parts.log.error({ topic: topic.id, metric, err: error }, "defect in a metric");
      this.#parts.events.defect("metric", topic.id);
      return undefined;
    }
  }

  /** Whether anything that a topic reads has changed since it was last `read` or `compared`. */
  #isChanged(
    topic: Topic,
    target: string,
    others: readonly unknown[],
    answers: readonly unknown[] = [],
    done = "read",
  ): boolean {
    const id = done === "read" ? topic.id : `${topic.id} ${done}`;
    const ofTarget = this.#readings.get(target) ?? new Map<string, Inputs>();
    this.#readings.set(target, ofTarget);
    const known = ofTarget.get(id);
    if (known === undefined) {
      ofTarget.set(id, { topic, others, answers, round: this.#round });
      return true;
    }
    known.round = this.#round;
    if (isSame(known.others, others) && isSame(known.answers, answers)) return false;
    Object.assign(known, { others, answers });
    return true;
  }

  #render(
    topic: Topic,
    target: string,
    base: Labels,
    data: unknown,
    context: Moment,
    names: Naming,
    map: (samples: Samples) => Samples = (samples) => samples,
  ): void {
    const { exposition, events } = this.#parts;
    for (const metric of metricsOf(topic)) {
      const { name } = metric;
      const duplicates =
        this.#guarded(topic, name, () => {
          const samples = metric.read(data as never, context as never) as Samples;
          return exposition.set(name, target, base, named(topic, metric, map(samples), names));
        }) ?? exposition.set(name, target, base, []);
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

const isSame = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && before.every((each, index) => each === now[index]);

const needsOf = perAnswer(({ needs }: Topic) =>
  Object.entries(needs).map(([name, need]) => ({ name, source: sourceOf(need), mayLack: isOptional(need) })),
);

/** The labels of the topic's scope; `undefined` while the network of a fact that needs one is unknown. */
function baseLabels({ scope }: Topic, facts: TopicView["facts"]): Labels | undefined {
  if (scope === "hosted") return NO_LABELS;
  if (facts.network === undefined && scope !== "node") return undefined;
  if (!("node" in facts) || scope === "network") return networkLabels(facts);
  return scope === "node" ? nodeLabels(facts) : observerLabels(facts);
}

const NO_LABELS: Labels = {};
// Once for all topics: a node has some sixty families.
const networkLabels = perAnswer(({ network = "" }: TopicView["facts"]): Labels => ({ network }));
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

/** The labels that `named` adds to a metric, looked up once for all targets. */
const addedLabels = perAnswer(
  ({ labels }: { readonly labels: readonly string[] }, scope: Scope, hasSubnets: boolean): readonly string[] =>
    nameLabels(scope, labels).filter((label) => label !== "subnet_name" || hasSubnets),
);

/** The samples with the names of the watched validator and of the configured subnet that they are about (`nameLabels`). */
function named<V>(
  { scope }: Topic,
  metric: { readonly labels: readonly string[] },
  samples: ReadonlyArray<Sample<string, V>>,
  { watchDetails, subnetNames }: Naming,
): ReadonlyArray<Sample<string, V>> {
  const added = addedLabels(metric, scope, subnetNames.size > 0);
  if (added.length === 0) return samples;
  return samples.map(([labels, value]): Sample<string, V> => {
    const { name = "", node = "" } = watchDetails.get(labels["node_id"] ?? "") ?? {};
    const names: Labels = { name, node, subnet_name: subnetNames.get(labels["subnet"] ?? "") ?? "" };
    const all: Record<string, string> = { ...labels };
    for (const label of added) all[label] = names[label] ?? "";
    return [all, value];
  });
}

type Gathered = Pick<Moment, "times" | "timesByKey" | "asked"> & { readonly data: Readonly<Record<string, unknown>> };

function contextOf(facts: TopicView["facts"], { times, timesByKey, asked }: Omit<Gathered, "data">): Moment {
  const time = Math.min(...Object.values(times));
  return { ...facts, networkLabel: facts.network ?? "", times, timesByKey, asked, time };
}

const timesOf = perAnswer(
  (answers: NonNullable<Answers>): ReadonlyMap<string, number> =>
    new Map([...answers].map(([key, { answeredAt }]) => [key, answeredAt])),
);

/** The answers to a topic's needs as its reads take them; `undefined` when a required one is missing. */
function gather(topic: Topic, given: readonly Answers[]): Gathered | undefined {
  const data: Record<string, unknown> = {};
  const times: Record<string, number> = {};
  const timesByKey: Record<string, ReadonlyMap<string, number>> = {};
  const asked: Record<string, number> = {};
  for (const [index, { name, source, mayLack }] of needsOf(topic).entries()) {
    const answers = given[index];
    // The store has no empty lists of answers.
    const oldest = answers && oldestOf(answers);
    if (answers === undefined || oldest === undefined) {
      if (!mayLack) return undefined;
      data[name] = undefined;
      continue;
    }
    if (source.keyed) {
      data[name] = valuesOf(answers);
      timesByKey[name] = timesOf(answers);
    } else data[name] = oldest.value;
    times[name] = oldest.answeredAt;
    asked[name] = oldest.askedAt;
  }
  return { data, times, timesByKey, asked };
}

function oldestOf(answers: NonNullable<Answers>): Answer | undefined {
  let oldest: Answer | undefined;
  for (const each of answers.values()) if (oldest === undefined || each.answeredAt < oldest.answeredAt) oldest = each;
  return oldest;
}

/** Nodes with their answers and the times of these, for a comparison. @param given for each need, the answers of each node */
function membersOf(
  topic: Topic,
  nodes: readonly TopicView[],
  given: ReadonlyArray<readonly Answers[]>,
): readonly Member[] {
  return nodes.map(({ facts }, index) => {
    const answers: Record<string, unknown> = {};
    for (const [need, { name, source }] of needsOf(topic).entries()) {
      const found = given[need]?.[index];
      answers[name] = source.keyed ? found : found?.values().next().value;
    }
    return { facts, answers };
  });
}
