import type { HostedEndpoint, Priority } from "../../api/hosted/hosted.ts";
import type { Poll } from "../poll/poll.ts";

/** The advantage of each priority over lower ones, in intervals of lateness. */
const HEAD_START: Readonly<Record<Priority, number>> = { 1: 0.6, 2: 0.4, 3: 0.2, 4: 0 };
/** Additional urgency of a poll that was never sent, and the factor of its head start. */
const NEVER_SENT = 1;
const FIRST_FACTOR = 5;

type Due = Pick<Poll<HostedEndpoint<unknown>>, "endpoint" | "every" | "next" | "lastAttempt">;

/** How late a poll is, in its own intervals. */
export function lateness({ next, every }: Pick<Due, "next" | "every">, now: number): number {
  return Math.max(0, now - next) / every;
}

/** The urgency of a poll; the largest goes first. Only lateness grows without bound, so no poll waits forever. */
export function urgency(poll: Due, now: number): number {
  const start = HEAD_START[poll.endpoint.priority];
  return lateness(poll, now) + (poll.lastAttempt === undefined ? NEVER_SENT + FIRST_FACTOR * start : start);
}
