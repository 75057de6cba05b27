import type { Source, TargetFacts } from "../../api/endpoint.ts";
import type { Part } from "../../topics/define/part.ts";
import type { Topic } from "../../topics/define/topic.ts";
import { OwnRecords } from "../../topics/own-records.ts";
import { isSameList } from "../../topics/per-answer.ts";
import { reachAfter, Reaches } from "../../topics/reach.ts";
import { answersTo, type Collector, type ComparedNodes, type TopicView } from "../poll/collector.ts";
import type { Answers } from "../poll/inputs.ts";
import type { Store } from "../poll/store.ts";
import { recordOf } from "./node-target.ts";
import { EVERY_NODE, isLabelled, isReference, networkKey, networkOf, nodeKey } from "./poller-state.ts";
import type { PolledNetwork, NodeTarget, PollerState } from "./poller-state.ts";

/**
 * Nodes that are compared in a second: fewer than twenty nodes every second, a hundred and more every ten, their shortest default
 * interval.
 */
const COMPARED_PER_SECOND = 10;
const COMPARED_WITHIN = 10;

/**
 * Nodes that a scrape reads itself. Of more, a tick reads a tenth, so that a scrape finds each as it was within the last ten seconds: to
 * read a thousand at once holds up their polls for half a second.
 */
const READ_BY_SCRAPE = 250;
const READ_WITHIN = 10;

/** What a node was read as, and when, Unix seconds. */
type NodeReading = { readonly at: number; readonly facts: TargetFacts; readonly withheld: boolean };

/** The topics that compare the same nodes, and these. */
type Comparison = ComparedNodes & { readonly topics: readonly Topic[] };

/** Reads the topics of all nodes and networks, and counts new answers in those that count. */
export class NodeCollector {
  readonly #state: PollerState;
  readonly #collector: Collector;
  /** The topics about one node. */
  readonly #ofNode: readonly Topic[];
  /** When nodes were compared last, Unix seconds, and which (`subjectOf`). */
  #comparedAt = -Infinity;
  #compared: readonly unknown[] = [];
  readonly #readings = new WeakMap<NodeTarget, NodeReading>();
  /** Index of the node that a tick reads next. */
  #next = 0;

  constructor(state: PollerState, collector: Collector) {
    this.#state = state;
    this.#collector = collector;
    this.#ofNode = state.catalogue.topics.filter(({ scope }) => scope === "node" || scope === "observer");
  }

