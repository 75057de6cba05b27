import { itemsAt } from "./check-nodes.ts";
import { complain, type Findings } from "../base/tree.ts";

/**
 * Checks that every node of a sharded configuration names its network: a shard polls only its own nodes, so it cannot request
 * the network of the others. Adds one problem for all nodes.
 */
export function checkNetworks(root: unknown, findings: Findings): void {
  const [first, ...others] = itemsAt(root, ["nodes"]).filter(({ value }) => value["network"] === undefined);
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` and on ${others.length} more ${others.length === 1 ? "node" : "nodes"}`;
  complain(
    findings,
    first.path,
    `network is missing on this node${more}: shards do not poll the nodes of other shards for it`,
  );
}
