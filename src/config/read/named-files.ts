import { dirname, isAbsolute, join } from "node:path";
import type { z } from "zod";
import { readText } from "./read-yaml.ts";
import type { Tag } from "../schema/tags.ts";
import { mapLeaves } from "../schema/walk.ts";
import type { Sources } from "./sources.ts";
import { complain, isComplained, pathKey, placeOf, type Findings, type Path } from "../base/tree.ts";
import { fieldName, quoted } from "../base/words.ts";

const UNSENDABLE = "this holds a character that a header cannot carry, such as a line break";

/**
 * Reads every file that a field with the tag `file` names, checks what will be sent in headers, and gives the tree with the
 * content of each file in place of its name; the same tree where no file is named. Secrets lose their trailing newline; nothing
 * of them is ever in a message.
 */
export function withNamedFiles(schema: z.core.$ZodType, value: unknown, sources: Sources, findings: Findings): unknown {
  let isChanged = false;
  const tree = mapLeaves(schema, value, ({ path, value: text, tag }) => {
    if (isComplained(findings, path)) return text;
    if (tag.file === undefined && tag.header === true && !isSendable(text)) complain(findings, path, UNSENDABLE);
    if (tag.file === undefined || text === "") return text;
    const content = contentOf(text, path, tag, sources, findings);
    isChanged ||= content !== undefined;
    return content ?? text;
  });
  return isChanged ? tree : value;
}

/** What is in a file that the value at `path` names; nothing, with a problem noted, where it is of no use. */
function contentOf(name: string, path: Path, tag: Tag, sources: Sources, findings: Findings): string | undefined {
  const file = isAbsolute(name) ? name : join(dirname(placeOf(findings, path).file), name);
  const read = readText(file, sources, findings);
  const text =
    "text" in read && tag.file === "secret" ? read.text.replace(/(\r?\n)+$/, "") : "text" in read ? read.text : "";
  const fault = "fault" in read ? `which cannot be read: ${read.fault}` : contentFault(text, tag);
  if (fault === undefined) return text;
  const shown = quoted(findings.entries.get(pathKey(path))?.written ?? name);
  complain(findings, path, `${fieldName(path)} names ${shown}, ${fault}`);
  return undefined;
}

function contentFault(text: string, { file, header }: Tag): string | undefined {
  if (text.trim() === "") return "which is empty";
  if (file === "pem" && !text.includes("-----BEGIN ")) return "which is not PEM (it has no -----BEGIN line)";
  return header === true && !isSendable(text)
    ? "which holds a character that a header cannot carry, such as a line break"
    : undefined;
}

/** Line breaks would end the header, and beyond Latin-1 it cannot be encoded: the client would throw at every poll. */
function isSendable(text: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text);
}
