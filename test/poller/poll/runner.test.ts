import { describe, expect, it } from "vitest";
import { ApiError, endpoint, type Endpoint } from "../../../src/api/endpoint.ts";
import type { Failure } from "../../../src/api/reasons.ts";
import { policyOf } from "../../../src/poller/node/node-target.ts";
import { newPoll, type Poll, type PollOutcome } from "../../../src/poller/poll/poll.ts";
import { takeOutcome } from "../../../src/poller/poll/take-outcome.ts";
import { type Target, TargetState } from "../../../src/poller/poll/target.ts";
import { Runner } from "../../../src/poller/poll/runner.ts";
import { Store } from "../../../src/poller/poll/store.ts";
import { fakeClock, type FakeClockOptions } from "../../support/fake-clock.ts";

const START = 1_800_000_000;

/** A runner with one poll; `answer` decides how each request ends and how long it takes. */
function running(
  answer: (request: number) => { after: number; failure?: Failure },
  more: Partial<Endpoint<string>> = {},
  options: FakeClockOptions = {},
) {
  const clock = fakeClock({ start: START, ...options });
  const requests: number[] = [];
  const outcomes: PollOutcome[] = [];
  let [now, most] = [0, 0];
  const question = endpoint<string>({
    id: "question",
    about: "",
    scope: "node",
    every: 10,
    async ask() {
      requests.push(clock.now());
      most = Math.max(most, ++now);
      const { after, failure } = answer(requests.length);
      await new Promise<void>((resolve) => clock.after(after, resolve));
      now--;
      if (failure !== undefined) throw new ApiError(failure);
      return "answer";
    },
    ...more,
  });
  const planned = { endpoint: question, key: "", owner: "node a", every: 10, timeout: 5, phase: 3 };
  const poll = newPoll<Endpoint<unknown>>(planned, START + 3);
  const polls = new Map<string, Poll>([["question", poll]]);
  const store = new Store();
  const target: Target = {
    ...new TargetState(),
    named: { node: "a" },
    polls,
    ask: ({ plan: { endpoint, key } }: Poll<Endpoint<unknown>>) =>
      endpoint.ask(undefined as never, key, undefined as never, undefined),
    policy: policyOf(() => target.answeredAt !== undefined),
    end: (ended, outcome) => {
      outcomes.push(outcome);
      takeOutcome(store, target, ended, outcome, clock.now());
    },
    upAfter: () => true,
  };
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const events = { polled: () => undefined, defect: () => undefined, duplicates: () => undefined };
  const runner = new Runner(clock, events, log);
  return {
    clock,
    poll,
    target,
    runner,
    outcomes,
    /** Times of the requests, in seconds since the start. */
    asked: () => requests.map((at) => Math.round((at - START) * 1000) / 1000),
    missed: () => target.missed.running,
    most: () => most,
    /** Removes the poll, as a changed configuration does. */
    remove: () => void polls.delete("question"),
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        runner.tick([target]);
        await clock.pass(1);
      }
    },
  };
}

const failing = (reason: Failure["reason"], more: Partial<Failure> = {}) => ({
  after: 0.1,
  failure: { reason, message: "x", ...more },
});

describe("the cadence", () => {
  it("is kept by timers that fire a little early", async () => {
    const bench = running(() => ({ after: 0.001 }), {}, { early: 0.0007 });
    // Between two ticks, so that there is a timer to fire early.
    Object.assign(bench.poll, newPoll({ ...bench.poll.plan, phase: 3.4 }, START + 3.4));
    await bench.pass(600);
    expect(bench.asked()).toHaveLength(60);
    expect(bench.asked()[0]).toBe(3.399);
  });

  it("has missed slots after a long poll, which are counted and not made up for", async () => {
    const bench = running((request) => ({ after: request === 2 ? 34.5 : 0.1 }));
    await bench.pass(80);
    expect(bench.asked()).toEqual([3, 13, 53, 63, 73]);
    expect(bench.missed()).toBe(3);
    expect(bench.most()).toBe(1);
  });

  it("gives each answer the time of its request", async () => {
    const bench = running(() => ({ after: 2 }), { follows: true });
    await bench.pass(8);
    expect(bench.outcomes).toEqual([{ askedAt: START + 3, took: expect.any(Number) as number, value: "answer" }]);
    expect(bench.poll.state).toMatchObject({ attemptedAt: START + 5, succeededAt: START + 5, failures: 0 });
  });

  it("skips the slots for which the scheduler comes too late, and counts them", async () => {
    const bench = running(() => ({ after: 0.1 }));
    await bench.pass(4);
    // The event loop is blocked for 35 seconds.
    await bench.clock.pass(35);
    await bench.pass(30);
    expect(bench.asked()).toEqual([3, 39, 43, 53, 63]);
    expect(bench.target.missed).toEqual({ running: 0, overloaded: 2, descriptors: 0 });
  });
});

