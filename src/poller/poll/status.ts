import type { Failure } from "../../api/reasons.ts";

/** The state of the daemon's polls, for the status page, `/api/v1/status` and the polling topic. Times are Unix seconds. */
export type Status = {
  readonly now: number;
  readonly startedAt: number;
  /** Absent when one process has all nodes. */
  readonly shard?: { readonly index: number; readonly total: number };
  readonly networks: ReadonlyArray<{
    readonly name: string;
    /** Name of the reference node. */
    readonly speaker: string | undefined;
    readonly nodes: number;
  }>;
  readonly targets: readonly TargetStatus[];
  /** Number of configured nodes that are not polled but probed on request. */
  readonly probed?: number;
  /** Auxiliary nodes; absent when there are none. */
  readonly helpers?: readonly TargetStatus[];
};

export type TargetStatus = {
  readonly name: string;
  /** Without credentials. */
  readonly url: string;
  readonly network: string | undefined;
  readonly nodeId: string | undefined;
  /** `undefined` until the first poll has ended. */
  readonly up: boolean | undefined;
  readonly endpoints: readonly EndpointStatus[];
};

/** `waiting`: not polled yet; `unsupported`: the target does not have this optional endpoint. */
export type PollState = "waiting" | "ok" | "failing" | "unsupported";

export type EndpointStatus = {
  readonly id: string;
  /** Subject of the question (chain, subnet, alias); empty for an endpoint with one question. */
  readonly key: string;
  readonly state: PollState;
  /** Configured cadence, seconds. */
  readonly every: number;
  readonly lastAttempt: number | undefined;
  readonly lastSuccess: number | undefined;
  readonly next: number | undefined;
  readonly failures: number;
  /** The last failure, while the endpoint is failing. */
  readonly error: Failure | undefined;
};
