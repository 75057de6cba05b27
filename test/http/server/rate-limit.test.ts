import { expect, test } from "vitest";
import { createRateLimit } from "../../../src/http/server/create-request-handler.ts";

test("a burst is accepted at once, then one request an interval", () => {
  const take = createRateLimit({ interval: 2, burst: 3 });
  expect([take(100), take(100), take(100)]).toEqual([undefined, undefined, undefined]);
  expect(take(100)).toBe(2);
  expect(take(100.5)).toBe(1.5);
  expect([take(102), take(102)]).toEqual([undefined, 2]);
});

test("requests that are refused cost nothing", () => {
  const take = createRateLimit({ interval: 1, burst: 1 });
  expect(take(0)).toBeUndefined();
  for (let count = 0; count < 100; count++) expect(take(0.5)).toBe(0.5);
  expect(take(1)).toBeUndefined();
});

test("a pause fills the bucket to the burst and no further", () => {
  const take = createRateLimit({ interval: 0.1, burst: 2 });
  expect([take(0), take(0)]).toEqual([undefined, undefined]);
  expect([take(1e6), take(1e6), take(1e6)]).toEqual([undefined, undefined, expect.closeTo(0.1)]);
});

test("a request at each interval is always accepted", () => {
  const take = createRateLimit({ interval: 0.1, burst: 1 });
  const refused = Array.from({ length: 10_000 }, (_, index) => take(index * 0.1)).filter((wait) => wait !== undefined);
  expect(refused).toEqual([]);
});
