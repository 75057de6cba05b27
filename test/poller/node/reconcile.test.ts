import fc from "fast-check";
import { expect, it } from "vitest";
import { isSameData } from "../../../src/poller/node/reconcile.ts";
import { contextOf } from "../../support/topics.ts";

it.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [1, "1", false],
  ["a", "a", true],
  [null, undefined, false],
  [null, {}, false],
  [[], {}, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, undefined], false],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 1 }] } }, true],
  [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }, false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
])("%j and %j: %j", (a, b, same) => {
  expect(isSameData(a, b)).toBe(same);
  expect(isSameData(b, a)).toBe(same);
});

it("agrees with the comparison of the JSON with sorted keys", () => {
  const data = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
  const inOrder = (value: unknown) =>
    JSON.stringify(value, (_key, each: unknown) =>
      typeof each === "object" && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    );
  fc.assert(
    fc.property(data, data, (a, b) => {
      const [left, right] = [JSON.parse(JSON.stringify(a)) as unknown, JSON.parse(JSON.stringify(b)) as unknown];
      expect(isSameData(left, right)).toBe(inOrder(left) === inOrder(right));
      expect(isSameData(left, JSON.parse(JSON.stringify(left)))).toBe(true);
    }),
  );
});

it("compares every field of the facts of a node", () => {
  const facts = contextOf({ labels: { a: "1" }, validators: ["NodeID-x"] });
  for (const [key, value] of Object.entries(facts)) {
    const changed = Array.isArray(value) ? [...(value as unknown[]), "more"] : { another: value };
    expect(isSameData(facts, { ...facts, [key]: changed }), key).toBe(false);
  }
  expect(isSameData(facts, structuredClone(facts))).toBe(true);
});
