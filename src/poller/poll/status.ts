import type { Reason } from "../../api/reasons.ts";
import type { EndpointRecord } from "../../self/poll-record.ts";
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

/** The exporter's own record of its polls by endpoint, in the order in which they were planned. */
export function endpointRecords(polls: Iterable<Poll>, tallies: ReadonlyMap<string, Tally>): readonly EndpointRecord[] {
  const groups = Map.groupBy(polls, ({ endpoint }) => endpoint.id);
  return [...groups].map(([id, group]) => endpointRecord(id, group, tallies.get(id)));
}

function endpointRecord(id: string, polls: readonly Poll[], tally: Tally | undefined): EndpointRecord {
  const tried = polls.filter(hasResult);
  const supported = tried.filter(({ unsupported }) => !unsupported);
  const failing = supported.filter(({ error }) => error !== undefined).length;
  const successes = supported.map(({ lastSuccess }) => lastSuccess).filter((at) => at !== undefined);
  const isComplete = supported.length > 0 && successes.length === supported.length;
  return {
    id,
    optional: polls[0]?.endpoint.optional === true,
    every: polls.reduce((longest, { every }) => Math.max(longest, every), 0),
    questions: polls.length,
    untried: polls.length - tried.length,
    up: supported.length === 0 ? undefined : failing === 0,
    supported: tried.length === 0 ? undefined : supported.length > 0,
    failing,
    truncated: polls.filter(({ truncated }) => truncated).length,
    lastSuccess: isComplete ? successes.reduce((a, b) => Math.min(a, b)) : undefined,
    polls: tally?.polls ?? 0,
    seconds: tally?.seconds ?? 0,
    requests: tally?.requests ?? 0,
    failures: tally?.failures ?? new Map<Reason, number>(),
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
