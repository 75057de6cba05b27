import type { NodeConfig } from "../../config/config.ts";
import { addressOf, confirmedAt, notForgotten, type Memory, type RememberedNode } from "../poll/memory.ts";
import type { TopicStates } from "../poll/topic-states.ts";
import { networkKey, nodeKey, type NodeTarget, type State } from "./state.ts";

/** What is remembered of a target: the last identity; `undefined` where none is known. */
function rememberedOf({ config, identity, answeredAt, rememberedAt }: NodeTarget): RememberedNode | undefined {
  const { nodeId, networkName } = identity;
  const at = answeredAt ?? rememberedAt;
  if (at === undefined || (nodeId === undefined && networkName === undefined)) return undefined;
  return {
    name: config.name,
    address: addressOf(config.url),
    nodeId,
    networkName,
    confirmedAt: confirmedAt(at),
  };
}

/** Keeps the identity of a target for the next target of the same name and URL. */
export function remember({ remembered }: State, target: NodeTarget): void {
  const node = rememberedOf(target);
  if (node !== undefined) remembered.set(node.name, node);
}

/** What is remembered of a configured node: nothing where it was at another URL. */
export function recalled({ remembered }: State, { name, url }: NodeConfig): RememberedNode | undefined {
  const node = remembered.get(name);
  return node?.address === addressOf(url) ? node : undefined;
}

/** What another process can continue from: identities and states of what is configured. */
export function memoryOf(state: State, states: TopicStates, now: number): Memory {
  const { targets, networks, remembered } = state;
  const known = [...targets.values()].map(rememberedOf).filter((node) => node !== undefined);
  const pending = [...remembered.values()].filter(({ name }) => !targets.has(name));
  const keys = new Set([...targets.keys(), ...remembered.keys()].map(nodeKey));
  for (const name of networks.keys()) keys.add(networkKey(name));
  // A node whose network is not known yet can belong to any remembered network.
  const isSettled =
    pending.length === 0 && targets.size > 0 && [...targets.values()].every(({ facts }) => facts.network !== undefined);
  const isKept = (of: string): boolean => keys.has(of) || (!isSettled && of.startsWith(networkKey("")));
  const nodes = [...known, ...pending];
  return notForgotten({ nodes, states: states.saved(now).filter((each) => isKept(each.of)) }, now);
}
