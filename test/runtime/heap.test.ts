import { expect, it } from "vitest";
import { createFreeing, ownHeap } from "../../src/runtime/heap.ts";

/** A heap whose size the test sets, of which `live` is in use; a collection takes so many seconds and leaves free parts. */
function heapOf(live: number, took = 0) {
  const heap = { live, garbage: 0, free: 0, collections: 0, released: 0, seconds: 1000 };
  const freeing = createFreeing({
    size: () => heap.live + heap.garbage + heap.free,
    used: () => heap.live + heap.garbage,
    collect() {
      heap.collections++;
      heap.seconds += took;
      [heap.free, heap.garbage] = [heap.free + heap.garbage, 0];
    },
    release() {
      heap.released++;
      heap.seconds += took;
      [heap.free, heap.garbage] = [0, 0];
    },
    elapsed: () => heap.seconds,
  });
  /** Collections and releases until then. */
  const tick = (seconds: number): readonly [number, number] => {
    for (let i = 0; i < seconds; i++) {
      heap.seconds++;
      freeing.tick();
    }
    return [heap.collections, heap.released];
  };
  return { heap, freeing, tick };
}

it("collects after a peak, once it no longer grows, and a second later returns the free memory", () => {
  const { heap, freeing, tick } = heapOf(50e6);
  freeing.now();
  expect(tick(60)).toEqual([0, 1]);
  heap.garbage = 300e6;
  expect(tick(1)).toEqual([0, 1]);
  heap.garbage = 900e6;
  expect(tick(1)).toEqual([0, 1]);
  expect(tick(1)).toEqual([1, 1]);
  expect([heap.garbage, heap.free]).toEqual([0, 900e6]);
  expect(tick(1)).toEqual([1, 2]);
  expect(heap.free).toBe(0);
  expect(tick(3600)).toEqual([1, 2]);
});

it("does not take slow growth for an answer that is still being read", () => {
  const { heap, freeing, tick } = heapOf(50e6);
  freeing.now();
  tick(60);
  heap.garbage = 250e6;
  tick(1);
  heap.garbage += 1e6;
  expect(tick(1)).toEqual([1, 1]);
});

it("returns the memory of a peak that another collection has ended", () => {
  const { heap, freeing, tick } = heapOf(50e6);
  freeing.now();
  heap.garbage = 900e6;
  expect(tick(1)).toEqual([0, 1]);
  [heap.garbage, heap.free] = [0, 20e6];
  expect(tick(14)).toEqual([0, 2]);
});

it("takes no size during a peak for usual: the memory is returned when the peak is over", () => {
  const { heap, freeing, tick } = heapOf(50e6, 0.25);
  freeing.now();
  tick(20);
  [heap.live, heap.garbage] = [350e6, 200e6];
  expect(tick(2)).toEqual([1, 1]);
  [heap.live, heap.garbage] = [50e6, 300e6];
  expect(tick(25)).toEqual([2, 1]);
  expect(tick(1)).toEqual([2, 2]);
  expect(heap.free).toBe(0);
});

it("does not collect what is usual: up to twice the heap and 48 MB", () => {
  const { heap, freeing, tick } = heapOf(50e6);
  freeing.now();
  heap.garbage = 98e6;
  expect(tick(600)).toEqual([0, 1]);
  heap.garbage = 99e6;
  expect(tick(1)).toEqual([1, 1]);
});

it("collects every 15 s at most, and every hour where three collections found memory in use", () => {
  const { heap, freeing, tick } = heapOf(50e6);
  freeing.now();
  heap.live = 500e6;
  expect(tick(2)).toEqual([1, 1]);
  expect(tick(13)).toEqual([1, 1]);
  expect(tick(2)).toEqual([2, 1]);
  expect(tick(15)).toEqual([3, 1]);
  expect(tick(15)).toEqual([4, 1]);
  expect(tick(3580)).toEqual([4, 1]);
  expect(tick(20)).toEqual([5, 1]);
  heap.live = 50e6;
  expect(tick(1)).toEqual([5, 2]);
});

it("spends at most a hundredth of the time on collections", () => {
  const { heap, freeing, tick } = heapOf(50e6, 0.5);
  freeing.now();
  heap.live = 350e6;
  tick(2);
  heap.garbage = 300e6;
  expect(tick(49)).toEqual([1, 1]);
  expect(tick(2)).toEqual([2, 1]);
});

it("does nothing before the first round of polls is complete", () => {
  const { heap, tick } = heapOf(50e6);
  heap.garbage = 900e6;
  expect(tick(600)).toEqual([0, 0]);
});

it("the heap of this process loses what is no longer used", async () => {
  const heap = ownHeap();
  const unused = new WeakRef({ text: "unused" });
  // A reference that was read is kept to the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  heap.collect();
  expect(unused.deref()).toBeUndefined();
  expect(heap.size()).toBeGreaterThan(1e6);
});
