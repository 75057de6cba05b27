import { z } from "zod";
import { isRecord, type Path } from "../base/tree.ts";

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

/** Separate from the descriptions, because the JSON Schema must not contain them. */
export const tags = z.registry<Tag>();

/** A schema without its wrappers. */
type Bare = {
  readonly core: z.core.$ZodType;
  readonly tag: Tag;
  /** The default of a missing value, in the notation of the file. */
  readonly fallback: unknown;
};

/** Unwraps optional, nullable, default and piped schemas, and collects their tags. */
export function bare(schema: z.core.$ZodType): Bare {
  let core = schema;
  let tag: Tag = {};
  let fallback: unknown;
  for (;;) {
    tag = { ...tags.get(core), ...tag };
    if (core instanceof z.ZodPrefault || core instanceof z.ZodDefault) fallback = core.def.defaultValue;
    const inner = wrapped(core);
    if (inner === undefined) return { core, tag, fallback };
    core = inner;
  }
}

/** The description of a value, which can be on any of its wrappers. */
export function descriptionOf(schema: z.core.$ZodType): string | undefined {
  const own = z.globalRegistry.get(schema)?.description;
  if (own !== undefined) return own;
  const inner = wrapped(schema);
  return inner === undefined ? undefined : descriptionOf(inner);
}

function wrapped(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.def.in;
  return mayBeMissing(schema) || schema instanceof z.ZodNullable ? schema.def.innerType : undefined;
}

function mayBeMissing(schema: z.core.$ZodType): schema is z.ZodOptional | z.ZodPrefault | z.ZodDefault {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault;
}

/** The fields of a mapping. Without a prototype, because keys of the file are looked up in it. */
export function shapeOf(schema: z.ZodObject): Readonly<Record<string, z.core.$ZodType>> {
  return Object.assign(Object.create(null) as Record<string, z.core.$ZodType>, schema.shape);
}

/** The schema of a key or list item. */
export function childSchema(schema: z.core.$ZodType, part: string | number): z.core.$ZodType | undefined {
  const { core } = bare(schema);
  if (core instanceof z.ZodObject) return shapeOf(core)[part];
  if (core instanceof z.ZodArray) return core.def.element;
  if (core instanceof z.ZodRecord) return core.def.valueType;
  if (core instanceof z.ZodUnion) {
    for (const option of core.options) {
      const child = childSchema(option, part);
      if (child !== undefined) return child;
    }
  }
  return undefined;
}

/** The keys of a mapping; empty when it accepts any key. */
export function knownKeys(schema: z.core.$ZodType): readonly string[] {
  const { core } = bare(schema);
  if (core instanceof z.ZodObject) return Object.keys(shapeOf(core));
  return core instanceof z.ZodUnion ? core.options.flatMap((option) => knownKeys(option)) : [];
}

/** Whether a value is required. */
export function isNeeded(schema: z.core.$ZodType | undefined): boolean {
  if (schema === undefined || mayBeMissing(schema)) return false;
  const inner = wrapped(schema);
  return inner === undefined || isNeeded(inner);
}

/** Whether the value at `path` or one of its ancestors is a secret, which messages must not contain. */
export function isSecretPath(root: z.core.$ZodType, path: Path): boolean {
  let schema: z.core.$ZodType | undefined = root;
  for (const part of path) {
    if (bare(schema).tag.secret === true) return true;
    schema = childSchema(schema, part);
    if (schema === undefined) return false;
  }
  return bare(schema).tag.secret === true;
}

/** Whether a mapping directly contains a secret: a mistyped key in it can be the secret itself. */
export function holdsSecret(schema: z.core.$ZodType): boolean {
  return (
    bare(schema).tag.secret === true ||
    knownKeys(schema).some((key) => {
      const child = childSchema(schema, key);
      return child !== undefined && bare(child).tag.secret === true;
    })
  );
}

type Leaf = { readonly path: Path; readonly value: string; readonly tag: Tag };

/** Replaces every text that has a schema by the result of `change`. */
export function mapLeaves(
  schema: z.core.$ZodType,
  value: unknown,
  change: (leaf: Leaf) => string,
  path: Path = [],
  outer: Tag = {},
): unknown {
  const tag = { ...outer, ...bare(schema).tag };
  if (typeof value === "string") return change({ path, value, tag });
  const changed = (part: string | number, child: unknown): unknown => {
    const next = childSchema(schema, part);
    return next === undefined ? child : mapLeaves(next, child, change, [...path, part], tag);
  };
  if (Array.isArray(value)) return value.map((child: unknown, index) => changed(index, child));
  if (!isRecord(value)) return value;
  // Without a prototype, as in the tree itself.
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, child] of Object.entries(value)) copy[key] = changed(key, child);
  return copy;
}
