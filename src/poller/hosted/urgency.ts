import type { Priority } from "../../api/hosted/hosted.ts";
import type { HostedEndpoint } from "../../api/hosted/hosted.ts";
import type { Poll } from "../poll/poll.ts";

/** What a class of value is worth in lateness: so many of its own intervals a poll may be late before the next class catches up. */
const HEAD_START: Readonly<Record<Priority, number>> = { 1: 0.6, 2: 0.4, 3: 0.2, 4: 0 };
/** What has never been asked goes first, and what is worth most goes long before the rest: so many times its head start. */
const NEVER_ASKED = 1;
const AT_FIRST = 5;

type Due = Pick<Poll<HostedEndpoint<unknown>>, "endpoint" | "every" | "next" | "lastAttempt">;

/** How late a poll is, in its own intervals. */
export function lateness({ next, every }: Pick<Due, "next" | "every">, now: number): number {
  return Math.max(0, now - next) / every;
}

/** Which poll goes first: the larger. Lateness grows without bound and the rest does not, so that none waits for ever. */
export function urgency(poll: Due, now: number): number {
  const start = HEAD_START[poll.endpoint.priority];
  return lateness(poll, now) + (poll.lastAttempt === undefined ? NEVER_ASKED + AT_FIRST * start : start);
}
