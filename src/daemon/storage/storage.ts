import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoted } from "../../config/base/words.ts";
import { NOTHING_REMEMBERED, type Memory } from "../../poller/poll/memory.ts";
import type { Clock } from "../../runtime/clock.ts";
import { openHistoryFile, type HistoryFile, type HistoryFileOptions } from "./history-file.ts";
import { readState, stateText } from "./state-file.ts";
import { openKeptFile, wordsOf, type KeptFile } from "./files.ts";

/** The state file of a process, and the file of its history. */
export type Storage = Pick<KeptFile<Memory>, "onWrite"> & {
  /** What the process before this one learned. */
  readonly memory: Memory;
  readonly history: HistoryFile;
  /** Must be called once a second. Writes what changed, at most every 30 s. */
  readonly tick: (memory: () => Memory) => void;
  /** Writes what changed since, and ends. Never rejects. */
  readonly close: (memory: Memory) => Promise<void>;
};

type StorageOptions = HistoryFileOptions & { readonly clock: Clock };

/** Seconds between two writes. */
const WRITE_EVERY = 30;

/** Opens the state file in a directory, or returns a sentence about a directory that cannot be written. */
export function openStorage(options: StorageOptions): Storage | { readonly problem: string } {
  const { folder, shard, clock, log, moveFile } = options;
  const file = join(folder, shard.total === 1 ? "state.json" : `state-${shard.index}.json`);
  const fault = folderFault(folder, `${file}.tmp`);
  if (fault !== undefined)
    return {
      problem: `--storage.path: cannot write to the directory ${quoted(folder)} (${fault}): give it to the user of the exporter`,
    };
  const kept = openKeptFile({
    file,
    what: "the state file",
    parse: (text) => readState(text, clock.now()),
    textOf: stateText,
    nothing: NOTHING_REMEMBERED,
    log,
    moveFile,
  });
  let nextAt = clock.elapsed() + WRITE_EVERY;
  return {
    memory: kept.content,
    history: openHistoryFile(options),
    onWrite: kept.onWrite,
    tick(latest) {
      if (clock.elapsed() < nextAt) return;
      nextAt = clock.elapsed() + WRITE_EVERY;
      void kept.write(latest());
    },
    close(last) {
      nextAt = Infinity;
      return kept.write(last);
    },
  };
}

/** Creates the directory if it is missing and writes a file to it. Returns the error in words. */
function folderFault(folder: string, temporary: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, "\n", { mode: 0o600 });
    rmSync(temporary);
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}
