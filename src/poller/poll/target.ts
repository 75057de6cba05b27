import { isNodesAnswer, type Failure } from "../../api/reasons.ts";
import type { Poll, Outcome, Tally } from "./poll.ts";
import { tallyOf } from "./poll.ts";
import { isExpired } from "./schedule.ts";
import type { Store } from "./store.ts";

/** Who is polled: a node, or a hosted service. Methods instead of properties, so that a target of some polls is a target. */
export type Target = {
  /** How the log names it. */
  readonly named: Readonly<Record<string, string>>;
  /** By `pollId`. */
  readonly polls: ReadonlyMap<string, Poll>;
  readonly tallies: Map<string, Tally>;
  /** `undefined` until the first poll has ended. */
  up: boolean | undefined;
  /** When it last answered, with what was asked or with an error of its own. Unix seconds. */
  lastAnswer: number | undefined;
  closed: boolean;
  /** Sends the request of a poll. @throws ApiError */
  ask(poll: Poll): Promise<unknown>;
  readonly cadence: Cadence;
  /** Decides what is sent, and in which order; without one everything is sent when it is due. */
  readonly gate?: Gate;
  /** Whether the target is up after a poll that ended so. */
  upAfter(failure: Failure | undefined, now: number): boolean;
};

/** When the polls of a target are due again. Each returns Unix seconds. */
export type Cadence = {
  readonly sent: (poll: Poll, at: number) => number;
  readonly answered: (poll: Poll, at: number) => number;
  readonly failed: (poll: Poll, failure: Failure, at: number) => number;
  /** Whether a failure says that the target does not have what an optional endpoint asks for. */
  readonly isMissing: (failure: Failure) => boolean;
  /** Seconds until something that the target does not have is asked for again, at least. */
  readonly retryMissing: number;
};

export type Gate = {
  /** Goes on with polls under way that wait for the gate. False while some still wait: nothing new is sent before them. */
  readonly resume: () => boolean;
  /** Polls that are due, in the order in which they are to be sent. */
  readonly order: (due: readonly Poll[], now: number) => readonly Poll[];
  /** Whether a poll may be sent now. What it costs is taken. */
  readonly admit: (poll: Poll) => boolean;
};

/** Notes on a poll how it ended, and when it is due again. */
export function noteOutcome(target: Target, poll: Poll, outcome: Outcome, ended: number): void {
  const { cadence } = target;
  poll.lastAttempt = ended;
  if ("value" in outcome) {
    const { value } = outcome;
    const truncated = isTruncated(value);
    Object.assign(poll, { lastSuccess: ended, previous: value, truncated, failures: 0, unsupported: false });
    poll.error = undefined;
    poll.next = cadence.answered(poll, ended);
    return;
  }
  const { failure } = outcome;
  if (poll.endpoint.optional === true && cadence.isMissing(failure)) {
    Object.assign(poll, { failures: 0, unsupported: true, error: undefined });
    poll.next = ended + Math.max(poll.every, cadence.retryMissing);
    return;
  }
  Object.assign(poll, { failures: poll.failures + 1, unsupported: false, error: failure });
  poll.next = cadence.failed(poll, failure, ended);
}

function isTruncated(value: unknown): boolean {
  return typeof value === "object" && value !== null && "truncated" in value && value.truncated === true;
}

/** What a poll's end changed: the answer in the store was replaced, or it went, or neither. */
export type Change = "answered" | "expired" | "none";

/** Takes in how a poll ended: the tally, whether the target is up, and the answer in the store. */
export function takeOutcome(store: Store, target: Target, poll: Poll, outcome: Outcome, now: number): Change {
  const failure = "failure" in outcome ? outcome.failure : undefined;
  const tally = tallyOf(target.tallies, poll.endpoint.id);
  tally.polls++;
  if (failure !== undefined && !poll.unsupported)
    tally.failures.set(failure.reason, (tally.failures.get(failure.reason) ?? 0) + 1);
  if (failure === undefined || isNodesAnswer(failure.reason)) target.lastAnswer = now;
  target.up = target.upAfter(failure, now);
  if (!("value" in outcome)) return expire(store, poll, now) ? "expired" : "none";
  store.put(poll.owner, poll.endpoint, poll.key, { value: outcome.value, askedAt: outcome.askedAt, answeredAt: now });
  poll.heldSince = now;
  return "answered";
}

/** Removes an answer that is too old. True when there was one. */
export function expire(store: Store, poll: Poll, now: number): boolean {
  const { heldSince, every, timeout, failures } = poll;
  if (heldSince === undefined || !isExpired(heldSince, now, every, timeout, failures)) return false;
  poll.heldSince = undefined;
  return store.delete(poll.owner, poll.endpoint, poll.key);
}

/** Whether every poll has been sent and has ended once. */
export function isRoundComplete(targets: Iterable<Pick<Target, "polls">>): boolean {
  for (const { polls } of targets) {
    for (const { lastAttempt } of polls.values()) if (lastAttempt === undefined) return false;
  }
  return true;
}
