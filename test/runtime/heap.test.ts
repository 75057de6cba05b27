import { expect, it } from "vitest";
import { createFreeing, ownHeap } from "../../src/runtime/heap.ts";

/** A heap whose size the test sets; a collection leaves `live` and takes so many seconds. */
function heapOf(live: number, took = 0) {
  const heap = { size: live, live, collections: 0, released: 0, seconds: 1000 };
  const collect = (): void => {
    heap.collections++;
    heap.seconds += took;
    heap.size = heap.live;
  };
  const freeing = createFreeing({
    size: () => heap.size,
    collect,
    release() {
      heap.released++;
      collect();
    },
    elapsed: () => heap.seconds,
  });
  const tick = (seconds: number): number => {
    for (let i = 0; i < seconds; i++) {
      heap.seconds++;
      freeing.tick();
    }
    return heap.collections;
  };
  return { heap, freeing, tick };
}

it("collects after a peak, once it no longer grows, and returns free memory only when it is called", () => {
  const { heap, freeing, tick } = heapOf(50e6);
  freeing.now();
  expect(heap.released).toBe(1);
  expect(tick(60)).toBe(1);
  heap.size = 300e6;
  expect(tick(1)).toBe(1);
  heap.size = 900e6;
  expect(tick(1)).toBe(1);
  expect(tick(1)).toBe(2);
  expect([heap.size, heap.released]).toEqual([50e6, 1]);
});

it("does not collect what is usual: up to one and a half times the heap and 48 MB", () => {
  const { heap, freeing, tick } = heapOf(50e6);
  freeing.now();
  heap.size = 123e6;
  expect(tick(600)).toBe(1);
  heap.size = 124e6;
  expect(tick(2)).toBe(2);
});

it("collects every 15 s at most, rarer where that takes long, and not again where the memory is in use", () => {
  const { heap, freeing, tick } = heapOf(50e6);
  freeing.now();
  heap.size = 500e6;
  expect(tick(14)).toBe(1);
  expect(tick(2)).toBe(2);
  heap.size = 500e6;
  heap.live = 400e6;
  expect(tick(17)).toBe(3);
  heap.size = 640e6;
  expect(tick(600)).toBe(3);
});

it("spends at most a 600th of the time on collections", () => {
  const { heap, freeing, tick } = heapOf(50e6, 0.1);
  freeing.now();
  heap.size = 500e6;
  expect(tick(58)).toBe(1);
  expect(tick(4)).toBe(2);
});

it("does nothing before the first round of polls is complete", () => {
  const { heap, tick } = heapOf(50e6);
  heap.size = 900e6;
  expect(tick(600)).toBe(0);
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
