import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoted } from "../../config/base/error-texts.ts";
import { NO_HISTORY, type History } from "../../diagnosis/history/observe.ts";
import { historyText, readHistory } from "../../diagnosis/history/read-history.ts";
import { NOTHING_REMEMBERED, type Memory } from "../../poller/poll/memory.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Shard } from "../shard/shard.ts";
import { readState, stateText } from "./read-state.ts";
import { openKeptFile, wordsOf } from "./open-kept-file.ts";

/** The state file of a process, and the file of its history. */
export type Storage = {
  /** What the process before this one learned. */
  readonly memory: Memory;
  readonly history: {
    /** What the processes before this one recorded. */
    readonly history: History;
    /** Writes what changed, after the writes before it; nothing once the storage was closed. */
    readonly write: (next: History) => void;
  };
  /** Calls the listener after each write; `ok`: the last write of each file succeeded. */
  readonly onWrite: (listener: (ok: boolean) => void) => void;
  /** Must be called once a second. Writes the memory if it changed, at most every 30 s. */
  readonly tick: (memory: () => Memory) => void;
  /** Writes what changed since, and ends. Never rejects. */
  readonly close: (memory: Memory) => Promise<void>;
};

/** Why a directory cannot be written, and a sentence about it. */
type Refused = { readonly fault: string; readonly problem: string };

type StorageOptions = {
  /** The value of `--storage.path`. */
  readonly folder: string;
  readonly shard: Shard;
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly log: Log;
};

/** Seconds between two writes of the memory. */
const WRITE_EVERY = 30;
/** Seconds between two writes of a history in which nothing happens: it also shows until when the exporter ran. */
const ALIVE_EVERY = 60;

/** Opens `state.json` and `history.ndjson` in a directory. */
export function openStorage({ folder, shard, clock, log }: StorageOptions): Storage | Refused {
  const suffix = shard.total === 1 ? "" : `-${shard.index}`;
  const file = join(folder, `state${suffix}.json`);
  const fault = folderFault(folder, `${file}.tmp`);
  if (fault !== undefined)
    return {
      fault,
      problem: `--storage.path: cannot write to the directory ${quoted(folder)} (${fault}): give it to the user of the exporter`,
    };
  let listener = (_ok: boolean): void => undefined;
  /** Whether the last write of each file succeeded. */
  const outcomes = { state: true, history: true };
  const noted = (name: keyof typeof outcomes) => (ok: boolean) => {
    outcomes[name] = ok;
    listener(outcomes.state && outcomes.history);
  };
  const state = openKeptFile({
    file,
    what: "the state file",
    parse: (text) => readState(text, clock.now()),
    textOf: stateText,
    nothing: NOTHING_REMEMBERED,
    onWrite: noted("state"),
    log,
  });
  const history = openKeptFile({
    file: join(folder, `history${suffix}.ndjson`),
    what: "the history",
    parse: (text) => readHistory(text, clock.now()),
    textOf: historyText,
    nothing: NO_HISTORY,
    onWrite: noted("history"),
    log,
  });
  /** When the memory is written next. */
  let nextAt = clock.elapsed() + WRITE_EVERY;
  /** The history that the last write was about, with its full time. */
  let latest = history.content;
  let closed = false;
  return {
    memory: state.content,
    history: {
      history: history.content,
      write(next) {
        // A diagnosis that was under way can end after the files: a write that begins then is cut off by the end of the process.
        if (closed) return;
        latest = next;
        const { aliveAt } = next;
        void history.write(aliveAt === undefined ? next : { ...next, aliveAt: aliveAt - (aliveAt % ALIVE_EVERY) });
      },
    },
    onWrite: (next) => void (listener = next),
    tick(memory) {
      if (closed || clock.elapsed() < nextAt) return;
      nextAt = clock.elapsed() + WRITE_EVERY;
      void state.write(memory());
    },
    async close(memory) {
      closed = true;
      await Promise.all([state.write(memory), latest.running ? history.write(latest) : undefined]);
    },
  };
}

/** Creates the directory if it is missing and writes a file to it. Returns the error in words. */
function folderFault(folder: string, temporary: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(temporary, { force: true });
    writeFileSync(temporary, "\n", { flag: "wx", mode: 0o600 });
    rmSync(temporary);
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}
