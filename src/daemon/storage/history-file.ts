import type { rename } from "node:fs/promises";
import { join } from "node:path";
import { NO_HISTORY, type History } from "../../diagnosis/history/history.ts";
import { historyText, readHistory } from "../../diagnosis/history/lines.ts";
import type { Shard } from "../shard/shard.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/events.ts";
import { openKeptFile, type KeptFile } from "./files.ts";

/** The file of the history. */
export type HistoryFile = Pick<KeptFile<History>, "onWrite"> & {
  /** What the processes before this one recorded. */
  readonly history: History;
  /** Writes what changed, after the writes before it; nothing once `close` was called. */
  readonly write: (history: History) => void;
  /** Writes the rest, and ends. Never rejects. */
  readonly close: () => Promise<void>;
};

export type HistoryFileOptions = {
  /** The value of `--storage.path`. */
  readonly folder: string;
  readonly shard: Shard;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Replaced in tests. */
  readonly moveFile?: typeof rename;
};

/** Seconds between two writes of a history in which nothing happens: it also shows until when the exporter ran. */
const ALIVE_EVERY = 60;

/** Opens `history.ndjson` of a directory that can be written, `history-<index>.ndjson` of a shard. */
export function openHistoryFile({ folder, shard, clock, log, moveFile }: HistoryFileOptions): HistoryFile {
  const kept = openKeptFile({
    file: join(folder, shard.total === 1 ? "history.ndjson" : `history-${shard.index}.ndjson`),
    what: "the history",
    parse: (text) => readHistory(text, clock.now()),
    textOf: historyText,
    nothing: NO_HISTORY,
    log,
    moveFile,
  });
  let latest = kept.content;
  let closed = false;
  return {
    history: kept.content,
    onWrite: kept.onWrite,
    write(next) {
      // A diagnosis that was under way can end after the file: a write that begins then is cut off by the end of the process.
      if (closed) return;
      latest = next;
      const { aliveAt } = next;
      void kept.write(aliveAt === undefined ? next : { ...next, aliveAt: aliveAt - (aliveAt % ALIVE_EVERY) });
    },
    async close() {
      closed = true;
      if (latest.running) await kept.write(latest);
    },
  };
}
