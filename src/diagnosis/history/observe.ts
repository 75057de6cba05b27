import type { NodeFacts } from "../node-overviews.ts";
import { type HistoryDraft, type HistoryEntry, type NewEntry, type NodeState } from "./history-entry.ts";
import { observeNodes } from "./observe-nodes.ts";
import { observeProblems, type Conditions } from "./observe-problems.ts";

/** The history of a day. Times are Unix seconds. */
export type History = {
  /** In the order of their numbers. */
  readonly entries: readonly HistoryEntry[];
  readonly nodes: ReadonlyMap<string, NodeState>;
  readonly nextId: number;
  /** All that happened since is in `entries`; absent before the first evaluation. */
  readonly completeSince?: number | undefined;
  /** Whether entries were dropped because there were too many. */
  readonly cut: boolean;
  /** The last evaluation, of this process or one before it. */
  readonly aliveAt?: number | undefined;
  /** Whether this process has evaluated the conditions. */
  readonly running: boolean;
};

export const NO_HISTORY: History = { entries: [], nodes: new Map(), nextId: 1, cut: false, running: false };

/** One evaluation of all conditions, at a time when all nodes have been polled. */
export type Evaluation = Conditions & { readonly at: number; readonly nodes: ReadonlyMap<string, NodeFacts> };

/** Seconds: a day, and one slot more, so that the oldest slot of a strip is whole. */
export const RETENTION = 25 * 3600;
/** Seconds without an evaluation after which the state is unknown; Prometheus looks back as far. */
const PAUSE = 300;
/** Entries that are kept: some 4 MB, three for each of a thousand nodes and more. */
const MOST = 5_000;

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

function drafted(history: History, at: number, edit: (draft: HistoryDraft) => History): History {
  let { nextId } = history;
  const entries = new Map(history.entries.map((entry) => [entry.id, entry]));
  const add = (entry: NewEntry): void => {
    entries.set(nextId, { ...entry, id: nextId });
    nextId += 1;
  };
  const edited = edit({ at, entries, add });
  return bounded({ ...edited, entries: [...entries.values()], nextId }, at);
}

/** Drops what is too old, then what ended first of what is too much. An open entry that leaves is found again. */
export function bounded(history: History, at: number): History {
  const oldest = at - RETENTION;
  const recent = history.entries.filter(({ to = at }) => to >= oldest);
  const byEnd = recent.toSorted((a, b) => (a.to ?? at) - (b.to ?? at) || a.id - b.id);
  const dropped = new Set(byEnd.slice(0, Math.max(0, recent.length - MOST)));
  const { completeSince = at, cut } = history;
  const ends = [...dropped].map(({ to = at }) => to);
  return {
    ...history,
    entries: recent.filter((entry) => !dropped.has(entry)),
    cut: dropped.size > 0 || (cut && completeSince > oldest),
    completeSince: history.completeSince && [oldest, ...ends].reduce((a, b) => Math.max(a, b), completeSince),
  };
}
