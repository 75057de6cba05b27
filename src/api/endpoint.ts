import type { z } from "zod";
import type { Failure } from "./reasons.ts";

/** The source of an answer: every node, one reference node per network, every node about the watch list, or a hosted service. See ARCHITECTURE.md, "Four values". */
export type AskScope = NodeScope | "hosted";
type NodeScope = "node" | "network" | "observer";

/** A blockchain that the configuration names. `label` is the alias where there is one, else the blockchain ID. */
export type Chain = {
  readonly id: string;
  readonly label: string;
  /** Subnet ID, or `primary`. */
  readonly subnet: string;
};

/** An EVM chain; `chainId` is the expected EVM chain ID, if known. */
export type EvmChain = Chain & { readonly chainId: number | undefined };

/** A wallet: `P-…` (P-Chain), `C-…` (UTXOs waiting for import to C) or `0x…` (EVM). */
export type Wallet = {
  readonly address: string;
  /** Configured name; the address by default. */
  readonly name: string;
  /** Low-balance threshold, in AVAX or the chain's own coin. */
  readonly low?: number | undefined;
  /** EVM chains to poll, by label or ID. */
  readonly chains: readonly string[];
};

/** How EVM chains are polled. */
export type EvmSettings = {
  /** Calls in one batch; 1 sends single calls. */
  readonly batch: number;
  /** Whether to subscribe to new heads on a WebSocket, so that each head starts a poll, or the labels or IDs of the chains of which to. */
  readonly websocket: boolean | readonly string[];
  /** Whether to probe the proof window with `eth_getProof`. */
  readonly proofProbe: boolean;
  /** Whether to read receipts of blocks whose headers have limits alone. */
  readonly receipts: boolean;
  /** Maximum number of blocks that one poll reads; older ones count as a gap. */
  readonly maxBlocksPerPoll: number;
  /** Expected EVM chain ID of the C-Chain; default: that of the network, if known. */
  readonly cChainId?: number | undefined;
};

/** A subnet or L1 that the configuration names. */
export type Subnet = { readonly id: string; readonly name: string; readonly uptimeRequirement?: number | undefined };

/** What is known of a watched validator besides its records. */
export type WatchedValidator = {
  /** Configured name, else that of the polled node with its node ID; empty without either. */
  readonly name: string;
  /** Name of the polled node with its node ID; empty without one. */
  readonly node: string;
  /** Configured addresses of its validation reward; empty: any. */
  readonly rewardAddresses: readonly string[];
};

/** A network that AvalancheGo knows by its ID, whatever the node or the configuration calls it. */
export type KnownNetwork = "mainnet" | "fuji" | "local";

/** Facts about a target, for polling it and for reading its answers. Immutable: an update replaces the whole value. */
export type TargetFacts = {
  /** Configured name of the node; for a network fact that of the reference node. */
  readonly node: string;
  /** Label of the network: configured, or the result of `info.getNetworkName`. */
  readonly network: string | undefined;
  /** By the result of `info.getNetworkID`, and by the name until it is known. */
  readonly knownNetwork: KnownNetwork | undefined;
  /** ID from the `node-id` header or `info.getNodeID`. */
  readonly nodeId: string | undefined;
  /** P, X, C and the chains of the subnets that this node serves. */
  readonly chains: readonly Chain[];
  /** P, X, C and the chains of all configured subnets: a node can report one that it is not configured to serve. For labels. */
  readonly knownChains: readonly Chain[];
  readonly subnets: readonly Subnet[];
  /** IDs of the configured subnets that any polled node of the network serves. */
  readonly networkSubnets: readonly string[];
  /** Node IDs whose details are polled: configured ones, the node's own, and those that it observes for other nodes. */
  readonly watch: readonly string[];
  /** Node IDs of the configured watch list and of every polled node of the network. */
  readonly watchNetwork: readonly string[];
  /** Node IDs of the configured watch list alone. */
  readonly watchConfigured: readonly string[];
  /** By node ID, name, polled node and reward addresses of each validator of `watchNetwork`, and of each configured one. */
  readonly watchDetails: ReadonlyMap<string, WatchedValidator>;
  /** Configured names of subnets by their IDs, where they differ from them. */
  readonly subnetNames: ReadonlyMap<string, string>;
  /** Watched wallets. */
  readonly addresses: readonly Wallet[];
  /** C and the EVM chains of the subnets that this node serves. */
  readonly evmChains: readonly EvmChain[];
  readonly evm: EvmSettings;
  /** Free labels of the node that its series carry. */
  readonly seriesLabels: Readonly<Record<string, string>>;
  readonly options: NodeOptions;
};

/** Options of a node that endpoints and topics read, as the configuration has them. */
export type NodeOptions = {
  /** Can have a password: not for labels and messages. */
  readonly url: string;
  readonly aliases: readonly string[];
  readonly healthTransport: "get" | "rpc";
  readonly dialect: "auto" | "spec" | "avalanchego";
  /** A server for the public, often several nodes behind one address: nothing is asked that concerns one node alone. */
  readonly publicServer: boolean;
  /** Free labels. */
  readonly labels: Readonly<Record<string, string>>;
};

