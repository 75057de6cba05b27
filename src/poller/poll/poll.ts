import type { Polled } from "../../api/endpoint.ts";
import { type Failure, type Reason, isNodesAnswer, isOfExporter, isRefusal } from "../../api/reasons.ts";
import type { AnyEndpoint } from "../../topics/define/catalogue.ts";
import type { InvalidRows } from "../../api/wire.ts";
import { nextSlot } from "./schedule.ts";
import type { MissedReason } from "../../topics/poll-record.ts";
import type { Store } from "./store.ts";
import type { Unknown } from "../../api/unknown/unknown-names.ts";

/** What a target is asked, and when: one question with its schedule. Seconds. */
export type Plan<E extends Polled<unknown> = AnyEndpoint> = {
  readonly endpoint: E;
  /** Subject of the question (chain, subnet, alias); empty for an endpoint with one question. */
  readonly key: string;
  /** Owner of the answer in the store: the target, or its network. */
  readonly owner: string;
  readonly every: number;
  readonly timeout: number;
  /** Offset of the slots: 0 to `every`. */
  readonly phase: number;
};

/** When a poll is sent next, and what is known of its last attempts. Times are Unix seconds. */
export type PollState = {
  readonly wait:
    | { readonly is: "due"; readonly at: number }
    /** `next` is the slot after this attempt; `again`: it is sent once more as soon as it has ended. */
    | { readonly is: "running"; readonly next: number; readonly again: boolean };
  readonly last:
    /** Not polled yet. */
    | { readonly is: "waiting" }
    | { readonly is: "ok" }
    | { readonly is: "failing"; readonly failure: Failure }
    /** The target lacks this optional endpoint. */
    | { readonly is: "unsupported" };
  /** Failures in a row. */
  readonly failures: number;
  readonly attemptedAt: number | undefined;
  readonly succeededAt: number | undefined;
  /** Whether the last answer stays until the node restarts, so that it is asked for every fourth slot only. */
  readonly settled: boolean;
  /** When it was last sent early. */
  readonly hurriedAt: number;
  /** Whether an attempt that is due at once has not ended: the first one, or one that another answer made necessary. */
  readonly owed: boolean;
};

export type PollEvent =
  | { readonly is: "started" }
  | { readonly is: "answered"; readonly settled: boolean }
  /** `at`: when it is sent again, as the target's policy wants it. */
  | { readonly is: "failed"; readonly failure: Failure; readonly unsupported: boolean; readonly at: number }
  /** The exporter was too busy to read the answer: nothing is known of the target. */
  | { readonly is: "missed" }
  /** The question has changed, or the target is back. `limited`: at most once an interval, for what a node can cause at will. */
  | { readonly is: "wanted"; readonly at: number; readonly limited: boolean }
  | { readonly is: "replanned" };

/** A plan and its state, which `apply` alone replaces. */
export type Poll<E extends Polled<unknown> = AnyEndpoint> = {
  /** Name of the poll within its target. */
  readonly id: string;
  plan: Plan<E>;
  state: PollState;
  /** The names that were new in its answers when they were last looked at, and when that was. */
  seen?: Seen;
};

/** Unix seconds, and the names by their text. */
export type Seen = { readonly at: number; readonly names: Map<string, Unknown> };

/** The result of a poll. `askedAt` is Unix seconds, `took` the duration in seconds. */
export type PollOutcome = { readonly askedAt: number; readonly took: number } & PollResult;

export type PollResult = { readonly value: unknown } | { readonly failure: Failure };

/** A settled answer is asked for once in this many intervals. */
export const SETTLED_INTERVALS = 4;

/** Intervals without an answer after which the last one is not exported. */
export const SILENT_INTERVALS = 3;

/** Seconds for the answer of the third poll to arrive. */
const GRACE = 1;

/** Seconds after which a missed poll with a longer interval is sent again. */
const RETRY_MISSED = 60;

/** Seconds between two polls, once the answer is settled or before. */
export function intervalOf({ every }: Pick<Plan, "every">, { settled }: Pick<PollState, "settled">): number {
  return settled ? every * SETTLED_INTERVALS : every;
}

