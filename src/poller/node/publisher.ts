import type { Source } from "../../api/endpoint.ts";
import type { Catalogue } from "../../topics/define/catalogue.ts";
import type { Topic } from "../../topics/define/topic.ts";
import type { Part } from "../../topics/define/part.ts";
import { OwnRecords } from "../../topics/exporter/poll-record.ts";
import type { Keep, Reader, View } from "../poll/reader.ts";
import { endpointRecords, failuresOf } from "../poll/status.ts";
import type { Store } from "../poll/store.ts";
import { idMatchOf } from "./id-match.ts";
import { configOf, isLabelled, isReference, networkKey, networkOf, nodeKey, referenceOf } from "./state.ts";
import type { Network, NodeTarget, State } from "./state.ts";
import { networkFacts } from "./target-facts.ts";

/** Fleets up to this size publish a record after each poll, larger ones this many records a second. */
const RECORDS_AT_ONCE = 100;
const RECORDS_PER_SECOND = 200;
/** Fleets up to this size also publish at once what only advances counts and times; larger ones after so many seconds. */
const COUNTS_AT_ONCE = 10;
const COUNTS_AFTER = 5;
/** Nodes of a network that are compared per second; a larger network is compared less often. */
const COMPARED_PER_SECOND = 200;

export type Publisher = ReturnType<typeof createPublisher>;

