import type { HostedEndpoint, Priority } from "../../api/hosted/hosted.ts";
import type { Failure, Reason } from "../../api/reasons.ts";
import { fractionOf, nextOnGrid } from "../grid.ts";

/** One question to a hosted service, and how it went so far. Times are Unix seconds. */
export type Question = {
  readonly endpoint: HostedEndpoint<unknown>;
  readonly key: string;
  every: number;
  timeout: number;
  next: number;
  running: boolean;
  lastAttempt: number | undefined;
  lastSuccess: number | undefined;
  /** Failures in a row. */
  failures: number;
  unsupported: boolean;
  error: Failure | undefined;
  truncated: boolean;
  heldSince: number | undefined;
  /** The last answer, for endpoints that follow something. */
  previous: unknown;
  removed: boolean;
};

/** Requests of one endpoint since the start. */
export type HostedTally = { requests: number; readonly failures: Map<Reason, number> };

export const questionId = (endpoint: string, key: string): string => `${endpoint} ${key}`;

export function newQuestion(
  endpoint: HostedEndpoint<unknown>,
  key: string,
  settings: { readonly every: number; readonly timeout: number },
  now: number,
): Question {
  return {
    endpoint,
    key,
    ...settings,
    next: now,
    running: false,
    lastAttempt: undefined,
    lastSuccess: undefined,
    failures: 0,
    unsupported: false,
    error: undefined,
    truncated: false,
    heldSince: undefined,
    previous: undefined,
    removed: false,
  };
}

/** Its next place on the grid after `now`; the phase is hashed, so that questions are spread over their interval. */
export function nextSlot({ endpoint, key, every }: Question, now: number): number {
  return nextOnGrid(now, every, fractionOf(questionId(endpoint.id, key)) * every);
}

/** What a class of value is worth in lateness: so many of its own intervals a poll may be late before the next class catches up. */
const HEAD_START: Readonly<Record<Priority, number>> = { 1: 0.6, 2: 0.4, 3: 0.2, 4: 0 };
/** What has never been asked goes first, and what is worth most goes long before the rest: so many times its head start. */
const NEVER_ASKED = 1;
const AT_FIRST = 5;

/** How late it is, in its own intervals. */
export function lateness({ next, every }: Question, now: number): number {
  return Math.max(0, now - next) / every;
}

/** Who goes first: the larger. Lateness grows without bound and the rest does not, so that nobody waits for ever. */
export function urgency(question: Question, now: number): number {
  const start = HEAD_START[question.endpoint.priority];
  return lateness(question, now) + (question.lastAttempt === undefined ? NEVER_ASKED + AT_FIRST * start : start);
}

/** Seconds until a failed question is asked again: sooner than its cadence, but twice as long after each failure. */
const FIRST_RETRY = 60;
/** Seconds until a question about something that the service does not have is asked again. */
const UNSUPPORTED_RETRY = 86_400;

/** What a question remembers of its end, and when it is due again. */
export function noteSuccess(question: Question, value: { readonly truncated?: boolean }, ended: number): void {
  Object.assign(question, {
    lastAttempt: ended,
    lastSuccess: ended,
    heldSince: ended,
    failures: 0,
    unsupported: false,
    error: undefined,
    truncated: value.truncated === true,
    previous: value,
    next: nextSlot(question, ended),
  });
}

export function noteFailure(question: Question, failure: Failure, ended: number): void {
  question.lastAttempt = ended;
  if (question.endpoint.optional === true && failure.status === 404) {
    Object.assign(question, { failures: 0, unsupported: true, error: undefined, next: ended + UNSUPPORTED_RETRY });
    return;
  }
  question.failures++;
  question.unsupported = false;
  question.error = failure;
  const retry = FIRST_RETRY * 2 ** Math.min(question.failures - 1, 10);
  question.next = ended + Math.max(Math.min(retry, question.every), Math.min(failure.retryAfter ?? 0, 3600));
}
