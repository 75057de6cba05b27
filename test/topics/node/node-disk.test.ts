import { describe, expect, it } from "vitest";
import { healthMethods } from "../../../src/api/node/health.ts";
import { nodeDisk } from "../../../src/topics/node/node-disk.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const context = contextOf();
const RATIO = "avax_node_disk_available_ratio";
const reporting = (message: object | undefined) =>
  healthMethods.health.result.parse({ healthy: true, checks: message === undefined ? {} : { diskspace: { message } } });
const LOW = reporting({ availableDiskPercentage: 4, availableDiskBytes: 40_000_000_000 });

/** What is exported after a report, and no further one. */
const silent = (record: { readonly up?: boolean | undefined } | undefined, last = LOW) => {
  const state = nextState(nodeDisk, { report: last, record: { up: true } }, context);
  return Object.fromEntries(readTopic(nodeDisk, { report: undefined, record }, context, state));
};

describe("free disk", () => {
  it("is that of the report", () => {
    expect(Object.fromEntries(readTopic(nodeDisk, { report: LOW, record: { up: true } }, context))).toEqual({
      [RATIO]: 0.04,
      avax_node_disk_available_bytes: 40_000_000_000,
    });
  });

  it("is bytes alone where the server reports no share", () => {
    const report = reporting({ availableDiskBytes: 7 });
    expect([...readTopic(nodeDisk, { report, record: { up: true } }, context)]).toEqual([
      ["avax_node_disk_available_bytes", 7],
    ]);
  });

  it.each([
    ["while the node is down: the last share", { up: false }, { [RATIO]: 0.04 }],
    ["of a node that answers without a report: unknown", { up: true }, {}],
    ["of a node that nothing is known of: unknown", { up: undefined }, {}],
    ["before the first poll: unknown", undefined, {}],
  ])("%s", (_which, record, expected) => {
    expect(silent(record)).toEqual(expected);
  });

  it("is unknown of a node that is down and has never reported it", () => {
    expect(silent({ up: false }, reporting(undefined))).toEqual({});
  });

  it("outlives a restart of the exporter", () => {
    const { save, restore } = nodeDisk.saved ?? {};
    expect(restore?.(save?.(0.04 as never))).toBe(0.04);
    expect(restore?.(save?.(undefined as never))).toBeUndefined();
    for (const odd of ["0.04", 4, -1, {}]) expect(() => restore?.(odd)).toThrow("not a share");
  });
});