/** One JSON-RPC method of the specification (or a documented extra), shared by `call` and the endpoints. */
export type Method<P, R> = {
  readonly name: string;
  readonly path: string;
  readonly about: string;
  readonly params: z.ZodType<P>;
  readonly result: z.ZodType<R>;
  /** Not in the specification: a server can lack it. */
  readonly beyond?: boolean;
  /** Only `call --allow-write` sends it. */
  readonly writes?: boolean;
  /** The answer is for printing: its numbers keep all digits (`parseExactJson`). */
  readonly exact?: boolean;
  /** Adds the reply's `Date` header to the result as the field `date`: the time of the answer by the server's clock. */
  readonly dated?: boolean;
};

/** Declares the methods that are served at a path. */
export function methodsAt(path: string) {
  return <P, R>(
    name: string,
    about: string,
    params: z.ZodType<P>,
    result: z.ZodType<R>,
    more: Pick<Method<P, R>, "beyond" | "writes"> = {},
  ): Method<P, R> => ({ name, path, about, params, result, ...more });
}

/** A GET of the specification. */
export type Resource<R> = {
  readonly name: string;
  readonly path: string;
  readonly about: string;
  readonly result: z.ZodType<R>;
  /** Another status that carries an answer if the body has this field. A body without the field comes from a proxy. */
  readonly also?: { readonly status: number; readonly field: string };
  /** The body is text, not JSON. */
  readonly text?: true;
  /** Adds the reply's `Date` header to the body as the field `date`: the time of the answer by the server's clock. */
  readonly dated?: boolean;
};

/** One JSON-RPC call of a batch: a method and its parameters. */
export type Call<R = unknown> = {
  readonly method: Pick<Method<never, R>, "name" | "result" | "exact" | "dated">;
  readonly params: unknown;
};

/** The result of one call of a batch. */
export type CallOutcome<R> = { readonly value: R } | { readonly error: ApiError };

/** The outcomes of a batch, in the order of its calls; `undefined` for a call without an answer. */
export type Outcomes<C extends readonly Call[]> = {
  readonly [K in keyof C]: (C[K] extends Call<infer R> ? CallOutcome<R> : never) | undefined;
};

/** Requests of an endpoint to its node. Every function rejects with an `ApiError`. */
export type Api = {
  /** Sends one JSON-RPC request and returns the validated `result`. */
  readonly call: <P, R>(method: Method<P, R>, params: P) => Promise<R>;
  /** Sends calls in one JSON-RPC batch to a path. Rejects if the answer is not an array: the server refuses batches. */
  readonly batch: <const C extends readonly Call[]>(path: string, calls: C) => Promise<Outcomes<C>>;
  /** GETs a resource with a query, and returns the validated body. */
  readonly get: <R>(resource: Resource<R>, query?: ReadonlyArray<readonly [string, string]>) => Promise<R>;
  /** Unix seconds, where answers are followed. */
  readonly now?: (() => number) | undefined;
};

/**
 * A source of answers, as topics refer to it. `A` is the type of an answer and exists only for the compiler. A source without
 * `ask` is a record of the exporter's own work.
 */
export type Source<A, Keyed extends boolean = boolean> = {
  readonly id: string;
  readonly about: string;
  readonly scope: AskScope;
  readonly keyed: Keyed;
  readonly [ANSWER]?: A;
};
declare const ANSWER: unique symbol;
export type AnswerOf<S> = S extends Source<infer A> ? A : never;

/** A source about the exporter's own work: no request, one answer. */
export function record<A>(definition: Pick<Source<A>, "id" | "about" | "scope">): Source<A, false> {
  return { ...definition, keyed: false };
}

/** The common part of endpoints of nodes and of hosted services: a source with a default cadence. */
export type Polled<A, Keyed extends boolean = boolean> = Source<A, Keyed> & {
  /** Methods or paths of the specification, for the reference and the coverage page. */
  readonly methods: readonly string[];
  /** Default cadence, seconds. */
  readonly every: number;
  /** Default deadline, seconds. */
  readonly timeout: number;
  /** Whether it is polled by default; `true` if omitted. */
  readonly enabled?: boolean;
  /** A server can lack it: `unsupported` is then not a failure. */
  readonly optional?: boolean;
  /** A request continues from the last answer. Only then `ask` gets `previous`, which is kept when the answer expires. */
  readonly follows?: boolean;
  /** What polls write into the node's log at its default level, and when: a sentence. Without it they write nothing. */
  readonly trace?: string;
};

type Settings = Required<Pick<Polled<unknown>, "every" | "timeout" | "enabled">>;

/** Configured overrides of an endpoint's defaults. */
export type EndpointSettings = { readonly [K in keyof Settings]?: Settings[K] | undefined };

