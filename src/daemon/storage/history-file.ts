import { open, type rename } from "node:fs/promises";
import { join } from "node:path";
import type { NodeState } from "../../diagnosis/history/entry.ts";
import { NO_HISTORY, type History, type Next } from "../../diagnosis/history/history.ts";
import { aliveText, entryText, fileLines, nodeText, readHistory } from "../../diagnosis/history/lines.ts";
import type { Shard } from "../../poller/shard/shard.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/events.ts";
import { readBounded, replaceFile, writeResults } from "./files.ts";

/** The file of the history. Each change is appended; a file that has grown is written again with what is in force. */
export type HistoryFile = {
  /** What the processes before this one recorded. */
  readonly history: History;
  /** Writes what changed, after the writes before it; nothing once `close` was called. */
  readonly write: (next: Next) => void;
  /** Writes the rest, and ends. Never rejects. */
  readonly close: () => Promise<void>;
  /** Calls `listener` after each write. */
  readonly onWrite: (listener: (ok: boolean) => void) => void;
};

type HistoryFileOptions = {
  readonly folder: string;
  readonly shard: Shard;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Replaced in tests. */
  readonly moveFile?: typeof rename;
};

/** Seconds between two lines that show until when the exporter ran. */
const ALIVE_EVERY = 60;
/** Bytes: a file below this size is not worth the work. */
const SMALL = 64 * 1024;
/** The fullest history has 2 MB, and its file twice that before it is written again. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Opens `history.ndjson` of a directory that can be written, `history-<index>.ndjson` of a shard. */
export function openHistoryFile({ folder, shard, clock, log, moveFile }: HistoryFileOptions): HistoryFile {
  const file = join(folder, shard.total === 1 ? "history.ndjson" : `history-${shard.index}.ndjson`);
  const history = load(file, clock.now(), log);
  const results = writeResults(file, log, {
    failed: "cannot write the history",
    recovered: "the history is written again",
  });
  let latest = history;
  let lines: string[] = [];
  let aliveAt = -Infinity;
  /** Bytes of the file, and of what was in force when it was last written whole; 0 when it must be written whole. */
  let size = { now: 0, whole: 0 };
  let working: Promise<void> | undefined;
  let closed = false;

  /** A file of an earlier process is written whole first: its last line may have no end. */
  async function flush(): Promise<void> {
    const text = lines.join("");
    const grown = size.now + Buffer.byteLength(text);
    lines = [];
    try {
      if (size.whole === 0 || grown > 2 * size.whole + SMALL) {
        const whole = fileLines(latest).join("");
        size = { now: 0, whole: 0 };
        await replaceFile(file, whole, moveFile);
        size = { now: Buffer.byteLength(whole), whole: Buffer.byteLength(whole) };
      } else {
        await append(file, text);
        size.now = grown;
      }
      results.ended(undefined);
    } catch (error) {
      size.whole = 0;
      results.ended(error);
    }
  }

  async function work(): Promise<void> {
    while (lines.length > 0) await flush();
  }

  function start(): void {
    if (lines.length > 0) working ??= work().finally(() => (working = undefined));
  }

  return {
    history,
    onWrite: results.onWrite,
    write(next) {
      // A diagnosis that was under way can end after the file: a write that begins then is cut off by the end of the process.
      if (closed) return;
      const news = [...changedNodes(latest.nodes, next.history.nodes), ...next.changed.map(entryText)];
      latest = next.history;
      const at = latest.aliveAt ?? -Infinity;
      if (news.length > 0 || at - aliveAt >= ALIVE_EVERY || at < aliveAt) {
        lines.push(...news, aliveText(latest));
        aliveAt = at;
      }
      start();
    },
    async close() {
      closed = true;
      await working;
      const at = latest.aliveAt;
      if (at === undefined || !latest.running) return;
      if (at > aliveAt || results.failing()) lines.push(aliveText(latest));
      await work();
    },
  };
}

async function append(file: string, text: string): Promise<void> {
  const handle = await open(file, "a", 0o600);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

function changedNodes(
  before: ReadonlyMap<string, NodeState>,
  after: ReadonlyMap<string, NodeState>,
): readonly string[] {
  return [...after].flatMap(([name, state]) => {
    const known = before.get(name);
    const same =
      known?.version === state.version && known?.nodeId === state.nodeId && known?.firstSeen === state.firstSeen;
    return same ? [] : [nodeText(name, state)];
  });
}

function load(file: string, now: number, log: Log): History {
  const read = readBounded(file, MOST_BYTES, (text) => readHistory(text, now));
  if (read === undefined) return NO_HISTORY;
  if ("history" in read) {
    log.info({ file, entries: read.history.entries.length }, "continuing from the history");
    return read.history;
  }
  log.warn({ file, why: read.unusable }, "the history is ignored");
  return NO_HISTORY;
}
