import { z } from "zod";
import { entrySchema, type HistoryEntry, type NodeState } from "./history-entry.ts";
import { bounded, NO_HISTORY, type History } from "./observe.ts";
import { parseJson } from "../../config/base/parse-json.ts";

/** The version of the format. A change that this version cannot read needs the next number. */
const VERSION = 1;

const seconds = z.number();
const headLine = z.object({ version: z.number() });
const aliveLine = z.object({ alive: seconds, completeSince: seconds.optional(), cut: z.boolean().optional() });
const nodeLine = z.object({
  name: z.string(),
  firstSeen: seconds,
  version: z.string().optional(),
  nodeId: z.string().optional(),
});

const anyLine = z.union([entrySchema, nodeLine, aliveLine]);

/** The text of a file: its version, the nodes, what happened, and until when the exporter ran. */
export function historyText({ nodes, entries, aliveAt, completeSince, cut }: History): string {
  const about = [...nodes].map(([name, { firstSeen, version, nodeId }]) => ({ name, firstSeen, version, nodeId }));
  const alive = aliveAt === undefined ? [] : [{ alive: aliveAt, completeSince, cut: cut || undefined }];
  return [{ version: VERSION }, ...about, ...entries, ...alive].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Reads a file, or says in words why it cannot be used. A last line that was not written to its end is ignored. */
export function readHistory(text: string, now: number): { readonly content: History } | { readonly unusable: string } {
  const lines = text.split("\n");
  // Text after the last line break is the beginning of a line that was not written to its end.
  lines.pop();
  const [first, ...others] = lines.map((line) => parseJson(line)?.value);
  const head = headLine.safeParse(first);
  if (!head.success) return { unusable: "its first line has no version" };
  if (head.data.version !== VERSION)
    return { unusable: `its version is ${head.data.version}, and this exporter reads version ${VERSION}` };
  const entries = new Map<number, HistoryEntry>();
  const nodes = new Map<string, NodeState>();
  let aliveAt = 0;
  let about: Pick<History, "completeSince" | "cut"> = NO_HISTORY;
  for (const [index, json] of others.entries()) {
    const read = anyLine.safeParse(json);
    if (!read.success) return { unusable: `line ${index + 2} has another form than expected` };
    const { data } = read;
    if ("kind" in data) {
      entries.set(data.id, data);
      aliveAt = Math.max(aliveAt, data.from, data.to ?? 0);
    } else if ("alive" in data) {
      aliveAt = Math.max(aliveAt, data.alive);
      about = { completeSince: data.completeSince, cut: data.cut ?? false };
    } else nodes.set(data.name, { ...data, up: true, upSince: data.firstSeen });
  }
  const sorted = [...entries.values()].sort((a, b) => a.id - b.id);
  const nextId = (sorted.at(-1)?.id ?? 0) + 1;
  const content = { ...NO_HISTORY, ...about, entries: sorted, nodes, nextId, aliveAt: aliveAt || undefined };
  return { content: bounded(content, now) };
}
