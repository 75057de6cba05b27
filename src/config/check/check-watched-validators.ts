import { complain, isComplained, isRecord, valueAt, warn, type Findings, type Path } from "../base/tree.ts";
import { quotedAsWritten } from "../base/words.ts";
import { where } from "./check-nodes.ts";

/** An entry of a list of watched validators: a node ID, or a mapping with `node_id`. */
type Entry = { readonly nodeId: string; readonly at: Path; readonly name: string | undefined; readonly nameAt: Path };

/** Warns of node IDs that a list repeats, and reports a node ID with two names. */
export function checkWatchedValidators(root: unknown, findings: Findings): void {
  const byNetwork = valueAt(root, ["watch", "validators_by_network"]);
  const networks = isRecord(byNetwork) ? Object.keys(byNetwork) : [];
  const lists = [["watch", "validators"], ...networks.map((network) => ["watch", "validators_by_network", network])];
  const entries = lists.map((path) => entriesAt(root, path, findings));
  for (const list of entries) warnOfRepeated(list, findings);
  checkNames(entries.flat(), findings);
}

function entriesAt(root: unknown, path: Path, findings: Findings): readonly Entry[] {
  const list = valueAt(root, path);
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index): Entry[] => {
    const item = [...path, index];
    const nameAt = [...item, "name"];
    if (typeof value === "string") return [{ nodeId: value, at: item, name: undefined, nameAt }];
    if (!isRecord(value) || typeof value["node_id"] !== "string") return [];
    const name = typeof value["name"] === "string" && !isComplained(findings, nameAt) ? value["name"] : undefined;
    return [{ nodeId: value["node_id"], at: [...item, "node_id"], name, nameAt }];
  });
}

function warnOfRepeated(entries: readonly Entry[], findings: Findings): void {
  const seen = new Set<string>();
  for (const { nodeId, at } of entries) {
    if (seen.has(nodeId)) warn(findings, at, "duplicate node ID");
    seen.add(nodeId);
  }
}

function checkNames(entries: readonly Entry[], findings: Findings): void {
  const firsts = new Map<string, Entry>();
  for (const entry of entries) {
    const { nodeId, at, name, nameAt } = entry;
    if (name === undefined || isComplained(findings, at)) continue;
    const first = firsts.get(nodeId);
    if (first === undefined) firsts.set(nodeId, entry);
    else if (first.name !== name) {
      const [one, other] = [first, entry].map((each) => quotedAsWritten(findings, each.nameAt, each.name ?? ""));
      const line = where(findings, first.nameAt, nameAt);
      complain(findings, nameAt, `this node ID has two names: ${one} ${line} and ${other} here; keep one of them`);
    }
  }
}
