import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { readRegularFile, unreadable } from "../../config/read/sources.ts";
import type { Log } from "../../runtime/log.ts";

/** What a file says, or in words why it cannot be used. */
export type Parsed<T> = { readonly content: T } | { readonly unusable: string };

/**
 * Replaces a file. A crash leaves the old file or the new one, never a part: the new one is on the disk before it takes the name.
 * By hand, because write-file-atomic opens its temporary file without `x`, and truncates what a link with that name points at.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.tmp`;
  // A symbolic link with this name is replaced: what it points at must not be truncated.
  await rm(temporary, { force: true });
  await writeFile(temporary, text, { flag: "wx", mode: 0o600, flush: true });
  await rename(temporary, file);
}

/** The message of an error, for a log. */
export function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}

type KeptFileOptions<T> = {
  readonly file: string;
  /** Its name in the log. */
  readonly what: string;
  readonly parse: (text: string) => Parsed<T>;
  readonly textOf: (content: T) => string;
  /** The content without a usable file. */
  readonly nothing: T;
  /** Called after each write. */
  readonly onWrite: (ok: boolean) => void;
  readonly log: Log;
};

/**
 * A file that outlives the process. It may be missing; one that cannot be used is logged, and replaced by the first write. It is
 * written whole, and only when its text differs from the last one.
 */
type KeptFile<T> = {
  /** What the process before this one wrote. */
  readonly content: T;
  /** Writes a content, after the write that is under way. A failure is logged once, until a write succeeds. Never rejects. */
  readonly write: (next: T) => Promise<void>;
};

/** Opens a file; without one that can be used the content is `nothing`. Never throws. */
export function openKeptFile<T>(options: KeptFileOptions<T>): KeptFile<T> {
  const { file, what, parse, textOf, nothing, onWrite, log } = options;
  const found = readExisting(file, parse);
  if (found !== undefined && "unusable" in found) log.warn({ file, why: found.unusable }, `${what} is ignored`);
  else if (found !== undefined) log.info({ file }, `continuing from ${what}`);
  const content = found !== undefined && "content" in found ? found.content : nothing;
  /** The text that the file has, and the one that it must have. */
  let written = textOf(content);
  let wanted = written;
  /** Whether the last write failed. */
  let failing = false;
  /** The writes that are under way. */
  let working: Promise<void> | undefined;

  function ended(error: unknown): void {
    const ok = error === undefined;
    if (!ok && !failing) log.warn({ file, why: wordsOf(error) }, `cannot write ${what}`);
    if (ok && failing) log.info({ file }, `${what} is written again`);
    failing = !ok;
    onWrite(ok);
  }

  async function work(): Promise<void> {
    for (let text: string | undefined; wanted !== written && wanted !== text;) {
      text = wanted;
      try {
        await replaceFile(file, text);
        written = text;
        ended(undefined);
      } catch (error) {
        ended(error);
      }
    }
  }

  return {
    content,
    write(next) {
      wanted = textOf(next);
      return (working ??= work().finally(() => (working = undefined)));
    },
  };
}

function readExisting<T>(file: string, parse: (text: string) => Parsed<T>): Parsed<T> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return parse(readRegularFile(file));
  } catch (error) {
    return { unusable: unreadable(error) };
  }
}
