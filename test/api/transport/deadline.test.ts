import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { judged, loopAtWork, startDeadline } from "../../../src/api/transport/deadline.ts";
import { ApiError } from "../../../src/api/endpoint.ts";
import type { Reason } from "../../../src/api/reasons.ts";
import { failureOf } from "../../support/clients.ts";

describe("a deadline", () => {
  let blocked = 0;
  /** Whether answers of the server are not read because of those of others. */
  let held = false;
  /** Seconds pass in which no timer runs. */
  const block = (seconds: number) => (blocked += seconds * 1000);

  /** A deadline in a process whose event loop was at work for so many milliseconds: the real loop knows nothing of fake time. */
  const deadlineOf = (timeout: number, atWork = 0) =>
    startDeadline(
      timeout,
      () => held,
      () => () => atWork,
    );

  beforeEach(() => {
    vi.useFakeTimers();
    blocked = 0;
    held = false;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + blocked);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it("aborts active requests and reports its length", async () => {
    const abort = vi.fn();
    const { passed, onOver } = deadlineOf(2.5);
    const failure = failureOf(passed);
    onOver(abort);
    await vi.advanceTimersByTimeAsync(2499);
    expect(abort).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(abort).toHaveBeenCalledTimes(1);
    expect(await failure).toEqual({ reason: "timeout", message: "no complete answer within 2.5 s" });
  });

  it("that passes while the process is blocked waits one more second", async () => {
    const abort = vi.fn();
    const { passed, onOver, lost } = deadlineOf(2);
    const failure = failureOf(passed);
    onOver(abort);
    await vi.advanceTimersByTimeAsync(1900);
    block(0.9);
    expect(lost()).toBeGreaterThan(0.7);
    await vi.advanceTimersByTimeAsync(1099);
    expect(abort).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(abort).toHaveBeenCalledTimes(1);
    expect(await failure).toMatchObject({ reason: "timeout" });
  });

  it("does not count the time in which the process was blocked", async () => {
    const { passed } = deadlineOf(5);
    const failure = failureOf(passed);
    await vi.advanceTimersByTimeAsync(900);
    block(3);
    await vi.advanceTimersByTimeAsync(4099);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject({ reason: "timeout" });
  });

  it("does not count the time in which answers of the server are not read because of those of others", async () => {
    const { passed, waits } = deadlineOf(5);
    const failure = failureOf(passed);
    waits();
    await vi.advanceTimersByTimeAsync(1_000);
    held = true;
    await vi.advanceTimersByTimeAsync(4_000);
    held = false;
    await vi.advanceTimersByTimeAsync(3_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject({ reason: "timeout" });
  });

  it("says nothing of a server whose answers are not read for as long as the deadline", async () => {
    const { passed, waits } = deadlineOf(5);
    const failure = failureOf(passed);
    waits();
    held = true;
    await vi.advanceTimersByTimeAsync(7_000);
    expect(await failure).toMatchObject({ reason: "overloaded" });
  });

  it("says nothing of the server once as much time was lost as it has", async () => {
    const { passed } = deadlineOf(2);
    const failure = failureOf(passed);
    await vi.advanceTimersByTimeAsync(900);
    block(3);
    // One second to read what has arrived.
    await vi.advanceTimersByTimeAsync(1099);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject({ reason: "overloaded" });
  });

  it("says nothing of a server that has answered while the answer is processed", async () => {
    const { passed, waits } = deadlineOf(2);
    const failure = failureOf(passed);
    waits()();
    await vi.advanceTimersByTimeAsync(2000);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await failure).toMatchObject({ reason: "overloaded" });
  });

  it("passes while a request waits for its answer, after others were answered", async () => {
    const { passed, waits } = deadlineOf(2);
    const failure = failureOf(passed);
    waits()();
    waits();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await failure).toMatchObject({ reason: "timeout" });
  });

  it.each([
    [10, 9_600, "overloaded"],
    [10, 9_400, "timeout"],
    [5, 4_800, "overloaded"],
    // A short one can pass while the process starts.
    [3, 3_000, "timeout"],
  ])("of %i s that passes after the event loop was at work for %i ms is %s", async (timeout, atWork, reason) => {
    const { passed } = deadlineOf(timeout, atWork);
    const failure = failureOf(passed);
    await vi.advanceTimersByTimeAsync(timeout * 1000);
    expect(await failure).toMatchObject({ reason });
  });

  it("that ends within that second leaves no timer", async () => {
    const { end } = deadlineOf(2);
    await vi.advanceTimersByTimeAsync(1900);
    block(0.9);
    await vi.advanceTimersByTimeAsync(300);
    expect(vi.getTimerCount()).toBe(1);
    end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not abort finished requests", async () => {
    const abort = vi.fn();
    const { passed, onOver } = deadlineOf(1);
    const failure = failureOf(passed);
    onOver(abort)();
    await vi.advanceTimersByTimeAsync(1000);
    await failure;
    expect(abort).not.toHaveBeenCalled();
  });

  it("aborts late requests immediately, and active ones when the poll ends early", () => {
    const [left, late] = [vi.fn(), vi.fn()];
    const { onOver, end } = deadlineOf(1);
    onOver(left);
    end();
    onOver(late);
    expect([left, late].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("the event loop is at work while it computes, and not while it waits", async () => {
  const atWork = loopAtWork();
  const until = performance.now() + 100;
  while (performance.now() < until);
  expect(atWork()).toBeGreaterThan(95);
  const [begins, before] = [performance.now(), atWork()];
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(atWork() - before).toBeLessThan((performance.now() - begins) * 0.9);
});

describe("a connection that ends", () => {
  const after = (reason: Reason, seconds: number) => {
    const error = judged(new ApiError({ reason, message: "x" }), { lost: () => seconds });
    return error instanceof ApiError ? error.failure.reason : error;
  };

  it("while the process was too busy to read from it says nothing of the server", () => {
    expect(after("reset", 1.5)).toBe("overloaded");
    expect(after("timeout", 1.5)).toBe("overloaded");
  });

  it("is a failure of the server otherwise", () => {
    expect(after("reset", 0.9)).toBe("reset");
    expect(after("refused", 5)).toBe("refused");
    expect(after("schema", 5)).toBe("schema");
    const defect = new Error("defect");
    expect(judged(defect, { lost: () => 5 })).toBe(defect);
  });
});
