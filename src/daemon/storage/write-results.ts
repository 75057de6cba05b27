import type { Log } from "../../runtime/events.ts";
import { wordsOf } from "./replace-file.ts";

type Messages = { readonly failed: string; readonly recovered: string };

export type WriteResults = {
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
