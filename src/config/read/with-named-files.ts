import { dirname, isAbsolute, join } from "node:path";
import { readText, type FileText } from "./read-yaml-file.ts";
import { mapLeaves, type Shape, type Tag } from "../schema/shape.ts";
import type { Sources } from "./sources.ts";
import { placeOf, type Checked, type ConfigFinding, type Tree } from "../base/config-finding.ts";
import { fieldName, quotedAsWritten } from "../base/error-texts.ts";

const UNSENDABLE = "contains a character that a header does not allow, such as a line break";

/**
 * Replaces the path in each field with the tag `file` by the content of that file, and checks the values of headers. The result is
 * the same object when the tree names no file. Trailing newlines of secrets are removed. Messages never contain file content.
 */
export function withNamedFiles(shape: Shape, tree: Tree, sources: Sources): Checked<unknown> {
  let isChanged = false;
  const findings: ConfigFinding[] = [];
  const filled = mapLeaves(shape, tree.value, ({ path, value: text, tag }) => {
    if (tag.file === undefined && tag.header === true && !isSendable(text))
      findings.push({ path, message: `this ${UNSENDABLE}` });
    if (tag.file === undefined || text === "") return text;
    const content = contentOf(text, dirname(placeOf(tree, path).file), tag, sources);
    isChanged ||= "text" in content;
    if ("text" in content) return content.text;
    const message = `${fieldName(path)} names ${quotedAsWritten(tree, path, text)}, ${content.fault}`;
    findings.push({ path, message });
    return text;
  });
  return { result: isChanged ? filled : tree.value, findings };
}

/** The content of a file that a value names, or why it cannot be used. */
function contentOf(name: string, folder: string, { file, header }: Tag, sources: Sources): FileText {
  const read = readText(isAbsolute(name) ? name : join(folder, name), sources);
  if ("fault" in read) return { fault: `which cannot be read: ${read.fault}` };
  const text = file === "secret" ? read.text.replace(/(\r?\n)+$/, "") : read.text;
  if (text.trim() === "") return { fault: "which is empty" };
  if (file === "pem" && !text.includes("-----BEGIN ")) return { fault: "which is not PEM (it has no -----BEGIN line)" };
  return header === true && !isSendable(text) ? { fault: `which ${UNSENDABLE}` } : { text };
}

/** A line break would end the header, and characters outside Latin-1 cannot be encoded: the client would throw at every poll. */
function isSendable(text: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text);
}
