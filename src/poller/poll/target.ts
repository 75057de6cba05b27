import { isNodesAnswer, type Failure } from "../../api/reasons.ts";
import type { MissedReason } from "../../topics/exporter/poll-record.ts";
import { heldFor, SILENT_INTERVALS } from "./interval.ts";
import { unstretched } from "./schedule.ts";
import { tallyOf, type Outcome, type Poll, type Tally } from "./poll.ts";
import { nextSlot } from "./schedule.ts";
import type { Store } from "./store.ts";

/** A polled node or hosted service. `ask` is a method, so that a target of a narrower poll type is assignable. */
export type Target = {
  /** The field that identifies it in log messages. */
  readonly named: Readonly<Record<string, string>>;
  /** By `pollId`. */
  readonly polls: ReadonlyMap<string, Poll>;
  readonly tallies: Map<string, Tally>;
  /** `undefined` until the first poll has ended. */
  up: boolean | undefined;
  /** When it last answered, successfully or with an error. Unix seconds. */
  lastAnswer: number | undefined;
  /** When the last poll ended that showed whether it is up. Unix seconds. */
  judgedAt: number | undefined;
  /** Polls without a result, by reason. */
  readonly missed: Record<MissedReason, number>;
  /** By how much the exporter stretches the intervals of its polls. */
  stretch: number;
  closed: boolean;
  /** Sends the request of a poll. @throws ApiError */
  ask(poll: Poll): Promise<unknown>;
  readonly cadence: Cadence;
  /** Decides which due polls are sent, and in which order; without a gate all are sent. */
  readonly gate?: Gate;
  /** Whether the target is up after a poll with this outcome. */
  upAfter(failure: Failure | undefined, now: number): boolean;
};

/** When the polls of a target are due again, in Unix seconds. */
export type Cadence = {
  readonly sent: (poll: Poll, at: number) => number;
  readonly answered: (poll: Poll, at: number) => number;
  /** @param answers whether the target has answered something since the previous attempt */
  readonly failed: (poll: Poll, failure: Failure, at: number, answers: boolean) => number;
  /** Whether a failure means that the target does not have an optional endpoint. */
  readonly isMissing: (failure: Failure) => boolean;
  /**
   * Least seconds until a missing endpoint is polled again.
   * @param answered seconds since its last answer; `undefined` if it has never answered
   */
  readonly retryMissing: (answered: number | undefined) => number;
};

export type Gate = {
  /** Continues running polls that wait for the gate. False while some still wait: no new poll is sent before them. */
  readonly resume: () => boolean;
  /** Sorts due polls into the order in which they are sent. */
  readonly order: (due: readonly Poll[], now: number) => readonly Poll[];
  /** Whether a poll can be sent now; if so, its cost is taken. */
  readonly admit: (poll: Poll) => boolean;
};

/** Records on a poll its outcome and when it is due again. */
export function noteOutcome(target: Target, poll: Poll, outcome: Outcome, ended: number): void {
  const { cadence, lastAnswer = -Infinity } = target;
  const before = poll.lastAttempt;
  poll.lastAttempt = ended;
  if ("value" in outcome) {
    const { value } = outcome;
    const previous = poll.endpoint.follows === true ? value : undefined;
    const answered = { lastSuccess: ended, previous, truncated: isTruncated(value), error: undefined };
    Object.assign(poll, answered, { failures: 0, unsupported: false });
    poll.next = cadence.answered(poll, ended);
    return;
  }
  const { failure } = outcome;
  if (isOurs(outcome)) {
    poll.next = Math.min(cadence.answered(poll, ended), ended + Math.max(poll.every, RETRY_MISSED));
    return;
  }
  if (isMissing(target, poll, failure, before)) {
    Object.assign(poll, { failures: 0, unsupported: true, error: undefined });
    const answered = poll.lastSuccess === undefined ? undefined : ended - poll.lastSuccess;
    // On its slots: a poll that returns within an interval must not wait for a second one.
    const wait = cadence.retryMissing(answered);
    poll.next = wait > poll.every ? ended + wait : nextSlot(ended, poll.every, poll.phase);
    return;
  }
  Object.assign(poll, { failures: poll.failures + 1, unsupported: false, error: failure });
  poll.next = cadence.failed(poll, failure, ended, before !== undefined && lastAnswer > before);
}

