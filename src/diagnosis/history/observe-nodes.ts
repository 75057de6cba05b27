import type { NodeFacts } from "../node-overviews.ts";
import type { HistoryDraft, NodeState, PastEvent } from "./history-entry.ts";

/** Continues what is known of the nodes, and adds what happened to them. Nodes that are no longer configured are forgotten. */
export function observeNodes(
  before: ReadonlyMap<string, NodeState>,
  facts: ReadonlyMap<string, NodeFacts>,
  draft: HistoryDraft,
): ReadonlyMap<string, NodeState> {
  const silent = new Map<string, PastEvent>();
  for (const entry of draft.entries.values())
    if (entry.kind === "unanswered" && entry.to === undefined) silent.set(entry.node, entry);
  const after = new Map<string, NodeState>();
  for (const [node, fact] of facts) {
    const known = before.get(node);
    after.set(node, nextState(known, fact, draft.at));
    if (known !== undefined) addChanges(node, known, fact, draft);
    if (!fact.up && !silent.has(node)) draft.add({ kind: "unanswered", node, from: draft.at });
  }
  for (const [node, open] of silent)
    if (facts.get(node)?.up !== false) draft.entries.set(open.id, { ...open, to: Math.max(open.from, draft.at) });
  return after;
}

function nextState(known: NodeState | undefined, fact: NodeFacts, at: number): NodeState {
  return {
    firstSeen: known?.firstSeen ?? at,
    up: fact.up,
    upSince: known?.up === fact.up ? known.upSince : at,
    version: fact.version ?? known?.version,
    nodeId: fact.nodeId ?? known?.nodeId,
    ready: fact.ready ?? known?.ready,
  };
}

function addChanges(node: string, known: NodeState, fact: NodeFacts, draft: HistoryDraft): void {
  const { at } = draft;
  const { version, nodeId } = fact;
  if (known.ready === true && fact.ready === false) draft.add({ kind: "restarted", node, from: at, to: at });
  if (known.version !== undefined && version !== undefined && version !== known.version)
    draft.add({ kind: "version", node, was: known.version, is: version, from: at, to: at });
  if (known.nodeId !== undefined && nodeId !== undefined && nodeId !== known.nodeId)
    draft.add({ kind: "replaced", node, was: known.nodeId, is: nodeId, from: at, to: at });
}
