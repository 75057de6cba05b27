import type { NodeFacts } from "../node-facts.ts";
import { costOf, type Draft, type Entry, type NewEntry, type NodeState } from "./entry.ts";
import { observeNodes } from "./nodes.ts";
import { observeProblems, type Conditions } from "./problems.ts";

/** The history of a day. Times are Unix seconds. */
export type History = {
  /** In the order of their numbers. */
  readonly entries: readonly Entry[];
  /** Estimated memory of the entries. */
  readonly bytes: number;
  readonly nodes: ReadonlyMap<string, NodeState>;
  readonly nextId: number;
  /** All that happened since is in `entries`; absent before the first evaluation. */
  readonly completeSince?: number;
  /** Whether entries were dropped because there were too many. */
  readonly cut: boolean;
  /** The last evaluation, of this process or one before it. */
  readonly aliveAt?: number;
  /** Whether this process has evaluated the conditions. */
  readonly running: boolean;
};

export const NO_HISTORY: History = { entries: [], bytes: 0, nodes: new Map(), nextId: 1, cut: false, running: false };

/** One evaluation of all conditions, at a time when all nodes have been polled. */
export type Evaluation = Conditions & { readonly at: number; readonly nodes: ReadonlyMap<string, NodeFacts> };

/** Seconds: a day, and one slot more, so that the oldest slot of a strip is whole. */
export const RETENTION = 25 * 3600;
/** Seconds without an evaluation after which the state is unknown; Prometheus looks back as far. */
const PAUSE = 300;
/** Estimated bytes of all entries. */
const MOST_BYTES = 4_300_000;
/** Bytes of one entry above which it is left out. */
const LARGEST = 8_000;

/** Adds an evaluation. */
export function observe(history: History, evaluation: Evaluation): History {
  const { at } = evaluation;
  return drafted(history, at, (draft) => {
    const { aliveAt = at } = history;
    if (!history.running) draft.add({ kind: "started", from: Math.min(aliveAt, at), to: at });
    else if (at - aliveAt > PAUSE) draft.add({ kind: "unevaluated", from: aliveAt, to: at });
    const nodes = observeNodes(history.nodes, evaluation.nodes, draft);
    observeProblems(evaluation, nodes, draft);
    return { ...history, nodes, completeSince: history.completeSince ?? at, aliveAt: at, running: true };
  });
}

/** Adds a reload of the configuration. */
export function reloaded(history: History, ok: boolean, at: number): History {
  return drafted(history, at, (draft) => {
    draft.add({ kind: ok ? "reloaded" : "reload_failed", from: at, to: at });
    return history;
  });
}

function drafted(history: History, at: number, edit: (draft: Draft) => History): History {
  let { nextId, bytes, cut } = history;
  const entries = new Map(history.entries.map((entry) => [entry.id, entry]));
  let isChanged = false;
  const change = (entry: Entry): void => {
    const before = entries.get(entry.id);
    bytes += costOf(entry) - (before === undefined ? 0 : costOf(before));
    entries.set(entry.id, entry);
    isChanged = true;
  };
  const add = (entry: NewEntry): void => {
    const numbered = { ...entry, id: nextId } as Entry;
    if (costOf(numbered) > LARGEST) cut = true;
    else change(numbered);
    nextId += 1;
  };
  const edited = edit({ at, entries, change, add });
  const all = isChanged ? [...entries.values()] : history.entries;
  return bounded({ ...edited, entries: all, nextId, bytes, cut }, at);
}

/**
 * Drops what is too old, then the oldest of what is too much. Of open entries the newest leave, because the next evaluation
 * finds them again.
 */
export function bounded(history: History, at: number): History {
  const recent = withoutOld(history, at);
  if (recent.bytes <= MOST_BYTES) return recent;
  // Somewhat more leaves than necessary, so that the next entries do not need the same work.
  let excess = recent.bytes - MOST_BYTES * 0.95;
  const dropped = new Set<Entry>();
  let until = recent.completeSince ?? at;
  for (const entry of recent.entries.toSorted(byEnd)) {
    if (excess <= 0) break;
    dropped.add(entry);
    excess -= costOf(entry);
    until = Math.max(until, entry.to ?? at);
  }
  const entries = recent.entries.filter((entry) => !dropped.has(entry));
  return { ...recent, entries, bytes: bytesOf(entries), completeSince: until, cut: true };
}

function withoutOld(history: History, at: number): History {
  const { completeSince = at } = history;
  const isOld = ({ to }: Entry): boolean => to !== undefined && to < at - RETENTION;
  const entries = history.entries.some(isOld) ? history.entries.filter((entry) => !isOld(entry)) : history.entries;
  return {
    ...history,
    entries,
    bytes: entries === history.entries ? history.bytes : bytesOf(entries),
    cut: history.cut && completeSince > at - RETENTION,
    ...(history.completeSince === undefined ? {} : { completeSince: Math.max(completeSince, at - RETENTION) }),
  };
}

/** By their end, then open ones from the newest to the oldest. */
function byEnd(a: Entry, b: Entry): number {
  if (a.to === undefined && b.to === undefined) return b.id - a.id;
  return (a.to ?? Infinity) - (b.to ?? Infinity) || a.id - b.id;
}

/** Estimated bytes of entries. */
export function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + costOf(entry), 0);
}
