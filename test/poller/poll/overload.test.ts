import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BUSY_WINDOWS,
  CALM_WINDOWS,
  createOverloadWatch,
  nextOverload,
  NOT_OVERLOADED,
  STRETCHES,
  stretchOf,
  type Load,
  type Overload,
} from "../../../src/poller/poll/overload.ts";
import { fakeClock } from "../../support/fake-clock.ts";

const IDLE: Load = { utilization: 0.05, late: 0, missed: 0 };
const BUSY: Load = { utilization: 1, late: 2, missed: 3 };

/** The stretches of a process over many windows, whose load follows from the present stretch. */
function stretches(windows: number, load: (stretch: number, window: number) => Load, from: Overload = NOT_OVERLOADED) {
  const seen: number[] = [];
  let state = from;
  for (let window = 0; window < windows; window++) {
    state = nextOverload(state, load(stretchOf(state), window));
    seen.push(stretchOf(state));
  }
  return seen;
}

/** How often a list of stretches changes its direction. */
function turns(seen: readonly number[]): number {
  const steps = seen.slice(1).map((stretch, index) => Math.sign(stretch - (seen[index] ?? stretch)));
  const directions = steps.filter((step) => step !== 0);
  return directions.slice(1).filter((direction, index) => direction !== directions[index]).length;
}

const anyLoad = fc.record({
  utilization: fc.double({ min: 0, max: 1, noNaN: true }),
  late: fc.double({ min: 0, max: 100, noNaN: true }),
  missed: fc.nat(50),
});

describe("the stretch of all intervals", () => {
  it("stays within its bounds and moves by one step, under any load", () => {
    fc.assert(
      fc.property(fc.array(anyLoad, { minLength: 1, maxLength: 200 }), (loads) => {
        const seen = [1, ...stretches(loads.length, (_, window) => loads[window] ?? IDLE)];
        const places = seen.map((stretch) => STRETCHES.findIndex((each) => each === stretch));
        expect(places).not.toContain(-1);
        for (const [index, place] of places.slice(1).entries())
          expect(Math.abs(place - (places[index] ?? 0))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("rises and settles under a constant load, and does not oscillate", () => {
    // Of the work a part depends on the intervals, and a part does not.
    const demand = fc.double({ min: 0, max: 20, noNaN: true });
    const fixed = fc.double({ min: 0, max: 0.6, noNaN: true });
    fc.assert(
      fc.property(demand, fixed, fc.integer({ min: 0, max: STRETCHES.length - 1 }), (polls, rest, step) => {
        const load = (stretch: number): Load => {
          const work = rest + polls / stretch;
          return { utilization: Math.min(1, work), late: Math.max(0, work - 1) * 5, missed: work > 1 ? 1 : 0 };
        };
        const seen = stretches(400, load, { step, busy: 0, calm: 0 });
        expect(turns(seen)).toBe(0);
        expect(new Set(seen.slice(200)).size).toBe(1);
        // It ends where the work fits, or at its bound.
        const end = seen.at(-1) ?? 1;
        if (end < 8) expect(rest + polls / end).toBeLessThan(0.9);
      }),
    );
  });

  it("is 1 again once the load is gone, from any state", () => {
    fc.assert(
      fc.property(fc.array(anyLoad, { maxLength: 100 }), (loads) => {
        let state = NOT_OVERLOADED;
        for (const load of loads) state = nextOverload(state, load);
        const enough = CALM_WINDOWS * STRETCHES.length;
        expect(stretches(enough, () => IDLE, state).at(-1)).toBe(1);
      }),
    );
  });

  it("rises after two busy windows in a row, and not after one", () => {
    expect(stretches(BUSY_WINDOWS, () => BUSY)).toEqual([1, 1.5]);
    expect(turns(stretches(100, (_, window) => (window % 2 === 0 ? BUSY : IDLE)))).toBe(0);
    expect(stretches(100, (_, window) => (window % 2 === 0 ? BUSY : IDLE))).not.toContain(1.5);
  });

  it.each<[string, Partial<Load>]>([
    ["the event loop is busy", { utilization: 0.95 }],
    ["polls start late", { late: 0.6 }],
    ["answers are read too late", { missed: 1 }],
  ])("rises while %s", (_, load) => {
    expect(stretches(100, () => ({ ...IDLE, ...load })).at(-1)).toBe(8);
  });

  it("falls after half a minute with room for a step down", () => {
    const from = { step: 2, busy: 0, calm: 0 };
    expect(stretches(12, () => IDLE, from)).toEqual([2, 2, 2, 2, 2, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1]);
    // At 1.5 the same work would need 0.8 of the time.
    expect(stretches(100, () => ({ ...IDLE, utilization: 0.6 }), from)).not.toContain(1.5);
  });
});

describe("the watch of the load", () => {
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

  function watching(utilization?: () => number) {
    const clock = fakeClock();
    const changes: number[] = [];
    const watch = createOverloadWatch(clock, log, utilization, (stretch) => void changes.push(stretch));
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        await clock.pass(1);
        watch.tick();
      }
    };
    return { watch, changes, pass };
  }

  it("judges windows of five seconds, after the first two minutes", async () => {
    const { watch, changes, pass } = watching(() => 1);
    await pass(119);
    expect(changes).toEqual([]);
    await pass(6);
    expect(changes).toEqual([1.5]);
    await pass(10);
    expect(changes).toEqual([1.5, 2]);
    expect(watch.stretch()).toBe(2);
  });

  it("judges by the mean lateness of the polls of a window, and by missed ones", async () => {
    const { watch, changes, pass } = watching(() => 0.1);
    await pass(120);
    for (const late of [0, 0, 1.2]) watch.started(late);
    await pass(5);
    for (const late of [0, 0, 1.2]) watch.started(late);
    await pass(5);
    expect(changes).toEqual([]);
    for (const late of [0, 1.2]) watch.started(late);
    await pass(5);
    watch.missed();
    await pass(5);
    expect(changes).toEqual([1.5]);
  });

  it("stretches nothing where the load is not measured", async () => {
    const { watch, changes, pass } = watching();
    await pass(120);
    for (let window = 0; window < 10; window++) {
      watch.missed();
      await pass(5);
    }
    expect(changes).toEqual([]);
    expect(watch.stretch()).toBe(1);
  });
});
