import { stringify } from "yaml";
import { z } from "zod";
import { bare, childSchema, shapeOf } from "./schema/walk.ts";
import { isRecord } from "./base/tree.ts";

const MASK = "<secret>";

/** The configuration as YAML with variables expanded, defaults filled in and secrets replaced. Paths of secret files are kept. */
export function masked(schema: z.core.$ZodType, value: unknown): string {
  return stringify(mask(schema, value, false), { lineWidth: 0, aliasDuplicateObjects: false });
}

function mask(schema: z.core.$ZodType | undefined, value: unknown, insideSecret: boolean): unknown {
  // A value without a schema can be a secret.
  if (schema === undefined) return MASK;
  const { core, tag } = bare(schema);
  const secret = (insideSecret || tag.secret === true) && tag.file === undefined;
  if (Array.isArray(value)) return value.map((item: unknown, index) => mask(childSchema(schema, index), item, secret));
  if (!isRecord(value)) return secret ? MASK : value;
  const copy: Record<string, unknown> = {};
  if (core instanceof z.ZodObject) {
    for (const [key, child] of Object.entries(shapeOf(core))) {
      const given = value[key] ?? bare(child).fallback;
      if (given !== undefined) copy[key] = mask(child, given, secret);
    }
    return copy;
  }
  for (const [key, child] of Object.entries(value)) copy[key] = mask(childSchema(schema, key), child, secret);
  return copy;
}
