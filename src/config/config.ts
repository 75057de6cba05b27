import type { TlsOptions } from "../api/client.ts";

/** A validated configuration. Only `loadConfig` makes one; every duration is in seconds, every secret already resolved. */
export type Config = {
  readonly nodes: readonly NodeConfig[];
  readonly subnets: readonly SubnetConfig[];
  readonly watch: {
    /** Node IDs whose stake, uptime and connection are watched beside the polled nodes' own. */
    readonly validators: readonly string[];
    /** From how many polled nodes each polled validator is looked at (itself included); bounds the cost of large fleets. */
    readonly witnesses: number;
  };
  /** Changes to the defaults of endpoints, by endpoint id. */
  readonly endpoints: Readonly<Record<string, EndpointSettings>>;
};

export type EndpointSettings = {
  readonly every?: number | undefined;
  readonly timeout?: number | undefined;
  readonly enabled?: boolean | undefined;
};

/** One polled node. */
export type NodeConfig = {
  /** Unique; the label `node`. */
  readonly name: string;
  /** Scheme, host, port and an optional path prefix, without trailing slash, without credentials. */
  readonly url: string;
  /** Label `network`; learned from the node when left out. */
  readonly network?: string | undefined;
  /** The node that must answer here. */
  readonly nodeId?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly healthTransport: "get" | "rpc";
  readonly dialect: "auto" | "spec" | "avalanchego";
  /** IDs of the configured subnets that this node serves. */
  readonly subnets: readonly string[];
  /** Chain aliases to resolve with `info.getBlockchainID` beside P, X and C. */
  readonly aliases: readonly string[];
  /** Request headers with credentials resolved. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls?: TlsOptions | undefined;
  readonly connections: number;
  readonly maxResponseBytes: number;
};

/** A subnet or L1 with its chains. */
export type SubnetConfig = {
  readonly id: string;
  readonly name: string;
  readonly network?: string | undefined;
  /** For an elastic subnet: the uptime that its validators need, 0 to 1. */
  readonly uptimeRequirement?: number | undefined;
  readonly chains: ReadonlyArray<{ readonly id: string; readonly name?: string | undefined }>;
};
