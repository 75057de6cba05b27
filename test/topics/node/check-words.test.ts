import { expect, it, test } from "vitest";
import { checkWords, remedyOf } from "../../../src/topics/node/check-words.ts";
import { contextOf } from "../../support/topics.ts";

const wordsOf = (error: unknown) => {
  const check = {
    message: undefined,
    timestamp: 1,
    duration: 1,
    contiguousFailures: 1,
    timeOfFirstFailure: 1,
    late: undefined,
  };
  return checkWords({ healthy: false, checks: { x: { ...check, error } } }, contextOf(), undefined).get("x");
};

it("is on one line and bounded, whatever the node sends", () => {
  expect(wordsOf(`a\n\u001b[31mb\u202e${"c".repeat(1000)}`)).toMatch(/^a \[31mb c{280,299}…$/);
  expect(wordsOf({ message: "snowman consensus is not healthy" })).toBe(
    '{"message":"snowman consensus is not healthy"}',
  );
  expect([wordsOf(null), wordsOf(undefined)]).toEqual([undefined, undefined]);
});

test.each([
  [
    "failed to create chain on subnet 2Y83: error while creating new snowman vm proposervm height index (3830922) should never be lower than the inner height index (3830925)",
    /database/,
  ],
  ["failed to create chain on subnet 2Y83: error while creating vm: handshake failed: vm process not found", /plugin/],
  ["failed to create chain on subnet 2Y83: missing genesis", /does not try again/],
  ["snowman consensus is not healthy reason: acceptance time too high: 16s > 15s", /no restart/],
  ["remaining available disk space (9) is below the warning threshold of disk space (10)", /^Enlarge the disk/],
  [
    "remaining available disk space percentage (8%) is below warning threshold available space percentage (10%)",
    /^Enlarge the disk/,
  ],
  ["subnets not bootstrapped", /^Wait/],
  [
    "network layer is unhealthy reason: not connected to a minimum of 1 peer(s) only 0, primary network validator has no inbound connections",
    /only validator/,
  ],
  ["network layer is unhealthy reason: primary network validator has no inbound connections", /9651/],
])("the error %j has its own remedy", (error, remedy) => {
  expect(remedyOf(error)).toMatch(remedy);
});

it("has no remedy for what it does not know", () => {
  expect(remedyOf("not connected to enough stake: connected to 60.0%; required at least 80.0%")).toBeUndefined();
});
