import type { Polled } from "../../api/endpoint.ts";
import type { Failure } from "../../api/reasons.ts";
import type { EndpointRecord } from "../../topics/own-records.ts";
import { intervalOf, type Poll, type PollState } from "./poll.ts";
import { tallyOf, type PollTally } from "./poll-tally.ts";

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
};

export type TargetStatus = {
  readonly name: string;
  /** A hosted service, not a node. */
  readonly hosted?: true;
  /** Without credentials and tokens. */
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

export type EndpointStatus = {
  readonly id: string;
  readonly key: string;
  readonly state: PollState["last"]["is"];
  readonly every: number;
  readonly lastAttempt: number | undefined;
  readonly lastSuccess: number | undefined;
  /** `undefined` while it is running. */
  readonly next: number | undefined;
  /** Failures in a row. */
  readonly failures: number;
  /** The last failure, while the endpoint is failing. */
  readonly error: Failure | undefined;
};

/**
 * The exporter's own record of its polls by endpoint, in the order in which they were planned.
 * @param truncated whether more data followed the last answer than the configuration allows to read
 */
export function endpointRecords(
  polls: Iterable<Poll>,
  tallies: Map<string, PollTally>,
  truncated: (poll: Poll) => boolean = () => false,
): readonly EndpointRecord[] {
  // Written out: with spreads each of the thirty thousand records of a thousand nodes would be several objects.
  return countedPolls(polls, truncated).map((counted) => {
    const { endpoint, unsupported, oldest, every, questions, untried, failing, truncated: cut } = counted;
    const { id, optional = false } = endpoint;
    const { requests, failures, invalidRows } = tallyOf(tallies, id);
    const tried = questions - untried;
    const supported = tried - unsupported;
    return {
      id,
      optional,
      every,
      questions,
      untried,
      failing,
      truncated: cut,
      up: supported === 0 ? undefined : failing === 0,
      supported: tried === 0 ? undefined : supported > 0,
      lastSuccess: Number.isFinite(oldest) ? oldest : undefined,
      requests,
      failures,
      invalidRows,
    };
  });
}

type CountedPolls = Pick<EndpointRecord, "every" | "questions" | "untried" | "failing" | "truncated"> & {
  readonly endpoint: Polled<unknown>;
  readonly unsupported: number;
  /** `Infinity` without a question that has an answer or lacks one. */
  readonly oldest: number;
};

/** The polls of each endpoint, in one pass and without a map: a scrape of a thousand nodes reads those of thirty thousand. */
function countedPolls(polls: Iterable<Poll>, truncated: (poll: Poll) => boolean): readonly CountedPolls[] {
  const all: Counting[] = [];
  for (const poll of polls) {
    const { plan, state } = poll;
    const { endpoint } = plan;
    // The polls of an endpoint mostly follow each other.
    let of = all.at(-1);
    if (of?.endpoint !== endpoint) of = all.find((each) => each.endpoint === endpoint);
    if (of === undefined) all.push((of = nothingOf(endpoint)));
    of.questions++;
    of.every = Math.max(of.every, intervalOf(plan, state));
    if (truncated(poll)) of.truncated++;
    if (state.last.is === "waiting") of.untried++;
    else if (state.last.is === "unsupported") of.unsupported++;
    else of.oldest = Math.min(of.oldest, state.succeededAt ?? -Infinity);
    if (state.last.is === "failing") of.failing++;
  }
  return all;
}

type Counting = { -readonly [K in keyof CountedPolls]: CountedPolls[K] };

function nothingOf(endpoint: Polled<unknown>): Counting {
  return { endpoint, every: 0, questions: 0, untried: 0, unsupported: 0, failing: 0, truncated: 0, oldest: Infinity };
}

/** The poll as the status page shows it. */
export function endpointStatus({ plan, state }: Poll): EndpointStatus {
  const { wait, last, failures, attemptedAt, succeededAt } = state;
  return {
    id: plan.endpoint.id,
    key: plan.key,
    state: last.is,
    every: intervalOf(plan, state),
    lastAttempt: attemptedAt,
    lastSuccess: succeededAt,
    next: wait.is === "due" ? wait.at : wait.next,
    failures,
    error: last.is === "failing" ? last.failure : undefined,
  };
}
