import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { everySecond } from "../../src/daemon/every-second.ts";

const START = Date.parse("2026-11-21T12:00:00.250Z");
const logged: Array<readonly [level: string, data: object, message: string]> = [];
const note = (level: string) => (data: object, message: string) => void logged.push([level, data, message]);
const log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };

let printed: string[] = [];
let scheduler: { readonly stop: () => void } | undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  logged.length = 0;
  printed = [];
  for (const way of ["log", "info", "debug", "warn", "error"] as const) {
    vi.spyOn(console, way).mockImplementation((...words: unknown[]) => void printed.push(words.join(" ")));
  }
});
afterEach(() => {
  scheduler?.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Time passes without any timer. */
const standStill = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

it("ticks at once and then once a second until it is stopped", async () => {
  const at: number[] = [];
  scheduler = everySecond(() => at.push(Date.now()), log);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(at).toEqual([START, START + 750, START + 1_750, START + 2_750]);
  scheduler.stop();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(at).toHaveLength(4);
  expect([logged, printed]).toEqual([[], []]);
});

it("prints nothing when no tick came for a while", async () => {
  let ticks = 0;
  scheduler = everySecond(() => ticks++, log);
  await vi.advanceTimersByTimeAsync(1_000);
  standStill(30);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(new Set(logged.map(([level]) => level))).toEqual(new Set(["debug"]));
  expect([printed, ticks]).toEqual([[], 4]);
});

it("continues after a tick that threw, and logs the error", async () => {
  let ticks = 0;
  const broken = new Error("broken");
  scheduler = everySecond(() => {
    if (++ticks === 2) throw broken;
  }, log);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(ticks).toBe(4);
  expect(logged).toEqual([["error", { err: broken }, "defect in the poll grid"]]);
  expect(printed).toEqual([]);
});

it("continues within a second when the clock is set back, and ends when it is stopped", async () => {
  const at: number[] = [];
  scheduler = everySecond(() => at.push(performance.now()), log);
  await vi.advanceTimersByTimeAsync(2_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(at.length).toBeGreaterThanOrEqual(6);
  expect(Math.max(...at.slice(1).map((each, index) => each - (at[index] ?? 0)))).toBeLessThanOrEqual(2_000);
  const ticks = at.length;
  scheduler.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(at).toHaveLength(ticks);
  expect([logged, printed]).toEqual([[], []]);
});