/** Seconds after which a missed poll with a longer interval is sent again. */
const RETRY_MISSED = 60;

/** Whether a poll has failed because the exporter was too busy: that shows nothing of the target. */
export function isOurs(outcome: Outcome): boolean {
  return "failure" in outcome && outcome.failure.reason === "overloaded";
}

/** Failures in a row after which an endpoint that has answered before counts as missing. */
const BELIEVED_AFTER = 3;

/**
 * Whether a failure shows that the target lacks the endpoint. A gateway without a backend answers like that to everything: the
 * target must have answered something since the previous attempt, and an endpoint that has answered before must fail three times.
 * @param before Unix seconds of the previous attempt
 */
function isMissing(
  { cadence, lastAnswer = -Infinity }: Target,
  { endpoint, lastSuccess, failures, unsupported }: Poll,
  failure: Failure,
  before: number | undefined,
): boolean {
  if (endpoint.optional !== true || !cadence.isMissing(failure)) return false;
  if (unsupported) return true;
  if (before !== undefined && lastAnswer <= before) return false;
  return lastSuccess === undefined || failures + 1 >= BELIEVED_AFTER;
}

function isTruncated(value: unknown): boolean {
  return typeof value === "object" && value !== null && "truncated" in value && value.truncated === true;
}

/** Seconds after which it is unknown whether a target is up, while the exporter is too busy for any result. */
const UNKNOWN_AFTER = 300;

/** What happened to the answer in the store: replaced, removed, or neither. */
type Change = "answered" | "expired" | "none";

/** Applies an outcome to the tally, to `up` and to the answer in the store. */
export function takeOutcome(store: Store, target: Target, poll: Poll, outcome: Outcome, now: number): Change {
  const failure = "failure" in outcome ? outcome.failure : undefined;
  const tally = tallyOf(target.tallies, poll.endpoint.id);
  tally.polls++;
  tally.seconds += outcome.took;
  if (isOurs(outcome)) {
    target.missed.overloaded++;
    if (target.judgedAt !== undefined && now - target.judgedAt > UNKNOWN_AFTER) target.up = undefined;
    return expire(store, poll, now) ? "expired" : "none";
  }
  target.judgedAt = now;
  if (failure !== undefined && !poll.unsupported)
    tally.failures.set(failure.reason, (tally.failures.get(failure.reason) ?? 0) + 1);
  if (failure === undefined || isNodesAnswer(failure.reason)) target.lastAnswer = now;
  target.up = target.upAfter(failure, now);
  if (!("value" in outcome)) return expire(store, poll, now) ? "expired" : "none";
  store.put(poll.owner, poll.endpoint, poll.key, { value: outcome.value, askedAt: outcome.askedAt, answeredAt: now });
  poll.heldSince = now;
  return "answered";
}

/**
 * Whether an answer is too old to be exported: three intervals have passed, and the third poll failed or did not end.
 * @param answeredAt Unix seconds
 * @param limit seconds for which it is held, from `heldFor`
 */
export function isExpired(answeredAt: number, now: number, limit: number, timeout: number, failures: number): boolean {
  const silent = now - answeredAt;
  return silent > limit + timeout || (failures >= SILENT_INTERVALS && silent >= limit - 1);
}

/** Removes an expired answer. True when there was one. */
export function expire(store: Store, poll: Poll, now: number): boolean {
  const { heldSince, stretch, timeout, failures } = poll;
  if (heldSince === undefined) return false;
  if (!isExpired(heldSince, now, heldFor(unstretched(poll), stretch), timeout, failures)) return false;
  poll.heldSince = undefined;
  return store.delete(poll.owner, poll.endpoint, poll.key);
}

/** Whether every poll has ended once. */
export function isRoundComplete(targets: Iterable<Pick<Target, "polls">>): boolean {
  for (const { polls } of targets) {
    for (const { lastAttempt } of polls.values()) if (lastAttempt === undefined) return false;
  }
  return true;
}
