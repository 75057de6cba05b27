import fc from "fast-check";
import { expect, it } from "vitest";
import { packedPeers } from "../../src/api/peer-list.ts";
import type { Peer } from "../../src/api/peer.ts";
import { infoMethods } from "../../src/api/node/info.ts";
import { anyPeers } from "../support/arbitraries.ts";
import { recorded, recordingOf, RECORDINGS } from "../support/recordings.ts";

const peer = (fields: Partial<Peer> = {}): Peer => ({
  nodeID: "NodeID-a",
  version: "avalanchego/1.15.0",
  lastSent: 1_787_412_182,
  lastReceived: 1_787_412_181.25,
  observedUptime: 0.99,
  trackedSubnets: ["S"],
  benched: [],
  upgradeTime: 1_795_258_827,
  ...fields,
});

const given = (list: readonly Peer[]): readonly Peer[] => [...packedPeers(list)];

it("yields equal records in their order, as often as it is asked", () => {
  const list = [peer({ nodeID: "b" }), peer({ nodeID: "a", benched: ["C", "P"] })];
  const packed = packedPeers(list);
  expect(packed).toHaveLength(2);
  expect([...packed]).toEqual(list);
  expect([...packed]).toEqual(list);
});

it.each<Partial<Peer>>([
  { lastSent: undefined, lastReceived: undefined },
  { observedUptime: undefined },
  { observedUptime: 0 },
  { observedUptime: 0.995 },
  { upgradeTime: undefined },
  { upgradeTime: 0 },
  { trackedSubnets: [] },
])("keeps %j", (fields) => {
  expect(given([peer(fields)])).toEqual([peer(fields)]);
});

it("keeps what each node sees of a peer where nodes see different things", () => {
  const [old, upgraded] = [peer({ version: "avalanchego/1.14.2" }), peer({ version: "avalanchego/1.15.0" })];
  const lists = [packedPeers([old]), packedPeers([upgraded]), packedPeers([peer({ upgradeTime: 5 })])];
  expect(lists.flatMap((list) => [...list])).toEqual([old, upgraded, peer({ upgradeTime: 5 })]);
});

it("is empty without peers", () => expect(given([])).toEqual([]));

const withPeers = RECORDINGS.filter((name) => recordingOf(name).answers.some((each) => each.name === "info.peers"));

it.each(withPeers)("keeps the peers of %s", (name) => {
  const { peers } = recorded(name, "info.peers", infoMethods.peers.result);
  expect(given(peers)).toEqual(peers);
});

it("keeps the peers of any answer", () => {
  fc.assert(
    fc.property(anyPeers, (answer) => {
      const { success, data } = infoMethods.peers.result.safeParse(answer);
      if (success) expect(given(data.peers)).toEqual(data.peers);
    }),
  );
});
