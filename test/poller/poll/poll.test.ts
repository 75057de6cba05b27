import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../src/api/reasons.ts";
import { Health } from "../../../src/api/node/health.ts";
import {
  heldFor,
  intervalOf,
  newPoll,
  slotsPassed,
  step,
  type PollEvent,
  type PollState,
} from "../../../src/poller/poll/poll.ts";

const NOW = 1_800_000_000;
const PLAN = { endpoint: Health, key: "", owner: "node a", every: 15, timeout: 10, phase: 4 };
const FAILURE: Failure = { reason: "timeout", message: "no answer" };
const failed = (at: number, unsupported = false): PollEvent => ({ is: "failed", failure: FAILURE, unsupported, at });
const answered: PollEvent = { is: "answered", settled: false };
const wanted = (at: number, limited = false): PollEvent => ({ is: "wanted", at, limited });

const START = newPoll(PLAN, NOW + 2).state;
const RUNNING = step(PLAN, START, { is: "started" }, NOW + 2);
const after = (event: PollEvent, now = NOW + 3, state = RUNNING): PollState => step(PLAN, state, event, now);

describe("a poll", () => {
  it("is due at its first time, runs, and is due at the next slot", () => {
    expect(START).toMatchObject({ wait: { is: "due", at: NOW + 2 }, last: { is: "waiting" }, attemptedAt: undefined });
    // The slots are NOW + 4, NOW + 19, …: the first one is served too, because it follows closely.
    expect(RUNNING.wait).toEqual({ is: "running", next: NOW + 19, again: false });
    expect(after(answered)).toEqual({
      ...START,
      wait: { is: "due", at: NOW + 19 },
      last: { is: "ok" },
      attemptedAt: NOW + 3,
      succeededAt: NOW + 3,
      owed: false,
    });
  });

  it("owes an attempt until the first one, or one that is wanted at once, has ended", () => {
    expect([START.owed, RUNNING.owed, after(failed(NOW + 19)).owed]).toEqual([true, true, false]);
    const done = after(answered);
    expect(step(PLAN, done, wanted(NOW + 10), NOW + 4).owed).toBe(false);
    const again = step(PLAN, step(PLAN, done, wanted(NOW + 4), NOW + 4), { is: "started" }, NOW + 4);
    const wantedMeanwhile = step(PLAN, again, wanted(NOW + 5), NOW + 5);
    expect([again.owed, after(answered, NOW + 6, again).owed]).toEqual([true, false]);
    expect(after(answered, NOW + 6, wantedMeanwhile).owed).toBe(true);
  });

  it("skips the slots that pass while it runs, and counts them", () => {
    expect(slotsPassed(PLAN, RUNNING, NOW + 18)).toBe(0);
    expect(slotsPassed(PLAN, RUNNING, NOW + 19)).toBe(1);
    expect(slotsPassed(PLAN, RUNNING, NOW + 50)).toBe(3);
    expect(after(answered, NOW + 50).wait).toEqual({ is: "due", at: NOW + 64 });
  });

  it("counts failures in a row until it succeeds", () => {
    const first = after(failed(NOW + 19));
    expect(first).toMatchObject({ last: { is: "failing", failure: FAILURE }, failures: 1, succeededAt: undefined });
    const second = step(PLAN, first, failed(NOW + 34), NOW + 20);
    expect(second).toMatchObject({ failures: 2, wait: { is: "due", at: NOW + 34 } });
    expect(step(PLAN, second, answered, NOW + 35)).toMatchObject({ failures: 0, last: { is: "ok" } });
  });

  it("of a missing endpoint has no failure", () => {
    expect(after(failed(NOW + 600, true))).toMatchObject({
      last: { is: "unsupported" },
      failures: 0,
      wait: { is: "due", at: NOW + 600 },
    });
  });

  it("that the exporter missed says nothing of the target, and comes again within a minute", () => {
    const failing = after(failed(NOW + 19));
    const running = step(PLAN, failing, { is: "started" }, NOW + 19);
    expect(step(PLAN, running, { is: "missed" }, NOW + 20)).toMatchObject({
      last: { is: "failing" },
      failures: 1,
      wait: { is: "due", at: NOW + 34 },
    });
    const hourly = { ...PLAN, every: 3600 };
    expect(step(hourly, RUNNING, { is: "missed" }, NOW + 3).wait).toEqual({ is: "due", at: NOW + 19 });
    expect(step(hourly, step(hourly, START, { is: "started" }, NOW), { is: "missed" }, NOW + 3).wait).toEqual({
      is: "due",
      at: NOW + 63,
    });
  });

  it("is sent earlier when it is wanted, never later", () => {
    const waiting = after(answered);
    expect(step(PLAN, waiting, wanted(NOW + 5), NOW + 5).wait).toEqual({ is: "due", at: NOW + 5 });
    expect(step(PLAN, waiting, wanted(NOW + 500), NOW + 5).wait).toEqual({ is: "due", at: NOW + 19 });
  });

  it("that runs when it is wanted is sent again as soon as it has ended", () => {
    const again = after(wanted(NOW + 3));
    expect(again.wait).toMatchObject({ is: "running", again: true });
    expect(step(PLAN, again, answered, NOW + 4).wait).toEqual({ is: "due", at: NOW + 4 });
    expect(step(PLAN, again, failed(NOW + 60), NOW + 4).wait).toEqual({ is: "due", at: NOW + 4 });
  });

  it("is wanted once an interval at most, where a node can cause it", () => {
    const hurried = step(PLAN, after(answered), wanted(NOW + 5, true), NOW + 5);
    const ended = step(PLAN, step(PLAN, hurried, { is: "started" }, NOW + 5), answered, NOW + 6);
    expect(step(PLAN, ended, wanted(NOW + 19.9, true), NOW + 19.9)).toBe(ended);
    expect(step(PLAN, ended, wanted(NOW + 7), NOW + 7).wait).toEqual({ is: "due", at: NOW + 7 });
    expect(step(PLAN, ended, wanted(NOW + 20, true), NOW + 20).wait).toEqual({ is: "due", at: NOW + 19 });
  });

  it("with another cadence comes at the earlier slot of both", () => {
    const fast = { ...PLAN, every: 5, phase: 1 };
    expect(step(fast, after(answered), { is: "replanned" }, NOW + 3).wait).toEqual({ is: "due", at: NOW + 6 });
    const slow = { ...PLAN, every: 600, phase: 1 };
    expect(step(slow, after(answered), { is: "replanned" }, NOW + 3).wait).toEqual({ is: "due", at: NOW + 19 });
  });

  it("is asked every fourth slot once its answer is settled, until it fails", () => {
    const settled = after({ is: "answered", settled: true });
    expect(settled.wait).toEqual({ is: "due", at: NOW + 49 });
    expect(intervalOf(PLAN, settled)).toBe(60);
    expect(step(PLAN, settled, failed(NOW + 64), NOW + 50)).toMatchObject({ settled: false });
  });

  it("has an answer that counts until three polls in a row have failed", () => {
    expect(heldFor(PLAN, { settled: false })).toBe(46);
    // At the fourth, fifth and sixth slot.
    expect(heldFor(PLAN, { settled: true })).toBe(91);
  });

  it("is never lost, whatever happens: it is due at a finite time or running, and failures count from 0", () => {
    const event = fc.oneof(
      fc.constant<PollEvent>({ is: "started" }),
      fc.boolean().map<PollEvent>((settled) => ({ is: "answered", settled })),
      fc.tuple(fc.boolean(), fc.nat(1000)).map<PollEvent>(([missing, wait]) => failed(NOW + wait, missing)),
      fc.constant<PollEvent>({ is: "missed" }),
      fc.tuple(fc.nat(1000), fc.boolean()).map<PollEvent>(([at, limited]) => wanted(NOW + at, limited)),
      fc.constant<PollEvent>({ is: "replanned" }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.integer({ min: 0, max: 100 }))), (events) => {
        let [state, now] = [START, NOW];
        for (const [each, passed] of events) {
          now += passed;
          state = step(PLAN, state, each, now);
          const { wait } = state;
          expect(Number.isFinite(wait.is === "due" ? wait.at : wait.next)).toBe(true);
          expect(wait.is === "due" ? wait.at : 0).toBeLessThanOrEqual(Math.max(now, NOW + 1000) + 4 * PLAN.every + 1);
          expect(state.failures).toBeGreaterThanOrEqual(0);
          expect(state.failures === 0).toBe(state.last.is !== "failing");
        }
      }),
    );
  });
});
