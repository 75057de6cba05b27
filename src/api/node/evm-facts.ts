import { keyedEndpoint, type Api, type TargetFacts } from "../endpoint.ts";
import { askAll, valueIfAny, valueOf } from "./evm-batch.ts";
import { call, evmChainIds, evmMethods, hex, rpcPath, validatorsMethod } from "./evm.ts";
import { PRIMARY } from "./platform.ts";

/** What changes seldom about an EVM chain: who it is, what wallets hold, which proofs it gives, who validates it. */

/** Which chain answers, and with what software. */
export const EvmIdentity = keyedEndpoint({
  id: "evm.identity",
  about: "Chain ID, version, peers and fork times of each EVM chain.",
  scope: "node",
  methods: ["eth_chainId", "net_version", "web3_clientVersion", "net_peerCount", "eth_getChainConfig"],
  every: 300,
  timeout: 10,
  keys: evmChainIds,
  async ask(api, chain, { evm }) {
    const { chainId, networkId, clientVersion, peerCount, chainConfig } = evmMethods;
    const calls = [call(chainId), call(networkId), call(clientVersion), call(peerCount), call(chainConfig)] as const;
    const { outcomes } = await askAll(api, rpcPath(chain), calls, evm.batch);
    const [id, network, version, peers, config] = outcomes;
    return {
      chainId: valueOf(id),
      networkId: valueIfAny(network),
      clientVersion: valueIfAny(version),
      peers: valueIfAny(peers),
      forks: valueIfAny(config) ?? new Map<string, number>(),
    };
  },
});

/** Watched EVM addresses of a chain. */
export function walletsOn({ addresses, evmChains }: TargetFacts, chain: string): TargetFacts["addresses"] {
  const label = evmChains.find(({ id }) => id === chain)?.label ?? chain;
  return addresses.filter(
    ({ address, chains }) => address.startsWith("0x") && (chains.includes(chain) || chains.includes(label)),
  );
}

/** Wei by address. A balance is a fact of the network, whichever node is asked. */
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
    const { outcomes } = await askAll(api, rpcPath(chain), calls, facts.evm.batch);
    return new Map(outcomes.map((outcome, index) => [addresses[index] ?? "", valueOf(outcome)]));
  },
});

/** Well within the 32 blocks for which the specification promises proofs: some more may be made while the probe is on its way. */
const RECENT = 24;
/** Everybody has this account; what it holds does not matter. */
const ANY_ACCOUNT = "0x0000000000000000000000000000000000000000";
const OUTSIDE = /historical proof query not allowed(?:.*window of (\d+) blocks)?/i;

export type ProofWindow = {
  /** Whether an account 24 blocks before the head is proven. */
  readonly recent: boolean;
  /** Whether one at block 1 is. */
  readonly first: boolean;
  /** Blocks of the window, where the server names it. */
  readonly window: number | undefined;
};

export const EvmProof = keyedEndpoint<ProofWindow>({
  id: "evm.proof",
  about: "For which blocks eth_getProof is answered.",
  scope: "node",
  methods: ["eth_blockNumber", "eth_getProof"],
  every: 300,
  timeout: 15,
  keys: (facts) => (facts.evm.proofProbe ? evmChainIds(facts) : []),
  ask: probeProof,
});

async function probeProof(api: Api, chain: string, { evm }: TargetFacts): Promise<ProofWindow> {
  const path = rpcPath(chain);
  const height = await api.call({ ...evmMethods.blockNumber, path }, []);
  const at = (block: number) => call(evmMethods.proof, ANY_ACCOUNT, [], hex(block));
  const { outcomes } = await askAll(api, path, [at(Math.max(0, height - RECENT)), at(Math.min(1, height))], evm.batch);
  const windows = outcomes.map((outcome) => {
    if ("value" in outcome) return { served: true, window: undefined };
    const refused = OUTSIDE.exec(outcome.error.failure.rpcMessage ?? "");
    // Pruned state is refused in other words; a missing method or a malformed answer is no statement about the window.
    if (refused === null && outcome.error.failure.reason !== "rpc_error") throw outcome.error;
    return { served: false, window: refused?.[1] === undefined ? undefined : Number(refused[1]) };
  });
  return {
    recent: windows[0]?.served === true,
    first: windows[1]?.served === true,
    window: windows.find(({ window }) => window !== undefined)?.window,
  };
}

/**
 * A Subnet-EVM chain's validators as this node sees them. Asked for all of them, because the method refuses a node ID that
 * does not validate the chain.
 */
export const ChainValidators = keyedEndpoint({
  id: "evm.validators",
  about: "Validators of each L1 chain with the uptime that this node has seen of them.",
  scope: "observer",
  methods: ["validators.getCurrentValidators"],
  every: 60,
  timeout: 15,
  optional: true,
  keys: ({ evmChains }) => evmChains.filter(({ subnet }) => subnet !== PRIMARY).map(({ id }) => id),
  ask: (api, chain) => api.call({ ...validatorsMethod, path: `/ext/bc/${chain}/validators` }, { nodeIDs: [] }),
});
