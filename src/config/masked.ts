import { stringify } from "yaml";
import { z } from "zod";
import { bare, childSchema, shapeOf } from "./schema/walk.ts";
import { isRecord } from "./base/tree.ts";

const MASK = "<secret>";

/** The configuration as YAML: variables put in, defaults filled in, secrets replaced. Paths of secret files stay. */
export function masked(schema: z.core.$ZodType, value: unknown): string {
  return stringify(mask(schema, value, false), { lineWidth: 0, aliasDuplicateObjects: false });
}

function mask(schema: z.core.$ZodType | undefined, value: unknown, around: boolean): unknown {
  // What the schema does not know cannot be told from a secret.
  if (schema === undefined) return MASK;
  const { core, tag } = bare(schema);
  const secret = (around || tag.secret === true) && tag.file === undefined;
  if (Array.isArray(value)) return value.map((item: unknown, index) => mask(childSchema(schema, index), item, secret));
  if (!isRecord(value)) return secret ? MASK : value;
  const shown: Record<string, unknown> = {};
  if (core instanceof z.ZodObject) {
    for (const [key, child] of Object.entries(shapeOf(core))) {
      const given = value[key] ?? bare(child).fallback;
      if (given !== undefined) shown[key] = mask(child, given, secret);
    }
    return shown;
  }
  for (const [key, child] of Object.entries(value)) shown[key] = mask(childSchema(schema, key), child, secret);
  return shown;
}
