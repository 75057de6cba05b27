import type { Finding } from "../finding.ts";
import { looseKey, problemKey, type Draft, type NodeState, type PastProblem } from "./entry.ts";

/** A problem of an evaluation. */
export type Cause = Pick<Finding, "alert" | "severity" | "labels" | "state"> & {
  /** As `problemKey` returns it. */
  readonly key: string;
  readonly since: number;
};

export type Conditions = {
  /** The problems: findings that no other one explains. */
  readonly causes: readonly Cause[];
  /** Whether a condition is true, unknown, or fires on. */
  readonly isActive: (key: string) => boolean;
  /** When a condition became false, of those that ended with this evaluation. */
  readonly endedAt: (key: string) => number | undefined;
  readonly summaryOf: (cause: Cause) => string;
};

/** Seconds after which a node that answers again has been polled for most of its facts. */
const POLLED_AGAIN = 120;
/** Characters of a summary. */
const MOST_LETTERS = 300;

/** Ends the problems whose condition has ended, and begins those that fire: what is open is true in this evaluation. */
export function observeProblems(conditions: Conditions, nodes: ReadonlyMap<string, NodeState>, draft: Draft): void {
  const open = new Map<string, PastProblem>();
  const missing = new Map<number, PastProblem>();
  const renamed = new Map<string, PastProblem>();
  for (const entry of draft.entries.values()) {
    if (entry.kind !== "problem" || entry.to !== undefined) continue;
    const key = problemKey(entry);
    open.set(key, entry);
    if (conditions.isActive(key)) {
      if (entry.unknownSince !== undefined) draft.change({ ...entry, unknownSince: undefined });
      continue;
    }
    missing.set(entry.id, entry);
    renamed.set(looseKey(entry), entry);
  }
  for (const cause of conditions.causes) {
    // A state that is never sent is none of the day's problems; what it explains is not among the causes.
    if (cause.state === "pending" || cause.severity === "none" || open.has(cause.key)) continue;
    const { alert, severity, labels } = cause;
    const same = renamed.get(looseKey(cause));
    if (same !== undefined && missing.delete(same.id)) {
      draft.change({ ...same, labels, unknownSince: undefined });
      continue;
    }
    const summary = conditions.summaryOf(cause).slice(0, MOST_LETTERS);
    draft.add({ kind: "problem", alert, severity, labels, summary, from: cause.since });
  }
  for (const entry of missing.values()) {
    const since = Math.max(entry.from, entry.unknownSince ?? conditions.endedAt(problemKey(entry)) ?? draft.at);
    if (!isUnknown(entry, nodes, draft.at)) draft.change({ ...entry, to: since, unknownSince: undefined });
    else if (entry.unknownSince === undefined) draft.change({ ...entry, unknownSince: since });
  }
}

/** Whether a condition that was not found is unknown: its node does not answer, or has not been polled for it since. */
function isUnknown({ labels, unknownSince }: PastProblem, nodes: ReadonlyMap<string, NodeState>, at: number): boolean {
  const node = nodes.get(labels["node"] ?? "");
  return node !== undefined && (!node.up || (unknownSince !== undefined && at - node.upSince < POLLED_AGAIN));
}
