import { z } from "zod";
import type { DeepReadonly } from "../../config/config.ts";
import { SEVERITIES } from "../../topics/define/alert.ts";
import type { NodeFacts } from "../node-overviews.ts";

/** A time in the history, Unix seconds. An entry without `to` is not over; one that happened at an instant has `to` = `from`. */
const span = { id: z.int().positive(), from: z.number(), to: z.number().optional() };

/** A problem whose alert fired, from the beginning of its condition. */
const problem = z.object({
  kind: z.literal("problem"),
  ...span,
  /** Since when it is unknown whether the condition is true, because the node does not answer. */
  unknownSince: z.number().optional(),
  alert: z.string(),
  severity: z.enum(SEVERITIES),
  labels: z.record(z.string(), z.string()),
  /** As it was when the alert fired. */
  summary: z.string(),
});

/** `unanswered`: the node did not answer. `restarted`: it was ready before and is starting. */
const nodeEvent = z.object({ kind: z.enum(["unanswered", "restarted"]), ...span, node: z.string() });

/** `version`: the node runs another version. `replaced`: another node ID answers. */
const nodeChange = z.object({
  kind: z.enum(["version", "replaced"]),
  ...span,
  node: z.string(),
  was: z.string(),
  is: z.string(),
});

/**
 * `started`: the exporter started, and evaluated nothing between. `unevaluated`: the conditions were not evaluated, because the
 * machine slept or had no processor time.
 */
const exporterEvent = z.object({ kind: z.enum(["started", "unevaluated", "reloaded", "reload_failed"]), ...span });

/** An entry as the file has it. */
export const entrySchema = z.discriminatedUnion("kind", [problem, nodeEvent, nodeChange, exporterEvent]);

export type PastProblem = DeepReadonly<z.output<typeof problem>>;
export type HistoryEntry = DeepReadonly<z.output<typeof entrySchema>>;
export type PastEvent = Exclude<HistoryEntry, PastProblem>;

/** An entry of any kind before it has its number. */
export type NewEntry = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, "id"> : never) : never;

/** What was last known of a node. Times are Unix seconds. */
export type NodeState = NodeFacts & {
  readonly firstSeen: number;
  /** Since when it answers or does not answer. */
  readonly upSince: number;
};

/** Changes of a history while one evaluation is added to it. */
export type HistoryDraft = {
  readonly at: number;
  readonly entries: Map<number, HistoryEntry>;
  readonly add: (entry: NewEntry) => void;
};

/** The node of an entry; `undefined` for the exporter and for networks. */
export function nodeOf(entry: HistoryEntry): string | undefined {
  if (entry.kind === "problem") return entry.labels["node"];
  return "node" in entry ? entry.node : undefined;
}
