import { z } from "zod";
import { PRIMARY, type Validator } from "../../api/node/platform.ts";
import type { Context } from "../define/metric.ts";
import type { Saved } from "../define/topic.ts";
import type { Sample } from "../../exposition/sample.ts";
import type { ValidatorSets } from "../stakes.ts";

const time = z.number().nonnegative().optional();
const member = z.object({
  subnet: z.string(),
  nodeId: z.string(),
  /** The end that its last record announced, of an auto-renewed validator that of the cycle; none of an L1 validator. */
  end: time,
  /** Time of the first answer without it; `undefined` while it is in the set. */
  missedAt: time,
});

/** What is known of a watched validator in one set. Times are Unix seconds. */
type Member = Readonly<z.infer<typeof member>> & {
  /** When it was last watched; `undefined` in a remembered state, before the first answer. */
  readonly watchedAt: number | undefined;
};

/**
 * By subnet and node ID (`memberKey`), those that were in a set while they were watched. One stays after the validator left the
 * set, as long as it is watched.
 */
export type Members = ReadonlyMap<string, Member>;

export const memberKey = (subnet: string, nodeId: string): string => `${subnet} ${nodeId}`;

/** Seconds until an unwatched pair is dropped: after a reload a node is not watched until its identity is known again. */
const DROPPED_AFTER = 3600;

/** The clocks of the exporter and of the P-Chain can differ by as much. Seconds. */
const EARLY_AFTER = 60;

type Watched = Sample<"subnet" | "node_id", Validator>;

/** Records of the validators with these node IDs, with their labels. */
export function watched(sets: ValidatorSets, nodeIds: readonly string[]): readonly Watched[] {
  const wanted = new Set(nodeIds);
  return [...sets].flatMap(([subnet, { validators }]) =>
    validators
      .filter(({ nodeID }) => wanted.has(nodeID))
      .map((validator) => [{ subnet, node_id: validator.nodeID }, validator] as const),
  );
}

/** The members after one more answer. */
export function updated(
  state: Members,
  sets: ValidatorSets,
  { time, timesByKey, subnets, watchNetwork }: Context,
): Members {
  const configured = new Set([PRIMARY, ...subnets.map(({ id }) => id)]);
  const wanted = new Set(watchNetwork);
  const next = new Map<string, Member>();
  for (const [key, member] of state) {
    const { subnet, nodeId } = member;
    const isWatched = configured.has(subnet) && wanted.has(nodeId);
    const watchedAt = isWatched ? time : (member.watchedAt ?? time);
    if (time - watchedAt >= DROPPED_AFTER) continue;
    // Subnets are polled apart, so the oldest answer can be much older than the one about this subnet.
    const answeredAt = timesByKey["sets"]?.get(subnet) ?? time;
    const missedAt = member.missedAt ?? (isWatched && sets.has(subnet) ? answeredAt : undefined);
    next.set(key, { ...member, watchedAt, missedAt });
  }
  for (const [{ subnet, node_id: nodeId }, record] of watched(sets, watchNetwork))
    next.set(memberKey(subnet, nodeId), { subnet, nodeId, watchedAt: time, end: endOf(record) });
  return next;
}

/** The announced end; a manager can remove an L1 validator at any time. */
function endOf({ validationID, startTime, endTime }: Validator): number | undefined {
  return validationID === undefined && endTime !== undefined && endTime > (startTime ?? 0) ? endTime : undefined;
}

/** Whether a second node of the network lists a validator. */
export const isListed = (second: ValidatorSets | undefined, subnet: string, nodeId: string): boolean =>
  second?.get(subnet)?.validators.some(({ nodeID }) => nodeID === nodeId) === true;

type Leaver = {
  readonly labels: Watched[0];
  /** When it left, Unix seconds. */
  readonly at: number;
  /** Whether it left before its announced end. */
  readonly isEarly: boolean;
};

/** The watched validators that were in a set and are not in it now, where the set is known. */
export function leavers(members: Members, sets: ValidatorSets, { watchNetwork }: Context): readonly Leaver[] {
  const wanted = new Set(watchNetwork);
  return [...members.values()].flatMap(({ subnet, nodeId, end, missedAt }) => {
    if (missedAt === undefined || !wanted.has(nodeId) || !sets.has(subnet)) return [];
    const isOver = end !== undefined && end <= missedAt;
    const isEarly = end === undefined || end - missedAt > EARLY_AFTER;
    return [{ labels: { subnet, node_id: nodeId }, at: isOver ? end : missedAt, isEarly }];
  });
}

const SAVED = z.array(member);

/** How members are saved: without the time at which they were watched, which advances with every answer. */
export const SAVED_MEMBERS: Saved<Members> = {
  save: (members) =>
    [...members.values()].map(({ subnet, nodeId, end, missedAt }) => ({ subnet, nodeId, end, missedAt })),
  restore: (saved) =>
    new Map(SAVED.parse(saved).map((each) => [memberKey(each.subnet, each.nodeId), { ...each, watchedAt: undefined }])),
};
