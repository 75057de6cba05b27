import { expect, it } from "vitest";
import { createLogLimit, NodeLog } from "../../../src/poller/poll/log-limit.ts";
import { fakeClock } from "../../support/fake-clock.ts";

it("passes the first line of a minute about each thing", async () => {
  const clock = fakeClock({ start: 0 });
  const limit = createLogLimit(clock);
  expect([limit("a"), limit("a"), limit("b"), limit("a")]).toEqual([true, false, true, false]);
  await clock.pass(59);
  expect(limit("a")).toBe(false);
  await clock.pass(1);
  expect([limit("a"), limit("b")]).toEqual([true, true]);
});

it("logs ten lines of a kind a minute, and the others as one with their number and three names", async () => {
  const clock = fakeClock({ start: 0 });
  const logged: string[] = [];
  const note = (level: string) => (data: object, message: string) =>
    void logged.push(`${level} ${message} ${JSON.stringify(data)}`);
  const lines = new NodeLog(clock, { info: note("info"), warn: note("warn") });
  const all = () => {
    for (let n = 0; n < 10_000; n++) lines.note("warn", "down", { node: `n${n}` });
  };
  all();
  lines.note("info", "up", { node: "n0" });
  expect(logged).toHaveLength(11);
  expect(logged.slice(9)).toEqual(['warn down {"node":"n9"}', 'info up {"node":"n0"}']);
  await clock.pass(59);
  lines.tick();
  expect(logged).toHaveLength(11);
  await clock.pass(1);
  lines.tick();
  lines.tick();
  const summary = 'warn down {"more":9990,"nodes":"n10 n11 n12"}';
  expect(logged.slice(11)).toEqual([summary]);
  await clock.pass(60);
  all();
  lines.tick(true);
  expect(logged).toHaveLength(12 + 11);
  expect(logged.at(-1)).toBe(summary);
});
