import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readState, stateText } from "../../../src/daemon/storage/state-file.ts";

const NOW = 1_800_000_000;
const DAY = 86_400;
const NODE = {
  name: "a",
  address: "digest",
  nodeId: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
  networkName: "local",
  confirmedAt: NOW,
};
const STATE = { of: "network local", topic: "validator", state: [{ subnet: "primary" }], confirmedAt: NOW };

describe("the text of a state file", () => {
  it("is read as it was written", () => {
    const memory = { nodes: [NODE, { name: "__proto__", address: "", confirmedAt: NOW }], states: [STATE] };
    expect(readState(stateText(memory), NOW)).toEqual({ content: memory });
    expect(stateText(memory)).toMatch(/^\{"version":1,.*\}\n$/);
  });

  it("is read without what is not a node ID: it was written before IDs were checked", () => {
    const { nodeId: _, ...unnamed } = NODE;
    const memory = { nodes: [{ ...NODE, nodeId: "__proto__" }, NODE], states: [] };
    expect(readState(stateText(memory), NOW)).toEqual({ content: { nodes: [unnamed, NODE], states: [] } });
  });

  it("is read without what was not confirmed for 30 days", () => {
    const old = NOW - 30 * DAY;
    const memory = {
      nodes: [NODE, { ...NODE, name: "old", confirmedAt: old }],
      states: [STATE, { ...STATE, topic: "old", confirmedAt: old }, { ...STATE, topic: "new", confirmedAt: old + 1 }],
    };
    expect(readState(stateText(memory), NOW)).toEqual({
      content: { nodes: [NODE], states: [STATE, { ...STATE, topic: "new", confirmedAt: old + 1 }] },
    });
  });

  it.each([
    ["", "its content is not complete JSON"],
    ['{"version":1,"nodes":[{"name":"a"', "its content is not complete JSON"],
    ["\u0000\u0000", "its content is not complete JSON"],
    ["null", "it has no version"],
    ["[]", "it has no version"],
    ['{"nodes":[],"states":[]}', "it has no version"],
    ['{"version":2,"other":{}}', "its version is 2, and this exporter reads version 1"],
    ['{"version":0}', "its version is 0, and this exporter reads version 1"],
    ['{"version":1}', "nodes has another form than expected"],
    ['{"version":1,"nodes":[{"name":7}],"states":[]}', "nodes.0.name has another form than expected"],
  ])("%j is not usable: %s", (text, unusable) => {
    expect(readState(text, NOW)).toEqual({ unusable });
  });

  it("is never fatal, whatever is cut off or in it", () => {
    const whole = stateText({ nodes: [NODE], states: [STATE] });
    for (let length = 0; length < whole.length - 1; length++)
      expect(readState(whole.slice(0, length), NOW)).toHaveProperty("unusable");
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readState(text, NOW)));
  });
});
