import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Gives memory back after a peak. V8 lets the heap grow by a share of what was in use at its last full collection: after a huge
 * answer that is far more than the process needs, and one that allocates little reaches that bound much later.
 */

export type Freeing = {
  /** Collects garbage if the heap has grown far beyond its least size after a collection. Called every second. */
  readonly tick: () => void;
  /** Collects garbage. Called when the first round of polls is complete: it allocates more than any later one. */
  readonly now: () => void;
};

/** What the bounds are about, passed in so that tests control it. Bytes and seconds. */
type Heap = {
  /** Memory of the heap, free parts included, and of buffers outside of it. */
  readonly size: () => number;
  /** As `size`, without the free parts. */
  readonly used: () => number;
  /** Collects all garbage at once. Buffers follow within a second, free parts of the heap mostly stay. */
  readonly collect: () => void;
  /** As `collect`, and returns memory that is kept for later. It takes several times as long. */
  readonly release: () => void;
  readonly elapsed: () => number;
};

/** Growth that is worth a collection: by this factor, which V8's own collections keep below without a peak, and so many bytes. */
const FACTOR = 2;
const LEAST = 48e6;
/** Growth within a second, as a factor, by which an answer is still being read: its garbage would survive. */
const READING = 1.1;
/**
 * Seconds between two collections: each one stops the process, with 100 nodes of the main network for some 50 ms. They take at most
 * a hundredth of the time.
 */
const PAUSE = 15;
const MOST_OFTEN = 100;
/** A collection that frees less than this share found memory in use. After so many in a row, the next one waits as many seconds. */
const WORTH = 0.25;
const [ENOUGH, LONG_PAUSE] = [3, 3600];

export function createFreeing({ size, used, collect, release, elapsed }: Heap): Freeing {
  /** Least size after a collection; unknown before the first one. One during a peak must not become the measure of what is usual. */
  let least: number | undefined;
  let before = 0;
  /** Whether there was a peak whose pages are still kept, perhaps as free parts of the heap or outside of it. */
  let peaked = false;
  /** Seconds of the clock. */
  let [collectDue, releaseDue] = [0, 0];
  /** Size before a collection whose result is not known yet. */
  let collectedFrom: number | undefined;
  /** Collections in a row that found memory in use. */
  let inUse = 0;

  /** Time of the next collection of this kind. */
  function free(way: () => void): number {
    const began = elapsed();
    way();
    const ended = elapsed();
    before = size();
    least = Math.min(before, least ?? before);
    return ended + Math.max(PAUSE, MOST_OFTEN * (ended - began));
  }

  return {
    now: () => void (releaseDue = free(release)),
    tick() {
      if (least === undefined) return;
      const bound = FACTOR * least + LEAST;
      const current = size();
      const grows = current > READING * before;
      before = current;
      peaked ||= current > bound;
      const collected = collectedFrom;
      collectedFrom = undefined;
      if (!peaked || grows) return;
      const left = used();
      if (collected !== undefined) inUse = left > (1 - WORTH) * collected ? inUse + 1 : 0;
      const now = elapsed();
      if (left <= bound && now >= releaseDue) {
        peaked = false;
        releaseDue = free(release);
      } else if (left > bound && now >= collectDue) {
        collectedFrom = current;
        collectDue = Math.max(free(collect), inUse < ENOUGH ? 0 : now + LONG_PAUSE);
      }
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
    used() {
      const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
      return heap + outside;
    },
    collect: () => collected("regular"),
    // Some 200 ms with 100 nodes of the main network: once before anything waits for it, and after a peak.
    release: () => collected("last-resort"),
    elapsed: () => performance.now() / 1000,
  };
}
