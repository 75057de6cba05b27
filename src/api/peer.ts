import { z } from "zod";
import { isLate } from "./is-late.ts";
import {
  claimedRatio,
  doubleOf,
  isNever,
  keptText,
  mapped,
  parseTimestamp,
  setTime,
  wholeOf,
  type InvalidRows,
} from "./wire.ts";

/** What a peer is to a node. A node of the main network lists some 1,200, read by one plain function: a tenth of a schema's cost. */
export type Peer = {
  readonly nodeID: string;
  readonly version: string;
  /** The address that the peer advertises, with its port. */
  readonly publicIP: string | undefined;
  /** The node's uptime as the peer observes it; 0 before the first ping. A lie of one peer is left out. */
  readonly observedUptime: number | undefined;
  /** Each once: a node that repeats one must not count twice. Unknown where there is none: every node tracks the Primary Network. */
  readonly trackedSubnets: readonly string[] | undefined;
  /** Unknown, not empty, where the server leaves the list out. */
  readonly benched: readonly string[] | undefined;
  /** Unix seconds of the last upgrade in the schedule of the peer; 0 if the peer does not report it. */
  readonly upgradeTime: number | undefined;
};

/** What topics read of an answer of `info.peers`. */
export type ConnectedPeers = { readonly peers: readonly Peer[] };

/** The peers of a node, and when it last heard from them. */
export type PeerList = ConnectedPeers & {
  /** Unix seconds of the last message of each peer, in their order; NaN where there was none, `INVALID_TIME` or `LATE_TIME` where it is unknown. */
  readonly received: Float64Array;
  /** The latest message to any of them, by the node's clock; 0 where there was none. */
  readonly latestSent: number;
  /** Time of the node's clock at the answer, if known. */
  readonly date?: number | undefined;
  readonly invalidRows?: InvalidRows | undefined;
};

/** A time of the last message that cannot be read, and one that is later than the answer. */
export const INVALID_TIME = -1;
export const LATE_TIME = Infinity;

/**
 * Reads a list; empty if null. A peer that is listed twice must not count its stake twice: the first entry counts. What a peer claims
 * must not fail the answer about all: a wrong field is unknown, and only what no peer can be known by is refused.
 */
export const peerList = mapped(z.unknown(), (value, refuse): PeerList => {
  const list = value === null ? [] : value;
  const peers: Peer[] = [];
  const received: number[] = [];
  let latestSent = 0;
  let invalid: InvalidRows | undefined;
  if (!Array.isArray(list)) {
    refuse("not a list");
    return { peers, received: Float64Array.of(), latestSent };
  }
  if (bytes >= MOST_BYTES || Date.now() - since > KNOWN_FOR_MS) forget();
  lists++;
  const time = timesOfList();
  for (let index = 0; index < list.length; index++) {
    const read = readPeer(list[index], time);
    if ("problem" in read) {
      refuse(read.problem, [index, ...read.at]);
      break;
    }
    const { peer, copies, lastSent = 0, lastReceived, fault } = read;
    if (fault !== undefined)
      invalid = { count: (invalid?.count ?? 0) + 1, problem: invalid?.problem ?? `peers.${index}.${fault}` };
    if (copies.listed === lists) continue;
    copies.listed = lists;
    peers.push(peer);
    received.push(lastReceived ?? NaN);
    latestSent = Math.max(latestSent, lastSent);
  }
  return { peers, received: Float64Array.from(received), latestSent, invalidRows: invalid };
});

/**
 * The answer with the list of the one before it where that has the same copies: what is counted in a list is then counted once. With a
 * thousand nodes, counting all lists again was a fifth of the time in which a scrape keeps all polls waiting.
 */
export function withKnownList<A extends ConnectedPeers>(answer: A, { peers }: ConnectedPeers = { peers: [] }): A {
  const isSame = peers.length === answer.peers.length && peers.every((peer, index) => peer === answer.peers[index]);
  return isSame ? { ...answer, peers } : answer;
}

type Problem = { readonly at: readonly string[]; readonly problem: string };
/** Times in Unix seconds; `undefined` where it was never set. `fault`: the first wrong field, which is unknown now. */
type Read = {
  readonly peer: Peer;
  readonly copies: Copies;
  readonly lastSent: number | undefined;
  readonly lastReceived: number | undefined;
  readonly fault?: string | undefined;
};

