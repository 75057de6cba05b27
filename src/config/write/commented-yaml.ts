import { Document, isCollection, isMap, isScalar, isSeq, stringify, type Node, type YAMLMap } from "yaml";
import { z } from "zod";
import { WIDTH, wrapped } from "../base/wrapped.ts";
import { configSchema } from "../schema/config-schema.ts";
import { childOf, descriptionOf, knownKeys, shapeOf, type Shape } from "../schema/shape.ts";

/** A configuration in the notation of the file. */
export type Written = Readonly<Record<string, unknown>>;

/** Comments by path, such as `nodes.0`; they precede the value. */
export type Notes = ReadonlyMap<string, readonly string[]>;

type Path = ReadonlyArray<string | number>;
type Writing = {
  readonly notes: Notes;
  /** Keys that are described: each once, at its first occurrence. */
  readonly described: Set<string>;
};

const STYLE = { lineWidth: 0, flowCollectionPadding: false } as const;

/** The configuration as YAML in which the schema's own descriptions explain each key, and a list of the other sections. */
export function commentedYaml(value: Written, notes: Notes): string {
  const shape = shapeOf(configSchema, z.globalRegistry);
  const document = new Document(value);
  if (isMap(document.contents)) {
    comment(document.contents, shape, [], { notes, described: new Set() });
    for (const { key } of document.contents.items.slice(1)) if (isScalar(key)) key.spaceBefore = true;
  }
  const others = knownKeys(shape).filter((key) => value[key] === undefined);
  const about = others.map((key) => `${key}: ${descriptionOf(childOf(shape, key)) ?? ""}`.trimEnd());
  document.comment = [" Other sections:", ...about.flatMap((text) => wrapped(text, "     ", "   ", WIDTH - 1))].join(
    "\n",
  );
  return document.toString(STYLE);
}

/** Describes the keys of a mapping, and writes the notes of list items before them. */
function comment(node: YAMLMap, shape: Shape, path: Path, writing: Writing): void {
  const indent = 2 * path.length;
  for (const [index, { key, value }] of node.items.entries()) {
    if (!isScalar<string>(key)) continue;
    const at = [...path, key.value];
    const child = childOf(shape, key.value);
    const about = child === undefined ? undefined : describedOnce(child, at, writing);
    // A list that does not fit into a line has a line for each item.
    if (isSeq(value))
      value.flow = value.items.every((item) => isScalar(item)) && indent + inline(key.value, value).length <= WIDTH;
    // A comment cannot stand between the dash of an item and its first key.
    const place = index === 0 && typeof path.at(-1) === "number" ? node : key;
    if (about !== undefined) describe(place, key.value, value as Node, about, indent);
    if (child !== undefined && isMap(value)) comment(value, child, at, writing);
    if (child === undefined || !isSeq(value)) continue;
    for (const [position, item] of value.items.entries()) {
      const here = [...at, position];
      for (const note of writing.notes.get(here.join(".")) ?? []) precede(item as Node, note, indent + 2);
      const inner = childOf(child, 0);
      if (inner !== undefined && isMap(item)) comment(item, inner, here, writing);
    }
  }
}

/** Adds a description behind a value, where it fits, else before it. @param indent columns before the key */
function describe(place: Node, key: string, value: Node, about: string, indent: number): void {
  const isOneLine = isScalar(value) || (isCollection(value) && value.flow === true);
  if (isOneLine && indent + `${inline(key, value)} # ${about}`.length <= WIDTH) value.comment = ` ${about}`;
  else precede(place, about, indent);
}

function inline(key: string, value: Node): string {
  return `${key}: ${stringify(value, { ...STYLE, collectionStyle: "flow" }).trimEnd()}`;
}

function precede(node: Node, text: string, indent: number): void {
  const lines = wrapped(text, " ", " ", WIDTH - indent - 1);
  node.commentBefore = [...(node.commentBefore?.split("\n") ?? []), ...lines].join("\n");
}

/** The description at the first occurrence of a key. */
function describedOnce(shape: Shape, path: Path, { described }: Writing): string | undefined {
  const key = path.filter((part) => typeof part === "string").join(".");
  if (described.has(key)) return undefined;
  described.add(key);
  return descriptionOf(shape);
}
