import { expect, it } from "vitest";
import { createReplacement } from "../../../src/poller/node/replacement.ts";
import type { NodeTarget } from "../../../src/poller/node/state.ts";
import { createStore } from "../../../src/poller/poll/store.ts";
import { createLogLimit } from "../../../src/poller/poll/log-limit.ts";

/** A node with polls every 15 s and every hour, whose answers are dropped, and how often each has become due. */
function world() {
  let now = 1000;
  const clock = { now: () => now, elapsed: () => now, after: () => () => undefined };
  const polls = new Map([
    ["often", { every: 15, owner: "node a", heldSince: undefined }],
    ["rarely", { every: 3600, owner: "node a", heldSince: undefined }],
  ]);
  const target = {
    config: { name: "a" },
    identity: { nodeId: "one", networkName: "local" },
    polls,
    confirmations: undefined,
    polledAgainAt: 0,
    replaced: false,
  } as unknown as NodeTarget;
  const lines: unknown[] = [];
  let due = 0;
  const replacement = createReplacement({
    store: createStore(),
    runner: { due: () => void due++ },
    easing: { doubt: () => undefined },
    publisher: { node: () => undefined },
    clock,
    log: { warn: (fields) => void lines.push(fields) },
    limit: createLogLimit(clock),
  });
  return {
    target,
    lines,
    /** Polls that became due since the last call. */
    due: () => [due, (due = 0)][0],
    pass: (seconds: number) => void (now += seconds),
    change: (to: string): void => {
      const before = target.identity.nodeId ?? "";
      target.identity = { ...target.identity, nodeId: to };
      replacement.replaced(target, before);
    },
    answers: (id: string, times: number): void => {
      for (let each = 0; each < times; each++) replacement.confirm(target, id);
    },
  };
}

it("polls everything at once after the first change in a minute, and logs it", () => {
  const { change, due, lines, target } = world();
  change("two");
  expect([due(), target.replaced]).toEqual([2, true]);
  expect(lines).toEqual([{ node: "a", before: "one", now: "two", omitted: 0 }]);
});

it("polls everything again once a node ID that has changed more often stays for eight answers", () => {
  const { change, due, answers, lines } = world();
  change("two");
  change("three");
  expect([due(), lines.length]).toEqual([2, 1]);
  answers("two", 8);
  answers("three", 7);
  expect(due()).toBe(0);
  answers("three", 1);
  expect(due()).toBe(2);
  answers("three", 20);
  expect(due()).toBe(0);
});

it("polls everything again at most once in the shortest interval, and after it with the next answer", () => {
  const { change, due, answers, pass } = world();
  change("two");
  due();
  for (let turn = 0; turn < 50; turn++) {
    change(turn % 2 === 0 ? "three" : "two");
    answers(turn % 2 === 0 ? "three" : "two", 8);
  }
  expect(due()).toBe(2);
  pass(15);
  answers("two", 1);
  expect(due()).toBe(2);
});
