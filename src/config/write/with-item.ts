import { isDeepStrictEqual } from "node:util";
import { Document, isCollection, isMap, isPair, isSeq, parseDocument, visit, type YAMLSeq } from "yaml";
import { isRecord } from "../base/value-at.ts";
import { WIDTH, wrapped } from "../base/wrapped.ts";
import type { Written } from "./commented-yaml.ts";

/**
 * The text of a file with one more item at the end of a list, for whoever keeps comments and an order of his own: all else stays
 * as it is, byte by byte. `undefined` where the text has another shape, such as a list behind an alias.
 * @param note the comment before the item, where the list has a line for each
 */
export function withItem(text: string, key: string, item: Written, note: readonly string[]): string | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  const list = document.get(key);
  const added = isSeq(list)
    ? list.flow === true
      ? inLine(text, list, item)
      : inLines(text, list, item, note)
    : list === undefined && (document.contents === null || (isMap(document.contents) && !document.contents.flow))
      ? `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${key}:\n${block(item, note, "  ")}`
      : undefined;
  if (added === undefined) return undefined;
  const before: unknown = document.toJS();
  const own = isRecord(before) ? before : {};
  const items = (own[key] ?? []) as readonly unknown[];
  const expected = { ...own, [key]: [...items, item] };
  const result = parseDocument(added);
  return result.errors.length === 0 && isDeepStrictEqual(result.toJS(), expected) ? added : undefined;
}

/** `[a, b]` */
function inLine(text: string, list: YAMLSeq, item: Written): string {
  const last = list.items.at(-1);
  const at = last === undefined ? startOf(list) + 1 : endOf(last);
  const written = new Document(item).toString({ collectionStyle: "flow", lineWidth: 0 }).trimEnd();
  return `${text.slice(0, at)}${last === undefined ? "" : ", "}${written}${text.slice(at)}`;
}

/** A line for each item, or several. */
function inLines(text: string, list: YAMLSeq, item: Written, note: readonly string[]): string {
  const start = startOf(list);
  const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const end = endOf(list);
  let at = text[end - 1] === "\n" ? end : lineEnd(text, end);
  // Comments within the last item are deeper than its dash.
  while (/^ *#/.test(text.slice(at)) && text.slice(at).search(/#/) > indent.length) at = lineEnd(text, at);
  const isComplete = text[at - 1] === "\n";
  const lines = block(item, note, indent).replaceAll("\n", text.includes("\r\n") ? "\r\n" : "\n");
  return `${text.slice(0, at)}${isComplete ? "" : "\n"}${lines}${text.slice(at)}`;
}

function block(item: Written, note: readonly string[], indent: string): string {
  const comment = note.flatMap((each) => wrapped(each, "# ", "# ", WIDTH - indent.length));
  const document = new Document([item]);
  // Names of subnets and chains fit into a line.
  visit(document, { Seq: (position, list) => void (list.flow = position !== null) });
  const lines = document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd().split("\n");
  return [...comment, ...lines].map((line) => `${indent}${line}\n`).join("");
}

/** Behind the line at this place. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

const startOf = (node: unknown): number => rangeOf(node)[0];

/** Behind the last scalar of a node: the library counts comments that follow as part of a mapping. */
function endOf(node: unknown): number {
  if (isPair(node)) return endOf(node.value ?? node.key);
  if (isCollection(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1));
  return rangeOf(node)[1];
}

function rangeOf(node: unknown): readonly [number, number] {
  const range = isRecord(node) ? node["range"] : undefined;
  return Array.isArray(range) ? [Number(range[0]), Number(range[1])] : [0, 0];
}
