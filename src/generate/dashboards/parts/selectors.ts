import { identity } from "../../../topics/node/identity.ts";
import { lag } from "../../../topics/chains/lag.ts";
import { where } from "../../../catalogue/selector.ts";

/** Matchers for the variables of a dashboard. */
export const NODE = { node: "=~$node" } as const;
export const NETWORK = { network: "=~$network" } as const;
export const VIEW = { ...NODE, ...NETWORK } as const;
export const NODE_CHAIN = { ...NODE, chain: "=~$chain" } as const;
export const NETWORK_CHAIN = { ...NETWORK, chain: "=~$chain" } as const;
export const SUBNET = { ...NETWORK, subnet: "=~$subnet" } as const;
export const VALIDATOR = { ...NETWORK, node_id: "=~$validator" } as const;
export const PRIMARY = { ...NETWORK, subnet: "primary" } as const;
export const PRIMARY_VALIDATOR = { ...VALIDATOR, subnet: "primary" } as const;

/** The chosen nodes with their node IDs, for joins of nodes and validators. */
export const CHOSEN_NODES = where(identity.metrics.node, NODE);

/** Restricts facts about validators to those that are chosen nodes. */
export const OF_CHOSEN_NODES = `and on (network, node_id) ${CHOSEN_NODES}`;

/** A figure by network and node ID, with the names of the chosen nodes. */
export function underNodeNames(expr: string): string {
  return `${expr} * on (network, node_id) group_right () ${CHOSEN_NODES}`;
}

/** The median of the observers of a validator, so that a single bad observer does not count. */
export function median(selector: string, labels = "network, subnet, node_id"): string {
  return `quantile by (${labels}) (0.5, ${selector})`;
}

/** Versions without the name of the client, which is nearly always the same. */
export function shortVersions(expr: string): string {
  return `label_replace(${expr}, "version", "$1", "version", "avalanchego/(.*)")`;
}

/** Seconds since the height of a chain last changed on a node that is behind another; 0 on a node that is not. */
export function standingStill(matchers: { readonly node: string; readonly chain?: string }): string {
  const behind = `(${where(lag.metrics.blocks, matchers)} > bool 0)`;
  return `(time() - ${where(lag.metrics.changed, matchers)}) * on (instance, job, node, chain) ${behind}`;
}
