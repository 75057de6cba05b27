import fc from "fast-check";
import { expect, it } from "vitest";
import { isNodeId } from "../../src/api/cb58.ts";
import { makeId, makeNodeId, ZERO_NODE_ID } from "../../simulator/encoding/ids.ts";

const MAINNET = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";

it("accepts every node ID, one that begins with zeros too", () => {
  expect([MAINNET, ZERO_NODE_ID].map(isNodeId)).toEqual([true, true]);
  fc.assert(fc.property(fc.nat(), (seed) => isNodeId(makeNodeId("any", seed))));
});

it.each([
  "",
  "__proto__",
  "NodeID-",
  "NodeID-a",
  MAINNET.slice("NodeID-".length),
  MAINNET.slice(0, -1),
  `${MAINNET} `,
  MAINNET.replace("7X", "8X"),
  MAINNET.replace("NodeID", "nodeid"),
  `NodeID-${makeId("a")}`,
  `NodeID-${"1".repeat(10_000)}`,
  "NodeID-\u0000\u202e",
])("is no node ID: %.40j", (text) => {
  expect(isNodeId(text)).toBe(false);
});

it("never throws, and accepts nothing at random", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !isNodeId(text) && !isNodeId(`NodeID-${text}`)));
});
