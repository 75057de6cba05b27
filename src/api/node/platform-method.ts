import type { z } from "zod";
import type { Method } from "../endpoint.ts";

export const PLATFORM_PATH = "/ext/bc/P";

export function platformMethod<P, R>(
  name: string,
  about: string,
  params: z.ZodType<P>,
  result: z.ZodType<R>,
): Method<P, R> {
  return { name, path: PLATFORM_PATH, about, params, result };
}