/** Seconds for which an answer counts without another one: until three polls in a row have failed. */
export function heldFor({ every }: Pick<Plan, "every">, { settled }: Pick<PollState, "settled">): number {
  return (SILENT_INTERVALS - 1) * every + intervalOf({ every }, { settled }) + GRACE;
}

/** A poll that was never sent. @param at Unix seconds of its first slot */
export function newPoll<E extends Polled<unknown>>(plan: Plan<E>, at: number): Poll<E> {
  const state: PollState = {
    wait: { is: "due", at },
    last: { is: "waiting" },
    failures: 0,
    attemptedAt: undefined,
    succeededAt: undefined,
    settled: false,
    hurriedAt: -Infinity,
    owed: true,
  };
  return { id: pollId(plan.endpoint, plan.key), plan, state };
}

/** Name of a poll within its target. */
export function pollId({ id }: Pick<Polled<unknown>, "id">, key: string): string {
  return key === "" ? id : `${id} ${key}`;
}

type Slots = Pick<Plan, "every" | "phase">;

/** The state of a poll after an event. @param now Unix seconds */
export function step(plan: Slots, state: PollState, event: PollEvent, now: number): PollState {
  const { every, phase } = plan;
  const owed = state.wait.is === "running" && state.wait.again;
  switch (event.is) {
    case "started": {
      const due = state.wait.is === "due" ? state.wait.at : now;
      // Timers can fire a millisecond early, and the slot of this poll must not come again. A first poll lies off the
      // schedule: it serves a slot that follows closely too.
      return {
        ...state,
        wait: { is: "running", next: nextSlot(Math.max(now, due) + every / 4, every, phase), again: false },
      };
    }
    case "answered": {
      const { settled } = event;
      const slot = settled
        ? nextSlot(now + (SETTLED_INTERVALS - 1) * every, every, phase)
        : slotAfter(plan, state, now);
      const ok = { last: { is: "ok" }, failures: 0, attemptedAt: now, succeededAt: now, settled, owed } as const;
      return { ...state, ...ok, wait: ended(state, slot, now) };
    }
    case "failed": {
      const { failure, unsupported, at } = event;
      const last = unsupported ? ({ is: "unsupported" } as const) : ({ is: "failing", failure } as const);
      const failures = unsupported ? 0 : state.failures + 1;
      return { ...state, last, failures, attemptedAt: now, settled: false, owed, wait: ended(state, at, now) };
    }
    case "missed":
      return {
        ...state,
        attemptedAt: now,
        owed,
        wait: ended(state, Math.min(slotAfter(plan, state, now), now + RETRY_MISSED), now),
      };
    case "wanted":
      if (event.limited && now - state.hurriedAt < every) return state;
      return {
        ...state,
        hurriedAt: now,
        owed: state.owed || event.at <= now,
        wait: sooner(state.wait, event.at),
      };
    case "replanned":
      return { ...state, wait: sooner(state.wait, nextSlot(now, every, phase), false) };
  }
}

/** The slot after the running attempt, or after now. */
export function slotAfter({ every, phase }: Slots, { wait }: PollState, now: number): number {
  return wait.is === "running" && wait.next > now ? wait.next : nextSlot(now, every, phase);
}

/** Slots that passed while the poll was running: it is never sent twice at once. */
export function slotsPassed({ every }: Pick<Plan, "every">, { wait }: PollState, now: number): number {
  return wait.is === "running" && wait.next <= now ? 1 + Math.floor((now - wait.next) / every) : 0;
}

function ended({ wait }: PollState, at: number, now: number): PollState["wait"] {
  return { is: "due", at: wait.is === "running" && wait.again ? now : at };
}

function sooner(wait: PollState["wait"], at: number, again = true): PollState["wait"] {
  if (wait.is === "running") return again ? { ...wait, again } : { ...wait, next: Math.min(wait.next, at) };
  return { is: "due", at: Math.min(wait.at, at) };
}

/** Polls of one endpoint since the start, over all its keys, and their duration in seconds; `requests` counts pages too. */
const newTally = () => ({
  polls: 0,
  seconds: 0,
  requests: 0,
  /** Rows of answers that were read without a field; `undefined` where rows cannot lack any. */
  invalidRows: undefined as number | undefined,
  failures: new Map<Reason, number>(),
});
export type PollTally = ReturnType<typeof newTally>;

