import { dirname, isAbsolute, join } from "node:path";
import { readText, readYamlFile } from "./read-yaml.ts";
import { mapLeaves, type Shape, type Tag } from "../schema/shape.ts";
import type { Sources } from "./sources.ts";
import { complain, isComplained, isRecord, placeOf, warn, type Findings, type Path } from "../base/tree.ts";
import { fieldName, found, quoted, quotedAsWritten } from "../base/error-texts.ts";

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

/** Appends the nodes of `node_files` to the tree's own. Their values keep the positions in their files. */
export function withNodeFiles(value: unknown, path: string, sources: Sources, findings: Findings): unknown {
  if (!isRecord(value) || !Array.isArray(value["node_files"])) return value;
  const own: unknown = value["nodes"] ?? [];
  if (!Array.isArray(own)) return value;
  const nodes: unknown[] = [...(own as unknown[])];
  const files = value["node_files"].flatMap((pattern: unknown, index) =>
    matches(pattern, ["node_files", index], dirname(path), sources, findings),
  );
  for (const file of new Set(files)) {
    const read = readYamlFile(file, sources, findings);
    if (Array.isArray(read?.value)) {
      for (const [index, node] of (read.value as unknown[]).entries()) {
        findings.moved.set(nodes.length, { source: read.source, index });
        nodes.push(node);
      }
    } else if (read?.value !== undefined && read.value !== null) {
      const message = `a file of node_files must hold a list of nodes; found ${found(read.value, undefined, true)}`;
      findings.problems.push({ ...read.source.placeOf(read.source.root), message });
    }
  }
  return nodes.length === 0 ? value : { ...value, nodes };
}

/** The files that match a pattern, sorted: the order of nodes must not depend on the file system. */
function matches(pattern: unknown, at: Path, folder: string, sources: Sources, findings: Findings): string[] {
  if (typeof pattern !== "string" || pattern === "" || isComplained(findings, at)) return [];
  const files = sources.glob(pattern, folder).map((file) => (isAbsolute(file) ? file : join(folder, file)));
  if (files.length === 0 && !/[*?[{]/.test(pattern)) complain(findings, at, `no such file: ${quoted(pattern)}`);
  else if (files.length === 0) warn(findings, at, `no file matches the pattern ${quoted(pattern)}`);
  return files.sort();
}
