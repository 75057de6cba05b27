import { dirname, isAbsolute, join } from "node:path";
import type { z } from "zod";
import { readText } from "./read-yaml.ts";
import type { Tag } from "../schema/tags.ts";
import { leaves } from "../schema/walk.ts";
import type { Sources } from "./sources.ts";
import { complain, isComplained, pathKey, placeOf, type Findings } from "../tree.ts";
import { fieldName, quoted } from "../words.ts";

/** Content of the files that the configuration names (`password_file`, `ca_file`), by the path of the value that names them. */
export type NamedFiles = ReadonlyMap<string, string>;

const UNSENDABLE = "this holds a character that a header cannot carry, such as a line break";

/** Reads every file that a field with the tag `file` names, and checks what will be sent in headers. Secrets lose their trailing newline; nothing of them is ever in a message. */
export function readNamedFiles(
  schema: z.core.$ZodType,
  value: unknown,
  sources: Sources,
  findings: Findings,
): NamedFiles {
  const contents = new Map<string, string>();
  for (const { path, value: name, tag } of leaves(schema, value)) {
    if (isComplained(findings, path)) continue;
    if (tag.file === undefined && tag.header === true && !isSendable(name)) complain(findings, path, UNSENDABLE);
    if (tag.file === undefined || name === "") continue;
    const file = isAbsolute(name) ? name : join(dirname(placeOf(findings, path).file), name);
    const read = readText(file, sources, findings);
    if ("fault" in read) {
      complain(
        findings,
        path,
        `${fieldName(path)} names ${shownName(findings, pathKey(path), name)}, which cannot be read: ${read.fault}`,
      );
      continue;
    }
    const text = tag.file === "secret" ? read.text.replace(/(\r?\n)+$/, "") : read.text;
    const fault = contentFault(text, tag);
    if (fault === undefined) contents.set(pathKey(path), text);
    else complain(findings, path, `${fieldName(path)} names ${shownName(findings, pathKey(path), name)}, ${fault}`);
  }
  return contents;
}

function shownName(findings: Findings, key: string, name: string): string {
  return quoted(findings.entries.get(key)?.written ?? name);
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
