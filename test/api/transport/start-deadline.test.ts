import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startDeadline } from "../../../src/api/transport/start-deadline.ts";

const TIMEOUT = { reason: "timeout", message: "no complete answer within 2 s" };
const OVERLOADED = { reason: "overloaded", message: "the exporter was too busy to read the answer in time" };

it("of a process that was busy from its start to its end says nothing of the server", async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  startDeadline(0.01, resolve);
  const until = performance.now() + 200;
  while (performance.now() < until);
  expect(await promise).toEqual(OVERLOADED);
});

describe("a deadline", () => {
  /** Milliseconds in which no timer ran. */
  let blocked = 0;

  beforeEach(() => {
    vi.useFakeTimers();
    blocked = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + blocked);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** A deadline of 2 s in a process whose event loop was at work for this share of the time. */
  function deadlineOf(utilization = 0) {
    const passed = vi.fn();
    return { passed, end: startDeadline(2, passed, () => () => utilization) };
  }

  it("passes once, after its time", () => {
    const { passed } = deadlineOf();
    vi.advanceTimersByTime(1999);
    expect(passed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    vi.runAllTimers();
    expect(passed.mock.calls).toEqual([[TIMEOUT]]);
  });

  it.each([
    [0, 0.94, TIMEOUT],
    [0, 0.95, OVERLOADED],
    [500, 0.94, TIMEOUT],
    [500, 1, OVERLOADED],
    [5001, 0, OVERLOADED],
  ])("%i ms late, with a loop at work for %d of the time, has the right reason", (late, share, expected) => {
    const { passed } = deadlineOf(share);
    blocked = late;
    vi.runAllTimers();
    expect(passed.mock.calls).toEqual([[expected]]);
  });

  it("whose timer fires late gives the loop one more turn to read the answer", () => {
    const { passed, end } = deadlineOf(1);
    blocked = 101;
    vi.advanceTimersToNextTimer();
    expect([passed.mock.calls.length, vi.getTimerCount()]).toEqual([0, 1]);
    // The answer is read in this turn.
    end();
    vi.runAllTimers();
    expect(passed).not.toHaveBeenCalled();
  });

  it("that has ended never passes", () => {
    const { passed, end } = deadlineOf();
    end();
    expect(vi.getTimerCount()).toBe(0);
    expect(passed).not.toHaveBeenCalled();
  });
});
