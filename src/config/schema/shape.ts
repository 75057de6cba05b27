import { z } from "zod";
import { isRecord, type Path } from "../base/value-at.ts";

/**
 * Properties of a field besides its type. `secret`: its content is never displayed. `file`: it names a file that the loader
 * reads, as a secret (trimmed) or as PEM. `header`: the text, or the file's content, is sent in a header. `url`: its path can hold a
 * token, which is not displayed.
 */
export type Tag = {
  readonly secret?: true;
  readonly file?: "secret" | "pem";
  readonly header?: true;
  readonly url?: true;
};

/** Separate from the descriptions, because the published JSON Schema must not contain them. */
export const tags = z.registry<Tag>();

/** What a file can contain at one place, as the JSON Schema of zod describes it, with the tags or the description. */
export type Shape = Tag & {
  readonly description?: string;
  /** The default of a missing value, in the notation of the file. */
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | false;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
};

export function shapeOf(schema: z.ZodType, metadata: z.core.$ZodRegistry<Tag | z.GlobalMeta> = tags): Shape {
  return z.toJSONSchema(schema, { io: "input", metadata }) as Shape;
}

/** The shape and the alternatives in it. */
function formsOf(shape: Shape): readonly Shape[] {
  return [shape, ...(shape.anyOf ?? []).flatMap(formsOf)];
}

/** The description of a value, which can be that of one alternative. */
export function descriptionOf(shape: Shape = {}): string | undefined {
  return formsOf(shape).find(({ description }) => description !== undefined)?.description;
}

/** The tags of a value, also those of one alternative. */
export function tagOf(shape: Shape): Tag {
  return Object.assign({}, ...formsOf(shape)) as Tag;
}

/** The shape of a key or list item. */
export function childOf(shape: Shape, part: string | number): Shape | undefined {
  for (const { properties = {}, items, additionalProperties } of formsOf(shape)) {
    const child =
      typeof part === "number" ? items : Object.hasOwn(properties, part) ? properties[part] : additionalProperties;
    if (child) return child;
  }
  return undefined;
}

export function shapeAt(shape: Shape, path: Path): Shape | undefined {
  return path.reduce<Shape | undefined>((at, part) => at && childOf(at, part), shape);
}

/** The keys of a mapping; empty when it accepts any key. */
export function knownKeys(shape: Shape): readonly string[] {
  return formsOf(shape).flatMap(({ properties = {} }) => Object.keys(properties));
}

/** Whether the value at `path` or one of its ancestors is a secret, which messages must not contain. */
export function isSecretPath(root: Shape, path: Path): boolean {
  return [...path.keys(), path.length].some((length) => {
    const shape = shapeAt(root, path.slice(0, length));
    return shape !== undefined && tagOf(shape).secret === true;
  });
}

type Leaf = { readonly path: Path; readonly value: string; readonly tag: Tag };

/** Replaces every text that has a shape by the result of `change`. */
export function mapLeaves(
  shape: Shape,
  value: unknown,
  change: (leaf: Leaf) => string,
  path: Path = [],
  outer: Tag = {},
): unknown {
  const tag = { ...outer, ...tagOf(shape) };
  if (typeof value === "string") return change({ path, value, tag });
  const changed = (part: string | number, child: unknown): unknown => {
    const next = childOf(shape, part);
    return next === undefined ? child : mapLeaves(next, child, change, [...path, part], tag);
  };
  if (Array.isArray(value)) return value.map((child: unknown, index) => changed(index, child));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, changed(key, child)]));
}
