import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { infoMethods } from "../../src/api/node/info.ts";
import { INVALID_TIME, peerList, readPeer, withKnownList } from "../../src/api/peer.ts";
import { anyPeers } from "../support/arbitraries.ts";

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
const READ = {
  nodeID: "NodeID-a",
  version: "avalanchego/1.15.0",
  upgradeTime: 1_795_258_827,
  lastSent: 1_787_412_182,
  lastReceived: 1_787_412_181.25,
  observedUptime: 0.99,
  trackedSubnets: ["S", "T"],
  benched: [],
};

afterEach(() => void vi.useRealTimers());

type Fields = Readonly<Record<string, unknown>>;

it.each<[Fields, Fields]>([
  [{}, {}],
  [{ observedUptime: 99.5 }, { observedUptime: 0.995 }],
  [{ observedUptime: "101" }, { observedUptime: undefined }],
  [{ observedUptime: "-1" }, { observedUptime: undefined }],
  [{ observedUptime: 0 }, { observedUptime: 0 }],
  [{ observedUptime: 100 }, { observedUptime: 1 }],
  [{ observedUptime: undefined }, { observedUptime: undefined }],
  [{ upgradeTime: undefined }, { upgradeTime: undefined }],
  [{ upgradeTime: "1795258827" }, {}],
  [{ upgradeTime: "18446744073709551615" }, { upgradeTime: 2 ** 64 }],
  [{ lastSent: "0001-01-01T00:00:00Z" }, { lastSent: undefined }],
  [{ lastReceived: "1970-01-01T00:00:00Z" }, { lastReceived: undefined }],
  [{ trackedSubnets: null }, { trackedSubnets: undefined }],
  [{ trackedSubnets: [] }, { trackedSubnets: undefined }],
  [
    { trackedSubnets: undefined, benched: null },
    { trackedSubnets: undefined, benched: [] },
  ],
  [{ benched: ["C", "C", "P"] }, { benched: ["C", "P"] }],
])("an entry with %j has %j", (more, expected) => {
  expect(flat(readPeer({ ...USUAL, ...more }))).toEqual({ ...READ, ...expected });
});

function flat(read: ReturnType<typeof readPeer>) {
  if ("problem" in read) return read;
  const { peer, lastSent, lastReceived, fault } = read;
  return { ...peer, lastSent, lastReceived, ...(fault === undefined ? {} : { fault }) };
}

const result = (peers: unknown) => infoMethods.peers.result.safeParse({ numPeers: "9", peers });
const problems = (peers: unknown) =>
  result(peers).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);

const NOT_A_TIME = "not an RFC 3339 time before 2200";
const NOT_UINT64 = "not an unsigned 64-bit integer";
it.each<[Fields, Fields, string]>([
  [{ version: null }, { version: "unknown" }, "version: not a text"],
  [{ lastSent: "yesterday" }, { lastSent: undefined }, `lastSent: ${NOT_A_TIME}`],
  [{ lastSent: "9999-12-01T00:00:00Z" }, { lastSent: undefined }, `lastSent: ${NOT_A_TIME}`],
  [{ lastReceived: 5 }, { lastReceived: INVALID_TIME }, `lastReceived: ${NOT_A_TIME}`],
  [{ lastReceived: undefined }, { lastReceived: INVALID_TIME }, `lastReceived: ${NOT_A_TIME}`],
  [{ observedUptime: null }, { observedUptime: undefined }, "observedUptime: not a finite number"],
  [{ observedUptime: "much" }, { observedUptime: undefined }, "observedUptime: not a finite number"],
  [{ trackedSubnets: [1] }, { trackedSubnets: undefined }, "trackedSubnets: not a list of texts"],
  [{ benched: "C" }, { benched: undefined }, "benched: not a list of texts"],
  [{ upgradeTime: -1 }, { upgradeTime: undefined }, `upgradeTime: ${NOT_UINT64}`],
  [{ upgradeTime: "1e3" }, { upgradeTime: undefined }, `upgradeTime: ${NOT_UINT64}`],
  [{ upgradeTime: null }, { upgradeTime: undefined }, `upgradeTime: ${NOT_UINT64}`],
])("an entry with %j loses that field alone, and is counted", (more, expected, fault) => {
  const odd = { ...USUAL, nodeID: "NodeID-odd", ...more };
  // Read twice: the second time of what is known of the peer.
  for (const read of [readPeer(odd), readPeer(odd)])
    expect(flat(read)).toEqual({ ...READ, nodeID: "NodeID-odd", ...expected, fault });
  const found = result([USUAL, odd, { ...odd, nodeID: "NodeID-odd-2" }]).data;
  expect(found?.peers.map(({ nodeID }) => nodeID)).toEqual(["NodeID-a", "NodeID-odd", "NodeID-odd-2"]);
  expect(found?.invalidRows).toEqual({ count: 2, problem: `peers.1.${fault}` });
});

it("an entry without an ID fails the answer, by its path", () => {
  expect(problems([USUAL, USUAL, { ...USUAL, nodeID: 1 }])).toEqual(["peers.2.nodeID: not a text"]);
});

