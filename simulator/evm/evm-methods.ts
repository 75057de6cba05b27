import { heliconTimeAt, linked } from "../world/network.ts";
import { UNSCHEDULED } from "../world/options.ts";
import { since, type View } from "../world/wire.ts";
import { ok, type EvmMethod } from "./evm-arguments.ts";
import { chainIdOf, headOf, hex, isNewEngine, type EvmChain } from "./evm-chain.ts";
import { FEES } from "./evm-fees.ts";
import { LOOKUPS } from "./evm-lookups.ts";
import { STATE } from "./evm-state.ts";

/** Methods of the simulated EVM: those about the chain and the node, and the table of all. */

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

/** A node keeps no accounts. */
const accounts: EvmMethod = () => ok([]);

const ALWAYS: Readonly<Record<string, EvmMethod>> = {
  ...LOOKUPS,
  ...STATE,
  ...FEES,
  eth_blockNumber: (view, chain) => ok(hex(headOf(view, chain))),
  eth_syncing: () => ok(false),
  eth_chainId: (view, chain) => ok(hex(chainIdOf(view, chain))),
  eth_getChainConfig: getChainConfig,
  net_version: (view, chain) => ok(view.dialect === "spec" ? "1" : String(chainIdOf(view, chain))),
  net_listening: () => ok(true),
  net_peerCount: peerCount,
  web3_clientVersion: clientVersion,
};

/** The method of that name, if this node serves it. */
export function evmMethod(view: View, chain: EvmChain, name: string): EvmMethod | undefined {
  // The new engine serves txpool_status by default, a server of the specification always.
  if (name === "txpool_status") return view.dialect === "spec" || isNewEngine(view, chain) ? txpoolStatus : undefined;
  // The interface of accounts is off by default on a real node.
  if (name === "eth_accounts") return view.dialect === "spec" ? accounts : undefined;
  return Object.hasOwn(ALWAYS, name) ? ALWAYS[name] : undefined;
}
