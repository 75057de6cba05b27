import { record } from "../api/endpoint.ts";

/** A time in which a node did not answer; `to` is missing while it lasts. Unix seconds. */
export type Outage = { readonly from: number; readonly to?: number | undefined };

/** The exporter's own record of whether a node answers. It outlives the process. Times are Unix seconds. */
export type Reach = {
  /** `undefined` while it is unknown, as after a start. */
  readonly up: boolean | undefined;
  /** Outages that are not older than an hour when the last one began or ended, oldest first; the last one can last. */
  readonly outages: readonly Outage[];
  /** Outages since the record began. */
  readonly total: number;
};

export const NEVER_DOWN: Reach = { up: undefined, outages: [], total: 0 };

/** For whoever counts outages: a crash loop is judged by the last hour. Seconds. */
export const OUTAGES_KEPT = 3600;
/** More outages in an hour say nothing new. */
const MOST_OUTAGES = 60;

export const Reaches = record<Reach>({
  id: "exporter.reach",
  about: "The exporter's own record of whether the node answers; no request is sent.",
  scope: "node",
});

/** Since when the node has not answered: also while nothing is known of it after a start, if it did not answer before. */
export function downSince({ outages }: Reach): number | undefined {
  const last = outages.at(-1);
  return last !== undefined && last.to === undefined ? last.from : undefined;
}

/**
 * Whether nothing is known of the node now: it does not answer, or was not asked since a start of the exporter. For whoever is paged
 * about a node that then dies: what was true of it is unknown, not over.
 */
export const isSilent = (reach: Reach | undefined): boolean => reach !== undefined && reach.up !== true;

/** The record after another look at the node; the same object where nothing has changed. */
export function reachAfter(before: Reach, up: boolean | undefined, now: number): Reach {
  if (up === before.up) return before;
  const wasDown = downSince(before) !== undefined;
  if (up === undefined || up === !wasDown) return { ...before, up };
  const kept = before.outages.filter(({ to = now }) => now - to < OUTAGES_KEPT);
  if (up)
    return {
      up,
      outages: kept.map((outage) => (outage.to === undefined ? { ...outage, to: now } : outage)),
      total: before.total,
    };
  return { up, outages: [...kept, { from: now }].slice(-MOST_OUTAGES), total: before.total + 1 };
}

/** Outages that are further apart are not one loop: the node ran in between. Seconds. */
const LOOP_GAP = 1800;

/**
 * The outages of a crash loop that goes on: those within an hour, none more than half an hour after the one before. 0 once the node has
 * run for half an hour; while the node is down after a loop it stays.
 */
export function loopOutages({ outages }: Reach, now: number): readonly Outage[] {
  const last = outages.at(-1);
  if (last === undefined || now - (last.to ?? now) > LOOP_GAP) return [];
  let { from } = last;
  const loop = [last];
  for (const each of outages.slice(0, -1).reverse()) {
    if (from - (each.to ?? from) > LOOP_GAP || last.from - each.from > OUTAGES_KEPT) break;
    loop.unshift(each);
    from = each.from;
  }
  return loop;
}
