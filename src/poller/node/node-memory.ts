import type { NodeConfig } from "../../config/config.ts";
import { NEVER_DOWN } from "../../topics/reach.ts";
import { addressOf, confirmedAt, notForgotten, type Memory, type RememberedNode } from "../poll/memory.ts";
import { EVERY_NODE, networkKey, nodeKey, type NodeTarget, type PollerState } from "./poller-state.ts";

/** What a poller keeps of its nodes for the next target of the same node, and for a later process. */

/** What is remembered of a target: the last identity; `undefined` where none is known. */
function rememberedOf(target: NodeTarget, now: number): RememberedNode | undefined {
  const { config, identity, answeredAt, rememberedAt, reach } = target;
  const { nodeId, networkName, networkId } = identity;
  // A node that never answered is remembered for its outage.
  const at = answeredAt ?? rememberedAt ?? (reach === NEVER_DOWN ? undefined : now);
  if (at === undefined || (nodeId === undefined && networkName === undefined && reach === NEVER_DOWN)) return undefined;
  const { outages, total } = reach;
  const node = { name: config.name, address: addressOf(config.url), nodeId, networkName, networkId };
  return { ...node, ...(total === 0 ? {} : { outages, total }), confirmedAt: confirmedAt(at) };
}

/** Forgets a target. The next one of the same name and URL is the same node with other settings. */
export function forget(state: PollerState, target: NodeTarget, next: NodeConfig | undefined, now: number): void {
  const { remembered, store, states } = state;
  state.targets.delete(target.config.name);
  store.deleteOwner(target.key);
  if (next?.url !== target.config.url) return states.forget(target.key);
  const node = rememberedOf(target, now);
  if (node !== undefined) remembered.set(node.name, node);
  states.setAside(target.key, now);
}

/** Continues from what a poller before this one learned. */
export function recall({ remembered, states }: PollerState, memory: Memory): void {
  for (const node of memory.nodes) remembered.set(node.name, node);
  states.recall(memory.states);
}

/** What is remembered of a configured node: nothing where it was at another URL. */
export function recalled({ remembered }: PollerState, { name, url }: NodeConfig): RememberedNode | undefined {
  const node = remembered.get(name);
  return node?.address === addressOf(url) ? node : undefined;
}

/** What another process can continue from: identities and states of what is configured. */
export function memoryOf({ targets, networks, remembered, states }: PollerState, now: number): Memory {
  const known = [...targets.values()].map((target) => rememberedOf(target, now)).filter((node) => node !== undefined);
  const pending = [...remembered.values()].filter(({ name }) => !targets.has(name));
  const keys = new Set([...targets.keys(), ...remembered.keys()].map(nodeKey));
  keys.add(EVERY_NODE);
  for (const name of networks.keys()) keys.add(networkKey(name));
  // A node whose network is not known yet can belong to any remembered network.
  const isSettled =
    pending.length === 0 && targets.size > 0 && [...targets.values()].every(({ facts }) => facts.network !== undefined);
  const isKept = (of: string): boolean => keys.has(of) || (!isSettled && of.startsWith(networkKey("")));
  const nodes = [...known, ...pending];
  return notForgotten({ nodes, states: states.saved(now).filter((state) => isKept(state.of)) }, now);
}
