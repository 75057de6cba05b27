import { expect, it } from "vitest";
import { createRecovery } from "../../../src/poller/node/recovery.ts";
import type { NodeTarget } from "../../../src/poller/node/state.ts";
import type { Poll } from "../../../src/poller/poll/poll.ts";

const NOW = 1000;

/** A target with these polls, a recovery that logs every line, and when each poll became due. */
function world(polls: ReadonlyArray<Partial<Poll>>, up?: boolean) {
  const due: Array<readonly [key: string | undefined, at: number]> = [];
  const lines: unknown[] = [];
  const log = { info: (...line: unknown[]) => lines.push(line), warn: (...line: unknown[]) => lines.push(line) };
  const target = {
    config: { name: "a" },
    up,
    polls: new Map(polls.map((poll, index) => [`${index}`, poll])),
  } as unknown as NodeTarget;
  const recovery = createRecovery({ due: (_, { key }, at) => due.push([key, at]) }, log, () => 0);
  return { target, recovery, due, lines };
}

it("polls at once what failed or seemed to be missing", () => {
  const { target, recovery, due } = world([
    { key: "well", failures: 0, unsupported: false },
    { key: "failed", failures: 2, unsupported: false },
    { key: "missing", failures: 0, unsupported: true },
  ]);
  recovery.retry(target, NOW);
  expect(due).toEqual([
    ["failed", NOW],
    ["missing", NOW],
  ]);
});

it("ends the back-off of what failed, but polls nothing more often than by its cadence", () => {
  const { target, recovery, due } = world([
    { key: "well", failures: 0, lastAttempt: 900, every: 15, next: 5000, running: false },
    { key: "overdue", failures: 3, lastAttempt: 900, every: 15, next: 5000, running: false },
    { key: "recent", failures: 3, lastAttempt: 995, every: 15, next: 5000, running: false },
    { key: "soon", failures: 3, lastAttempt: 995, every: 15, next: 1005, running: false },
    { key: "running", failures: 3, lastAttempt: 900, every: 15, next: 5000, running: true },
  ]);
  recovery.retryOverdue(target, NOW);
  expect(due).toEqual([
    ["overdue", NOW],
    ["recent", 1010],
  ]);
});

it("reports a node that is down with its first failure, and polls it at once when it is up again", () => {
  const error = { reason: "refused", message: "connection refused" } as const;
  const down = world(
    [
      { key: "a", failures: 0 },
      { key: "b", failures: 1, error },
    ],
    false,
  );
  down.recovery.turned(down.target, true, NOW);
  expect(down.lines).toEqual([
    [{ node: "a", reason: "refused", error: "connection refused", omitted: 0 }, "node is down"],
  ]);
  expect(down.due).toEqual([]);
  const up = world([{ key: "b", failures: 1, error }], true);
  up.recovery.turned(up.target, false, NOW);
  expect(up.lines).toEqual([[{ node: "a", omitted: 0 }, "node is up again"]]);
  expect(up.due).toEqual([["b", NOW]]);
});
