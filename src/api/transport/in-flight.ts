/**
 * Bounds the bytes of answers that are being received or read. Every poll of a node can have an answer just below the limit of one
 * answer: without a common bound one node would take as many times that limit as it has endpoints.
 *
 * An answer beyond a bound is not refused: its connection is not read until others are done, or its deadline passes. The first
 * large answer of a node, and of the process, is always received, so that they cannot all wait for each other.
 */
export type InFlight = {
  /** The share of one server. */
  readonly ofServer: () => ServerInFlight;
  /** Bytes of all answers. */
  readonly bytes: () => number;
};

export type ServerInFlight = {
  /** Begins an answer. */
  readonly begin: () => Charge;
  /** Whether one of its answers waits for those of other servers. */
  readonly isHeld: () => boolean;
};

/** The bytes of one answer. */
export type Charge = {
  /** Counts received bytes; calls `pause` when no more can be received now, and `resume` when it can again. */
  readonly add: (bytes: number, flow: Flow) => void;
  /** The answer is read, or given up. */
  readonly end: () => void;
};

export type Flow = { readonly pause: () => void; readonly resume: () => void };

/** Bytes of an answer that count for no bound: those of usual answers of most endpoints. */
const SMALL = 256 * 1024;
/** Bytes of a server's answers, and of those of the process, above which only the first large one is received. */
const OF_SERVER = 8 * 1024 * 1024;
const OF_PROCESS = 128 * 1024 * 1024;

/** Bytes that arrive before an answer can be paused again. */
const PIECE = 64 * 1024;

type Entry = { bytes: number; flow: Flow | undefined; readonly server: Server };
type Group = { bytes: number; readonly large: Set<Entry>; readonly most: number };
type Server = Group & {
  /** Those of its answers that wait. */
  readonly waiting: Set<Entry>;
};

export function createInFlight(ofServer = OF_SERVER, ofProcess = OF_PROCESS): InFlight {
  const process: Group = { bytes: 0, large: new Set(), most: ofProcess };
  /** Answers that wait, in the order in which they began to. */
  const waiting = new Set<Entry>();

  const fits = (entry: Entry, { bytes, large, most }: Group): boolean =>
    bytes < most || large.values().next().value === entry;
  const canReceive = (entry: Entry): boolean =>
    entry.bytes < SMALL || (fits(entry, entry.server) && fits(entry, process));

  function stopWaiting(entry: Entry): void {
    waiting.delete(entry);
    entry.server.waiting.delete(entry);
  }

  /** Whether this answer waited and can be received now. */
  function resume(entry: Entry | undefined): boolean {
    if (entry === undefined || !waiting.has(entry) || !canReceive(entry)) return false;
    stopWaiting(entry);
    entry.flow?.resume();
    return true;
  }

  function end(entry: Entry): void {
    for (const group of [entry.server, process]) {
      group.bytes -= entry.bytes;
      group.large.delete(entry);
    }
    entry.bytes = 0;
    stopWaiting(entry);
    for (const group of [entry.server, process]) resume(group.large.values().next().value);
    // Not all of them for the place of one: each would receive a piece, and wait again.
    let resumed = 0;
    for (const each of waiting) {
      if (process.bytes + resumed * PIECE >= process.most) break;
      if (resume(each)) resumed++;
    }
  }

  return {
    bytes: () => process.bytes,
    ofServer() {
      const server: Server = { bytes: 0, large: new Set(), most: ofServer, waiting: new Set() };
      return {
        isHeld: () => [...server.waiting].some((entry) => fits(entry, server)),
        begin() {
          const entry: Entry = { bytes: 0, flow: undefined, server };
          return {
            add(bytes, flow) {
              entry.bytes += bytes;
              for (const group of [server, process]) {
                group.bytes += bytes;
                if (entry.bytes >= SMALL) group.large.add(entry);
              }
              entry.flow = flow;
              if (waiting.has(entry) || canReceive(entry)) return;
              waiting.add(entry);
              server.waiting.add(entry);
              flow.pause();
            },
            end: () => end(entry),
          };
        },
      };
    },
  };
}
