import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { Inputs, type Answers } from "../../../src/poller/poll/inputs.ts";
import type { Topic } from "../../../src/topics/define/topic.ts";

const answers: readonly Answers[] = [undefined, new Map(), new Map()];
const taken = fc.record({
  others: fc.array(fc.constantFrom(undefined, 0, "a"), { maxLength: 4 }),
  answers: fc.array(fc.constantFrom(...answers), { maxLength: 4 }),
});

it("inputs have changed the first time, and where one is another one, more or fewer", () => {
  fc.assert(
    fc.property(fc.array(taken, { minLength: 1 }), (rounds) => {
      const inputs = new Inputs({ id: "a" } as Topic);
      for (const [round, now] of rounds.entries()) {
        inputs.begin(round);
        for (const each of now.others) inputs.take(each);
        for (const each of now.answers) inputs.takeAnswers(each);
        const before = rounds[round - 1];
        const isSame = before !== undefined && sameIn(before.others, now.others) && sameIn(before.answers, now.answers);
        expect(inputs.end()).toBe(!isSame);
        expect(inputs.answers).toEqual(now.answers);
      }
    }),
  );
});

/** Equal maps are different answers. */
function sameIn(before: readonly unknown[], now: readonly unknown[]): boolean {
  return isDeepStrictEqual(before.map(placeOf), now.map(placeOf));
}

const placeOf = (each: unknown): unknown => (each instanceof Map ? answers.indexOf(each) : each);
