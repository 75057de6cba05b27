import type { Source } from "../../api/endpoint.ts";
import { NetworkId, NetworkName, NodeId } from "../../api/node/info.ts";
import { PlatformHeight } from "../../api/node/platform.ts";
import { nodeKey, type NodeTarget } from "./node-target.ts";
import type { Network } from "./state.ts";
import type { Store } from "../poll/store.ts";
import type { Identity } from "./target-facts.ts";

/** AvalancheGo's names of network IDs. */
const NETWORK_NAMES: Readonly<Record<number, string>> = { 1: "mainnet", 5: "fuji", 12345: "local" };

/** The identity of a node after an answer of this source; the same object if the answer changes nothing. */
export function identityAfter(store: Store, { config, identity }: NodeTarget, source: Source<unknown>): Identity {
  const owner = nodeKey(config.name);
  const nodeId = source === NodeId ? store.get(owner, NodeId)?.value.nodeID : undefined;
  const networkName = networkNameAfter(store, owner, identity, source);
  if ((nodeId ?? identity.nodeId) === identity.nodeId && networkName === identity.networkName) return identity;
  return { nodeId: nodeId ?? identity.nodeId, networkName };
}

function networkNameAfter(store: Store, owner: string, known: Identity, source: Source<unknown>): string | undefined {
  if (source === NetworkName) return store.get(owner, NetworkName)?.value.networkName ?? known.networkName;
  if (source !== NetworkId || known.networkName !== undefined) return known.networkName;
  // The network ID stands in until an answer with the name arrives.
  const id = store.get(owner, NetworkId)?.value.networkID;
  return id === undefined ? undefined : (NETWORK_NAMES[id] ?? `network-${id}`);
}

/** Records since when the height of a node has been behind the highest one: a reference node must keep up. */
export function noteHeight(store: Store, target: NodeTarget, network: Network, now: number): void {
  const height = store.get(nodeKey(target.config.name), PlatformHeight)?.value.height;
  if (height === undefined) return;
  target.behindSince = network.highest > height ? (target.behindSince ?? now) : undefined;
  network.highest = Math.max(network.highest, height);
}

/**
 * The highest P-Chain height of a network's nodes, for each tick. Between two ticks `noteHeight` only raises it: comparing all
 * nodes at every answer takes too long in a large fleet.
 */
export function highestAnswer(store: Store, { members }: Network): number {
  return members.reduce((highest, { config }) => {
    const height = store.get(nodeKey(config.name), PlatformHeight)?.value.height ?? 0;
    return Math.max(highest, height);
  }, 0);
}
