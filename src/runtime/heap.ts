import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Gives memory back after a peak. V8 lets the heap grow by a share of what was in use at its last full collection: after a huge
 * answer that is far more than the process needs, and one that allocates little reaches that bound much later.
 */

export type Freeing = {
  /** Collects garbage if the heap has grown far beyond its size after the last collection here. Called every second. */
  readonly tick: () => void;
  /** Collects garbage. Called when the first round of polls is complete: it allocates more than any later one. */
  readonly now: () => void;
};

/** What the bounds are about, passed in so that tests control it. Bytes and seconds. */
type Heap = {
  /** Memory of the heap, free parts included, and of buffers outside of it. */
  readonly size: () => number;
  /** Collects all garbage at once. */
  readonly collect: () => void;
  /** As `collect`, and returns memory that is kept for later. It takes several times as long. */
  readonly release: () => void;
  readonly elapsed: () => number;
};

/** Growth that is worth a collection: by this factor, and at least by so many bytes. */
const FACTOR = 1.5;
const LEAST = 48e6;
/**
 * Seconds between two collections: each one stops the process, with 100 nodes of the main network for some 50 ms. They take at most
 * a 600th of the time.
 */
const PAUSE = 15;
const MOST_OFTEN = 600;

export function createFreeing({ size, collect, release, elapsed }: Heap): Freeing {
  /** Size after the last collection; unknown before the first one. */
  let settled: number | undefined;
  let due = 0;
  let before = 0;

  function free(way: () => void): void {
    const began = elapsed();
    way();
    settled = size();
    const ended = elapsed();
    due = ended + Math.max(PAUSE, MOST_OFTEN * (ended - began));
    before = settled;
  }

  return {
    now: () => free(release),
    tick() {
      if (settled === undefined || elapsed() < due) return;
      const current = size();
      // While it grows, an answer is still being read: its garbage would survive.
      const grows = current > before;
      before = current;
      if (!grows && current > FACTOR * settled + LEAST) free(collect);
    },
  };
}

/** V8's function for tests. As a last resort it also returns free pages: some 50 MB after the first round of 100 main network nodes. */
type Collect = (options: {
  readonly type: "major";
  readonly execution: "sync";
  readonly flavor: "regular" | "last-resort";
}) => void;

/** The heap of this process. */
export function ownHeap(): Heap {
  let gc: Collect | undefined;
  function collected(flavor: "regular" | "last-resort"): void {
    setFlagsFromString("--expose-gc");
    gc ??= runInNewContext("gc") as Collect;
    gc({ type: "major", execution: "sync", flavor });
  }
  return {
    size() {
      const { total_heap_size: heap, external_memory: outside } = getHeapStatistics();
      return heap + outside;
    },
    collect: () => collected("regular"),
    // Once, before anything waits for it: some 200 ms with 100 nodes of the main network.
    release: () => collected("last-resort"),
    elapsed: () => performance.now() / 1000,
  };
}
