import { identity } from "../../../topics/node/identity.ts";
import { lag } from "../../../topics/chains/lag.ts";
import { where } from "../../../catalogue/selector.ts";

/** What is chosen on the bar of a dashboard, as matchers. */
export const NODE = { node: "=~$node" } as const;
export const NETWORK = { network: "=~$network" } as const;
export const VIEW = { ...NODE, ...NETWORK } as const;
export const NODE_CHAIN = { ...NODE, chain: "=~$chain" } as const;
export const NETWORK_CHAIN = { ...NETWORK, chain: "=~$chain" } as const;
export const SUBNET = { ...NETWORK, subnet: "=~$subnet" } as const;
export const VALIDATOR = { ...NETWORK, node_id: "=~$validator" } as const;

/** The chosen nodes with their node IDs, to join facts about validators with the nodes that they are. */
export const CHOSEN_NODES = where(identity.metrics.node, NODE);

/** Facts of the network about the validators that the chosen nodes themselves are. */
export const OF_CHOSEN_NODES = `and on (network, node_id) ${CHOSEN_NODES}`;

/** A figure by network and node ID, under the names of the chosen nodes. */
export function underNodeNames(expr: string): string {
  return `${expr} * on (network, node_id) group_right () ${CHOSEN_NODES}`;
}

/** What half of those who see a validator see at least: one bad witness does not count. */
export function median(selector: string, labels = "network, subnet, node_id"): string {
  return `quantile by (${labels}) (0.5, ${selector})`;
}

/** Versions without the name of the software, which is the same for nearly all. */
export function shortVersions(expr: string): string {
  return `label_replace(${expr}, "version", "$1", "version", "avalanchego/(.*)")`;
}

/** Seconds since a chain last moved on a node, where the node is behind another; 0 where it is not. */
export function standingStill(matchers: { readonly node: string; readonly chain?: string }): string {
  const behind = `(${where(lag.metrics.blocks, matchers)} > bool 0)`;
  return `(time() - ${where(lag.metrics.changed, matchers)}) * on (instance, job, node, chain) ${behind}`;
}
