import { z } from "zod";
import { interned, internedList } from "./interned.ts";
import { claimedPercent, count, isNever, list, parseTimestamp, ratioOfPercent, setTime, timestamp } from "./wire.ts";

/** An entry of `info.peers`. A node of the main network lists some 1,200, so a fleet sends more of them than of anything else. */

/** A text that other nodes send as well. */
const repeated = z.string().transform(interned);

/** Each text once: a node that repeats one must not count twice. */
const distinctTexts = (texts: readonly string[]): readonly string[] =>
  internedList(texts.length < 2 ? texts : [...new Set(texts)]);

export const peerRow = z.object({
  nodeID: repeated,
  version: repeated,
  lastSent: timestamp,
  lastReceived: timestamp,
  /** This node's uptime as the peer observes it, whole percent on the wire; 0 before the first ping. A lie of one peer is left out. */
  observedUptime: claimedPercent.optional(),
  trackedSubnets: list(z.string()).transform(distinctTexts),
  benched: list(z.string()).transform(distinctTexts),
  /** Unix seconds of the last upgrade in the schedule of the peer; 0 if the peer does not report it. */
  upgradeTime: count.optional(),
});

export type Peer = z.infer<typeof peerRow>;

/**
 * What `peerRow` makes of an entry in the form that nodes send, at a tenth of its cost; `undefined` for an entry in any other form,
 * a wrong one included.
 */
export function quickPeer(entry: unknown): Peer | undefined {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return undefined;
  const { nodeID, version, lastSent, lastReceived, observedUptime, trackedSubnets, benched, upgradeTime } =
    entry as Readonly<Record<string, unknown>>;
  if (typeof nodeID !== "string" || typeof version !== "string") return undefined;
  const [sent, received] = [timeOf(lastSent), timeOf(lastReceived)];
  const uptime = uptimeOf(observedUptime);
  const upgrade = upgradeTime === undefined ? undefined : wholeOf(upgradeTime);
  if (sent === undefined || received === undefined) return undefined;
  if (uptime === UNUSUAL || upgrade === UNUSUAL || !areTexts(trackedSubnets) || !areTexts(benched)) return undefined;
  return {
    nodeID: interned(nodeID),
    version: interned(version),
    lastSent: sent,
    lastReceived: received,
    observedUptime: uptime,
    trackedSubnets: distinctTexts(trackedSubnets),
    benched: distinctTexts(benched),
    upgradeTime: upgrade,
  };
}

/** A value in a form that is left to the schema. */
const UNUSUAL = -1;

/** Unix seconds; `undefined` for zero times, which have a meaning of their own, and for what is not a time before 2200. */
function timeOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? parseTimestamp(value) : undefined;
  return seconds === undefined || isNever(seconds) ? undefined : setTime(seconds);
}

/** Ratios of whole percents, by how the wire writes them: one copy of each. */
const RATIOS: ReadonlyMap<unknown, number> = new Map(
  Array.from({ length: 101 }, (_, percents) => percents).flatMap((percents) =>
    [percents, `${percents}`].map((form) => [form, ratioOfPercent(percents)] as const),
  ),
);

function uptimeOf(value: unknown): number | undefined {
  return value === undefined ? undefined : (RATIOS.get(value) ?? UNUSUAL);
}

const FEW_DIGITS = /^\d{1,15}$/;

/** A whole number in a number or a text of up to 15 digits; never -0, which the schema makes 0. */
function wholeOf(value: unknown): number {
  const whole = typeof value === "string" && FEW_DIGITS.test(value) ? Number(value) : value;
  return typeof whole === "number" && Number.isSafeInteger(whole) && whole >= 0 ? whole + 0 : UNUSUAL;
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