/** The tally of an endpoint, created on first use. */
export function tallyOf(tallies: Map<string, PollTally>, endpoint: string): PollTally {
  const tally = tallies.get(endpoint) ?? newTally();
  tallies.set(endpoint, tally);
  return tally;
}

/** A polled node or hosted service. `ask` is a method, so that a target of a narrower poll type is assignable. */
export type Target = {
  /** The field that identifies it in log messages. */
  readonly named: Readonly<Record<string, string>>;
  /** By `pollId`. */
  readonly polls: ReadonlyMap<string, Poll>;
  readonly tallies: Map<string, PollTally>;
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
  readonly policy: FailurePolicy;
  /** Which due polls are sent now, in their order; their cost is taken. Without a gate all are sent at their time. */
  readonly gate?: (due: readonly Poll[], now: number) => readonly Poll[];
  /** Whether the target is up after a poll with this outcome; `undefined`: unknown. */
  upAfter(failure: Failure | undefined, now: number): boolean | undefined;
};

/** The state of a target that was not polled yet. */
export function unpolled() {
  return {
    tallies: new Map<string, PollTally>(),
    underWay: new Set<string>(),
    up: undefined,
    answeredAt: undefined,
    judgedAt: undefined,
    missed: { running: 0, overloaded: 0, descriptors: 0 },
    closed: false,
  } satisfies Partial<Target>;
}

/** What follows a failed poll. Times are Unix seconds. */
export type FailurePolicy = {
  /** When a poll is sent again. @param answers whether the target has answered something since the previous attempt */
  readonly retryAt: (poll: Poll, failure: Failure, failures: number, now: number, answers: boolean) => number;
  /** Whether a failure means that the target does not have an optional endpoint. */
  readonly isMissing: (failure: Failure) => boolean;
  /** When a missing endpoint is asked for again. */
  readonly missingAt: (poll: Poll, now: number) => number;
};

/** Replaces the state of a poll after an event: the only place that does. */
export function apply(poll: { readonly plan: Slots; state: PollState }, event: PollEvent, now: number): void {
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
  if (failure !== undefined && poll.state.last.is === "failing")
    tally.failures.set(failure.reason, (tally.failures.get(failure.reason) ?? 0) + 1);
  if (failure === undefined || isNodesAnswer(failure.reason)) target.answeredAt = now;
  target.up = target.upAfter(failure, now);
  if (!("value" in outcome)) return;
  const invalid = invalidRowsOf(outcome.value);
  if (invalid !== undefined) tally.invalidRows = (tally.invalidRows ?? 0) + invalid.count;
  const answer = { value: outcome.value, askedAt: outcome.askedAt, answeredAt: now, by: target.named["node"] };
  store.put(plan.owner, plan.endpoint, plan.key, answer, now + heldFor(plan, poll.state));
}

export const ALL_VALID: InvalidRows = { count: 0, problem: "" };

/** The rows of an answer that were read without a field; `undefined` of an answer whose rows cannot lack any. */
export function invalidRowsOf(value: unknown): InvalidRows | undefined {
  if (typeof value !== "object" || value === null || !("invalidRows" in value)) return undefined;
  return (value.invalidRows as InvalidRows | undefined) ?? ALL_VALID;
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

/** Least seconds without a result of any poll after which it is unknown whether a target is up: the exporter was too busy. */
const UNKNOWN_AFTER = 300;

/** Whether the target is up: its last judgement, while polls still come to one. */
export function isUp({ up, judgedAt, polls }: Target, now: number): boolean | undefined {
  if (judgedAt === undefined) return undefined;
  return now - judgedAt <= Math.max(UNKNOWN_AFTER, 3 * shortestInterval(polls.values())) ? up : undefined;
}

/** The shortest interval of these polls, seconds; 0 without any. */
export function shortestInterval(polls: Iterable<Pick<Poll, "plan">>): number {
  const shortest = Math.min(...Array.from(polls, ({ plan }) => plan.every));
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

/** Whether no attempt has ended yet, not even one that the exporter missed. */
export const isUntried = ({ attemptedAt }: PollState): boolean => attemptedAt === undefined;
