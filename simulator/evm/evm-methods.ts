import { heliconTimeAt, linked } from "../world/network.ts";
import { UNSCHEDULED } from "../world/options.ts";
import { since, type View } from "../world/wire.ts";
import { digest } from "../encoding/ids.ts";
import { walletsAt } from "../world/wallets.ts";
import { absent, addressFault, fail, namedHeight, ok, stateHeight, type EvmMethod } from "./evm-arguments.ts";
import { blockJson, EMPTY_ROOT, receiptsOf, TIP, TRANSFER_GAS } from "./evm-blocks.ts";
import {
  baseFeeOf,
  chainIdOf,
  hash,
  headOf,
  hex,
  isNewEngine,
  worstCaseFee,
  type SimulatedEvmChain,
} from "./evm-chain.ts";

/** Methods of the simulated EVM: what a monitor asks, not what wallets send. */

/** Time of the forks of a local network, all active from the start. */
const SINCE = 1_607_144_400;
const C_FORKS = [
  ...["1", "2", "3", "4", "5", "6", "Post6", "Pre6"].map((phase) => `apricotPhase${phase}BlockTimestamp`),
  ...["banff", "cortina", "durango"].map((name) => `${name}BlockTimestamp`),
  ...["etna", "fortuna", "granite"].map((name) => `${name}Timestamp`),
];
const BLOCK_FORKS = ["berlin", "byzantium", "constantinople", "eip150", "eip155", "eip158", "homestead", "istanbul"];
const LATER_FORKS = ["london", "muirGlacier", "petersburg"];

const getChainConfig: EvmMethod = (view, chain) => {
  const { network, index, at } = view;
  const onC = chain === "C";
  const times = onC ? C_FORKS : ["durangoTimestamp", "etnaTimestamp", "graniteTimestamp"];
  const fee = { gasLimit: 20_000_000, targetBlockRate: 2, minBaseFee: 1_000_000_000, targetGas: 100_000_000 };
  return ok({
    ...Object.fromEntries(times.map((key) => [key, SINCE])),
    ...Object.fromEntries([...BLOCK_FORKS, ...LATER_FORKS].map((name) => [`${name}Block`, 0])),
    cancunTime: SINCE,
    shanghaiTime: SINCE,
    chainId: chainIdOf(view, chain),
    ...(onC ? { daoForkBlock: 0, daoForkSupport: true } : { subnetEVMTimestamp: 0, upgrades: {} }),
    ...(onC
      ? {}
      : {
          feeConfig: {
            ...fee,
            baseFeeChangeDenominator: 48,
            minBlockGasCost: 0,
            maxBlockGasCost: 1_000_000,
            blockGasCostStep: 200_000,
          },
        }),
    ...(chain === "l1one" ? { feeManagerConfig: { adminAddresses: [], blockTimestamp: SINCE } } : {}),
    ...(onC ? {} : { warpConfig: { blockTimestamp: SINCE, quorumNumerator: 0, requirePrimaryNetworkSigners: false } }),
    heliconTimestamp: onC ? heliconTimeAt(network, index, at) : UNSCHEDULED,
  });
};

const clientVersion: EvmMethod = (view, chain) =>
  ok(
    isNewEngine(view, chain)
      ? `avalanchego/${view.version} [database=v1.4.5, rpcchainvm=46, go=1.26.8]`
      : since(view, "1.14.2") || view.dialect === "spec"
        ? `v${view.version}`
        : "v0.15.3",
  );

/** The EVM before Helicon has no own peers. */
const peerCount: EvmMethod = (view, chain) => {
  const { network, index, at } = view;
  const peers = network.world.members.filter(
    (member) => member.index !== index && linked(network, index, member.index, at),
  );
  return ok(hex(isNewEngine(view, chain) ? peers.length : 0));
};

const txpoolStatus: EvmMethod = (view, chain) => ok({ pending: hex(headOf(view, chain) % 7), queued: hex(0) });

const getBlockByNumber: EvmMethod = (view, chain, params) => {
  const height = absent(params, 2) ?? namedHeight(view, chain, 0, params[0]);
  if (typeof height !== "number") return height;
  if (height <= headOf(view, chain)) return ok(blockJson(view, chain, height));
  return isNewEngine(view, chain) ? ok(null) : fail("cannot query unfinalized data");
};

