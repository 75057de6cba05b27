import { z } from "zod";
import { entrySchema, type Entry, type NodeState } from "./entry.ts";
import { bounded, bytesOf, NO_HISTORY, type History } from "./history.ts";

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
  const [first, ...others] = lines.map(parsed);
  const head = headLine.safeParse(first);
  if (!head.success) return { unusable: "its first line has no version" };
  if (head.data.version !== VERSION)
    return { unusable: `its version is ${head.data.version}, and this exporter reads version ${VERSION}` };
  const entries = new Map<number, Entry>();
  const nodes = new Map<string, NodeState>();
  let alive: z.output<typeof aliveLine> | undefined;
  for (const [index, json] of others.entries()) {
    const read = anyLine.safeParse(json);
    if (!read.success) return { unusable: `line ${index + 2} has another form than expected` };
    const { data } = read;
    if ("kind" in data) entries.set(data.id, data);
    else if ("alive" in data) alive = data;
    else nodes.set(data.name, stateOf(data));
  }
  return { content: bounded(historyOf([...entries.values()], nodes, alive), now) };
}

function historyOf(
  entries: readonly Entry[],
  nodes: ReadonlyMap<string, NodeState>,
  alive: z.output<typeof aliveLine> | undefined,
): History {
  const sorted = entries.toSorted((a, b) => a.id - b.id);
  const times = sorted.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]));
  const aliveAt = [...times, ...(alive === undefined ? [] : [alive.alive])].reduce((a, b) => Math.max(a, b), 0);
  return {
    ...NO_HISTORY,
    entries: sorted,
    bytes: bytesOf(sorted),
    nodes,
    nextId: (sorted.at(-1)?.id ?? 0) + 1,
    cut: alive?.cut ?? false,
    ...(alive?.completeSince === undefined ? {} : { completeSince: alive.completeSince }),
    ...(aliveAt === 0 ? {} : { aliveAt }),
  };
}

function stateOf({ firstSeen, version, nodeId }: z.output<typeof nodeLine>): NodeState {
  return {
    firstSeen,
    up: true,
    upSince: firstSeen,
    ...(version === undefined ? {} : { version }),
    ...(nodeId === undefined ? {} : { nodeId }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
