import type { Config, NodeConfig } from "../../config/config.ts";
import type { Remit } from "../../catalogue/remit.ts";
import { fractionOf } from "../grid.ts";

/** One of several processes that share a fleet: `index` counts from 0 to `total` - 1. */
export type Shard = { readonly index: number; readonly total: number };

/** The one process that has the whole fleet. */
export const ALONE: Shard = { index: 0, total: 1 };

/** What a shard answers for: its nodes, and the first shard for networks, wallets and hosted services too. */
export function remitOf({ index }: Shard): Remit {
  return { networks: index === 0, once: false };
}

/**
 * The shard that a node belongs to: the one whose draw for the name is highest. Every process draws alike without asking the
 * others, and when one shard is added to n, only one node in n + 1 moves.
 */
export function shardOf(name: string, total: number): number {
  let best = 0;
  let highest = -1;
  for (let index = 0; index < total; index++) {
    const draw = fractionOf(`${index} ${name}`);
    if (draw > highest) {
      highest = draw;
      best = index;
    }
  }
  return best;
}

/** Nodes of a process. */
export type Nodes = {
  /** Those that it watches, in the order of the configuration. */
  readonly own: readonly NodeConfig[];
  /** Nodes of other shards that it asks too, to compare its own with and to be told of networks. */
  readonly helpers: readonly NodeConfig[];
};

/** With so many nodes of a network that serve a chain somebody can be compared, and somebody can be asked when another fails. */
const ENOUGH = 3;

/**
 * The nodes of a shard. Where it has fewer than three of a network that serve a chain, the first others of the configuration
 * help out; the first shard, which answers for whole networks, has such helpers for every network and chain.
 */
export function nodesOf({ nodes }: Pick<Config, "nodes">, { index, total }: Shard): Nodes {
  const own = nodes.filter(({ name }) => shardOf(name, total) === index);
  if (own.length === nodes.length) return { own, helpers: [] };
  const members = new Set(own);
  const wanted = new Set((index === 0 ? nodes : own).flatMap(servedBy));
  const have = new Map<string, number>();
  const count = (node: NodeConfig): void => {
    for (const chain of servedBy(node)) have.set(chain, (have.get(chain) ?? 0) + 1);
  };
  own.forEach(count);
  const helpers: NodeConfig[] = [];
  for (const node of nodes) {
    if (members.has(node)) continue;
    if (!servedBy(node).some((chain) => wanted.has(chain) && (have.get(chain) ?? 0) < ENOUGH)) continue;
    helpers.push(node);
    count(node);
  }
  return { own, helpers };
}

/** The chains and subnets that a node serves, each with its network. */
function servedBy({ network = "", primaryChains, subnets }: NodeConfig): readonly string[] {
  return [...primaryChains, ...subnets].map((chain) => `${chain} ${network}`);
}
