import type { Source, TargetFacts } from "../../api/endpoint.ts";
import type { Catalogue } from "../../topics/define/catalogue.ts";
import type { Part } from "../../topics/define/part.ts";
import type { Topic } from "../../topics/define/topic.ts";
import { OwnRecords } from "../../topics/poll-record.ts";
import { reachAfter, Reaches } from "../../topics/reach-record.ts";
import type { Collector, TopicView } from "../poll/collect.ts";
import type { Store } from "../poll/store.ts";
import { recordOf } from "./node-target.ts";
import { EVERY_NODE, isLabelled, isReference, networkKey, networkOf, nodeKey } from "./state.ts";
import type { PolledNetwork, NodeTarget, PollerState } from "./state.ts";

/** Nodes that are compared in a second: up to ten nodes every second, a hundred and more every ten, their shortest default interval. */
const COMPARED_PER_SECOND = 10;
const COMPARED_WITHIN = 10;

/** Reads the topics of all nodes and networks, and counts new answers in those that count. */
export function createNodeCollector(
  { topics, topicsBySource }: Catalogue,
  part: Part,
  state: PollerState,
  store: Store,
  collector: Collector,
) {
  const networkTopics = topics.filter(({ scope }) => scope === "network");
  const comparisons = topics.filter(({ scope, across }) => scope === "comparison" && across !== true);
  const acrossAll = topics.filter(({ across }) => across === true);
  const nodeTopics = topics.filter(({ scope }) => scope === "node" || scope === "observer");
  let comparedAt = -Infinity;

  /** The view of a network's topics: answers of the network and of its reference node. */
  function viewOfNetwork({ name, facts }: PolledNetwork): TopicView | undefined {
    if (facts === undefined) return undefined;
    const own = networkKey(name);
    const ownerOf = ({ scope }: Source<unknown>) => (scope === "network" ? own : nodeKey(facts.node));
    return { facts, target: own, ownerOf };
  }

  /** The views of a topic that reads this source of a target. */
  function viewsOf(topic: Topic, target: NodeTarget, source: Source<unknown>): readonly TopicView[] {
    const network = networkOf(state, target);
    if (topic.scope === "network") {
      const view = network === undefined ? undefined : viewOfNetwork(network);
      const concerns = isReference(state, target) || source.scope === "network";
      return view === undefined || !concerns ? [] : [view];
    }
    return source.scope === "network" ? (network?.members ?? []).map(viewOfNode) : [viewOfNode(target)];
  }

  /** Whether the node answers, as a source of topics: the answers of a node that was replaced are dropped, this record is not. */
  function noteReach(target: NodeTarget, now: number): void {
    const reach = reachAfter(target.reach, target.up, now);
    if (reach === target.reach && store.get(target.key, Reaches, now) !== undefined) return;
    target.reach = reach;
    store.put(target.key, Reaches, "", { value: reach, askedAt: now, answeredAt: now }, Infinity);
  }

  return {
    /** Counts a new answer of a target. */
    advance(target: NodeTarget, source: Source<unknown>, now: number): void {
      for (const topic of topicsBySource.get(source.id) ?? [])
        if (topic.next !== undefined)
          for (const view of viewsOf(topic, target, source)) collector.advance(topic, view, now);
    },
    /** Counts the present answers in the topics that compare nodes, whose histories must not miss one. Renders nothing. */
    tick(now: number): void {
      for (const target of state.targets.values()) noteReach(target, now);
      if (now - comparedAt < Math.min(COMPARED_WITHIN, state.targets.size / COMPARED_PER_SECOND)) return;
      comparedAt = now;
      for (const { name, members, reference } of state.networks.values()) {
        const views = members.map(viewOfNode);
        for (const topic of comparisons) collector.compared(topic, networkKey(name), views, reference, now);
      }
      const all = [...state.targets.values()].map(viewOfNode);
      for (const topic of acrossAll) collector.compared(topic, EVERY_NODE, all, undefined, now);
    },
    /** Reads everything about nodes and networks. */
    collect(now: number): void {
      comparedAt = now;
      for (const target of state.targets.values()) {
        noteReach(target, now);
        const record = { value: recordOf(target, store, now), askedAt: now, answeredAt: now };
        store.put(target.key, OwnRecords, "", record, Infinity);
        const view = viewOfNode(target);
        for (const topic of nodeTopics) collector.read(topic, view, now);
      }
      for (const network of state.networks.values()) {
        const view = viewOfNetwork(network);
        // Without a reference node, what needs no answers is not known either.
        for (const topic of networkTopics)
          if (view !== undefined && (network.reference !== undefined || Object.keys(topic.needs).length > 0))
            collector.read(topic, view, now);
        const { name, members, reference } = network;
        const views = members.map(viewOfNode);
        const keep = exportedBy(part, members[0]?.facts);
        for (const topic of comparisons) collector.compare(topic, networkKey(name), views, reference, keep, now);
      }
      const all = [...state.targets.values()].map(viewOfNode);
      for (const topic of acrossAll) collector.compare(topic, EVERY_NODE, all, undefined, () => true, now);
    },
  };
}

/** The view of a node's topics: answers of the node and of its network. */
function viewOfNode(target: NodeTarget): TopicView {
  const { facts, key: own } = target;
  const network = facts.network === undefined ? undefined : networkKey(facts.network);
  const ownerOf = ({ scope }: Source<unknown>) => (scope === "network" ? network : own);
  return { facts, target: own, ownerOf, withheld: !isLabelled(target) };
}

/** Whether a process exports a series of a comparison: that of a validator which it does not watch belongs to another shard. */
function exportedBy(part: Part, facts: TargetFacts | undefined) {
  const exported = new Set(facts?.watchNetwork);
  return ({ node_id: id }: Readonly<Record<string, string>>): boolean =>
    part === "whole" || id === undefined || exported.has(id);
}