/** Publishes the series of nodes and networks when answers or facts change. */
export function createPublisher(
  { topics, topicsBySource }: Catalogue,
  part: Part,
  state: State,
  store: Store,
  reader: Reader,
) {
  const byScope = Map.groupBy(topics, ({ scope }) => scope);
  const nodeTopics = topics.filter(({ scope }) => scope === "node" || scope === "observer");

  /** Of an auxiliary node only its observations are exported; its own shard exports the rest. */
  function readNode(topic: Topic, target: NodeTarget, fresh: boolean): void {
    const isAuxiliary = topic.auxiliary === true;
    if (target.auxiliary ? topic.scope === "observer" || isAuxiliary : !isAuxiliary)
      reader.read(topic, viewOfNode(target), fresh);
  }

  function readNetwork(topic: Topic, network: Network, fresh: boolean): void {
    const reference = referenceOf(state, network);
    if (reference !== undefined) reader.read(topic, viewOfNetwork(network.name, reference), fresh);
  }

  /** The view of a network's topics: answers of the network and of its reference node. */
  function viewOfNetwork(network: string, { config, facts }: NodeTarget): View {
    const own = networkKey(network);
    return {
      facts: networkFacts(configOf(state), facts),
      target: own,
      ownerOf: ({ scope }) => (scope === "network" ? own : nodeKey(config.name)),
    };
  }

  /** Publishes the current record of a node's polls. */
  function record(target: NodeTarget, now: number): void {
    const { config, up, missed, reasons, sockets, certificateExpiry, polls, tallies } = target;
    const endpoints = endpointRecords(polls.values(), tallies);
    const failures = failuresOf(tallies);
    const ofPolls = { endpoints, failures, missed, reasons };
    const value = { up, idMatches: idMatchOf(target, now), ...ofPolls, sockets, certificateExpiry };
    store.put(nodeKey(config.name), OwnRecords, "", { value, askedAt: now, answeredAt: now });
    for (const topic of topicsBySource.get(OwnRecords.id) ?? []) readNode(topic, target, true);
  }

  function refreshTopic(topic: Topic, target: NodeTarget, source: Source<unknown>, fresh: boolean): void {
    const network = networkOf(state, target);
    if (topic.scope === "comparison") {
      if (network !== undefined && network.changed !== "all") network.changed.add(topic);
    } else if (topic.scope === "network") {
      const concerns = isReference(state, target) || ("byChain" in source && source.byChain === true);
      if (network !== undefined && concerns) readNetwork(topic, network, fresh);
    } else if (source.scope === "network") {
      for (const member of network?.members ?? []) readNode(topic, member, fresh);
    } else readNode(topic, target, fresh);
  }

  const comparisons = byScope.get("comparison") ?? [];
  const isComparing = (network: string) => comparisons.some((topic) => reader.isReading(topic, networkKey(network)));

  return {
    /** Reads every topic that uses this source of the node. `fresh`: an answer is new. */
    refresh(target: NodeTarget, source: Source<unknown>, fresh: boolean): void {
      for (const topic of topicsBySource.get(source.id) ?? []) refreshTopic(topic, target, source, fresh);
    },
    /** Reads every topic of a node after its facts changed. */
    node(target: NodeTarget): void {
      for (const topic of nodeTopics) readNode(topic, target, false);
    },
    /** Reads every topic of a network after its reference node changed or went. */
    network(network: Network): void {
      for (const topic of byScope.get("network") ?? []) {
        if (network.reference !== undefined) readNetwork(topic, network, false);
        else if (Object.keys(topic.needs).length === 0) reader.hide(topic, networkKey(network.name));
      }
    },
    record,
    /**
     * Publishes the record after a poll, in a large fleet at a limited rate: the record covers every endpoint, so it would be
     * the most expensive part of a poll. `isNews`: it says more than that one more poll succeeded.
     */
    recordSoon(target: NodeTarget, now: number, isNews: boolean): void {
      const { size } = state.targets;
      const publishedAt = store.get(nodeKey(target.config.name), OwnRecords)?.answeredAt ?? 0;
      const pause = Math.max(
        size <= RECORDS_AT_ONCE ? 0 : size / RECORDS_PER_SECOND,
        isNews || size <= COUNTS_AT_ONCE ? 0 : COUNTS_AFTER,
      );
      if (now - publishedAt >= pause) record(target, now);
    },
    /** Publishes the records that `recordSoon` possibly left out, one node per step. */
    *allRecords(now: number): Generator<undefined, void> {
      if (state.targets.size <= COUNTS_AT_ONCE) return;
      for (const target of state.targets.values()) {
        record(target, now);
        yield;
      }
    },
    /** Compares the nodes of each network by the topics with new answers, at a limited rate unless `atOnce` is set. */
    comparisons(now: number, atOnce = false): void {
      for (const network of state.networks.values()) {
        const { name, members, reference } = network;
        const { changed } = network;
        if (changed !== "all" && changed.size === 0) continue;
        if (!atOnce && now - network.comparedAt < members.length / COMPARED_PER_SECOND) continue;
        // A comparison of the same nodes that is under way goes on: where each took longer than the time to the next one, none
        // would ever end.
        if (!atOnce && members === network.comparedMembers && isComparing(name)) continue;
        network.changed = new Set();
        network.comparedAt = now;
        network.comparedMembers = members;
        const isWhole = part === "whole" && !members.some(({ auxiliary }) => auxiliary);
        const keep = isWhole ? undefined : keepOf(state, members);
        const views = members.map(viewOfNode);
        for (const topic of changed === "all" ? comparisons : changed)
          reader.compare(topic, networkKey(name), views, { reference, keep });
      }
    },
  };
}

/** The view of a node's topics: answers of the node and of its network. */
function viewOfNode(target: NodeTarget): View {
  const { facts } = target;
  const own = nodeKey(facts.node);
  const network = facts.network === undefined ? undefined : networkKey(facts.network);
  const ownerOf = ({ scope }: Source<unknown>) => (scope === "network" ? network : own);
  return { facts, target: own, ownerOf, withheld: !isLabelled(target) };
}

/** Selects the series of a comparison: none of auxiliary nodes, and only validators that this process exports. */
function keepOf({ targets }: State, members: readonly NodeTarget[]): Keep {
  const exported = new Set(members[0]?.facts.watchNetwork);
  return ({ node, node_id: nodeId }) => {
    if (node !== undefined) return targets.get(node)?.auxiliary !== true;
    return nodeId === undefined || exported.has(nodeId);
  };
}
