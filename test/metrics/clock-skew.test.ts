import fc from "fast-check";
import { expect, it } from "vitest";
import { clockSkew } from "../../src/metrics/clock-skew.ts";
import { contextOf, readTopic } from "../support/topics.ts";

const T = 1_795_259_208;

const member = (node: string, date: number | undefined, askedAt: number, answeredAt = askedAt) => ({
  subject: contextOf({ node }),
  answers: { live: { value: { healthy: true, checks: {}, date }, askedAt, answeredAt } },
});
const read = (...members: ReadonlyArray<{ readonly subject: object; readonly answers: object }>) =>
  Object.fromEntries(readTopic(clockSkew, { members }, contextOf()));
const skew = (node: string) => `avax_node_clock_skew_seconds{node="${node}"}`;

it.each([
  ["the same second", T, T + 0.9, T + 0.95, 0],
  ["the end of the second, read at the beginning of the next", T, T + 1.01, T + 1.02, -0.01],
  ["a second that began on the way", T + 1, T + 0.8, T + 1.2, 0],
  ["the next second, read before it began", T + 1, T + 0.9, T + 0.95, 0.05],
  ["seven seconds ahead", T + 7, T + 0.2, T + 0.3, 6.7],
  ["seven seconds behind", T - 7, T + 0.2, T + 0.3, -6.2],
  ["an hour ahead", T + 3600, T, T + 10, 3590],
  ["an answer that took so long that seven seconds are no difference", T + 7, T, T + 9, 0],
])("%s", (_which, date, askedAt, answeredAt, expected) => {
  expect(read(member("a", date, askedAt, answeredAt))).toEqual({ [skew("a")]: expected });
});

it("is absent where the header or the answer is", () => {
  const silent = { subject: contextOf({ node: "c" }), answers: { live: undefined } };
  expect(read(member("a", undefined, T), member("b", T, T), silent)).toEqual({ [skew("b")]: 0 });
});

it("is never more than the clocks differ by, and less by no more than a second and the time on the way", () => {
  const time = fc.double({ min: T, max: T + 100, noNaN: true });
  const short = fc.double({ min: 0, max: 10, noNaN: true });
  fc.assert(
    fc.property(
      time,
      short,
      short,
      fc.double({ min: -60, max: 60, noNaN: true }),
      (askedAt, there, back, difference) => {
        const date = Math.floor(askedAt + there + difference);
        const shown = Number(Object.values(read(member("a", date, askedAt, askedAt + there + back)))[0]);
        // Rounded to milliseconds.
        expect(Math.abs(shown)).toBeLessThanOrEqual(Math.abs(difference) + 0.0006);
        expect(shown * difference).toBeGreaterThanOrEqual(-0.0006);
        expect(Math.abs(shown - difference)).toBeLessThanOrEqual(1 + there + back + 0.0006);
      },
    ),
  );
});
