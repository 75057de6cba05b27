import { readFileSync, statSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import type { Log } from "../../runtime/events.ts";

/** Why a file cannot be used, in words. */
type Unusable = { readonly unusable: string };

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

/** Replaces a file. A crash leaves the old file or the new one, never a part: the new one is on the disk before it takes the name. */
export async function replaceFile(file: string, text: string, moveFile: typeof rename = rename): Promise<void> {
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await moveFile(temporary, file);
}

/** The message of an error, for a log. */
export function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}

type Messages = { readonly failed: string; readonly recovered: string };

type WriteResults = {
  /** After each write, with its error. A failure is logged once, until a write succeeds. */
  readonly ended: (error: unknown) => void;
  /** Whether the last write failed. */
  readonly failing: () => boolean;
  /** Registers a function to call after each write. */
  readonly onWrite: (listener: (ok: boolean) => void) => void;
};

/** How the writes of a file end: for the log and the listeners. */
export function writeResults(file: string, log: Log, { failed, recovered }: Messages): WriteResults {
  const listeners: Array<(ok: boolean) => void> = [];
  let failing = false;
  return {
    ended(error) {
      const ok = error === undefined;
      if (!ok && !failing) log.warn({ file, why: wordsOf(error) }, failed);
      if (ok && failing) log.info({ file }, recovered);
      failing = !ok;
      for (const listener of listeners) listener(ok);
    },
    failing: () => failing,
    onWrite: (listener) => void listeners.push(listener),
  };
}
