import type { Config, NodeConfig } from "../../config/config.ts";
import type { Part } from "../../catalogue/part.ts";
import { fractionOf } from "../poll/schedule.ts";

/** One of several processes that share a fleet: `index` counts from 0 to `total` - 1. */
export type Shard = { readonly index: number; readonly total: number };

/** The one process that has the whole fleet. */
export const ALONE: Shard = { index: 0, total: 1 };

/** What a shard exports: its nodes, and the first shard networks, wallets and hosted services too. */
export function partOfShard({ index }: Shard): Part {
  return index === 0 ? "whole" : "nodes";
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
  /** Nodes of other shards that it polls too: to compare its own with, and to ask about networks. */
  readonly auxiliary: readonly NodeConfig[];
};

/** With so many nodes of a network that serve a chain, nodes can be compared, and one can be asked when another fails. */
const ENOUGH = 3;

/**
 * The nodes of a shard. Where it has fewer than three of a network that serve a chain, the first others of the configuration
 * are polled as auxiliary nodes; the first shard, which exports whole networks, has them for every network and chain.
 */
export function nodesOf({ nodes }: Pick<Config, "nodes">, { index, total }: Shard): Nodes {
  const own = nodes.filter(({ name }) => shardOf(name, total) === index);
  if (own.length === nodes.length) return { own, auxiliary: [] };
  const members = new Set(own);
  const wanted = new Set((index === 0 ? nodes : own).flatMap(servedBy));
  const have = new Map<string, number>();
  const count = (node: NodeConfig): void => {
    for (const chain of servedBy(node)) have.set(chain, (have.get(chain) ?? 0) + 1);
  };
  own.forEach(count);
  const auxiliary: NodeConfig[] = [];
  for (const node of nodes) {
    if (members.has(node)) continue;
    if (!servedBy(node).some((chain) => wanted.has(chain) && (have.get(chain) ?? 0) < ENOUGH)) continue;
    auxiliary.push(node);
    count(node);
  }
  return { own, auxiliary };
}

/** The chains and subnets that a node serves, each with its network. */
function servedBy({ network = "", primaryChains, subnets }: NodeConfig): readonly string[] {
  return [...primaryChains, ...subnets].map((chain) => `${chain} ${network}`);
}