const getBlockReceipts: EvmMethod = (view, chain, params) => {
  const height = absent(params, 1) ?? namedHeight(view, chain, 0, params[0]);
  if (typeof height !== "number") return height;
  if (height <= headOf(view, chain)) return ok(receiptsOf(view, chain, height));
  return isNewEngine(view, chain) ? ok(null) : fail("cannot query unfinalized data");
};

/** Base fee of the block after the head. */
function nextBaseFee(view: View, chain: SimulatedEvmChain): bigint {
  const next = baseFeeOf(chain, headOf(view, chain) + 1);
  return isNewEngine(view, chain) ? worstCaseFee(next) : next;
}

const COIN = 10n ** 18n;
const NO_CODE = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

/** Wei of an address: 10 to 110 coins less fees, or 0.01 coins with the behaviour "dry". */
function balanceOf(view: View, chain: SimulatedEvmChain, address: string, height: number): string {
  if (walletsAt(view.network, view.at, "dry")) return hex(COIN / 100n);
  const share = BigInt(digest("evm balance", chain, address.toLowerCase()).readUInt32BE(0) % 100);
  return hex((10n + share) * COIN - BigInt(height) * BigInt(TRANSFER_GAS));
}

const getBalance: EvmMethod = (view, chain, params) => {
  const [address, block] = params;
  const height = absent(params, 2) ?? addressFault(address) ?? stateHeight(view, chain, 1, block);
  return typeof height === "number" ? ok(balanceOf(view, chain, String(address), height)) : height;
};

/** Blocks before the head for which there are proofs. */
const PROOF_WINDOW = 32;

const getProof: EvmMethod = (view, chain, params) => {
  const [address, keys, block = "latest"] = params;
  const height = absent(params, 2) ?? addressFault(address) ?? stateHeight(view, chain, 2, block);
  if (typeof height !== "number") return height;
  const oldest = headOf(view, chain) - PROOF_WINDOW;
  if (!isNewEngine(view, chain) && height < oldest) {
    return fail(
      `historical proof query not allowed: block number ${height} is before the oldest allowed block number ${oldest} (window of ${PROOF_WINDOW} blocks)`,
    );
  }
  const text = String(address).toLowerCase();
  return ok({
    address: text,
    accountProof: [hash("proof", text, height), hash("proof leaf", text, height)],
    balance: balanceOf(view, chain, text, height),
    codeHash: NO_CODE,
    nonce: "0x0",
    storageHash: EMPTY_ROOT,
    storageProof: (Array.isArray(keys) ? keys : []).map((key: unknown) => ({ key, value: "0x0", proof: [] })),
  });
};

const ALWAYS: Readonly<Record<string, EvmMethod>> = {
  eth_getBlockByNumber: getBlockByNumber,
  eth_getBalance: getBalance,
  eth_getProof: getProof,
  eth_baseFee: (view, chain) => ok(hex(nextBaseFee(view, chain))),
  eth_maxPriorityFeePerGas: () => ok(hex(TIP)),
  eth_blockNumber: (view, chain) => ok(hex(headOf(view, chain))),
  eth_chainId: (view, chain) => ok(hex(chainIdOf(view, chain))),
  eth_getChainConfig: getChainConfig,
  net_version: (view, chain) => ok(view.dialect === "spec" ? "1" : String(chainIdOf(view, chain))),
  net_peerCount: peerCount,
  web3_clientVersion: clientVersion,
};

/** The method of that name, if this node serves it. */
export function evmMethod(view: View, chain: SimulatedEvmChain, name: string): EvmMethod | undefined {
  // The new engine serves txpool_status by default, a server of the specification always.
  if (name === "txpool_status") return view.dialect === "spec" || isNewEngine(view, chain) ? txpoolStatus : undefined;
  if (name === "debug_traceTransaction")
    return isNewEngine(view, chain) ? () => fail("transaction not found") : undefined;
  if (name === "eth_getBlockReceipts") return view.dialect === "spec" ? undefined : getBlockReceipts;
  return Object.hasOwn(ALWAYS, name) ? ALWAYS[name] : undefined;
}
