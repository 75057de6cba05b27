import { z } from "zod";
import { notForgotten, type Memory } from "../../poller/poll/memory.ts";
import type { Parsed } from "./open-kept-file.ts";
import { parseJson } from "../../config/base/parse-json.ts";

/** The version of the format. A change that this version cannot read needs the next number. */
const VERSION = 1;

const seconds = z.number().nonnegative();
const stateFile = z.object({
  version: z.literal(VERSION),
  nodes: z.array(
    z.object({
      name: z.string(),
      address: z.string(),
      nodeId: z.string().optional(),
      networkName: z.string().optional(),
      networkId: seconds.optional(),
      outages: z.array(z.object({ from: seconds, to: seconds.optional() })).optional(),
      total: seconds.optional(),
      confirmedAt: seconds,
    }),
  ),
  states: z.array(z.object({ of: z.string(), topic: z.string(), state: z.unknown(), confirmedAt: seconds })),
});

/** The text of a state file. */
export function stateText(memory: Memory): string {
  return `${JSON.stringify({ version: VERSION, ...memory })}\n`;
}

/** Reads the text of a state file without its old entries, or says in words why it cannot be used. */
export function readState(text: string, now: number): Parsed<Memory> {
  const read = stateFile.safeParse(parseJson(text)?.value);
  if (read.success) return { content: notForgotten(read.data, now) };
  const [issue] = read.error.issues;
  return { unusable: `${issue?.path.join(".") || "its text"} is not that of format version ${VERSION}` };
}
