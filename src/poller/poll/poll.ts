import type { Polled } from "../../api/endpoint.ts";
import type { Failure, Reason } from "../../api/reasons.ts";
import { stretched } from "./interval.ts";
import type { AnyEndpoint } from "../../topics/define/catalogue.ts";

/** One question to one target, with its schedule and its results. Times are Unix seconds. */
export type Poll<E extends Polled<unknown> = AnyEndpoint> = {
  readonly endpoint: E;
  /** Subject of the question (chain, subnet, alias); empty for an endpoint with one question. */
  readonly key: string;
  /** Owner of the answer in the store: the target, or its network. */
  readonly owner: string;
  /** Interval of the configuration. Seconds. */
  configured: number;
  /** Whether its answer is settled, so that it is sent less often. */
  eased: boolean;
  /** By how much the exporter stretches its intervals: 1 or more. */
  stretch: number;
  /** Interval in use, from `intervalOf`. Seconds. */
  every: number;
  timeout: number;
  phase: number;
  next: number;
  running: boolean;
  /** Whether to poll again as soon as the running poll ends, because the question has changed meanwhile. */
  again: boolean;
  cancel: (() => void) | undefined;
  lastAttempt: number | undefined;
  lastSuccess: number | undefined;
  /** Failures in a row. */
  failures: number;
  unsupported: boolean;
  /** The last failure, while the endpoint is failing. */
  error: Failure | undefined;
  /** When the answer in the store arrived; `undefined` when there is none. */
  heldSince: number | undefined;
  /** The last answer, of an endpoint that `follows`: kept when the answer expires, dropped when another node answers. */
  previous: unknown;
  /** Whether more data followed the last answer than the configuration allows to read. */
  truncated: boolean;
};

/** The outcome of a poll. `askedAt` is Unix seconds, `took` the duration in seconds. */
export type Outcome = { readonly askedAt: number; readonly took: number } & Result;

export type Result = { readonly value: unknown } | { readonly failure: Failure };

/** Number of polls of one endpoint since the start, over all its keys, and their duration in seconds; `requests` counts pages too. */
export type Tally = { polls: number; seconds: number; requests: number; readonly failures: Map<Reason, number> };

/** The question and the schedule of a poll. */
export type Planned<E extends Polled<unknown> = AnyEndpoint> = Pick<
  Poll<E>,
  "endpoint" | "key" | "owner" | "every" | "timeout" | "phase"
>;

/** A poll that has never been sent, and is due at once. */
export function newPoll<E extends Polled<unknown>>(planned: Planned<E>, now: number, stretch = 1): Poll<E> {
  const every = stretched(planned.every, stretch);
  return {
    ...planned,
    configured: planned.every,
    eased: false,
    stretch,
    every,
    phase: (planned.phase / planned.every) * every,
    next: now,
    running: false,
    again: false,
    cancel: undefined,
    lastAttempt: undefined,
    lastSuccess: undefined,
    failures: 0,
    unsupported: false,
    error: undefined,
    heldSince: undefined,
    previous: undefined,
    truncated: false,
  };
}

/** Name of a poll within its target. */
export function pollId({ id }: Pick<Polled<unknown>, "id">, key: string): string {
  return key === "" ? id : `${id} ${key}`;
}

/** The tally of an endpoint, created on first use. */
export function tallyOf(tallies: Map<string, Tally>, endpoint: string): Tally {
  const tally = tallies.get(endpoint) ?? { polls: 0, seconds: 0, requests: 0, failures: new Map<Reason, number>() };
  tallies.set(endpoint, tally);
  return tally;
}
