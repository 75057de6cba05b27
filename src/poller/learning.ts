import type { Endpoint } from "../api/endpoint.ts";
import { NetworkId, NetworkName, NodeId } from "../api/node/info.ts";
import { PlatformHeight } from "../api/node/platform.ts";
import type { Fleet } from "./fleet.ts";
import { networks, nodeKey } from "./planning.ts";
import { plan } from "./plan.ts";
import { isSameData } from "./same-data.ts";
import { readNode } from "./showing.ts";
import { elect, silence } from "./speaking.ts";
import { subjectReader } from "./subjects.ts";
import type { Target } from "./target.ts";

/** What answers tell about the nodes themselves: who they are, of which network, and whether they keep up. */

export function learn(fleet: Fleet, target: Target, { id }: Endpoint<unknown>, value: unknown): void {
  switch (id) {
    case NodeId.id:
      return identified(fleet, target, (value as { nodeID: string }).nodeID);
    case NetworkName.id:
      return named(fleet, target, (value as { networkName: string }).networkName);
    case NetworkId.id:
      // The number says the same where the name is not known, or not known yet.
      if (target.learned.networkName === undefined)
        named(fleet, target, networkName((value as { networkID: number }).networkID));
      return;
    case PlatformHeight.id:
      return compareHeight(fleet, target, (value as { height: number }).height);
  }
}

/** Every answer names its node: another name means that all answers so far were another node's. */
export function identified(fleet: Fleet, target: Target, nodeId: string): void {
  const before = target.learned.nodeId;
  if (before === nodeId || target.closed) return;
  target.learned = { ...target.learned, nodeId };
  if (before !== undefined) {
    const owner = nodeKey(target.config.name);
    fleet.log.warn({ node: target.config.name, before, now: nodeId }, "another node answers at this address");
    fleet.store.deleteOwner(owner);
    for (const poll of target.polls.values()) {
      if (poll.owner === owner) Object.assign(poll, { heldSince: undefined, previous: undefined });
      fleet.runner.due(target, poll, fleet.clock.now());
    }
    readNode(fleet, target);
  }
  fleet.settle();
}

function named(fleet: Fleet, target: Target, name: string): void {
  if (target.learned.networkName === name) return;
  target.learned = { ...target.learned, networkName: name };
  fleet.settle();
}

/** Names that AvalancheGo gives to network numbers. */
function networkName(id: number): string {
  return ({ 1: "mainnet", 5: "fuji", 12345: "local" } as Readonly<Record<number, string>>)[id] ?? `network-${id}`;
}

/** A node that speaks for its network must keep up: was another node's last answer already higher than this one? */
function compareHeight({ highest, clock }: Fleet, target: Target, height: number): void {
  const network = target.subject.network ?? "";
  const known = highest.get(network) ?? 0;
  target.behindSince = known > height ? (target.behindSince ?? clock.now()) : undefined;
  highest.set(network, Math.max(known, height));
}

/**
 * Finds the highest answer of each network anew, to be called now and then: between two calls only higher ones are taken
 * in, because looking at every node at every answer is too much work in a large fleet.
 */
export function recountHeights({ networks: known, store, highest }: Fleet): void {
  highest.clear();
  for (const [network, { members }] of known) {
    for (const { config } of members) {
      const answer = store.of(nodeKey(config.name), PlatformHeight.id)?.get("");
      const height = (answer?.value as { height: number } | undefined)?.height ?? 0;
      if (height > (highest.get(network) ?? 0)) highest.set(network, height);
    }
  }
}

/**
 * Takes in everything learned since the last time: who is asked what, and under which labels it is shown. A node a step;
 * returns those that were planned anew.
 */
export function* takeIn(fleet: Fleet): Generator<undefined, ReadonlySet<Target>> {
  const all = [...fleet.targets.values()];
  const subjectOf = subjectReader(fleet.config, all, fleet.remit);
  const changed = new Set<Target>();
  const rewatching: Target[] = [];
  for (const target of all) {
    const before = target.subject;
    target.subject = subjectOf(target);
    if (!isSameData(before.watch, target.subject.watch)) rewatching.push(target);
    if (differs(before, target.subject)) changed.add(target);
    yield;
  }
  regroup(fleet);
  for (const network of fleet.networks.keys()) {
    elect(fleet, network, true);
    fleet.uncompared.add(network);
  }
  for (const target of changed) {
    plan(fleet, target);
    readNode(fleet, target);
    yield;
  }
  // The same question about other validators: what was answered to the old one is no answer.
  for (const target of rewatching) {
    for (const poll of target.polls.values()) {
      if (poll.endpoint.scope === "vantage" && poll.lastAttempt !== undefined)
        fleet.runner.due(target, poll, fleet.clock.now());
    }
  }
  return changed;
}

/** Finds out which networks there are now. One may be left while nobody speaks for it. */
export function regroup(fleet: Fleet): void {
  const before = fleet.networks;
  fleet.networks = networks(fleet.targets.values());
  for (const network of before.keys()) if (!fleet.networks.has(network)) silence(fleet, network);
}

/** Whether a node is to be asked or labelled differently. The network's watch list concerns its speaker alone, who is always planned anew. */
function differs(before: Target["subject"], after: Target["subject"]): boolean {
  return !isSameData({ ...before, watchNetwork: [] }, { ...after, watchNetwork: [] });
}
