import { z } from "zod";
import { isRecord, type Path } from "../base/tree.ts";
import { tags, type Tag } from "./tags.ts";

/** A schema without its wrappers. */
export type Bare = {
  readonly core: z.core.$ZodType;
  readonly tag: Tag;
  /** What stands for a value that is left out, as a file would write it. */
  readonly fallback: unknown;
};

/** Takes off what makes a value optional or reads it, and gathers the tags on the way. */
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

function wrapped(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schema.def.innerType;
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return schema.def.innerType;
  return schema instanceof z.ZodPipe ? schema.def.in : undefined;
}

/** The fields of a mapping; without a prototype, so that a stranger's key finds nothing inherited. */
export function shapeOf(schema: z.ZodObject): Readonly<Record<string, z.core.$ZodType>> {
  return Object.assign(Object.create(null) as Record<string, z.core.$ZodType>, schema.shape);
}

/** The schema of a key or list item of a value of this schema. */
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

/** Keys that a mapping of this schema may have, or nothing when any key may be there. */
export function knownKeys(schema: z.core.$ZodType): readonly string[] {
  const { core } = bare(schema);
  if (core instanceof z.ZodObject) return Object.keys(shapeOf(core));
  return core instanceof z.ZodUnion ? core.options.flatMap((option) => knownKeys(option)) : [];
}

/** True when a value of this schema may not be left out. */
export function isNeeded(schema: z.core.$ZodType | undefined): boolean {
  if (schema === undefined) return false;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault)
    return false;
  const inner = wrapped(schema);
  return inner === undefined || isNeeded(inner);
}

/** True when the value at `path`, something around it or a key of it is a secret, so that nothing found there may be shown. */
export function isSecretPath(root: z.core.$ZodType, path: Path): boolean {
  let schema: z.core.$ZodType | undefined = root;
  for (const part of path) {
    if (bare(schema).tag.secret === true) return true;
    schema = childSchema(schema, part);
    if (schema === undefined) return false;
  }
  return bare(schema).tag.secret === true;
}

/** True when a mapping of this schema holds a secret directly: a mistyped key there may be the secret itself. */
export function holdsSecret(schema: z.core.$ZodType): boolean {
  return (
    bare(schema).tag.secret === true ||
    knownKeys(schema).some((key) => {
      const child = childSchema(schema, key);
      return child !== undefined && bare(child).tag.secret === true;
    })
  );
}

export type Leaf = { readonly path: Path; readonly value: string; readonly tag: Tag };

/** The tree with every text that the schema knows replaced by what `change` gives for it. */
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
  // Without a prototype, like the tree itself.
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, child] of Object.entries(value)) copy[key] = changed(key, child);
  return copy;
}
