import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { quoted } from "../../config/base/words.ts";
import { NOTHING_REMEMBERED, type Memory } from "../../poller/poll/memory.ts";
import type { Shard } from "../../poller/shard/shard.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/events.ts";
import { openHistoryFile, type HistoryFile } from "./history-file.ts";
import { readState, stateText } from "./state-file.ts";
import { readBounded, replaceFile, wordsOf, writeResults } from "./files.ts";

/** The state file of a process, and the file of its history. */
export type Storage = {
  /** What the process before this one learned. */
  readonly memory: Memory;
  readonly history: HistoryFile;
  /** Must be called once a second. Writes what changed, at most every 30 s. */
  readonly tick: (memory: () => Memory) => void;
  /** Writes what changed since, and ends. Never rejects. */
  readonly close: (memory: Memory) => Promise<void>;
  /** Calls `listener` after each write. */
  readonly onWrite: (listener: (ok: boolean) => void) => void;
};

type StorageOptions = {
  /** The value of `--storage.path`. */
  readonly folder: string;
  readonly shard: Shard;
  readonly clock: Clock;
  readonly log: Log;
  /** Replaced in tests. */
  readonly moveFile?: typeof rename;
};

/** Seconds between two writes. */
const WRITE_EVERY = 30;
/** A file of 5,000 nodes has 2 MB. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Opens the state file in a directory, or returns a sentence about a directory that cannot be written. */
export function openStorage(options: StorageOptions): Storage | { readonly problem: string } {
  const { folder, shard, clock, log, moveFile = rename } = options;
  const file = join(folder, shard.total === 1 ? "state.json" : `state-${shard.index}.json`);
  const temporary = `${file}.tmp`;
  const fault = folderFault(folder, temporary);
  if (fault !== undefined)
    return {
      problem: `--storage.path: cannot write to the directory ${quoted(folder)} (${fault}): give it to the user of the exporter`,
    };
  const memory = load(file, clock.now(), log);
  const results = writeResults(file, log, {
    failed: "cannot write the state file",
    recovered: "the state file is written again",
  });
  let written = stateText(memory);
  let writing: Promise<void> | undefined;
  let nextAt = clock.elapsed() + WRITE_EVERY;

  async function write(text: string): Promise<void> {
    try {
      await replaceFile(file, text, moveFile);
      written = text;
      results.ended(undefined);
    } catch (error) {
      results.ended(error);
    }
  }

  return {
    memory,
    history: openHistoryFile(options),
    onWrite: results.onWrite,
    tick(latest) {
      if (writing !== undefined || clock.elapsed() < nextAt) return;
      nextAt = clock.elapsed() + WRITE_EVERY;
      const text = stateText(latest());
      if (text === written) return;
      writing = write(text).finally(() => (writing = undefined));
    },
    async close(last) {
      nextAt = Infinity;
      await writing;
      const text = stateText(last);
      if (text !== written) await write(text);
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

function load(file: string, now: number, log: Log): Memory {
  const read = readBounded(file, MOST_BYTES, (text) => readState(text, now));
  if (read === undefined) return NOTHING_REMEMBERED;
  if ("memory" in read) {
    const { nodes, states } = read.memory;
    log.info({ file, nodes: nodes.length, states: states.length }, "continuing from the state file");
    return read.memory;
  }
  log.warn({ file, why: read.unusable }, "the state file is ignored");
  return NOTHING_REMEMBERED;
}
