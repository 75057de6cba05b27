import fc from "fast-check";
import { expect, it } from "vitest";
import { clockSkew } from "../../../src/topics/node/clock-skew.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const T = 1_795_259_208;

/** Samples of an answer with this header. */
function read(date: number | undefined, askedAt: number, answeredAt = askedAt): ReadonlyMap<string, number> {
  const context = { ...contextOf(), asked: { live: askedAt }, times: { live: answeredAt } };
  return readTopic(clockSkew, { live: { healthy: true, checks: {}, date } }, context);
}
const SKEW = "avax_node_clock_skew_seconds";

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
  expect(read(date, askedAt, answeredAt)).toEqual(new Map([[SKEW, expected]]));
});

it("is absent without the header", () => {
  expect(read(undefined, T)).toEqual(new Map());
});

it("never exceeds the skew, and is smaller by at most a second and the duration of the request", () => {
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
        const shown = Number(read(date, askedAt, askedAt + there + back).get(SKEW));
        // Rounded to milliseconds.
        expect(Math.abs(shown)).toBeLessThanOrEqual(Math.abs(difference) + 0.0006);
        expect(shown * difference).toBeGreaterThanOrEqual(-0.0006);
        expect(Math.abs(shown - difference)).toBeLessThanOrEqual(1 + there + back + 0.0006);
      },
    ),
  );
});
