import type { TlsOptions } from "../api/transport/connection.ts";
import type { Wanted } from "../api/hosted/hosted.ts";

/** A validated configuration. Only `loadConfig` makes one; every duration is in seconds, every secret already resolved. */
export type Config = {
  readonly nodes: readonly NodeConfig[];
  readonly subnets: readonly SubnetConfig[];
  readonly watch: {
    /** Node IDs whose stake, uptime and connection are watched beside the polled nodes' own. */
    readonly validators: readonly string[];
    /** The same for one network alone, by its label. */
    readonly validatorsByNetwork: Readonly<Record<string, readonly string[]>>;
    /** From how many polled nodes each polled validator is looked at (itself included); bounds the cost of large fleets. */
    readonly witnesses: number;
    /** Wallets whose balances and waiting UTXOs are watched. */
    readonly addresses: readonly WatchedAddress[];
  };
  readonly evm: EvmSettings;
  /** The hosted services; absent where they are not asked. */
  readonly dataApi?: HostedConfig | undefined;
  readonly metricsApi?: HostedConfig | undefined;
  /** Changes to the defaults of endpoints, by endpoint id. */
  readonly endpoints: Readonly<Record<string, EndpointSettings>>;
  readonly probe: ProbeConfig;
};

/** How `/probe` looks at nodes when it is asked. */
export type ProbeConfig = {
  /** Whether nodes are asked only when they are probed, and not polled beside that. */
  readonly only: boolean;
  /** Hosts and ports beside the configured nodes that may be probed. */
  readonly targets: readonly HostPattern[];
  /** Probes at once. */
  readonly concurrency: number;
  /** Seconds that a probe may take when the request does not say. */
  readonly timeout: number;
  /** Seconds of the request's own limit that are kept for the answer. */
  readonly timeoutOffset: number;
  /** What is asked, by the name of the module. */
  readonly modules: Readonly<Record<string, ProbeModule>>;
};

/** `host` may hold `*` for any characters but a dot; lower case. */
export type HostPattern = { readonly host: string; readonly port: number };

/** `network`: the node is asked about its whole network, and nothing is told of the node itself. */
export type ProbeModule = { readonly endpoints: readonly string[]; readonly network: boolean };

/** One hosted service: where it is, what may be spent and what is wanted of it. */
export type HostedConfig = {
  /** Without trailing slash. */
  readonly url: string;
  readonly key?: string | undefined;
  readonly keyHeader: string;
  readonly budget: {
    /** Units in any 60 seconds, and in any 24 hours. */
    readonly perMinute: number;
    readonly perDay: number;
  };
  readonly wanted: Wanted;
};

/** How EVM chains are asked. */
export type EvmSettings = {
  /** Calls in one batch; 1 asks them one by one. */
  readonly batch: number;
  /** Whether new heads are awaited on a WebSocket, so that a poll follows each of them at once. */
  readonly websocket: boolean;
  /** Whether `eth_getProof` is probed for the proof window. */
  readonly proofProbe: boolean;
  /** Blocks that one poll catches up at most; what is beyond is counted as a gap. */
  readonly maxBlocksPerPoll: number;
  /** EVM chain ID that the C-Chain must have; default: that of the network, where it is known. */
  readonly cChainId?: number | undefined;
};

/** A wallet: `P-…` (P-Chain), `C-…` (UTXOs waiting for import to C) or `0x…` (EVM). */
export type WatchedAddress = {
  readonly address: string;
  /** What people call it; the address when left out. */
  readonly name: string;
  /** AVAX (or the chain's own coin) below which the wallet is running dry. */
  readonly low?: number | undefined;
  /** EVM chains to ask, by alias or ID; for `0x…` alone, default C. */
  readonly chains: readonly string[];
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
  /** Chains of the Primary Network that this node runs; an L1's own node with partial sync has P alone. */
  readonly primaryChains: ReadonlyArray<"P" | "X" | "C">;
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
  readonly chains: readonly ChainConfig[];
};

export type ChainConfig = {
  readonly id: string;
  readonly name?: string | undefined;
  /** Whether it is asked as an EVM chain. */
  readonly evm: boolean;
  readonly evmChainId?: number | undefined;
};