it("what is no list of entries is refused", () => {
  for (const entry of [null, 1, "text"]) expect(problems([entry])).toEqual(["peers.0: not an object"]);
  for (const list of [{}, "text", 1]) expect(problems(list)).toEqual(["peers: not a list"]);
});

it("the times of a list are those of its entries, however often one repeats", () => {
  const time = fc.constantFrom(
    ...["2026-07-01T12:00:00Z", "2026-07-01T12:00:01Z", "0001-01-01T00:00:00Z", "yesterday", 5, null, undefined],
  );
  fc.assert(
    fc.property(fc.array(fc.record({ lastSent: time, lastReceived: time }), { minLength: 1 }), (times) => {
      const entries = times.map((each, index) => ({ ...USUAL, nodeID: `NodeID-${index}`, ...each }));
      const alone = entries.map((entry) => readPeer(entry)).filter((read) => "peer" in read);
      expect(result(entries).data).toMatchObject({
        received: Float64Array.from(alone, ({ lastReceived = NaN }) => lastReceived),
        latestSent: Math.max(0, ...alone.map(({ lastSent = 0 }) => lastSent)),
      });
    }),
  );
});

it("no list is empty, and of a peer that is listed twice the first entry counts", () => {
  expect(result(undefined).success).toBe(false);
  for (const none of [null, []]) expect(result(none).data?.peers).toEqual([]);
  const peers = [USUAL, { ...USUAL, nodeID: "NodeID-b" }, { ...USUAL, version: "other" }];
  const { lastSent, lastReceived, ...peer } = READ;
  expect(result(peers).data).toMatchObject({
    peers: [peer, { ...peer, nodeID: "NodeID-b" }],
    received: Float64Array.of(lastReceived, lastReceived),
    latestSent: lastSent,
  });
});

it("equal peers of two answers are one object, and each field makes another", () => {
  const of = (more: Fields) => result([{ ...USUAL, ...more }]).data?.peers[0];
  expect(of({ lastSent: "2026-08-22T15:23:59Z" })).toBe(of({}));
  for (const more of [
    { version: "v" },
    { observedUptime: "98" },
    { benched: ["P"] },
    { trackedSubnets: ["S"] },
    { upgradeTime: 1 },
  ]) {
    const other = of(more);
    expect(other).not.toBe(of({}));
    expect(of(more)).toEqual(other);
  }
});

it("an answer with the peers of the one before has its list, any other its own", () => {
  const listOf = (uptimes: readonly number[]) =>
    peerList.parse(
      uptimes.map((uptime, index) => ({ ...USUAL, nodeID: `NodeID-${index}`, observedUptime: `${uptime}` })),
    );
  const uptimes = fc.array(fc.integer({ min: 98, max: 99 }), { maxLength: 3 });
  fc.assert(
    fc.property(uptimes, uptimes, (before, now) => {
      const [previous, answer] = [listOf(before), listOf(now)];
      const kept = withKnownList(answer, previous);
      expect(kept).toEqual(answer);
      expect(kept.peers === previous.peers).toBe(before.join() === now.join());
      expect(withKnownList(answer)).toEqual(answer);
    }),
  );
});

it("what is known of peers is forgotten after ten minutes", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const read = () => result([USUAL]).data?.peers[0];
  vi.advanceTimersByTime(600_001);
  const first = read();
  vi.advanceTimersByTime(600_000);
  expect(read()).toBe(first);
  vi.advanceTimersByTime(1);
  expect(read()).not.toBe(first);
  expect(read()).toEqual(first);
});

it("any answer in the shape of the specification is read", () => {
  fc.assert(fc.property(anyPeers, ({ peers }) => result(peers).success));
});

it("a node that names 40 other peers in each answer, with versions of 400 kB, fills no memory", () => {
  const module = new URL("../../src/api/peer.ts", import.meta.url).href;
  const program = `
    const { peerList } = await import(${JSON.stringify(module)});
    let n = 0;
    for (let answer = 0; answer < 20; answer++) {
      const text = JSON.stringify(Array.from({ length: 40 }, () => ({ nodeID: "NodeID-" + n, version: String(n++).repeat(400_000 / String(n).length) })));
      const { peers } = peerList.parse(JSON.parse(text));
      if (peers.length !== 40 || peers.some(({ version }) => version.length !== 200)) process.exit(1);
    }`;
  const flags = ["--max-old-space-size=100", "--input-type=module", "--eval", program];
  const { status, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

it("texts of a peer are cut to 200 characters, and a list with more texts than a node can have is unknown", () => {
  const long = "x".repeat(1_000);
  const many = Array.from({ length: 1_001 }, (_, n) => `s${n}`);
  const read = readPeer({ nodeID: long, version: long, publicIP: long, trackedSubnets: [long], benched: many });
  expect(read).toMatchObject({
    peer: {
      ...{ nodeID: long.slice(0, 200), version: long.slice(0, 200), publicIP: long.slice(0, 200) },
      ...{ trackedSubnets: [long.slice(0, 200)], benched: undefined },
    },
  });
});
