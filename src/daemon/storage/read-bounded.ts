import { readFileSync, statSync } from "node:fs";
import { wordsOf } from "./replace-file.ts";

/** Why a file cannot be used, in words. */
export type Unusable = { readonly unusable: string };

/**
 * Reads and parses a file that may be missing: `undefined` then. A file that cannot be read, or is too large, is unusable.
 * @param most bytes
 */
export function readBounded<T>(file: string, most: number, parse: (text: string) => T): T | Unusable | undefined {
  try {
    const bytes = statSync(file, { throwIfNoEntry: false })?.size;
    if (bytes === undefined) return undefined;
    if (bytes > most) return { unusable: `it has ${bytes} bytes, more than ${most}` };
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    return { unusable: wordsOf(error) };
  }
}
