import { keyedEndpoint, type Api, type TargetFacts } from "../endpoint.ts";
import { askInBatches, valueIfAny, valueOf } from "./ask-in-batches.ts";
import { call, evmChainIds, evmMethods, hex, rpcPath, validatorsMethod } from "./evm-methods.ts";
import { PRIMARY } from "./platform.ts";
import { isPublicAddress } from "../is-private-address.ts";

/** EVM chains: identity, wallet balances, proof window and validators. */

type Identity = {
  readonly chainId: number;
  readonly networkId: string | undefined;
  readonly clientVersion: string | undefined;
  readonly peers: number | undefined;
  readonly forks: ReadonlyMap<string, number>;
};

export const EvmIdentity = keyedEndpoint<Identity>({
  id: "evm.identity",
  about: "Chain ID, version, peers and fork times of each EVM chain.",
  scope: "node",
  methods: ["eth_chainId", "net_version", "web3_clientVersion", "net_peerCount", "eth_getChainConfig"],
  every: 300,
  keys: evmChainIds,
  // At Helicon the C-Chain gets another engine in the same process, with another version and other methods.
  serves: ({ chainId, clientVersion, forks }) => JSON.stringify([chainId, clientVersion, ...forks]),
  ask: askIdentity,
});

async function askIdentity(api: Api, chain: string, { evm }: TargetFacts): Promise<Identity> {
  const { chainId, networkId, clientVersion, peerCount, chainConfig } = evmMethods;
  const calls = [call(chainId), call(networkId), call(clientVersion), call(peerCount), call(chainConfig)] as const;
  const { outcomes } = await askInBatches(api, rpcPath(chain), calls, evm.batch);
  const [id, network, version, peers, config] = outcomes;
  return {
    chainId: valueOf(id),
    networkId: valueIfAny(network),
    clientVersion: valueIfAny(version),
    peers: valueIfAny(peers),
    forks: valueIfAny(config) ?? new Map<string, number>(),
  };
}

/** Watched EVM addresses of a chain. */
export function walletsOn({ addresses, evmChains }: TargetFacts, chain: string): TargetFacts["addresses"] {
  const label = evmChains.find(({ id }) => id === chain)?.label ?? chain;
  return addresses.filter(
    ({ address, chains }) => address.startsWith("0x") && (chains.includes(chain) || chains.includes(label)),
  );
}

/** Wei by address. */
export const EvmBalances = keyedEndpoint<ReadonlyMap<string, bigint>>({
  id: "evm.balances",
  about: "Balances of the watched addresses on each EVM chain.",
  scope: "network",
  methods: ["eth_getBalance"],
  every: 60,
  timeout: 15,
  byChain: true,
  keys: (facts) => evmChainIds(facts).filter((chain) => walletsOn(facts, chain).length > 0),
  async ask(api, chain, facts) {
    const addresses = [...new Set(walletsOn(facts, chain).map(({ address }) => address))];
    const calls = addresses.map((address) => call(evmMethods.balance, address, "latest"));
    const { outcomes } = await askInBatches(api, rpcPath(chain), calls, facts.evm.batch);
    return new Map(outcomes.map((outcome, index) => [addresses[index] ?? "", valueOf(outcome)]));
  },
});

/** Less than the 32 blocks of the specification: the head can advance during the request. */
const RECENT = 24;
/** Any account will do: its balance does not matter. */
const ANY_ACCOUNT = "0x0000000000000000000000000000000000000000";
const OUTSIDE = /historical proof query not allowed(?:.*window of (\d+) blocks)?/i;

export const EvmProof = keyedEndpoint({
  id: "evm.proof",
  about: "Blocks for which eth_getProof returns a proof.",
  scope: "node",
  methods: ["eth_blockNumber", "eth_getProof"],
  trace: "A node that refuses a proof, as usual for block 1, writes an INFO line at each poll.",
  every: 300,
  timeout: 15,
  keys: (facts) => (facts.evm.proofProbe ? evmChainIds(facts) : []),
  ask: probeProof,
});

async function probeProof(api: Api, chain: string, { evm }: TargetFacts) {
  const path = rpcPath(chain);
  const height = await api.call({ ...evmMethods.blockNumber, path }, []);
  const at = (block: number) => call(evmMethods.proof, ANY_ACCOUNT, [], hex(block));
  const { outcomes } = await askInBatches(
    api,
    path,
    [at(Math.max(0, height - RECENT)), at(Math.min(1, height))],
    evm.batch,
  );
  const windows = outcomes.map((outcome) => {
    if ("value" in outcome) return { served: true, window: undefined };
    const refused = OUTSIDE.exec(outcome.error.failure.rpcMessage ?? "");
    // Any other JSON-RPC error means pruned state. A missing method or an invalid answer is a failure of the poll.
    if (refused === null && outcome.error.failure.reason !== "rpc_error") throw outcome.error;
    return { served: false, window: refused?.[1] === undefined ? undefined : Number(refused[1]) };
  });
  return {
    /** Whether there are proofs for a block 24 before the head, and for block 1. */
    recent: windows[0]?.served === true,
    first: windows[1]?.served === true,
    /** Size of the window in blocks, if the server reports it. */
    window: windows.find(({ window }) => window !== undefined)?.window,
  };
}

/** No transaction has this hash: a node that serves the method has nothing to execute. */
const NO_TRANSACTION = `0x${"0".repeat(64)}`;

/** Whether traces are served, of a node at a public address alone: elsewhere nobody can ask for them. */
export const EvmTrace = keyedEndpoint({
  id: "evm.trace",
  about: "Whether a node at a public address serves traces of each EVM chain.",
  scope: "node",
  methods: ["debug_traceTransaction"],
  trace: "A node at a public address that refuses it, as it should, writes an INFO line at each poll.",
  every: 6 * 3_600,
  ofOneNode: true,
  keys: (facts) => (isPublicAddress(facts.options.url) ? evmChainIds(facts) : []),
  async ask(api, chain) {
    const { outcomes } = await askInBatches(api, rpcPath(chain), [call(evmMethods.trace, NO_TRANSACTION)], 1);
    const [outcome] = outcomes;
    // A gateway can answer with an error of its own: only that of the node shows that it looked for the transaction.
    if ("value" in outcome) return { served: true };
    const { reason, rpcMessage = "" } = outcome.error.failure;
    return { served: reason === "rpc_error" && /not found|indexing/i.test(rpcMessage) };
  },
});

/**
 * Validators of a Subnet-EVM chain as this node observes them. Without node IDs, because the method refuses an ID that does not
 * validate the chain.
 */
export const ChainValidators = keyedEndpoint({
  id: "evm.validators",
  about: "Validators of each L1 chain with their uptime as observed by this node.",
  scope: "observer",
  methods: ["validators.getCurrentValidators"],
  every: 60,
  timeout: 15,
  optional: true,
  keys: ({ evmChains }) => evmChains.filter(({ subnet }) => subnet !== PRIMARY).map(({ id }) => id),
  ask: (api, chain) => api.call({ ...validatorsMethod, path: `/ext/bc/${chain}/validators` }, { nodeIDs: [] }),
});
