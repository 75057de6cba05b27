import type { Polled } from "../../api/endpoint.ts";
import type { Failure } from "../../api/reasons.ts";
import type { AnyEndpoint } from "../../topics/define/catalogue.ts";
import { nextSlot } from "./schedule.ts";
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
export type Seen = { readonly at: number; readonly names: ReadonlyMap<string, Unknown> };

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
      return { ...state, hurriedAt: now, owed: state.owed || event.at <= now, wait: sooner(state.wait, event.at) };
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

/** Replaces the state of a poll after an event: the only place that does. */
export function apply(poll: { readonly plan: Slots; state: PollState }, event: PollEvent, now: number): void {
  poll.state = step(poll.plan, poll.state, event, now);
}

/** Whether no attempt has ended yet, not even one that the exporter missed. */
export const isUntried = ({ attemptedAt }: PollState): boolean => attemptedAt === undefined;
