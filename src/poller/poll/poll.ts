import type { Polled } from "../../api/endpoint.ts";
import type { Failure, Reason } from "../../api/reasons.ts";
import type { EndpointRecord } from "../../self/poll-record.ts";
import type { AnyEndpoint } from "../../catalogue/catalogue.ts";
import type { EndpointStatus } from "./status.ts";

/** One question to one target, with its schedule and its results so far. Times are Unix seconds. */
export type Poll<E extends Polled<unknown> = AnyEndpoint> = {
  readonly endpoint: E;
  readonly key: string;
  /** Owner of the answer in the store: the target, or its network. */
  readonly owner: string;
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
  error: Failure | undefined;
  /** When the answer in the store arrived; `undefined` when there is none. */
  heldSince: number | undefined;
  /** The last answer, for endpoints that continue from it: kept when the answer expires, dropped when another node answers. */
  previous: unknown;
  /** Whether more data followed the last answer than the configuration allows to read. */
  truncated: boolean;
};

/** The outcome of a poll. `askedAt` is Unix seconds. */
export type Outcome = { readonly askedAt: number } & ({ readonly value: unknown } | { readonly failure: Failure });

/** Number of polls of one endpoint since the start, over all its keys; `requests` counts pages too. */
export type Tally = { polls: number; requests: number; readonly failures: Map<Reason, number> };

/** The question and the schedule of a poll. */
export type Planned<E extends Polled<unknown> = AnyEndpoint> = Pick<
  Poll<E>,
  "endpoint" | "key" | "owner" | "every" | "timeout" | "phase"
>;

/** A poll that has never been sent, and is due at once. */
export function newPoll<E extends Polled<unknown>>(planned: Planned<E>, now: number): Poll<E> {
  return {
    ...planned,
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
  const tally = tallies.get(endpoint) ?? { polls: 0, requests: 0, failures: new Map<Reason, number>() };
  tallies.set(endpoint, tally);
  return tally;
}

/** The exporter's own record of its polls by endpoint, in the order in which they were planned. */
export function endpointRecords(polls: Iterable<Poll>, tallies: ReadonlyMap<string, Tally>): readonly EndpointRecord[] {
  const groups = Map.groupBy(polls, ({ endpoint }) => endpoint.id);
  return [...groups].map(([id, group]) => endpointRecord(id, group, tallies.get(id)));
}

function endpointRecord(id: string, polls: readonly Poll[], tally: Tally | undefined): EndpointRecord {
  const tried = polls.filter(({ lastAttempt }) => lastAttempt !== undefined);
  const supported = tried.filter(({ unsupported }) => !unsupported);
  const failing = supported.filter(({ error }) => error !== undefined).length;
  const successes = supported.map(({ lastSuccess }) => lastSuccess).filter((at) => at !== undefined);
  const isComplete = supported.length > 0 && successes.length === supported.length;
  return {
    id,
    optional: polls[0]?.endpoint.optional === true,
    every: polls[0]?.every ?? 0,
    questions: polls.length,
    untried: polls.length - tried.length,
    up: supported.length === 0 ? undefined : failing === 0,
    supported: tried.length === 0 ? undefined : supported.length > 0,
    failing,
    truncated: polls.filter(({ truncated }) => truncated).length,
    lastSuccess: isComplete ? successes.reduce((a, b) => Math.min(a, b)) : undefined,
    polls: tally?.polls ?? 0,
    requests: tally?.requests ?? 0,
    failures: tally?.failures ?? new Map<Reason, number>(),
  };
}

/** The poll as the status page shows it. */
export function endpointStatus(poll: Poll): EndpointStatus {
  const { endpoint, key, every, lastAttempt, lastSuccess, next, failures, error } = poll;
  return { id: endpoint.id, key, state: stateOf(poll), every, lastAttempt, lastSuccess, next, failures, error };
}

function stateOf({ lastAttempt, unsupported, error }: Poll): EndpointStatus["state"] {
  if (lastAttempt === undefined) return "waiting";
  if (unsupported) return "unsupported";
  return error === undefined ? "ok" : "failing";
}
