import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { peerRow, quickPeer } from "../../src/api/peer.ts";
import { anyPeers } from "../support/arbitraries.ts";
import { recorded, recordingOf, RECORDINGS } from "../support/recordings.ts";

/** What the schema makes of an entry. */
const bySchema = (entry: unknown): unknown => {
  const { success, data } = peerRow.safeParse(entry);
  return success ? data : "refused";
};

const USUAL = {
  ip: "10.0.0.1:9651",
  nodeID: "NodeID-a",
  version: "avalanchego/1.15.0",
  upgradeTime: 1_795_258_827,
  lastSent: "2026-08-22T15:23:02Z",
  lastReceived: "2026-08-22T11:23:01.25-04:00",
  observedUptime: "99",
  trackedSubnets: ["S", "T", "S"],
  benched: [],
};

it("the usual entry is read at once", () => {
  expect(quickPeer(USUAL)).toEqual({
    nodeID: "NodeID-a",
    version: "avalanchego/1.15.0",
    upgradeTime: 1_795_258_827,
    lastSent: 1_787_412_182,
    lastReceived: 1_787_412_181.25,
    observedUptime: 0.99,
    trackedSubnets: ["S", "T"],
    benched: [],
  });
});

it.each<Readonly<Record<string, unknown>>>([
  { observedUptime: 99 },
  { observedUptime: "0" },
  { observedUptime: 100 },
  { observedUptime: undefined },
  { upgradeTime: undefined },
  { upgradeTime: 0 },
  { upgradeTime: "1795258827" },
])("%j is as usual, and read as by the schema", (more) => {
  expect(quickPeer({ ...USUAL, ...more })).toEqual(bySchema({ ...USUAL, ...more }));
});

it.each<Readonly<Record<string, unknown>>>([
  { nodeID: 1 },
  { version: null },
  { lastSent: "0001-01-01T00:00:00Z" },
  { lastSent: "1970-01-01T00:00:00Z" },
  { lastSent: "2201-01-01T00:00:00Z" },
  { lastSent: "yesterday" },
  { lastReceived: 5 },
  { observedUptime: "99.5" },
  { observedUptime: "101" },
  { observedUptime: "-1" },
  { observedUptime: null },
  { trackedSubnets: null },
  { trackedSubnets: [1] },
  { benched: "C" },
  { benched: undefined },
  { upgradeTime: -1 },
  { upgradeTime: 1.5 },
  { upgradeTime: "18446744073709551615" },
  { upgradeTime: "1e3" },
])("%j is left to the schema", (more) => {
  expect(quickPeer({ ...USUAL, ...more })).toBeUndefined();
});

it.each([null, undefined, 1, "text", [], [USUAL]])("%j is not an entry", (entry) => {
  expect(quickPeer(entry)).toBeUndefined();
});

const entries = z.object({ peers: z.array(z.unknown()).nullable() });
const withPeers = RECORDINGS.filter((name) => recordingOf(name).answers.some((each) => each.name === "info.peers"));

it.each(withPeers)("the peers of %s are read as by the schema, without it", (recording) => {
  const { peers } = recorded(recording, "info.peers", entries);
  for (const entry of peers ?? []) expect(quickPeer(entry)).toEqual(bySchema(entry));
});

it("any entry is read as by the schema, or left to it", () => {
  fc.assert(
    fc.property(anyPeers, ({ peers }) => {
      for (const entry of peers ?? []) expect(quickPeer(entry) ?? bySchema(entry)).toEqual(bySchema(entry));
    }),
  );
});
