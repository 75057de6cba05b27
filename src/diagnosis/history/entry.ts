import type { Severity } from "../../topics/define/alert.ts";
import { keyOf } from "../tracker.ts";

/** A time in the history, Unix seconds. An entry without `to` is not over; one that happened at an instant has `to` = `from`. */
type Span = { readonly id: number; readonly from: number; readonly to?: number };

/** A problem whose alert fired, from the beginning of its condition. */
export type PastProblem = Span & {
  readonly kind: "problem";
  readonly alert: string;
  readonly severity: Severity;
  readonly labels: Readonly<Record<string, string>>;
  /** As it was when the alert fired. */
  readonly summary: string;
};

/** `unanswered`: the node did not answer. `restarted`: it was ready before and is starting. */
type NodeEvent = Span & { readonly kind: "unanswered" | "restarted"; readonly node: string };

/** `version`: the node runs another version. `replaced`: another node ID answers. */
type NodeChange = Span & {
  readonly kind: "version" | "replaced";
  readonly node: string;
  readonly was: string;
  readonly is: string;
};

/**
 * `started`: the exporter started, and evaluated nothing between. `unevaluated`: the conditions were not evaluated, because the
 * machine slept or had no processor time.
 */
type ExporterEvent = Span & { readonly kind: "started" | "unevaluated" | "reloaded" | "reload_failed" };

export type PastEvent = NodeEvent | NodeChange | ExporterEvent;
export type Entry = PastProblem | PastEvent;

/** An entry of any kind before it has its number. */
export type NewEntry = Entry extends infer E ? (E extends Entry ? Omit<E, "id"> : never) : never;

/** What is known of a node. Times are Unix seconds. */
export type NodeState = {
  readonly firstSeen: number;
  readonly up: boolean;
  /** Since when it answers or does not answer. */
  readonly upSince: number;
  /** The last known values. */
  readonly version?: string;
  readonly nodeId?: string;
  readonly ready?: boolean;
};

/** Changes of a history while one evaluation is added to it. */
export type Draft = {
  readonly at: number;
  readonly entries: Map<number, Entry>;
  readonly add: (entry: NewEntry) => void;
  readonly change: (entry: Entry) => void;
};

/** The node of an entry; `undefined` for the exporter and for networks. */
export function nodeOf(entry: Entry): string | undefined {
  if (entry.kind === "problem") return entry.labels["node"];
  return "node" in entry ? entry.node : undefined;
}

/** Problems with the same key are about the same condition. */
export function problemKey({ alert, labels }: Pick<PastProblem, "alert" | "labels">): string {
  return keyOf({ alert, labels });
}

/** The same without the node ID of a configured node, which can become known while the condition is true. */
export function looseKey({ alert, labels }: Pick<PastProblem, "alert" | "labels">): string {
  return keyOf({ alert, labels: "node" in labels ? { ...labels, node_id: "" } : labels });
}

/** Memory of an entry in bytes, estimated: objects, and its texts twice. */
export function costOf(entry: Entry): number {
  let letters = 0;
  if (entry.kind === "problem") {
    letters = entry.summary.length;
    for (const [name, value] of Object.entries(entry.labels)) letters += name.length + value.length + 16;
  } else if ("was" in entry) letters = entry.was.length + entry.is.length;
  return 300 + 2 * letters;
}
