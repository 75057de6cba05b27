import { Session } from "node:inspector/promises";
import { setTimeout as pause } from "node:timers/promises";
import { getHeapSnapshot, getHeapStatistics } from "node:v8";

/** Bytes in use above which no snapshot is made: it needs about as much memory again, and stops the process for seconds. */
export const LARGEST_HEAP = 512e6;

export type Inspection = {
  /**
   * The content of a `.heapsnapshot` file: every object of the heap, credentials included. The process stops meanwhile.
   * `undefined` when the heap is larger than `LARGEST_HEAP`.
   */
  heapSnapshot: () => Promise<readonly Uint8Array[] | undefined>;
  /** The content of a `.cpuprofile` file: where so many seconds of CPU time went. */
  cpuProfile: (seconds: number) => Promise<string>;
};

/**
 * Looks into this process with V8's own tools, in the formats of Chrome's developer tools. No port is opened.
 * @param used bytes of the heap that are in use
 */
export function createInspection(used = (): number => getHeapStatistics().used_heap_size): Inspection {
  return {
    heapSnapshot: async (): Promise<readonly Uint8Array[] | undefined> =>
      used() > LARGEST_HEAP ? undefined : getHeapSnapshot().toArray(),
    cpuProfile: async (seconds: number): Promise<string> => {
      const session = new Session();
      session.connect();
      try {
        await session.post("Profiler.enable");
        await session.post("Profiler.start");
        // It does not keep a process alive that is told to stop.
        await pause(seconds * 1000, undefined, { ref: false });
        const { profile } = await session.post("Profiler.stop");
        return JSON.stringify(profile);
      } finally {
        session.disconnect();
      }
    },
  };
}
