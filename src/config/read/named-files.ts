import { dirname, isAbsolute, join } from "node:path";
import { readText } from "./read-yaml.ts";
import { mapLeaves, type Shape, type Tag } from "../schema/shape.ts";
import type { Sources } from "./sources.ts";
import { complain, isComplained, placeOf, type Findings, type Path } from "../base/tree.ts";
import { fieldName, quotedAsWritten } from "../base/words.ts";

const UNSENDABLE = "contains a character that a header does not allow, such as a line break";

/**
 * Replaces the path in each field with the tag `file` by the content of that file, and checks the values of headers. Returns
 * the same object when the tree names no file. Trailing newlines of secrets are removed. Messages never contain file content.
 */
export function withNamedFiles(shape: Shape, value: unknown, sources: Sources, findings: Findings): unknown {
  let isChanged = false;
  const tree = mapLeaves(shape, value, ({ path, value: text, tag }) => {
    if (isComplained(findings, path)) return text;
    if (tag.file === undefined && tag.header === true && !isSendable(text))
      complain(findings, path, `this ${UNSENDABLE}`);
    if (tag.file === undefined || text === "") return text;
    const content = contentOf(text, path, tag, sources, findings);
    isChanged ||= content !== undefined;
    return content ?? text;
  });
  return isChanged ? tree : value;
}

/** The content of the file that the value at `path` names. `undefined`, with a problem added, when it cannot be used. */
function contentOf(name: string, path: Path, tag: Tag, sources: Sources, findings: Findings): string | undefined {
  const file = isAbsolute(name) ? name : join(dirname(placeOf(findings, path).file), name);
  const read = readText(file, sources, findings);
  const whole = "text" in read ? read.text : "";
  const text = tag.file === "secret" ? whole.replace(/(\r?\n)+$/, "") : whole;
  const fault = "fault" in read ? `which cannot be read: ${read.fault}` : contentFault(text, tag);
  if (fault === undefined) return text;
  complain(findings, path, `${fieldName(path)} names ${quotedAsWritten(findings, path, name)}, ${fault}`);
  return undefined;
}

function contentFault(text: string, { file, header }: Tag): string | undefined {
  if (text.trim() === "") return "which is empty";
  if (file === "pem" && !text.includes("-----BEGIN ")) return "which is not PEM (it has no -----BEGIN line)";
  return header === true && !isSendable(text) ? `which ${UNSENDABLE}` : undefined;
}

/** A line break would end the header, and characters outside Latin-1 cannot be encoded: the client would throw at every poll. */
function isSendable(text: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text);
}
