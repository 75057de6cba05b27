import type { Failure } from "../../api/reasons.ts";
import type { MissedReason } from "../../topics/own-records.ts";
import { isUntried, type Poll, type PollOutcome } from "./poll.ts";
import type { PollTally } from "./poll-tally.ts";

/** What is known of a target. At first nothing: it was not polled yet. */
export class TargetState {
  /** By endpoint. */
  readonly tallies = new Map<string, PollTally>();
  /** Questions whose request is under way, those of removed polls included. */
  readonly underWay = new Set<string>();
  /** `undefined` until the first poll has ended. */
  up: boolean | undefined;
  /** When it last answered, successfully or with an error. Unix seconds. */
  answeredAt: number | undefined;
  /** When the last poll ended that showed whether it is up. Unix seconds. */
  judgedAt: number | undefined;
  /** Polls without a result, by reason. */
  readonly missed: Record<MissedReason, number> = { running: 0, overloaded: 0, descriptors: 0 };
  closed = false;
}

/** A polled node or hosted service. Its functions are methods, so that a target of a narrower poll type is assignable. */
export type Target = TargetState & {
  /** The field that identifies it in log messages. */
  readonly named: Readonly<Record<string, string>>;
  /** By `pollId`. */
  readonly polls: ReadonlyMap<string, Poll>;
  readonly policy: FailurePolicy;
  /** Sends the request of a poll. @throws ApiError */
  ask(poll: Poll): Promise<unknown>;
  /** Takes the outcome of a poll that was not removed meanwhile. */
  end(poll: Poll, outcome: PollOutcome): void;
  /** Which due polls are sent now, in their order; their cost is taken. Without a gate all are sent at their time. */
  gate?(due: readonly Poll[], now: number): readonly Poll[];
  /** Whether the target is up after a poll with this outcome; `undefined`: unknown. */
  upAfter(failure: Failure | undefined, now: number): boolean | undefined;
};

/** What follows a failed poll. Times are Unix seconds. */
export type FailurePolicy = {
  /** When a poll is sent again. @param answers whether the target has answered something since the previous attempt */
  readonly retryAt: (poll: Poll, failure: Failure, failures: number, now: number, answers: boolean) => number;
  /** Whether a failure means that the target does not have an optional endpoint. */
  readonly isMissing: (failure: Failure) => boolean;
  /** When a missing endpoint is asked for again. */
  readonly missingAt: (poll: Poll, now: number) => number;
};

/** Least seconds without a result of any poll after which it is unknown whether a target is up: the exporter was too busy. */
const UNKNOWN_AFTER = 300;

/** Whether the target is up: its last judgement, while polls still come to one. */
export function isUp({ up, judgedAt, polls }: Target, now: number): boolean | undefined {
  if (judgedAt === undefined) return undefined;
  return now - judgedAt <= Math.max(UNKNOWN_AFTER, 3 * shortestInterval(polls.values())) ? up : undefined;
}

/** The shortest interval of these polls, seconds; 0 without any. */
export function shortestInterval(polls: Iterable<Pick<Poll, "plan">>): number {
  let shortest = Infinity;
  for (const { plan } of polls) shortest = Math.min(shortest, plan.every);
  return Number.isFinite(shortest) ? shortest : 0;
}

/** Whether every poll of a target has ended once. */
export function isRoundComplete({ polls }: Pick<Target, "polls">): boolean {
  return polls.values().every(({ state }) => !isUntried(state));
}

/** Whether every poll of a target has ended, and again where an answer made that necessary. */
export function isRoundOver({ polls }: Pick<Target, "polls">): boolean {
  return polls.values().every(({ state }) => !state.owed);
}