/** Reads one entry. @param time what `timeOf` gives for a value */
export function readPeer(entry: unknown, time = timeOf): Read | Problem {
  if (typeof entry !== "object" || entry === null) return { at: [], problem: "not an object" };
  const fields = entry as Readonly<Record<string, unknown>>;
  const { version, publicIP, upgradeTime } = fields;
  if (typeof fields["nodeID"] !== "string") return { at: ["nodeID"], problem: "not a text" };
  const nodeID = keptText(fields["nodeID"]);
  const sent = time(fields["lastSent"]);
  const lastSent = sent === INVALID_TIME || sent === LATE_TIME ? undefined : sent;
  const lastReceived = time(fields["lastReceived"]);
  const percent = fields["observedUptime"];
  const observed = percent === undefined ? undefined : doubleOf(percent);
  const observedUptime = observed === undefined ? undefined : claimedRatio(observed);
  const fault =
    sent === INVALID_TIME
      ? `lastSent: ${NOT_A_TIME}`
      : lastReceived === INVALID_TIME
        ? `lastReceived: ${NOT_A_TIME}`
        : percent !== undefined && observed === undefined
          ? "observedUptime: not a finite number"
          : undefined;
  const copies = copiesOf(nodeID);
  const last = copies.byUptime.get(observedUptime);
  if (last !== undefined && isAsKnown(fields, last)) return { peer: last, copies, lastSent, lastReceived, fault };
  const isVersion = typeof version === "string";
  const trackedSubnets = textsOf(fields["trackedSubnets"]);
  const benched = textsOf(fields["benched"]);
  const upgrade = upgradeTime === undefined ? undefined : wholeOf(upgradeTime);
  const peer = shared(copies, {
    nodeID,
    version: isVersion ? keptText(version) : UNKNOWN_VERSION,
    publicIP: typeof publicIP === "string" && publicIP !== "" ? keptText(publicIP) : undefined,
    observedUptime,
    trackedSubnets: trackedSubnets === INVALID_LIST || trackedSubnets?.length === 0 ? undefined : trackedSubnets,
    benched: benched === INVALID_LIST ? undefined : benched,
    upgradeTime: upgrade === undefined ? undefined : Number(upgrade),
  });
  return {
    peer,
    copies,
    lastSent,
    lastReceived,
    fault:
      fault ??
      (isVersion ? undefined : "version: not a text") ??
      (trackedSubnets === INVALID_LIST ? "trackedSubnets: not a list of texts" : undefined) ??
      (benched === INVALID_LIST ? "benched: not a list of texts" : undefined) ??
      (upgradeTime !== undefined && upgrade === undefined ? "upgradeTime: not an unsigned 64-bit integer" : undefined),
  };
}

/** The label of a version that is no text. */
const UNKNOWN_VERSION = "unknown";

/** Bytes of the copies when a list begins: 100,000 peers of the main network, which has 1,300 with a few uptimes each; a lying node can name any number. */
const MOST_BYTES = 40e6;
/** Bytes of a copy, and of each of its texts beside its letters. */
const BYTES_OF_PEER = 200;
const BYTES_OF_TEXT = 24;
/** Milliseconds after which all copies are dropped. Without it, that many bytes of peers that no node lists any longer would stay. */
const KNOWN_FOR_MS = 600_000;
/** The copies of the peers of a node by observed uptime, and the list that named it last. */
type Copies = { readonly byUptime: Map<number | undefined, Peer>; listed: number };
const known = new Map<string, Copies>();
let bytes = 0;
let since = 0;
let lists = 0;

function forget(): void {
  known.clear();
  bytes = 0;
  since = Date.now();
}

function copiesOf(nodeID: string): Copies {
  let copies = known.get(nodeID);
  if (copies === undefined) known.set(nodeID, (copies = { byUptime: new Map<number | undefined, Peer>(), listed: 0 }));
  return copies;
}

/**
 * The known copy of an equal peer. A thousand nodes see the same 1,200 peers: copies of each took 1.6 GB and half of the processor
 * time, for the garbage collector.
 */
function shared({ byUptime }: Copies, peer: Peer): Peer {
  const last = byUptime.get(peer.observedUptime);
  if (last !== undefined && isAsKnown(peer, last)) return last;
  byUptime.set(peer.observedUptime, peer);
  const texts = [
    peer.nodeID,
    peer.version,
    peer.publicIP ?? "",
    ...(peer.trackedSubnets ?? []),
    ...(peer.benched ?? []),
  ];
  bytes += texts.reduce((sum, text) => sum + BYTES_OF_TEXT + text.length, BYTES_OF_PEER);
  return peer;
}

/** Whether an entry repeats what is known of its peer, as nearly all do: then nothing of it is copied. */
function isAsKnown(fields: Readonly<Record<string, unknown>>, known: Peer): boolean {
  const { version, publicIP = "", upgradeTime, trackedSubnets, benched } = known;
  return (
    fields["version"] === version &&
    (fields["publicIP"] ?? "") === publicIP &&
    fields["upgradeTime"] === upgradeTime &&
    isSameList(fields["trackedSubnets"], trackedSubnets) &&
    isSameList(fields["benched"], benched)
  );
}

type List = readonly string[] | undefined;

function isSameList(entry: unknown, list: List): boolean {
  if (!Array.isArray(entry) || list === undefined) return entry === list;
  return entry.length === list.length && list.every((text, index) => text === entry[index]);
}

const NOT_A_TIME = "not an RFC 3339 time before 2200";

/** Unix seconds; `undefined` for a time that was never set, `INVALID_TIME` for what is not a time before 2200, `LATE_TIME` for a later one than the answer. */
function timeOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? parseTimestamp(value) : undefined;
  if (seconds === undefined || isNever(seconds)) return INVALID_TIME;
  return isLate(seconds, "node") ? LATE_TIME : setTime(seconds);
}

/** As `timeOf`, for one list, whose times are whole seconds and repeat: reading each of 2,400 took 4 % of a core with 1,000 nodes. */
function timesOfList(): typeof timeOf {
  const read = new Map<unknown, number | undefined>();
  return (value) => {
    const known = read.get(value);
    if (known !== undefined || read.has(value)) return known;
    const time = timeOf(value);
    read.set(value, time);
    return time;
  };
}

const NONE: readonly string[] = [];

const INVALID_LIST = "invalid";
/** Texts of one list of a peer: a node tracks 16 subnets at most. */
const MOST_TEXTS = 1_000;

/** Distinct texts; none if null, and `undefined` if absent. */
function textsOf(value: unknown): List | typeof INVALID_LIST {
  if (value === undefined) return undefined;
  if (value === null) return NONE;
  if (!Array.isArray(value) || value.length > MOST_TEXTS || !value.every((text) => typeof text === "string"))
    return INVALID_LIST;
  return value.length === 0 ? NONE : [...new Set<string>(value.map(keptText))];
}
