import type { Endpoint, Source } from "../../api/endpoint.ts";
import { IsBootstrapped, NodeId } from "../../api/node/info.ts";
import { nodeEndpoints, sourceOf, type Catalogue } from "../../topics/define/catalogue.ts";
import type { Config, NodeConfig } from "../../config/config.ts";
import type { Part } from "../../topics/define/part.ts";
import { fractionOf } from "../poll/schedule.ts";

/** One of several processes that share a fleet: `index` counts from 0 to `total` - 1. */
export type Shard = { readonly index: number; readonly total: number };

/** The shard of a process that polls the whole fleet. */
export const ALONE: Shard = { index: 0, total: 1 };

/** The part that a shard exports: its nodes; the first shard also networks, wallets and hosted services. */
export function partOfShard({ index }: Shard): Part {
  return index === 0 ? "whole" : "nodes";
}

/**
 * The shard of a node: the one with the highest hash of index and name. All processes agree without communication, and an
 * additional shard to n moves only one node in n + 1.
 */
export function shardOf(name: string, total: number): number {
  let best = 0;
  let highest = -1;
  for (let index = 0; index < total; index++) {
    const hash = fractionOf(`${index} ${name}`);
    if (hash > highest) {
      highest = hash;
      best = index;
    }
  }
  return best;
}

/** The nodes that a process polls. */
export type Nodes = {
  /** Its own nodes, in the order of the configuration. */
  readonly own: readonly NodeConfig[];
  /** Nodes of other shards, polled for comparisons and network facts. */
  readonly auxiliary: readonly NodeConfig[];
};

/** Nodes per network and chain that suffice for comparisons and for a substitute when one fails. */
const ENOUGH = 3;

/**
 * The nodes of a shard. If fewer than three of them serve a chain of a network, the first other nodes of the configuration
 * become auxiliary nodes. The first shard, which exports whole networks, has them for every network and chain.
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

/**
 * The endpoints of an auxiliary node (a node of another shard): those of comparisons and network facts, and those that the
 * choice of a reference node depends on.
 */
export function auxiliaryEndpoints(catalogue: Catalogue): ReadonlyArray<Endpoint<unknown>> {
  const needed = catalogue.topics
    .filter(({ scope }) => scope === "comparison" || scope === "network")
    .flatMap(({ needs }) => Object.values(needs).map(sourceOf));
  const asked = new Set<Source<unknown>>([NodeId, IsBootstrapped, ...needed]);
  // Endpoints of networks are polled on the reference node, which any node can become.
  return nodeEndpoints(catalogue).filter((endpoint) => endpoint.scope === "network" || asked.has(endpoint));
}
