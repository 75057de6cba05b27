import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldFor, stretched } from "../../../src/poller/poll/interval.ts";

const every = fc.double({ min: 1, max: 90_000, noNaN: true });
const factor = fc.double({ min: 1, max: 8, noNaN: true });

describe("a stretched interval", () => {
  it("is multiplied up to five minutes, and a longer one stays as configured", () => {
    expect([15, 30, 60, 300, 3600].map((each) => stretched(each, 8))).toEqual([120, 240, 300, 300, 3600]);
    expect(stretched(15, 1)).toBe(15);
  });
});

describe("an answer", () => {
  it("is held for three intervals, stretched ones too, and at most five minutes more", () => {
    expect([15, 60, 300].map((each) => heldFor(each, 1))).toEqual([45, 180, 900]);
    expect([15, 30, 60].map((each) => heldFor(each, 2))).toEqual([90, 180, 360]);
    expect([15, 30, 60, 300].map((each) => heldFor(each, 8))).toEqual([345, 390, 480, 900]);
  });

  it("is always held until after the next poll", () => {
    fc.assert(
      fc.property(every, factor, (interval, stretch) => {
        expect(heldFor(interval, stretch)).toBeGreaterThan(stretched(interval, stretch));
        expect(heldFor(interval, stretch)).toBeLessThanOrEqual(3 * interval + 300);
      }),
    );
  });
});
