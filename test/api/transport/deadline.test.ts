import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startDeadline } from "../../../src/api/transport/deadline.ts";
import { failureOf } from "../../support/clients.ts";

const TIMEOUT = { reason: "timeout", message: "no complete answer within 2 s" };
const OVERLOADED = { reason: "overloaded", message: "the exporter was too busy to read the answer in time" };

it("of a process that was busy from its start to its end says nothing of the server", async () => {
  const { passed } = startDeadline(0.01);
  const until = performance.now() + 200;
  while (performance.now() < until);
  expect(await failureOf(passed)).toMatchObject({ reason: "overloaded" });
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

  /** A deadline of 2 s with one request under way, in a process whose event loop was at work for this share of the time. */
  function deadlineOf(utilization = 0) {
    const { passed, onOver, end, restart } = startDeadline(2, () => () => utilization);
    const abort = vi.fn();
    return { failure: failureOf(passed), abort, finished: onOver(abort), onOver, end, restart };
  }

  it("aborts the requests under way when it passes", async () => {
    const { failure, abort } = deadlineOf();
    vi.advanceTimersByTime(1999);
    expect(abort).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    vi.advanceTimersToNextTimer();
    expect(abort).toHaveBeenCalledOnce();
    expect(await failure).toEqual(TIMEOUT);
  });

  it("begins again with each request", async () => {
    const { failure, abort, restart } = deadlineOf();
    vi.advanceTimersByTime(2000);
    // The answer came in the last turn.
    restart();
    vi.advanceTimersByTime(1900);
    expect(abort).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    vi.advanceTimersToNextTimer();
    expect(await failure).toEqual(TIMEOUT);
  });

  it.each([
    [0, 0.94, TIMEOUT],
    [0, 0.95, OVERLOADED],
    [500, 0.94, TIMEOUT],
    [500, 1, OVERLOADED],
    [5001, 0, OVERLOADED],
  ])(
    "%i ms late, with a loop at work for %d of the time, fails with the right reason",
    async (late, share, expected) => {
      const { failure } = deadlineOf(share);
      blocked = late;
      vi.runAllTimers();
      expect(await failure).toEqual(expected);
    },
  );

  it("whose timer fires late gives the loop one more turn to read the answer", async () => {
    const { failure, abort, end, finished } = deadlineOf(1);
    const judged = vi.fn();
    failure.then(judged, judged);
    blocked = 101;
    vi.advanceTimersToNextTimer();
    expect([abort.mock.calls.length, vi.getTimerCount()]).toEqual([0, 1]);
    // The answer is read in this turn.
    finished();
    end();
    await vi.runAllTimersAsync();
    expect([abort.mock.calls.length, judged.mock.calls.length]).toEqual([0, 0]);
  });

  it("aborts what is under way when the poll ends early, later requests immediately, and finished ones never", () => {
    const { abort, finished, onOver, end } = deadlineOf();
    const [left, late] = [vi.fn(), vi.fn()];
    onOver(left);
    finished();
    end();
    onOver(late);
    expect([abort, left, late].map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
