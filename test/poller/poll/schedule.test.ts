import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backOff, fractionOf, nextSlot, phaseOf } from "../../../src/poller/poll/schedule.ts";

const NOW = 1_800_000_000;

describe("fractionOf", () => {
  it("is the same for the same text, from 0 to below 1", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const fraction = fractionOf(text);
        expect(fraction).toBeGreaterThanOrEqual(0);
        expect(fraction).toBeLessThan(1);
        expect(fractionOf(text)).toBe(fraction);
      }),
    );
  });

  it("keeps its values, on which a restart relies", () => {
    expect(fractionOf("validator-1 health").toFixed(9)).toBe("0.962140894");
    expect(fractionOf("").toFixed(9)).toBe("0.668922188");
  });

  it.each(["node-%", "validator-0%.example.org", "%"])("spreads a thousand names like %s evenly", (pattern) => {
    const bins = Array.from({ length: 20 }, () => 0);
    for (let node = 0; node < 1000; node++) {
      const bin = Math.floor(fractionOf(`${pattern.replace("%", String(node))} health`) * bins.length);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    const chiSquare = bins.reduce((sum, count) => sum + (count - 50) ** 2 / 50, 0);
    expect(chiSquare).toBeLessThan(43.8); // 19 degrees of freedom, one in a thousand
  });
});

describe("phaseOf", () => {
  it("lies on tenths of a second within the interval", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 86_400 }), (question, every) => {
        const phase = phaseOf(question, every);
        expect(phase).toBe(Math.round(phase * 10) / 10);
        expect(phase).toBeGreaterThanOrEqual(0);
        expect(phase).toBeLessThan(every);
      }),
    );
  });

  it("keeps its values, on which a restart relies", () => {
    expect([phaseOf("validator-1 health", 15), phaseOf("validator-1 health", 1)]).toEqual([14.4, 0.9]);
  });
});

describe("nextSlot", () => {
  it("is the first slot after now", () => {
    expect(nextSlot(100, 15, 4)).toBe(109);
    expect(nextSlot(109, 15, 4)).toBe(124);
    expect(nextSlot(108.999, 15, 4)).toBe(109);
    expect(nextSlot(109.001, 15, 4)).toBe(124);
    expect(nextSlot(120, 60, 0)).toBe(180);
    expect(nextSlot(1, 15, 14.5)).toBe(14.5);
  });

  const slots = fc.record({
    now: fc.double({ min: NOW, max: NOW + 1e6, noNaN: true }),
    every: fc.integer({ min: 1, max: 86_400 }),
    part: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });

  it("lies within one interval after now, on schedule", () => {
    fc.assert(
      fc.property(slots, ({ now, every, part }) => {
        const phase = part * every;
        const slot = nextSlot(now, every, phase);
        expect(slot).toBeGreaterThan(now);
        expect(slot).toBeLessThanOrEqual(now + every + 1e-3);
        const offset = (slot - phase) / every;
        expect(Math.abs(offset - Math.round(offset)) * every).toBeLessThan(1e-5);
      }),
    );
  });
});

describe("backOff", () => {
  it.each<[number, number, number]>([
    [15, 0, 15],
    [15, 1, 15],
    [15, 2, 15],
    [15, 3, 30],
    [15, 4, 60],
    [15, 5, 60],
    [15, 500, 60],
    [60, 9, 60],
    [300, 9, 300],
    [1, 3, 2],
  ])("every %i s after %i failures: %i s", (every, failures, expected) => {
    expect(backOff(every, failures)).toBe(expected);
  });

  it("is never shorter than the cadence, and never decreases with more failures", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400 }), fc.nat(1000), (every, failures) => {
        const wait = backOff(every, failures);
        expect(wait).toBeGreaterThanOrEqual(every);
        expect(wait).toBeLessThanOrEqual(Math.max(every, 60));
        expect(backOff(every, failures + 1)).toBeGreaterThanOrEqual(wait);
      }),
    );
  });
});
