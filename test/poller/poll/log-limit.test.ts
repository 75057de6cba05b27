import { expect, it } from "vitest";
import { createLogLimit } from "../../../src/poller/poll/log-limit.ts";
import { fakeClock } from "../../support/fake-clock.ts";

it("passes the first line of a minute about each thing, with the number of those left out before", async () => {
  const clock = fakeClock({ start: 0 });
  const limit = createLogLimit(clock);
  expect([limit("a"), limit("a"), limit("b"), limit("a")]).toEqual([0, undefined, 0, undefined]);
  await clock.pass(59);
  expect(limit("a")).toBeUndefined();
  await clock.pass(1);
  expect([limit("a"), limit("b")]).toEqual([3, 0]);
});
