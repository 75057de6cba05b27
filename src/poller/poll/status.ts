import type { Failure } from "../../api/reasons.ts";

/** What the daemon knows of its own polling: the status page, `/api/v1/status` and the polling topic are made of it. Times are Unix seconds. */
export type Status = {
  readonly now: number;
  readonly startedAt: number;
  /** Left out where one process has all nodes. */
  readonly shard?: { readonly index: number; readonly total: number };
  readonly networks: ReadonlyArray<{
    readonly name: string;
    readonly speaker: string | undefined;
    readonly nodes: number;
  }>;
  readonly targets: readonly TargetStatus[];
  /** Nodes of the configuration that are asked when somebody probes them, and only then. */
  readonly probed?: number;
  /** Nodes of other shards that this one asks too; left out where it has none. */
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

/** `waiting`: never polled yet; `unsupported`: the server does not have it and need not. */
export type PollState = "waiting" | "ok" | "failing" | "unsupported";

export type EndpointStatus = {
  readonly id: string;
  /** What it is asked about (chain, subnet, alias); empty for an endpoint with one question. */
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
