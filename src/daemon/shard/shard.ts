import type { Config, NodeConfig } from "../../config/config.ts";
import type { Part } from "../../topics/define/part.ts";
import { fractionOf } from "../../poller/poll/schedule.ts";

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
  const hashes = Array.from({ length: total }, (_, index) => fractionOf(`${index} ${name}`));
  return hashes.indexOf(Math.max(...hashes));
}

/** The nodes of a shard: those that are pinned to it, and of the others those whose hash selects it. */
export function nodesOf({ nodes }: Pick<Config, "nodes">, { index, total }: Shard): readonly NodeConfig[] {
  return nodes.filter(
    ({ name, shard }) => (shard !== undefined && shard < total ? shard : shardOf(name, total)) === index,
  );
}
