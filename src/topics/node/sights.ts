import { z } from "zod";
import type { Saved } from "../define/topic.ts";
import type { Context } from "../define/metric.ts";
import { type Connected, CUT_OFF_RATIO } from "./reachable-stake.ts";

/** Who can say that a validator is not connected, and since when all of them have said so. */

type Polled = { readonly facts: Connected["facts"]; readonly answers: Pick<Connected["answers"], "reach"> };

/** A node that restarts answers again within this time, bootstrapping included, and others notice it within this time. Seconds. */
export const RESTART = 600;

/** Whether a node sees others: it answers, and is not cut off itself. */
export function isWitness({ facts, answers: { reach } }: Polled, reachable: ReadonlyMap<string, number>): boolean {
  return reach?.value.up === true && (reachable.get(facts.node) ?? 1) >= CUT_OFF_RATIO;
}

/** When the outage of a node began that lasts, or ended within the last ten minutes. Unix seconds. */
export function awaySince({ answers: { reach } }: Pick<Polled, "answers">, now: number): number | undefined {
  const last = reach?.value.outages.at(-1);
  return last === undefined || (last.to !== undefined && now - last.to >= RESTART) ? undefined : last.from;
}

/** What the witnesses of a validator report: how many they are, and whether one is connected to it. */
export type Testimony = {
  readonly subnet: string;
  readonly nodeId: string;
  readonly witnesses: number;
  /** The only one of several nodes that could say it: its word pages nobody. */
  readonly alone?: string | undefined;
  readonly isSeen: boolean;
};

/** A validator of a subnet. */
export type Sight = {
  readonly subnet: string;
  readonly nodeId: string;
  /** `undefined` where there are none now. */
  readonly witnesses: number | undefined;
  readonly alone?: string | undefined;
  /** Since when no witness has been connected to it, though its own node ran; Unix seconds. */
  readonly since: number | undefined;
};

/** By subnet and node ID. */
export type Sights = ReadonlyMap<string, Sight>;

const keyOf = ({ subnet, nodeId }: Pick<Sight, "subnet" | "nodeId">): string => `${subnet} ${nodeId}`;

/**
 * The validators after what their witnesses report now. One whose own node is down, or has just returned, is not missed: AvaxNodeDown
 * pages for a node that stays down. One that was missed for ten minutes before is, so that its page does not end when its node dies.
 */
export function sightsAfter(
  before: Sights,
  testimonies: readonly Testimony[],
  members: readonly Polled[],
  { watchNetwork, time: now }: Pick<Context, "watchNetwork" | "time">,
): Sights {
  const watched = new Set(watchNetwork);
  const found = new Map(testimonies.map((testimony) => [keyOf(testimony), testimony]));
  const own = Map.groupBy(members, ({ facts }) => facts.nodeId);
  const next = new Map<string, Sight>();
  // Without a witness, as after a start of the exporter, it is unknown whether it still is.
  for (const [key, each] of before)
    if (each.since !== undefined && !found.has(key) && watched.has(each.nodeId))
      next.set(key, { ...each, witnesses: undefined });
  for (const [key, { subnet, nodeId, witnesses, alone, isSeen }] of found) {
    const known = before.get(key)?.since;
    const away = awayOf(own.get(nodeId) ?? [], now);
    const isMissed = !isSeen && (away === undefined || (known !== undefined && away - known >= RESTART));
    next.set(key, { subnet, nodeId, witnesses, alone, since: isMissed ? (known ?? now) : undefined });
  }
  return next;
}

/** Since when none of the nodes with one ID has run for long. */
function awayOf(own: readonly Polled[], now: number): number | undefined {
  const since = own.map((each) => awaySince(each, now) ?? Infinity);
  const last = Math.max(-Infinity, ...since);
  return Number.isFinite(last) ? last : undefined;
}

/** Whether a validator is missed; `undefined` where no node can say. */
export function isMissed({ witnesses, since }: Sight): boolean | undefined {
  return witnesses === undefined ? undefined : since !== undefined;
}

const saved = z.array(z.object({ subnet: z.string(), nodeId: z.string(), since: z.number() }));

/** How it outlives the process: an exporter that restarts must not end a page. */
export const SAVED_SIGHTS: Saved<Sights> = {
  save: (sights) =>
    [...sights.values()].flatMap(({ subnet, nodeId, since }) =>
      since === undefined ? [] : [{ subnet, nodeId, since }],
    ),
  restore: (text) => new Map(saved.parse(text).map((each) => [keyOf(each), { ...each, witnesses: undefined }])),
};
