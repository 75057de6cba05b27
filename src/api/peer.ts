import { z } from "zod";
import { claimedRatio, doubleOf, isNever, parseTimestamp, setTime, wholeOf } from "./wire.ts";

/** An entry of `info.peers`. A node of the main network lists some 1,200: read by one plain function, which is a tenth of a schema's cost. */
export type Peer = {
  readonly nodeID: string;
  readonly version: string;
  /** Unix seconds; `undefined` where it was never set. */
  readonly lastSent: number | undefined;
  readonly lastReceived: number | undefined;
  /** This node's uptime as the peer observes it; 0 before the first ping. A lie of one peer is left out. */
  readonly observedUptime: number | undefined;
  /** Each once: a node that repeats one must not count twice. */
  readonly trackedSubnets: readonly string[];
  readonly benched: readonly string[];
  /** Unix seconds of the last upgrade in the schedule of the peer; 0 if the peer does not report it. */
  readonly upgradeTime: number | undefined;
};

/** What topics read of an answer of `info.peers`. */
export type ConnectedPeers = { readonly peers: readonly Peer[] };

/** The list of peers; empty if null or absent. A peer that is listed twice must not count its stake twice: the first entry counts. */
export const peerList = z.unknown().transform((value, context): readonly Peer[] => {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) return refuse(context, [], "not a list");
  const peers = new Map<string, Peer>();
  for (const [index, entry] of value.entries()) {
    const read = readPeer(entry);
    if ("problem" in read) return refuse(context, [index, ...read.at], read.problem);
    if (!peers.has(read.nodeID)) peers.set(read.nodeID, read);
  }
  return [...peers.values()];
});

type Problem = { readonly at: readonly string[]; readonly problem: string };

/** Reads one entry; the first field that is wrong is the problem. */
export function readPeer(entry: unknown): Peer | Problem {
  if (typeof entry !== "object" || entry === null) return { at: [], problem: "not an object" };
  const fields = entry as Readonly<Record<string, unknown>>;
  const { nodeID, version, upgradeTime } = fields;
  if (typeof nodeID !== "string") return { at: ["nodeID"], problem: "not a text" };
  if (typeof version !== "string") return { at: ["version"], problem: "not a text" };
  const lastSent = timeOf(fields["lastSent"]);
  if (lastSent === INVALID) return { at: ["lastSent"], problem: NOT_A_TIME };
  const lastReceived = timeOf(fields["lastReceived"]);
  if (lastReceived === INVALID) return { at: ["lastReceived"], problem: NOT_A_TIME };
  const percent = fields["observedUptime"];
  const observed = percent === undefined ? undefined : doubleOf(percent);
  if (percent !== undefined && observed === undefined)
    return { at: ["observedUptime"], problem: "not a finite number" };
  const trackedSubnets = textsOf(fields["trackedSubnets"]);
  if (trackedSubnets === undefined) return { at: ["trackedSubnets"], problem: "not a list of texts" };
  const benched = textsOf(fields["benched"]);
  if (benched === undefined) return { at: ["benched"], problem: "not a list of texts" };
  const upgrade = upgradeTime === undefined ? undefined : wholeOf(upgradeTime);
  if (upgradeTime !== undefined && upgrade === undefined)
    return { at: ["upgradeTime"], problem: "not an unsigned 64-bit integer" };
  return {
    nodeID,
    version,
    lastSent,
    lastReceived,
    observedUptime: observed === undefined ? undefined : claimedRatio(observed),
    trackedSubnets,
    benched,
    upgradeTime: upgrade === undefined ? undefined : Number(upgrade),
  };
}

const INVALID = -1;
const NOT_A_TIME = "not an RFC 3339 time before 2200";

/** Unix seconds; `undefined` for a time that was never set, `INVALID` for what is not a time before 2200. */
function timeOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? parseTimestamp(value) : undefined;
  return seconds === undefined || isNever(seconds) ? INVALID : setTime(seconds);
}

const NONE: readonly string[] = [];

/** Distinct texts; none if null or absent. */
function textsOf(value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return NONE;
  if (!Array.isArray(value) || !value.every((text) => typeof text === "string")) return undefined;
  return value.length === 0 ? NONE : [...new Set<string>(value)];
}

function refuse(context: z.core.$RefinementCtx, path: Array<string | number>, message: string): never {
  context.addIssue({ code: "custom", message, path });
  return z.NEVER;
}
