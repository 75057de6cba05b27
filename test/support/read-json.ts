import type { z } from "zod";

export const REFUSED = Symbol("refused");

/** The parsed value of a JSON text, or REFUSED. A text, because `JSON.parse` rounds numbers. */
export function read<T>(schema: z.ZodType<T>, json: string): T | typeof REFUSED {
  const parsed = schema.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : REFUSED;
}
