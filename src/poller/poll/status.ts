import type { Reason } from "../../api/reasons.ts";
import type { EndpointRecord } from "../../topics/exporter/poll-record.ts";
import type { Poll, Tally } from "./poll.ts";

/** The state of the daemon's polls, for the status page, `/api/v1/status` and the polling topic. Times are Unix seconds. */
export type Status = {
  readonly now: number;
  readonly startedAt: number;
  /** Absent when one process has all nodes. */
  readonly shard?: { readonly index: number; readonly total: number };
  readonly networks: ReadonlyArray<{
    readonly name: string;
    /** Name of the reference node. */
    readonly referenceNode: string | undefined;
    readonly nodes: number;
  }>;
  readonly targets: readonly TargetStatus[];
  /** Number of configured nodes that are not polled but probed on request. */
  readonly probed?: number;
  /** Auxiliary nodes; absent when there are none. */
  readonly auxiliary?: readonly TargetStatus[];
};

export type TargetStatus = {
  readonly name: string;
  /** A hosted service, not a node. */
  readonly hosted?: true;
  /** Without credentials. */
  readonly url: string;
  readonly network: string | undefined;
  /** Of a node: the configured ID, else the last one that it answered with. */
  readonly nodeId: string | undefined;
  /** The node is down and its ID is unknown, so nothing watches its validator. */
  readonly validatorUnknown?: true;
  /** `undefined` until the first poll has ended. */
  readonly up: boolean | undefined;
  readonly endpoints: readonly EndpointStatus[];
};

/** `waiting`: not polled yet; `unsupported`: the target does not have this optional endpoint. */
export type PollState = "waiting" | "ok" | "failing" | "unsupported";

export type EndpointStatus = Readonly<
  Pick<Poll, "key" | "every" | "lastAttempt" | "lastSuccess" | "failures" | "error"> & {
    id: string;
    state: PollState;
    next: number | undefined;
  }
>;

/** The exporter's own record of its polls by endpoint, in the order in which they were planned. Made after each poll: in one pass. */
export function endpointRecords(polls: Iterable<Poll>, tallies: ReadonlyMap<string, Tally>): readonly EndpointRecord[] {
  const sums = new Map<string, Sums>();
  for (const poll of polls) {
    const { id } = poll.endpoint;
    let sum = sums.get(id);
    if (sum === undefined) sums.set(id, (sum = newSums(poll)));
    add(sum, poll);
  }
  const records: EndpointRecord[] = [];
  for (const [id, sum] of sums) records.push(endpointRecord(id, sum, tallies.get(id)));
  return records;
}

/** Failed polls of all endpoints by reason, with those of endpoints that are not polled now. */
export function failuresOf(tallies: ReadonlyMap<string, Tally>): ReadonlyMap<Reason, number> {
  const sums = new Map<Reason, number>();
  for (const { failures } of tallies.values())
    for (const [reason, count] of failures) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return sums;
}

/** Counts of an endpoint's polls. */
type Sums = {
  readonly first: Poll;
  /** Seconds, the longest of them. */
  every: number;
  all: number;
  tried: number;
  supported: number;
  failing: number;
  truncated: number;
  succeeded: number;
  /** Of the polls that succeeded, the oldest success. */
  oldest: number;
};

const newSums = (first: Poll): Sums => ({
  first,
  every: 0,
  all: 0,
  tried: 0,
  supported: 0,
  failing: 0,
  truncated: 0,
  succeeded: 0,
  oldest: Infinity,
});

function add(sum: Sums, poll: Poll): void {
  const { every, lastSuccess, unsupported, error, truncated } = poll;
  sum.all++;
  if (every > sum.every) sum.every = every;
  if (truncated) sum.truncated++;
  if (!hasResult(poll)) return;
  sum.tried++;
  if (unsupported) return;
  sum.supported++;
  if (error !== undefined) sum.failing++;
  if (lastSuccess === undefined) return;
  sum.succeeded++;
  if (lastSuccess < sum.oldest) sum.oldest = lastSuccess;
}

const NO_FAILURES: ReadonlyMap<Reason, number> = new Map();

function endpointRecord(id: string, sum: Sums, tally: Tally | undefined): EndpointRecord {
  const { first, every, all, tried, supported, failing, truncated, succeeded, oldest } = sum;
  return {
    id,
    optional: first.endpoint.optional === true,
    every,
    questions: all,
    untried: all - tried,
    up: supported === 0 ? undefined : failing === 0,
    supported: tried === 0 ? undefined : supported > 0,
    failing,
    truncated,
    lastSuccess: supported > 0 && succeeded === supported ? oldest : undefined,
    polls: tally?.polls ?? 0,
    seconds: tally?.seconds ?? 0,
    requests: tally?.requests ?? 0,
    failures: tally?.failures ?? NO_FAILURES,
  };
}

/** Whether a poll has ever shown something of its target; one that the exporter missed has not. */
function hasResult({ lastSuccess, error, unsupported }: Poll): boolean {
  return lastSuccess !== undefined || error !== undefined || unsupported;
}

/** The poll as the status page shows it. */
export function endpointStatus(poll: Poll): EndpointStatus {
  const { endpoint, key, every, lastAttempt, lastSuccess, next, failures, error } = poll;
  return { id: endpoint.id, key, state: stateOf(poll), every, lastAttempt, lastSuccess, next, failures, error };
}

function stateOf(poll: Poll): PollState {
  const { unsupported, error } = poll;
  if (!hasResult(poll)) return "waiting";
  if (unsupported) return "unsupported";
  return error === undefined ? "ok" : "failing";
}