/** The settings of an endpoint: its defaults, overridden by the configuration. Seconds. */
export function settingsOf(endpoint: Polled<unknown>, settings: EndpointSettings = {}): Settings {
  const { every = endpoint.every, timeout = endpoint.timeout, enabled = endpoint.enabled ?? true } = settings;
  return { every, timeout, enabled };
}

/**
 * A request with its target and cadence. A keyed endpoint makes the same request for several keys (chains, subnets, tags).
 * The schedule, the answer and its expiry are separate for each key.
 */
export type Endpoint<A, Keyed extends boolean = boolean> = Polled<A, Keyed> & {
  readonly scope: NodeScope;
  /** Concerns one node alone: a server for the public does not have it. */
  readonly ofOneNode?: boolean;
  /** Keeps its full cadence while every endpoint fails: this probe detects that a node is back. */
  readonly probe?: boolean;
  /**
   * Whether an answer stays as it is until the node restarts or fails: it is then requested every fourth interval only, until
   * a poll of the node fails or its health changes. A method for the same reason as `ask`.
   */
  settled?(answer: A): boolean;
  /** What an answer shows of the node's software and configuration. When it changes, what the node refused is asked for again. */
  serves?(answer: A): string;
  /** The last answer without what the node refused, for an endpoint that `follows`: the next request asks for it again. */
  afresh?(answer: A): A;
  /**
   * Keys are blockchain IDs. For scope `network`, only nodes that serve the chain are asked.
   */
  readonly byChain?: boolean;
  /** The id of an endpoint of scope `network`: another node than its own is asked the same questions. */
  readonly confirms?: string;
  /** Keys to poll; an empty list disables the endpoint. */
  readonly keys: (facts: TargetFacts) => readonly string[];
  /**
   * `previous` is the last answer for the same key, for an endpoint that `follows`. A method, not a property: method parameters are bivariant, so that every
   * endpoint is assignable to `Endpoint<unknown>`, the type in the poller.
   */
  ask(api: Api, key: string, facts: TargetFacts, previous: A | undefined): Promise<A>;
};

type Defaulted = "methods" | "timeout";
type Definition<A> = Omit<Endpoint<A>, "keyed" | "keys" | Defaulted | typeof ANSWER> &
  Partial<Pick<Endpoint<A>, Defaulted>>;

/** An endpoint is often named after its only method, and ten seconds suffice for most answers. */
const defaultsOf = (id: string) => ({ methods: [id], timeout: 10 });

/**
 * An endpoint without keys.
 * @example
 * import { infoMethods } from "./node/info.ts";
 * endpoint({
 *   ...{ id: "info.getNetworkID", about: "ID of the network.", scope: "node", every: 300 },
 *   ask: (api) => api.call(infoMethods.getNetworkID, {}),
 * });
 */
export function endpoint<A>(
  definition: Definition<A> & { readonly when?: (facts: TargetFacts) => boolean },
): Endpoint<A, false> {
  const { when = () => true, ...rest } = definition;
  return { ...defaultsOf(rest.id), ...rest, keyed: false, keys: (facts) => (when(facts) ? [""] : []) };
}

/** An endpoint that calls one method without parameters; `id` is the name of the method, and `about` its text by default. */
export function methodEndpoint<R>(
  method: Method<object, R>,
  definition: Omit<Parameters<typeof endpoint<R>>[0], "id" | "methods" | "ask" | "about"> & { readonly about?: string },
): Endpoint<R, false> {
  const { name, about } = method;
  return endpoint<R>({ about, ...definition, id: name, ask: (api) => api.call(method, {}) });
}

/** An endpoint that makes the same request for each of `keys`. */
export function keyedEndpoint<A>(
  definition: Definition<A> & { readonly keys: (facts: TargetFacts) => readonly string[] },
): Endpoint<A, true> {
  return { ...defaultsOf(definition.id), ...definition, keyed: true };
}

/** The same questions of another node of the network: what one node alone reports pages nobody. */
export function confirming<A, K extends boolean>(first: Endpoint<A, K>): Endpoint<A, K> {
  const about = `As \`${first.id}\`, of a second node of the network.`;
  return { ...first, id: `${first.id}.second`, about, confirms: first.id };
}

/** An answer in the store. Times are Unix seconds of the local clock. */
export type Answer<A = unknown> = {
  readonly value: A;
  /** When the request was sent. */
  readonly askedAt: number;
  /** When the answer was complete. */
  readonly answeredAt: number;
  /** Name of the node that answered. */
  readonly by?: string | undefined;
};

/** A failed poll. `failure` is the part that metrics and messages show. */
export class ApiError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.name = "ApiError";
    this.failure = failure;
  }
}

/** Returns `value` if the JSON-RPC error matches `fact` ("node is not a validator"); rethrows every other error. */
export async function orFact<A>(answer: Promise<A>, fact: RegExp, value: A): Promise<A> {
  try {
    return await answer;
  } catch (error) {
    const text = error instanceof ApiError ? error.failure.rpcMessage : undefined;
    if (text !== undefined && fact.test(text)) return value;
    throw error;
  }
}
