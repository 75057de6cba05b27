import { itemsAt } from "./check-nodes.ts";
import { complain, type Findings } from "../base/tree.ts";

/**
 * The rule for a configuration that several processes share: every node names its network. Each asks its own nodes alone, so
 * it cannot learn which networks the others' are of. One complaint for all, because they are all the same.
 */
export function checkNetworks(root: unknown, findings: Findings): void {
  const [first, ...others] = itemsAt(root, ["nodes"]).filter(({ value }) => value["network"] === undefined);
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` and of ${others.length} more ${others.length === 1 ? "node" : "nodes"}`;
  complain(
    findings,
    first.path,
    `network is missing, of this node${more}: shards do not ask each other's nodes which network they are of`,
  );
}
