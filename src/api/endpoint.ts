import type { z } from "zod";
import type { Failure } from "./reasons.ts";

/** Who is asked: every node, one reference node per network, every node about the watch list, or a hosted service. ARCHITECTURE.md, "Whose fact is it?". */
export type AskScope = NodeScope | "hosted";
export type NodeScope = "node" | "network" | "observer";

/** A blockchain that the configuration names. `label` is the alias where there is one, else the blockchain ID. */
export type Chain = {
  readonly id: string;
  readonly label: string;
  /** Subnet ID, or `primary`. */
  readonly subnet: string;
};

/** An EVM chain; `chainId` is the EVM chain ID that it must have, where that is known. */
export type EvmChain = Chain & { readonly chainId: number | undefined };

/** A wallet: `P-…` (P-Chain), `C-…` (UTXOs waiting for import to C) or `0x…` (EVM). */
export type Wallet = {
  readonly address: string;
  /** What people call it; the address where it has no name. */
  readonly name: string;
  /** AVAX (or the chain's own coin) below which the wallet is running dry. */
  readonly low?: number | undefined;
  /** EVM chains to ask, by label or ID. */
  readonly chains: readonly string[];
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

/** A subnet or L1 that the configuration names. */
export type Subnet = { readonly id: string; readonly name: string; readonly uptimeRequirement?: number | undefined };

/** What is known about a target when it is asked and when its answers are read. Replaced whole, never changed. */
export type TargetFacts = {
  /** Configured name of the node; for a network fact the name of its speaker. */
  readonly node: string;
  /** Label of the network: configured, or what `info.getNetworkName` answered. */
  readonly network: string | undefined;
  /** ID from the `node-id` header or `info.getNodeID`. */
  readonly nodeId: string | undefined;
  /** P, X, C and the chains of the subnets that this node serves. */
  readonly chains: readonly Chain[];
  readonly subnets: readonly Subnet[];
  /** IDs of the configured subnets that any polled node of the network serves. */
  readonly networkSubnets: readonly string[];
  /** Node IDs whose details are wanted: configured ones, the node's own, and those that it witnesses for. */
  readonly watch: readonly string[];
  /** Node IDs of the configured watch list and of every polled node of the network. */
  readonly watchNetwork: readonly string[];
  /** Node IDs of the configured watch list alone. */
  readonly watchConfigured: readonly string[];
  /** Watched wallets. */
  readonly addresses: readonly Wallet[];
  /** C and the EVM chains of the subnets that this node serves. */
  readonly evmChains: readonly EvmChain[];
  readonly evm: EvmSettings;
  readonly aliases: readonly string[];
  readonly healthTransport: "get" | "rpc";
  readonly dialect: "auto" | "spec" | "avalanchego";
  /** Free labels of the configuration. */
  readonly labels: Readonly<Record<string, string>>;
};

/** One JSON-RPC method of the specification (or a documented extra): what `call` and the endpoints share. */
export type Method<P, R> = {
  readonly name: string;
  readonly path: string;
  readonly about: string;
  readonly params: z.ZodType<P>;
  readonly result: z.ZodType<R>;
  /** The list in the result that may be thousands long, and the schema of one entry: validated some at a time. */
  readonly rows?: { readonly field: string; readonly row: z.ZodType };
  /** Beyond the specification: a server without it is not at fault. */
  readonly beyond?: boolean;
  /** Seen only by `call --allow-write`. */
  readonly writes?: boolean;
  /** The answer is to be printed: its numbers keep their digits (`parseExact`). */
  readonly exact?: boolean;
  /** The result is given the reply's `Date` header as the field `date`: when the server answered, by its own clock. */
  readonly dated?: boolean;
};

/** A GET of the specification whose body comes with more than one status. */
export type Resource<R> = {
  readonly name: string;
  readonly path: string;
  readonly about: string;
  readonly result: z.ZodType<R>;
  /** Another status that carries an answer, when the body has this field: without it something before the server speaks. */
  readonly also?: { readonly status: number; readonly field: string };
  /** The body is given the reply's `Date` header as the field `date`: when the server answered, by its own clock. */
  readonly dated?: boolean;
};

/** One JSON-RPC call of a batch: a method and its parameters. */
export type Call<R = unknown> = {
  readonly method: Pick<Method<never, R>, "name" | "result" | "exact" | "rows" | "dated">;
  readonly params: unknown;
};

/** What one call of a batch brought. */
export type Outcome<R> = { readonly value: R } | { readonly error: ApiError };

/** The outcomes of a batch, in the order of its calls; `undefined` for a call that the server left out. */
export type Outcomes<C extends readonly Call[]> = {
  readonly [K in keyof C]: (C[K] extends Call<infer R> ? Outcome<R> : never) | undefined;
};

/** How an endpoint reaches its node. Every function rejects with an `ApiError`. */
export type Api = {
  /** Sends one JSON-RPC request and returns the validated `result`. */
  readonly call: <P, R>(method: Method<P, R>, params: P) => Promise<R>;
  /** Sends calls in one JSON-RPC batch to a path. Rejects when the server answers no array: it refuses batches. */
  readonly batch: <const C extends readonly Call[]>(path: string, calls: C) => Promise<Outcomes<C>>;
  /** GETs a resource with a query, and returns the validated body. */
  readonly get: <R>(resource: Resource<R>, query?: ReadonlyArray<readonly [string, string]>) => Promise<R>;
};

/**
 * Where answers come from, as topics name it. `A` is the type of an answer; it exists for the compiler alone. A source without
 * `ask` is a record that the exporter keeps of its own work.
 */
export type Source<A, Keyed extends boolean = boolean> = {
  readonly id: string;
  readonly about: string;
  readonly scope: AskScope;
  readonly keyed: Keyed;
  readonly [ANSWER]?: A;
};
declare const ANSWER: unique symbol;

/** A record that the exporter keeps of its own work: no request, one answer. */
export function record<A>(definition: Pick<Source<A>, "id" | "about" | "scope">): Source<A, false> {
  return { ...definition, keyed: false };
}

/** What endpoints of nodes and of hosted services have in common: a source with its default cadence. */
export type Polled<A, Keyed extends boolean = boolean> = Source<A, Keyed> & {
  /** Specification methods or paths that it uses, for the reference and the coverage page. */
  readonly methods: readonly string[];
  /** Default cadence, seconds. */
  readonly every: number;
  /** Default deadline, seconds. */
  readonly timeout: number;
  /** Asked unless the configuration says otherwise; `true` when left out. */
  readonly enabled?: boolean;
  /** A server without it is ordinary: `unsupported` is then no failure. */
  readonly optional?: boolean;
};

/**
 * An endpoint is a value: what to ask, of whom and how often. A keyed endpoint asks the same question about several
 * things (chains, subnets, tags), each scheduled, stored and expired for itself.
 */
export type Endpoint<A, Keyed extends boolean = boolean> = Polled<A, Keyed> & {
  readonly scope: NodeScope;
  /** Polled at its full cadence even while everything fails: the probe that sees a node come back. */
  readonly probe?: boolean;
  /**
   * Keys are blockchain IDs. A fact of the network about a chain is asked of a node that serves the chain: of the reference
   * node where it does, else of the first node of the network that does.
   */
  readonly byChain?: boolean;
  /** What to ask about; an empty list asks nothing. */
  readonly keys: (facts: TargetFacts) => readonly string[];
  /**
   * `previous` is the last answer to the same question, for endpoints that follow something. A method, not a property:
   * an endpoint of any answer is then an endpoint of unknown answers, which is what the poller works with.
   */
  ask(api: Api, key: string, facts: TargetFacts, previous: A | undefined): Promise<A>;
};

type Definition<A> = Omit<Endpoint<A>, "keyed" | "keys" | typeof ANSWER>;

/** An endpoint that asks one question. */
export function endpoint<A>(
  definition: Definition<A> & { readonly when?: (facts: TargetFacts) => boolean },
): Endpoint<A, false> {
  const { when, ...rest } = definition;
  return { ...rest, keyed: false, keys: (facts) => (when === undefined || when(facts) ? [""] : []) };
}

/** An endpoint that asks the same question about each of `keys`. */
export function keyedEndpoint<A>(
  definition: Definition<A> & { readonly keys: (facts: TargetFacts) => readonly string[] },
): Endpoint<A, true> {
  return { ...definition, keyed: true };
}

/** An answer as the store holds it. Times are Unix seconds of this machine's clock. */
export type Answer<A = unknown> = {
  readonly value: A;
  /** When the request left. */
  readonly askedAt: number;
  /** When the answer had arrived. */
  readonly answeredAt: number;
};

/** A poll that brought no answer. `failure` is what metrics and people see of it. */
export class ApiError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.name = "ApiError";
    this.failure = failure;
  }
}

/** TimeSlices JSON-RPC errors that are facts ("node is not a validator") into answers; every other error is thrown on. */
export async function orFact<A>(answer: Promise<A>, fact: RegExp, value: A): Promise<A> {
  try {
    return await answer;
  } catch (error) {
    const text = error instanceof ApiError ? error.failure.rpcMessage : undefined;
    if (text !== undefined && fact.test(text)) return value;
    throw error;
  }
}
