import { type Failure, isNodesAnswer, isOfExporter, isRefusal } from "../../api/reasons.ts";
import type { InvalidRows } from "../../api/wire.ts";
import { apply, heldFor, type Poll, type PollEvent, type PollOutcome, slotsPassed } from "./poll.ts";
import type { Store } from "./store.ts";
import { tallyOf } from "./poll-tally.ts";
import type { Target } from "./target.ts";

/** Applies the outcome of a poll to its state, to the counts and to `up`, and puts an answer into the store. */
export function takeOutcome(store: Store, target: Target, poll: Poll, outcome: PollOutcome, now: number): void {
  const { plan, state: before } = poll;
  const failure = "failure" in outcome ? outcome.failure : undefined;
  const tally = tallyOf(target.tallies, plan.endpoint.id);
  tally.polls++;
  tally.seconds += outcome.took;
  target.missed.running += slotsPassed(plan, before, now);
  if (failure !== undefined && isOfExporter(failure.reason)) {
    target.missed[failure.reason]++;
    apply(poll, { is: "missed" }, now);
    return;
  }
  apply(poll, eventOf(target, poll, outcome, now), now);
  target.judgedAt = now;
  if (failure !== undefined && poll.state.last.is === "failing" && !isInDoubt(poll, failure))
    tally.failures.set(failure.reason, (tally.failures.get(failure.reason) ?? 0) + 1);
  if (failure === undefined || isNodesAnswer(failure.reason)) target.answeredAt = now;
  target.up = target.upAfter(failure, now);
  if (!("value" in outcome)) return;
  const invalid = invalidRowsOf(outcome.value);
  if (invalid !== undefined) tally.invalidRows = (tally.invalidRows ?? 0) + invalid.count;
  const answer = { value: outcome.value, askedAt: outcome.askedAt, answeredAt: now, by: target.named["node"] };
  store.put(plan.owner, plan.endpoint, plan.key, answer, now + heldFor(plan, poll.state));
}

type Line = { readonly endpoint: string; readonly rows: number; readonly problem: string };

const ALL_VALID: InvalidRows = { count: 0, problem: "" };

/** The rows of an answer that were read without a field; `undefined` of an answer whose rows cannot lack any. */
function invalidRowsOf(value: unknown): InvalidRows | undefined {
  if (typeof value !== "object" || value === null || !("invalidRows" in value)) return undefined;
  return (value.invalidRows as InvalidRows | undefined) ?? ALL_VALID;
}

/** How many rows of an answer are wrong, for the log; `undefined` where some of the last answer were: it is the same in each. */
export function newlyInvalid(store: Store, { plan }: Poll, outcome: PollOutcome, now: number): Line | undefined {
  const { count: rows, problem } = ("value" in outcome ? invalidRowsOf(outcome.value) : undefined) ?? ALL_VALID;
  const before = invalidRowsOf(store.get(plan.owner, plan.endpoint, now, plan.key)?.value);
  return rows === 0 || (before ?? ALL_VALID).count > 0 ? undefined : { endpoint: plan.endpoint.id, rows, problem };
}

function eventOf(target: Target, poll: Poll, outcome: PollOutcome, now: number): PollEvent {
  const { policy, answeredAt = -Infinity } = target;
  const { endpoint } = poll.plan;
  if ("value" in outcome)
    return { is: "answered", settled: "settled" in endpoint && endpoint.settled?.(outcome.value) === true };
  const { attemptedAt, failures } = poll.state;
  const { failure } = outcome;
  const answers = attemptedAt !== undefined && answeredAt > attemptedAt;
  const unsupported = isUnsupported(target, poll, failure, answers);
  const at = unsupported ? policy.missingAt(poll, now) : policy.retryAt(poll, failure, failures + 1, now, answers);
  return { is: "failed", failure, unsupported, at };
}

/** Failures in a row after which what is in doubt counts as missing. */
const BELIEVED_AFTER = 3;

/**
 * Whether a failure shows that the target lacks the endpoint. A gateway without a backend answers like that to everything: the
 * target must have answered something since the previous attempt, and an endpoint that has answered before must fail three times.
 * A refusal in other words than those for a missing endpoint counts after three times where the endpoint has never answered.
 */
function isUnsupported({ policy }: Target, { plan, state }: Poll, failure: Failure, answers: boolean): boolean {
  const isNamed = policy.isMissing(failure);
  if (plan.endpoint.optional !== true || !(isNamed || isRefusal(failure))) return false;
  if (state.last.is === "unsupported") return true;
  if (state.attemptedAt !== undefined && !answers) return false;
  const isPersistent = state.failures + 1 >= BELIEVED_AFTER;
  return state.succeededAt === undefined ? isNamed || isPersistent : isNamed && isPersistent;
}

/**
 * Whether the target can lack what it refuses, in whatever words, and has never answered: no failure, whatever has arrived before.
 * Otherwise what `once` counts of a proxy would depend on the order of the answers.
 */
function isInDoubt({ plan, state }: Poll, failure: Failure): boolean {
  return plan.endpoint.optional === true && isRefusal(failure) && state.succeededAt === undefined;
}

/** For what polls once: a target that answers lacks what is in doubt. */
export function concludeRound(targets: readonly Target[], now: number): void {
  for (const { policy, polls } of targets.filter(({ up }) => up === true))
    for (const poll of polls.values()) {
      const { last } = poll.state;
      if (last.is === "failing" && isInDoubt(poll, last.failure))
        apply(poll, { is: "failed", failure: last.failure, unsupported: true, at: policy.missingAt(poll, now) }, now);
    }
}
