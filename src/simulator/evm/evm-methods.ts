import { baseFeeOf, blockJson, EMPTY_ROOT, hash, hex, TRANSFER_GAS, type EvmChain } from "./evm-blocks.ts";
import { digest } from "../world/ids.ts";
import { heightOf } from "../world/heights.ts";
import { behaviourAt, heliconActive, heliconTimeAt, linked } from "../world/network.ts";
import { UNSCHEDULED } from "../world/options.ts";
import { walletsAt } from "../world/wallets.ts";
import { since, type View } from "../world/wire.ts";

/** Methods of the simulated EVM. */

type EvmResult = { readonly value: unknown } | { readonly code: number; readonly message: string };
type EvmMethod = (view: View, chain: EvmChain, params: readonly unknown[]) => EvmResult;

const ok = (value: unknown): EvmResult => ({ value });
const fail = (code: number, message: string): EvmResult => ({ code, message });
const missing = (argument: number): EvmResult => fail(-32602, `missing value for required argument ${argument}`);

export const headOf = ({ network, index, at }: View, chain: EvmChain): number => heightOf(network, index, chain, at);

/** Whether the chain runs on the engine of Helicon; only the C-Chain can. */
const isNewEngine = (view: View, chain: EvmChain): boolean =>
  chain === "C" && view.dialect === "avalanchego" && heliconActive(view.network, view.index, view.at);

/** The EVM chain ID that a node returns. */
function chainIdOf({ network, index, at }: View, chain: EvmChain): number {
  if (behaviourAt(network, index, at).evm === "wrong-chain") return 99_999;
  if (chain !== "C") return chain === "perm1" ? 43_001 : 43_002;
  return ({ 1: 43_114, 5: 43_113 } as Readonly<Record<number, number>>)[network.world.settings.network.id] ?? 43_112;
}

const UNFINALIZED = fail(-32000, "cannot query unfinalized data");

/** The height for a tag or quantity, or the result for an invalid or future one. */
function heightAt(view: View, chain: EvmChain, tag: unknown): number | EvmResult {
  const head = headOf(view, chain);
  if (tag === "latest" || tag === "pending" || tag === "safe" || tag === "finalized") return head;
  if (tag === "earliest") return 0;
  if (tag === "accepted" && !isNewEngine(view, chain)) return head;
  if (typeof tag !== "string" || !/^0x(0|[1-9a-f][0-9a-f]*)$/i.test(tag)) {
    return fail(-32602, "invalid argument 0: hex string without 0x prefix");
  }
  const height = Number(tag);
  if (height <= head) return height;
  return isNewEngine(view, chain) ? ok(null) : UNFINALIZED;
}

const getBlock: EvmMethod = (view, chain, [tag, full]) => {
  if (tag === undefined) return missing(0);
  if (full === undefined) return missing(1);
  const height = heightAt(view, chain, tag);
  return typeof height === "number" ? ok(blockJson(view, chain, height)) : height;
};

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const COIN = 10n ** 18n;
const NO_CODE = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

/** Wei of an address: 10 to 110 coins less fees, or 0.01 coins with the behaviour "dry". */
function balanceOf(view: View, chain: EvmChain, address: string): bigint {
  if (walletsAt(view.network, view.at, "dry")) return COIN / 100n;
  const share = BigInt(digest("evm balance", chain, address.toLowerCase()).readUInt32BE(0) % 100);
  return (10n + share) * COIN - BigInt(headOf(view, chain)) * BigInt(TRANSFER_GAS);
}

const getBalance: EvmMethod = (view, chain, [address, tag]) => {
  if (address === undefined) return missing(0);
  if (typeof address !== "string" || !ADDRESS.test(address)) {
    return fail(
      -32602,
      "invalid argument 0: json: cannot unmarshal hex string of odd length into Go value of type common.Address",
    );
  }
  const height = heightAt(view, chain, tag ?? "latest");
  return typeof height === "number" ? ok(hex(balanceOf(view, chain, address))) : height;
};

/** Blocks before the head for which there are proofs. */
const PROOF_WINDOW = 32;

const getProof: EvmMethod = (view, chain, [address, keys, tag]) => {
  if (address === undefined || keys === undefined) return missing(address === undefined ? 0 : 1);
  const height = heightAt(view, chain, tag ?? "latest");
  if (typeof height !== "number") return height;
  const oldest = headOf(view, chain) - PROOF_WINDOW;
  if (!isNewEngine(view, chain) && height < oldest) {
    return fail(
      -32000,
      `historical proof query not allowed: block number ${height} is before the oldest allowed block number ${oldest} (window of ${PROOF_WINDOW} blocks)`,
    );
  }
  const text = typeof address === "string" ? address.toLowerCase() : "";
  return ok({
    address: text,
    accountProof: [hash("proof", text, height), hash("proof leaf", text, height)],
    balance: hex(balanceOf(view, chain, text)),
    codeHash: NO_CODE,
    nonce: "0x0",
    storageHash: EMPTY_ROOT,
    storageProof: [],
  });
};

/** Time of the forks of a local network, all active from the start. */
const SINCE = 1_607_144_400;
const C_FORKS = [
  "apricotPhase1BlockTimestamp",
  "apricotPhase2BlockTimestamp",
  "apricotPhase3BlockTimestamp",
  "apricotPhase4BlockTimestamp",
  "apricotPhase5BlockTimestamp",
  "apricotPhase6BlockTimestamp",
  "apricotPhasePost6BlockTimestamp",
  "apricotPhasePre6BlockTimestamp",
  "banffBlockTimestamp",
  "cortinaBlockTimestamp",
  "durangoBlockTimestamp",
  "etnaTimestamp",
  "fortunaTimestamp",
  "graniteTimestamp",
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

const ALWAYS: Readonly<Record<string, EvmMethod>> = {
  eth_blockNumber: (view, chain) => ok(hex(headOf(view, chain))),
  eth_getBlockByNumber: getBlock,
  eth_baseFee: (view, chain) => ok(hex(baseFeeOf(chain, headOf(view, chain) + 1))),
  eth_maxPriorityFeePerGas: () => ok(hex(1_000_000_000)),
  eth_gasPrice: (view, chain) => ok(hex(baseFeeOf(chain, headOf(view, chain) + 1) + 1_000_000_000n)),
  eth_syncing: () => ok(false),
  eth_chainId: (view, chain) => ok(hex(chainIdOf(view, chain))),
  eth_getChainConfig: getChainConfig,
  eth_getBalance: getBalance,
  eth_getProof: getProof,
  net_version: (view, chain) => ok(view.dialect === "spec" ? "1" : String(chainIdOf(view, chain))),
  net_listening: () => ok(true),
  net_peerCount: peerCount,
  web3_clientVersion: clientVersion,
};

/** The method of that name, if this node serves it. */
export function evmMethod(view: View, chain: EvmChain, name: string): EvmMethod | undefined {
  // The new engine serves txpool_status by default, a server of the specification always.
  if (name === "txpool_status") return view.dialect === "spec" || isNewEngine(view, chain) ? txpoolStatus : undefined;
  return Object.hasOwn(ALWAYS, name) ? ALWAYS[name] : undefined;
}
