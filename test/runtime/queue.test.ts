import fc from "fast-check";
import { expect, it } from "vitest";
import { createQueue } from "../../src/runtime/queue.ts";

it("gives entries in the order in which they were added", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat())), (steps) => {
      const queue = createQueue<{ readonly value: number }>();
      const model: { readonly value: number }[] = [];
      for (const value of steps) {
        expect(queue.first()).toBe(model[0]);
        if (value !== null) {
          const entry = { value };
          queue.add(entry);
          model.push(entry);
        } else if (queue.first() !== undefined) {
          queue.removeFirst();
          model.shift();
        }
      }
      expect(queue.first()?.value).toBe(model[0]?.value);
    }),
  );
});

/** Milliseconds for so many entries to pass a queue of that length, the least of three. */
function passing(length: number, entries: number): number {
  const queue = createQueue<object>();
  for (let i = 0; i < length; i++) queue.add({});
  const times = [1, 2, 3].map(() => {
    const began = performance.now();
    for (let i = 0; i < entries; i++) {
      queue.add({});
      queue.first();
      queue.removeFirst();
    }
    return performance.now() - began;
  });
  return Math.min(...times);
}

it("costs the same for each entry at any length", () => {
  // With an array and `shift` the long one took more than a thousand times as long.
  expect(passing(200_000, 20_000)).toBeLessThan(50 * Math.max(1, passing(20, 20_000)));
});
