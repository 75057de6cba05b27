import type { Endpoint } from "../api/endpoint.ts";
import { OwnRecords } from "../self/poll-record.ts";
import type { Topic } from "../catalogue/metric.ts";
import type { Fleet } from "./fleet.ts";
import { isReadOf, keepOf } from "./shard/helping.ts";
import { networkKey, nodeKey, placeOfNetwork, placeOfNode } from "./planning.ts";
import { ownRecord, type Target } from "./target.ts";

/** Keeps what is shown in line with what is known. */

/** Reads every topic again that an endpoint's answers of this node concern. `fresh`: an answer is new. */
export function refresh(fleet: Fleet, target: Target, endpoint: Endpoint<unknown>, fresh: boolean): void {
  const { network } = target.subject;
  for (const topic of fleet.catalogue.topicsByEndpoint.get(endpoint.id) ?? []) {
    if (topic.scope === "fleet") {
      if (network !== undefined) fleet.uncompared.add(network);
    } else if (topic.scope === "network") {
      const speaks = fleet.speakers.get(network ?? "") === target.config.name;
      if (network !== undefined && (speaks || endpoint.byChain === true)) readNetwork(fleet, topic, network, fresh);
    } else if (endpoint.scope === "network") {
      for (const member of fleet.networks.get(network ?? "")?.members ?? [])
        if (isReadOf(topic, member)) fleet.reader.read(topic, placeOfNode(member), fresh);
    } else if (isReadOf(topic, target)) {
      fleet.reader.read(topic, placeOfNode(target), fresh);
    }
  }
}

/** Reads every topic of a node again: what is known about the node itself has changed. */
export function readNode({ topics, reader }: Fleet, target: Target): void {
  for (const topic of topics.node) if (isReadOf(topic, target)) reader.read(topic, placeOfNode(target), false);
}

/** Reads a topic of a network again, at the place of its speaker; without one nothing changes. */
export function readNetwork(
  { targets, speakers, reader, config }: Fleet,
  topic: Topic,
  network: string,
  fresh: boolean,
): void {
  const speaker = targets.get(speakers.get(network) ?? "");
  if (speaker !== undefined) reader.read(topic, placeOfNetwork(config, network, speaker), fresh);
}

/** Up to so many nodes each poll shows its node's record; larger fleets show so many records a second. */
const RECORDS_AT_ONCE = 100;
const RECORDS_PER_SECOND = 200;

/**
 * Shows the exporter's own record of a node after a poll, unless that was done a moment ago: the record holds every
 * endpoint, so in a large fleet it is the dearest part of a poll, and one more poll changes little in it.
 */
export function showRecordSoon(fleet: Fleet, target: Target, now: number): void {
  const { size } = fleet.targets;
  const shownAt = fleet.store.of(nodeKey(target.config.name), OwnRecords.id)?.get("")?.answeredAt ?? 0;
  if (size <= RECORDS_AT_ONCE || now - shownAt >= size / RECORDS_PER_SECOND) showRecord(fleet, target, now);
}

/** Shows the records that may not be up to date, of all nodes, a node a step: work for once, not for every poll. */
export function* showAllRecords(fleet: Fleet, now: number): Generator<undefined, void> {
  if (fleet.targets.size <= RECORDS_AT_ONCE) return;
  for (const target of fleet.targets.values()) {
    showRecord(fleet, target, now);
    yield;
  }
}

/** Shows the exporter's own record of a node as it is now. */
export function showRecord({ store, reader, catalogue }: Fleet, target: Target, now: number): void {
  store.put(nodeKey(target.config.name), OwnRecords.id, "", {
    value: ownRecord(target),
    askedAt: now,
    answeredAt: now,
  });
  for (const topic of catalogue.topicsByEndpoint.get(OwnRecords.id) ?? [])
    if (isReadOf(topic, target)) reader.read(topic, placeOfNode(target), true);
}

/** Nodes of a network that are compared in a second; a larger one is compared less often. */
const COMPARED_PER_SECOND = 200;

/** Compares the nodes of each network that has new answers, each network at most once a second unless all of it is to be shown now. */
export function compareAll(fleet: Fleet, now: number, atOnce = false): void {
  const { uncompared, comparedAt, networks, topics, reader, remit } = fleet;
  for (const network of [...uncompared]) {
    const members = networks.get(network)?.members ?? [];
    if (!atOnce && now - (comparedAt.get(network) ?? 0) < members.length / COMPARED_PER_SECOND) continue;
    uncompared.delete(network);
    comparedAt.set(network, now);
    const keep = remit.networks && !members.some(({ helps }) => helps) ? undefined : keepOf(fleet, members);
    for (const topic of topics.fleet) reader.compare(topic, networkKey(network), members.map(placeOfNode), keep);
  }
}
