import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startDeadline } from "../../../src/api/transport/deadline.ts";
import { failureOf } from "../../support/clients.ts";

describe("a deadline", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("aborts active requests and reports its length", async () => {
    const abort = vi.fn();
    const { passed, onOver } = startDeadline(2.5);
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
    const { passed, onOver } = startDeadline(2);
    const failure = failureOf(passed);
    onOver(abort);
    const late = performance.now() + 9000;
    const now = vi.spyOn(performance, "now").mockImplementation(() => late);
    await vi.advanceTimersByTimeAsync(2999);
    expect(abort).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    now.mockRestore();
    expect(abort).toHaveBeenCalledTimes(1);
    expect(await failure).toMatchObject({ reason: "timeout" });
  });

  it("that ends within that second leaves no timer", async () => {
    const { end } = startDeadline(2);
    const late = performance.now() + 9000;
    const now = vi.spyOn(performance, "now").mockImplementation(() => late);
    await vi.advanceTimersByTimeAsync(2500);
    now.mockRestore();
    expect(vi.getTimerCount()).toBe(1);
    end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not abort finished requests", async () => {
    const abort = vi.fn();
    const { passed, onOver } = startDeadline(1);
    const failure = failureOf(passed);
    onOver(abort)();
    await vi.advanceTimersByTimeAsync(1000);
    await failure;
    expect(abort).not.toHaveBeenCalled();
  });

  it("aborts late requests immediately, and active ones when the poll ends early", () => {
    const [left, late] = [vi.fn(), vi.fn()];
    const { onOver, end } = startDeadline(1);
    onOver(left);
    end();
    onOver(late);
    expect([left, late].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
