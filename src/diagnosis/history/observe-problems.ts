import type { Finding } from "../finding.ts";
import { keyOf } from "../track.ts";
import type { HistoryDraft, NodeState, PastProblem } from "./history-entry.ts";

/** A problem of an evaluation. */
export type HistoryProblem = Pick<Finding, "alert" | "severity" | "labels" | "state"> & {
  /** As `keyOf` returns it. */
  readonly key: string;
  readonly since: number;
};

export type Conditions = {
  /** The problems: findings that no other one explains. */
  readonly causes: readonly HistoryProblem[];
  /** The keys of the conditions that are true or unknown, and of those whose alerts fire on. */
  readonly active: Pick<ReadonlySet<string>, "has">;
  /** When each condition that ended with this evaluation became false, by key. */
  readonly ended: ReadonlyMap<string, number>;
  readonly summaryOf: (cause: HistoryProblem) => string;
};

/** Seconds after which a node that answers again has been polled for most of its facts. */
const POLLED_AGAIN = 120;
/** Characters of a summary. */
const MOST_LETTERS = 300;

/** Ends the problems whose condition has ended, and begins those that fire: what is open is true in this evaluation. */
export function observeProblems(
  { causes, active, ended, summaryOf }: Conditions,
  nodes: ReadonlyMap<string, NodeState>,
  draft: HistoryDraft,
): void {
  const open = new Set<string>();
  for (const entry of draft.entries.values()) {
    if (entry.kind !== "problem" || entry.to !== undefined) continue;
    const key = keyOf(entry);
    open.add(key);
    const since = Math.max(entry.from, entry.unknownSince ?? ended.get(key) ?? draft.at);
    const unknownSince = !active.has(key) && isUnknown(entry, nodes, draft.at) ? since : undefined;
    if (!active.has(key) && unknownSince === undefined)
      draft.entries.set(entry.id, { ...entry, to: since, unknownSince });
    else if (entry.unknownSince !== unknownSince) draft.entries.set(entry.id, { ...entry, unknownSince });
  }
  for (const cause of causes) {
    // A state that is never sent is none of the day's problems; what it explains is not among the causes.
    if (cause.state === "pending" || cause.severity === "none" || open.has(cause.key)) continue;
    const { alert, severity, labels } = cause;
    const summary = summaryOf(cause).slice(0, MOST_LETTERS);
    draft.add({ kind: "problem", alert, severity, labels, summary, from: cause.since });
  }
}

/** Whether a condition that was not found is unknown: its node does not answer, or has not been polled for it since. */
function isUnknown({ labels, unknownSince }: PastProblem, nodes: ReadonlyMap<string, NodeState>, at: number): boolean {
  const node = nodes.get(labels["node"] ?? "");
  return node !== undefined && (!node.up || (unknownSince !== undefined && at - node.upSince < POLLED_AGAIN));
}
