import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readState, stateText } from "../../../src/daemon/storage/read-state.ts";

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

  it("has the outages of a node, of which the last one can go on", () => {
    const outages = [{ from: NOW - 900, to: NOW - 800 }, { from: NOW - 60 }];
    const memory = { nodes: [{ ...NODE, outages, total: 7 }], states: [] };
    expect(readState(stateText(memory), NOW)).toEqual({ content: memory });
  });

  it("of an exporter that did not record outages is read", () => {
    expect(readState(JSON.stringify({ version: 1, nodes: [NODE], states: [] }), NOW)).toEqual({
      content: { nodes: [NODE], states: [] },
    });
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
    ['{"version":1,"nodes":[{"name":"a"', "its text"],
    ["\u0000\u0000", "its text"],
    ["null", "its text"],
    ['{"nodes":[],"states":[]}', "version"],
    ['{"version":2,"other":{}}', "version"],
    ['{"version":1}', "nodes"],
    ['{"version":1,"nodes":[{"name":7}],"states":[]}', "nodes.0.name"],
    [stateText({ nodes: [{ ...NODE, outages: [{ from: -1 }], total: 1 }], states: [] }), "nodes.0.outages.0.from"],
  ])("%j is not usable, because of %s", (text, what) => {
    expect(readState(text, NOW)).toEqual({ unusable: `${what} is not that of format version 1` });
  });

  it("is never fatal, whatever is cut off or in it", () => {
    const whole = stateText({ nodes: [NODE], states: [STATE] });
    for (let length = 0; length < whole.length - 1; length++)
      expect(readState(whole.slice(0, length), NOW)).toHaveProperty("unusable");
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readState(text, NOW)));
  });
});
