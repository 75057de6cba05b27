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

/** Ends the problems whose condition has ended, and begins those that fire. */
export function observeProblems(conditions: Conditions, nodes: ReadonlyMap<string, NodeState>, draft: Draft): void {
  const open = new Map<string, PastProblem>();
  const missing = new Map<number, PastProblem>();
  const renamed = new Map<string, PastProblem>();
  for (const entry of draft.entries.values()) {
    if (entry.kind !== "problem" || entry.to !== undefined) continue;
    const key = problemKey(entry);
    open.set(key, entry);
    if (conditions.isActive(key)) continue;
    missing.set(entry.id, entry);
    renamed.set(looseKey(entry), entry);
  }
  for (const cause of conditions.causes) {
    // A state that is never sent is none of the day's problems; what it explains is not among the causes.
    if (cause.state === "pending" || cause.severity === "none" || open.has(cause.key)) continue;
    const { alert, severity, labels } = cause;
    const same = renamed.get(looseKey(cause));
    if (same !== undefined && missing.delete(same.id)) {
      draft.change({ ...same, labels });
      continue;
    }
    const summary = conditions.summaryOf(cause).slice(0, MOST_LETTERS);
    draft.add({ kind: "problem", alert, severity, labels, summary, from: cause.since });
  }
  for (const entry of missing.values()) {
    const to = endOf(entry, conditions, nodes, draft.at);
    if (to !== undefined) draft.change({ ...entry, to: Math.max(entry.from, to) });
  }
}

/** When a problem ended; `undefined` while its node is not observed, because nothing is known about it then. */
function endOf(
  entry: PastProblem,
  { endedAt }: Conditions,
  nodes: ReadonlyMap<string, NodeState>,
  at: number,
): number | undefined {
  const node = nodes.get(entry.labels["node"] ?? "");
  if (node === undefined) return endedAt(problemKey(entry)) ?? at;
  if (!node.up) return undefined;
  const answeredAgain = node.upSince > entry.from && at - node.upSince < POLLED_AGAIN;
  if (answeredAgain) return undefined;
  return endedAt(problemKey(entry)) ?? at;
}