  /** Counts a new answer of a target. */
  advance(target: NodeTarget, source: Source<unknown>, now: number): void {
    for (const topic of this.#state.catalogue.topicsBySource.get(source.id) ?? [])
      if (topic.next !== undefined)
        for (const view of viewsOf(this.#state, topic, target, source)) this.#collector.advance(topic, view, now);
  }

  /** Reads the topics that compare nodes, whose histories must not miss an answer, and of a large fleet some nodes. */
  tick(now: number): void {
    for (const target of this.#state.targets.values()) noteReach(this.#state.store, target, now);
    if (this.#isDue(now)) this.#compare(this.#comparisons(now), now);
    if (this.#state.targets.size > READ_BY_SCRAPE) this.#readNext(now);
  }

  /**
   * Reads everything about nodes and networks.
   * @param isSparing whether to keep what `tick` has read in the last seconds. Who scrapes a thousand nodes would miss it: to read them is
   * half of the scrape, and to compare them a quarter
   */
  collect(now: number, isSparing: boolean): void {
    const { catalogue, targets, networks } = this.#state;
    const ofNetworks = catalogue.topics.filter(({ scope }) => scope === "network");
    const isKept = isSparing && targets.size > READ_BY_SCRAPE;
    for (const target of targets.values())
      if (isKept && this.#isRecent(target, now)) this.#collector.keepAll(target.key);
      else this.#readNode(target, now);
    for (const network of networks.values()) {
      const view = viewOfNetwork(network);
      // Without a reference node, what needs no answers is not known either.
      for (const topic of ofNetworks)
        if (view !== undefined && (network.reference !== undefined || Object.keys(topic.needs).length > 0))
          this.#collector.read(topic, view, now);
    }
    const comparisons = this.#comparisons(now);
    if (isSparing && !this.#isDue(now) && isSameList(comparisons.flatMap(subjectOf), this.#compared))
      for (const { topics, target } of comparisons) for (const topic of topics) this.#collector.keep(topic, target);
    else this.#compare(comparisons, now);
  }

  #readNode(target: NodeTarget, now: number): void {
    const { store } = this.#state;
    noteReach(store, target, now);
    const record = { value: recordOf(target, store, now), askedAt: now, answeredAt: now };
    store.put(target.key, OwnRecords, "", record, Infinity);
    const view = viewOfNode(target);
    for (const topic of this.#ofNode) this.#collector.read(topic, view, now);
    this.#readings.set(target, { at: now, facts: target.facts, withheld: !isLabelled(target) });
  }

  /** Reads nodes in turn, each of them once in ten ticks. */
  #readNext(now: number): void {
    const all = [...this.#state.targets.values()];
    for (let count = Math.ceil(all.length / READ_WITHIN); count > 0; count--) {
      const target = all[this.#next % all.length];
      this.#next = (this.#next % all.length) + 1;
      if (target !== undefined) this.#readNode(target, now);
    }
  }

  /** Whether a node was read within the last seconds as what it is now. The clock can have been set back. */
  #isRecent(target: NodeTarget, now: number): boolean {
    const { at, facts, withheld } = this.#readings.get(target) ?? {};
    if (at === undefined || now < at || now > at + READ_WITHIN) return false;
    return facts === target.facts && withheld === !isLabelled(target);
  }

  #isDue(now: number): boolean {
    const passed = now - this.#comparedAt;
    const { size } = this.#state.targets;
    // The clock can have been set back.
    return passed < 0 || passed >= Math.min(COMPARED_WITHIN, Math.floor(size / COMPARED_PER_SECOND));
  }

  #compare(comparisons: readonly Comparison[], now: number): void {
    this.#comparedAt = now;
    this.#compared = comparisons.flatMap(subjectOf);
    for (const { topics, ...nodes } of comparisons)
      for (const topic of topics) this.#collector.compare(topic, nodes, now);
  }

  /** The topics that compare nodes, with what they compare: the nodes of each network, and all. */
  #comparisons(now: number): readonly Comparison[] {
    const { catalogue, part, networks, targets, store } = this.#state;
    const all = catalogue.topics.filter(({ scope }) => scope === "comparison");
    const [topics, across] = [all.filter((topic) => topic.across !== true), all.filter((topic) => topic.across)];
    const ofNetworks = [...networks.values()].map(({ name, members, reference }) => {
      const keep = exportedBy(part, members[0]?.facts);
      return { topics, target: networkKey(name), nodes: members.map(viewOfNode), reference, keep };
    });
    const nodes = [...targets.values()].map(viewOfNode);
    const ofAll = { topics: across, target: EVERY_NODE, nodes, reference: undefined, keep: () => true };
    return [...ofNetworks, ofAll].map((each) => ({ ...each, answersOf: answersOf(store, each.nodes, now) }));
  }
}

/**
 * What a comparison is about, without its answers. When it changes the comparison is not kept: a removed node must have no series, and a
 * node with new labels none with the old ones.
 */
function subjectOf({ target, reference, nodes }: Comparison): readonly unknown[] {
  return [target, reference, ...nodes.flatMap(({ facts, withheld }) => [facts, withheld])];
}

/** Looks up the answers of nodes to a source once for all topics that compare them: with a thousand nodes that is a tenth of collecting. */
function answersOf(store: Store, nodes: readonly TopicView[], now: number) {
  const known = new Map<string, readonly Answers[]>();
  return (source: Source<unknown>): readonly Answers[] => {
    const answers = known.get(source.id) ?? nodes.map(({ ownerOf }) => answersTo(source, ownerOf, store, now));
    known.set(source.id, answers);
    return answers;
  };
}

/** The views of a topic that reads this source of a target. */
function viewsOf(state: PollerState, topic: Topic, target: NodeTarget, source: Source<unknown>): readonly TopicView[] {
  const network = networkOf(state, target);
  if (topic.scope === "network") {
    const view = network === undefined ? undefined : viewOfNetwork(network);
    const concerns = isReference(state, target) || source.scope === "network";
    return view === undefined || !concerns ? [] : [view];
  }
  return source.scope === "network" ? (network?.members ?? []).map(viewOfNode) : [viewOfNode(target)];
}

/** Whether the node answers, as a source of topics: the answers of a node that was replaced are dropped, this record is not. */
function noteReach(store: Store, target: NodeTarget, now: number): void {
  const reach = reachAfter(target.reach, target.up, now);
  if (reach === target.reach && store.get(target.key, Reaches, now) !== undefined) return;
  target.reach = reach;
  store.put(target.key, Reaches, "", { value: reach, askedAt: now, answeredAt: now }, Infinity);
}

/** The view of a network's topics: answers of the network and of its reference node. */
function viewOfNetwork({ name, facts }: PolledNetwork): TopicView | undefined {
  if (facts === undefined) return undefined;
  const own = networkKey(name);
  const ownerOf = ({ scope }: Source<unknown>): string => (scope === "network" ? own : nodeKey(facts.node));
  return { facts, target: own, ownerOf };
}

/** The view of a node's topics: answers of the node and of its network. */
function viewOfNode(target: NodeTarget): TopicView {
  const { facts, key: own } = target;
  const network = facts.network === undefined ? undefined : networkKey(facts.network);
  const ownerOf = ({ scope }: Source<unknown>): string | undefined => (scope === "network" ? network : own);
  return { facts, target: own, ownerOf, withheld: !isLabelled(target) };
}

/** Whether a process exports a series of a comparison: that of a validator which it does not watch belongs to another shard. */
function exportedBy(part: Part, facts: TargetFacts | undefined) {
  const exported = new Set(facts?.watchNetwork);
  return ({ node_id: id }: Readonly<Record<string, string>>): boolean =>
    part === "whole" || id === undefined || exported.has(id);
}
