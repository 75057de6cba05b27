import type { Polled } from "../../api/endpoint.ts";
import { isNodesAnswer, type Failure } from "../../api/reasons.ts";
import type { MissedReason } from "../../topics/exporter/poll-record.ts";
import {
  heldFor,
  newPoll,
  pollId,
  slotsPassed,
  step,
  tallyOf,
  type Outcome,
  type Plan,
  type Poll,
  type PollEvent,
  type PollState,
  type Tally,
} from "./poll.ts";
import type { Store } from "./store.ts";

/** A polled node or hosted service. `ask` is a method, so that a target of a narrower poll type is assignable. */
export type Target = {
  /** The field that identifies it in log messages. */
  readonly named: Readonly<Record<string, string>>;
  /** By `pollId`. */
  readonly polls: ReadonlyMap<string, Poll>;
  readonly tallies: Map<string, Tally>;
  /** Questions whose request is under way, those of removed polls included. */
  readonly underWay: Set<string>;
  /** `undefined` until the first poll has ended. */
  up: boolean | undefined;
  /** When it last answered, successfully or with an error. Unix seconds. */
  answeredAt: number | undefined;
  /** When the last poll ended that showed whether it is up. Unix seconds. */
  judgedAt: number | undefined;
  /** Polls without a result, by reason. */
  readonly missed: Record<MissedReason, number>;
  closed: boolean;
  /** Sends the request of a poll. @throws ApiError */
  ask(poll: Poll): Promise<unknown>;
  readonly policy: Policy;
  /** Which due polls are sent now, in their order; their cost is taken. Without a gate all are sent at their time. */
  readonly gate?: (due: readonly Poll[], now: number) => readonly Poll[];
  /** Whether the target is up after a poll with this outcome. */
  upAfter(failure: Failure | undefined, now: number): boolean;
};

/** The state of a target that was not polled yet. */
export function unpolled() {
  return {
    tallies: new Map<string, Tally>(),
    underWay: new Set<string>(),
    up: undefined,
    answeredAt: undefined,
    judgedAt: undefined,
    missed: { running: 0, overloaded: 0 },
    closed: false,
  } satisfies Partial<Target>;
}

/** What follows a failed poll. Times are Unix seconds. */
export type Policy = {
  /** When a poll is sent again. @param answers whether the target has answered something since the previous attempt */
  readonly retryAt: (poll: Poll, failure: Failure, failures: number, now: number, answers: boolean) => number;
  /** Whether a failure means that the target does not have an optional endpoint. */
  readonly isMissing: (failure: Failure) => boolean;
  /** When a missing endpoint is asked for again. */
  readonly missingAt: (poll: Poll, now: number) => number;
};

/** Replaces the state of a poll after an event: the only place that does. */
export function apply(
  poll: Pick<Poll, "state"> & { readonly plan: Pick<Plan, "every" | "phase"> },
  event: PollEvent,
  now: number,
): void {
  poll.state = step(poll.plan, poll.state, event, now);
}

/**
 * Replaces a target's polls by the desired ones. A poll with the same question and owner keeps its results.
 * @param firstAt when an added poll is first due
 */
export function reconcilePolls<E extends Polled<unknown>>(
  polls: Map<string, Poll<E>>,
  desired: ReadonlyArray<Plan<E>>,
  now: number,
  firstAt: (plan: Plan<E>) => number,
): { readonly added: ReadonlyArray<Poll<E>>; readonly removed: ReadonlyArray<Poll<E>> } {
  const wanted = new Map(desired.map((plan) => [pollId(plan.endpoint, plan.key), plan]));
  const removed = [...polls.values()].filter(({ id }) => !wanted.has(id));
  for (const { id } of removed) polls.delete(id);
  const added: Array<Poll<E>> = [];
  for (const [id, plan] of wanted) {
    const known = polls.get(id);
    if (known?.plan.owner === plan.owner) {
      if (known.plan.every === plan.every && known.plan.timeout === plan.timeout) continue;
      known.plan = plan;
      apply(known, { is: "replanned" }, now);
      continue;
    }
    if (known !== undefined) removed.push(known);
    const poll = newPoll(plan, firstAt(plan));
    polls.set(id, poll);
    added.push(poll);
  }
  return { added, removed };
}

/** Whether a poll has failed because the exporter was too busy: that shows nothing of the target. */
export function isOurs(outcome: Outcome): boolean {
  return "failure" in outcome && outcome.failure.reason === "overloaded";
}

/** Applies the outcome of a poll to its state, to the counts and to `up`, and puts an answer into the store. */
export function takeOutcome(store: Store, target: Target, poll: Poll, outcome: Outcome, now: number): void {
  const { plan, state: before } = poll;
  const tally = tallyOf(target.tallies, plan.endpoint.id);
  tally.polls++;
  tally.seconds += outcome.took;
  target.missed.running += slotsPassed(plan, before, now);
  if (isOurs(outcome)) target.missed.overloaded++;
  apply(poll, eventOf(target, poll, outcome, now), now);
  if (isOurs(outcome)) return;
  target.judgedAt = now;
  const failure = "failure" in outcome ? outcome.failure : undefined;
  if (failure !== undefined && poll.state.last.is === "failing")
    tally.failures.set(failure.reason, (tally.failures.get(failure.reason) ?? 0) + 1);
  if (failure === undefined || isNodesAnswer(failure.reason)) target.answeredAt = now;
  target.up = target.upAfter(failure, now);
  if (!("value" in outcome)) return;
  const answer = { value: outcome.value, askedAt: outcome.askedAt, answeredAt: now };
  store.put(plan.owner, plan.endpoint, plan.key, answer, now + heldFor(plan, poll.state));
}

function eventOf(target: Target, poll: Poll, outcome: Outcome, now: number): PollEvent {
  if (isOurs(outcome)) return { is: "missed" };
  if ("value" in outcome) return { is: "answered", settled: isSettled(poll, outcome.value) };
  const { policy, answeredAt = -Infinity } = target;
  const { attemptedAt, failures } = poll.state;
  const { failure } = outcome;
  const answers = attemptedAt !== undefined && answeredAt > attemptedAt;
  const unsupported = isUnsupported(target, poll, failure, answers);
  const at = unsupported ? policy.missingAt(poll, now) : policy.retryAt(poll, failure, failures + 1, now, answers);
  return { is: "failed", failure, unsupported, at };
}

function isSettled({ plan: { endpoint } }: Poll, value: unknown): boolean {
  return "settled" in endpoint && endpoint.settled?.(value) === true;
}

/** Failures in a row after which an endpoint that has answered before counts as missing. */
const BELIEVED_AFTER = 3;

/**
 * Whether a failure shows that the target lacks the endpoint. A gateway without a backend answers like that to everything: the
 * target must have answered something since the previous attempt, and an endpoint that has answered before must fail three times.
 */
function isUnsupported({ policy }: Target, { plan, state }: Poll, failure: Failure, answers: boolean): boolean {
  if (plan.endpoint.optional !== true || !policy.isMissing(failure)) return false;
  if (state.last.is === "unsupported") return true;
  if (state.attemptedAt !== undefined && !answers) return false;
  return state.succeededAt === undefined || state.failures + 1 >= BELIEVED_AFTER;
}

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

/** Whether every poll has ended once. */
export function isRoundComplete(targets: Iterable<Pick<Target, "polls">>): boolean {
  for (const { polls } of targets) for (const { state } of polls.values()) if (isUntried(state)) return false;
  return true;
}

/** Whether no attempt has ended yet, not even one that the exporter missed. */
export const isUntried = ({ attemptedAt }: PollState): boolean => attemptedAt === undefined;
