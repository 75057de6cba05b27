import { PRIMARY } from "../../api/node/platform.ts";
import { isDown } from "../node/reachable-stake.ts";
import type { QuorumMember } from "./quorum-view.ts";

/** Whether a subnet has lost its quorum, with the words of its page, which do not change while it lasts. */
export type QuorumLoss = {
  readonly isKnown: boolean;
  /** Since when too little is connected; Unix seconds. */
  readonly since: number | undefined;
  /** It has been for a minute. */
  readonly isLost: boolean;
  /** The polled validators that were down then. */
  readonly down: string;
  /** When the last loss ended; Unix seconds. */
  readonly endedAt?: number | undefined;
};

export const UNKNOWN: QuorumLoss = { isKnown: false, since: undefined, isLost: false, down: "" };

/** In this time nodes that fail together are all found down. Seconds. */
const SETTLED = 60;
/** The series of a page that is over has its last sample in this time: Prometheus bridges six minutes. Seconds. */
const ENDING = 600;

/** @param isBelow whether too little is connected; `undefined` where no node can say, and then it stays as it was */
export function lossAfter(
  before: QuorumLoss,
  isBelow: boolean | undefined,
  down: () => string,
  now: number,
): QuorumLoss {
  if (isBelow === undefined) return before;
  if (!isBelow) {
    const endedAt = before.isLost ? now : before.endedAt;
    const isEnding = endedAt !== undefined && now - endedAt < ENDING;
    return { isKnown: true, since: undefined, isLost: false, down: isEnding ? before.down : "", endedAt };
  }
  const since = before.since ?? now;
  const isLost = before.isLost || now - since >= SETTLED;
  const named = before.isLost || !isLost ? before.down : down();
  return { isKnown: true, since, isLost, down: named, endedAt: before.endedAt };
}

/** In a title, where the validators that are down are not polled, or none is down. */
const NONE = "no polled node";
/** Names in a title. */
const MOST_NAMED = 3;

/** The polled validators of a subnet that are down: "a, b, c and 2 more". Of an unknown ID a node counts for the Primary Network. */
export function downIn(members: readonly QuorumMember[], subnet: string): string {
  const set = members.map(({ answers }) => answers.sets?.get(subnet)?.value).find((each) => each !== undefined);
  const ids = new Set(set?.validators.map(({ nodeID }) => nodeID));
  const names = members
    .filter(
      (each) => isDown(each) && (each.facts.nodeId === undefined ? subnet === PRIMARY : ids.has(each.facts.nodeId)),
    )
    .map(({ facts }) => facts.node);
  const more = names.length - MOST_NAMED;
  if (names.length === 0) return NONE;
  return `${names.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