describe("a failure", () => {
  it("keeps the cadence twice, then backs off to a minute; the first success restores the cadence", async () => {
    const bench = running((request) => (request < 8 ? failing("timeout") : { after: 0.1 }));
    await bench.pass(320);
    expect(bench.asked()).toEqual([3, 13, 23, 43, 83, 143, 203, 263, 273, 283, 293, 303, 313]);
  });

  it("of a probe never backs off", async () => {
    const bench = running(() => failing("refused"), { probe: true });
    await bench.pass(100);
    expect(bench.asked()).toHaveLength(10);
    expect(bench.poll.state.failures).toBe(10);
  });

  it.each<[number, number[]]>([
    [95, [3, 103, 113, 123]],
    [99, [3, 103, 113, 123]],
    [5, [3, 13, 23, 33]],
    [12, [3, 23, 33, 43]],
  ])("waits for a Retry-After of %i s", async (retryAfter, expected) => {
    const bench = running((request) => (request === 1 ? failing("rate_limited", { retryAfter }) : { after: 0.1 }));
    await bench.pass((expected.at(-1) ?? 0) + 2);
    expect(bench.asked()).toEqual(expected);
  });

  it("waits for an hour at most", async () => {
    const bench = running((request) =>
      request === 1 ? failing("rate_limited", { retryAfter: 900_000 }) : { after: 0 },
    );
    await bench.pass(3620);
    expect(bench.asked()).toEqual([3, 3613]);
  });

  it("has the reason `internal` for a defect of the endpoint", async () => {
    const bench = running(() => ({ after: 0 }), { ask: () => Promise.reject(new TypeError("defect")) });
    await bench.pass(5);
    expect(bench.outcomes).toMatchObject([{ failure: { reason: "internal" } }]);
  });

  it.each<Failure>([
    { reason: "unsupported", message: "x" },
    { reason: "http_status", message: "x", status: 404 },
  ])("$reason of an optional endpoint is no failure, and is polled again after ten minutes", async (failure) => {
    const bench = running(() => ({ after: 0, failure }), { optional: true });
    bench.target.answeredAt = START - 1;
    await bench.pass(610);
    expect(bench.asked()).toEqual([3, 603]);
    expect(bench.poll.state).toMatchObject({ last: { is: "unsupported" }, failures: 0 });
  });

  it.each<Failure>([
    { reason: "rpc_error", message: "not here", rpcMessage: "not here" },
    ...[400, 405, 501, 503].map((status) => ({ reason: "http_status" as const, message: "x", status })),
    { reason: "unauthorized", message: "x", status: 403 },
  ])(
    "$reason $status of an optional endpoint that never answered counts as missing after three times",
    async (failure) => {
      const bench = running(() => ({ after: 0, failure }), { optional: true });
      for (let second = 0; second < 60; second++) {
        bench.target.answeredAt = bench.clock.now();
        await bench.pass(1);
        if (second === 15) expect(bench.poll.state).toMatchObject({ last: { is: "failing" }, failures: 2 });
      }
      expect(bench.poll.state).toMatchObject({ last: { is: "unsupported" }, failures: 0 });
      const silent = running(() => ({ after: 0, failure }), { optional: true });
      await silent.pass(60);
      expect(silent.poll.state.last.is).toBe("failing");
      const before = running((request) => (request === 1 ? { after: 0 } : { after: 0, failure }), { optional: true });
      for (let second = 0; second < 60; second++) {
        before.target.answeredAt = before.clock.now();
        await before.pass(1);
      }
      expect(before.poll.state).toMatchObject({ last: { is: "failing" }, failures: 5 });
    },
  );

  it("includes a 404 of an endpoint that has answered before, until the third one while the node answers others", async () => {
    const missing = { after: 0, failure: { reason: "http_status", message: "x", status: 404 } } as const;
    const bench = running((request) => (request === 1 ? { after: 0 } : missing), { optional: true });
    bench.target.answeredAt = START;
    await bench.pass(60);
    // A gateway answers all requests like that: nothing else has answered since.
    expect(bench.asked()).toEqual([3, 13, 23, 33, 53]);
    expect(bench.poll.state).toMatchObject({ last: { is: "failing", failure: { status: 404 } }, failures: 4 });
    bench.target.answeredAt = START + 60;
    await bench.pass(60);
    expect(bench.poll.state).toMatchObject({ last: { is: "unsupported" }, failures: 0 });
  });

  it("keeps the cadence of an endpoint that answered within the last hour, and returns with its next slot", async () => {
    const missing = { after: 0, failure: { reason: "http_status", message: "x", status: 404 } } as const;
    const bench = running((request) => (request >= 2 && request <= 9 ? missing : { after: 0 }), { optional: true });
    for (let second = 0; second < 100; second++) {
      bench.target.answeredAt = bench.clock.now();
      await bench.pass(1);
      if (second === 60) expect(bench.poll.state).toMatchObject({ last: { is: "unsupported" }, failures: 0 });
    }
    expect(bench.asked()).toEqual([3, 13, 23, 33, 43, 53, 63, 73, 83, 93]);
    expect(bench.poll.state).toMatchObject({ last: { is: "ok" }, failures: 0, succeededAt: START + 93 });
  });

  it("polls an endpoint that has been missing for an hour every ten minutes", async () => {
    const missing = { after: 0, failure: { reason: "http_status", message: "x", status: 404 } } as const;
    const bench = running((request) => (request === 1 ? { after: 0 } : missing), { optional: true });
    for (let second = 0; second < 5000; second++) {
      bench.target.answeredAt = bench.clock.now();
      await bench.pass(1);
    }
    const late = bench.asked().filter((at) => at > 3600);
    expect(late.slice(0, 2)).toEqual([3603, 4203]);
    expect(bench.asked().filter((at) => at <= 3600)).toHaveLength(360);
  });

  it("includes a 404 where no node has ever answered, because something else listens there", async () => {
    const bench = running(() => ({ after: 0, failure: { reason: "http_status", message: "x", status: 404 } }), {
      optional: true,
    });
    await bench.pass(5);
    expect(bench.poll.state).toMatchObject({ last: { failure: { reason: "http_status" } }, failures: 1 });
  });

  it.each([404, 403, 503])("by HTTP %i is not counted of what never answered, whatever came before", async (status) => {
    const refusal = { after: 0, failure: { reason: "http_status", message: "x", status } } as const;
    const counted = async (answeredAt: number | undefined, refusesFrom = 1, optional = true) => {
      const bench = running((request) => (request < refusesFrom ? { after: 0 } : refusal), { optional });
      bench.target.answeredAt = answeredAt;
      await bench.pass(15);
      return bench.target.tallies.get(bench.poll.plan.endpoint.id)?.failures.get("http_status");
    };
    expect(await Promise.all([counted(undefined), counted(START - 1)])).toEqual([undefined, undefined]);
    expect(await Promise.all([counted(START, 2), counted(START, 1, false)])).toEqual([1, 2]);
  });

  it("includes `unsupported` of a required endpoint", async () => {
    const bench = running(() => failing("unsupported"));
    await bench.pass(15);
    expect(bench.poll.state).toMatchObject({ last: { failure: { reason: "unsupported" } }, failures: 2 });
  });
});

describe("a poll that is wanted, removed or closed", () => {
  it("is sent at once, and a running one again as soon as it has ended", async () => {
    const bench = running(() => ({ after: 2 }));
    bench.runner.want(bench.target, bench.poll, START);
    await bench.pass(1);
    bench.runner.want(bench.target, bench.poll, START + 1);
    await bench.pass(9);
    expect(bench.asked()).toEqual([0, 2]);
    expect(bench.most()).toBe(1);
  });

  it("a poll whose target was closed meanwhile has no outcome", async () => {
    const bench = running(() => ({ after: 3 }));
    await bench.pass(4);
    bench.target.closed = true;
    await bench.pass(20);
    expect(bench.asked()).toEqual([3]);
    expect(bench.outcomes).toEqual([]);
  });

  it("a removed poll is not sent again, even if it was due again", async () => {
    const bench = running(() => ({ after: 2 }));
    await bench.pass(4);
    bench.runner.want(bench.target, bench.poll, START + 4);
    bench.remove();
    await bench.pass(20);
    expect(bench.asked()).toEqual([3]);
  });
});
