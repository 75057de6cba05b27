import { getBlock, getBlockByHeight } from "../world/blocks.ts";
import { chainRoute, chainState, gate, namedChain } from "../world/chains.ts";
import { PRIMARY, SUBNET_EVM } from "../world/genesis.ts";
import { goJson, goTime } from "../encoding/gotime.ts";
import { addressFault, bech32, chainAddress, isId, makeId, parseCb58, ZERO_ID } from "../encoding/ids.ts";
import { heightOf } from "../world/heights.ts";
import { chainClock } from "../world/l1.ts";
import { VALIDATOR_PRICE } from "../world/l1-balances.ts";
import { behaviourAt, stakeOf } from "../world/network.ts";
import { seatsOf } from "../world/quorum.ts";
import { answerRpc, type RpcService } from "../world/rpc.ts";
import { encodedUtxo } from "../world/utxos.ts";
import { getCurrentValidators, getL1Validator } from "../world/validators.ts";
import { ownersOf, walletsAt } from "../world/wallets.ts";
import {
  BAD_ARGUMENT,
  fail,
  ok,
  since,
  textParam,
  textsParam,
  u64,
  type Interface,
  type SimulatedMethod,
  type View,
} from "../world/wire.ts";

/** P-Chain API. */

const lastHeight = ({ network, index, at }: View): number => heightOf(network, index, "P", at);
const clock = ({ network, index, at }: View): string => goTime(chainClock(network, index, at) * 1000);

const getHeight: SimulatedMethod = (view) => ok({ height: u64(lastHeight(view)) });
const getTimestamp: SimulatedMethod = (view) => ok({ timestamp: clock(view) });

/** 450 million AVAX in nAVAX; each block adds a fixed amount. */
const INITIAL_SUPPLY = 450_000_000_000_000_000n;

const getCurrentSupply: SimulatedMethod = (view, params) => {
  const subnet = textParam(params, "subnetID");
  if (subnet === undefined || (subnet !== "" && !isId(subnet))) return fail(BAD_ARGUMENT);
  if (subnet !== "" && subnet !== PRIMARY) return fail("fetching current supply failed: not found");
  const height = lastHeight(view);
  const supply = u64(INITIAL_SUPPLY + BigInt(height) * 3_805_175_038n);
  return ok(view.dialect === "spec" ? { supply } : { supply, height: u64(height) });
};

const getBlockchains: SimulatedMethod = ({ network }) => {
  const { subnets, chainIds } = network.world;
  const own = subnets
    .map(({ id, chain, chainId }) => ({ id: chainId, name: chain, subnetID: id, vmID: SUBNET_EVM }))
    .reverse();
  return ok({
    blockchains: [
      ...own,
      { id: chainIds.C, name: "C-Chain", subnetID: PRIMARY, vmID: "mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6" },
      { id: chainIds.X, name: "X-Chain", subnetID: PRIMARY, vmID: "jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq" },
    ],
  });
};

const getBlockchainStatus: SimulatedMethod = (view, params) => {
  const name = textParam(params, "blockchainID");
  if (name === undefined) return fail(BAD_ARGUMENT);
  if (name === "") return fail("argument 'blockchainID' not given");
  const chain = namedChain(view, name);
  if (chain === undefined) {
    return isId(name)
      ? ok({ status: "Unknown" })
      : fail(`problem parsing blockchainID ${goJson(name)}: invalid input checksum`);
  }
  const { network, index, at } = view;
  const member = {
    P: false,
    X: stakeOf(network, index, at) !== undefined,
    C: stakeOf(network, index, at) !== undefined,
    perm1: seatsOf(network, "perm1", at).some(({ member: own }) => own === index),
    l1one: seatsOf(network, "l1one", at).some(({ member: own }) => own === index),
  }[chain];
  const status = chainState(view, chain) === "missing" ? "Created" : member ? "Validating" : "Syncing";
  return ok({ status });
};

/** UTXOs of addresses, in nAVAX: only owners of stakes have any. */
function holdings(
  { network, at }: View,
  addresses: ReadonlyArray<string>,
): Array<{ readonly address: string; readonly txID: string; readonly amount: bigint }> {
  const owners = ownersOf(network.world).map((owner) => `P-${owner}`);
  return [...new Set(addresses)].flatMap((address) => {
    const position = owners.indexOf(address);
    const full = 29_993_773_699_611_574n + BigInt(position) * 1_000_000_000n;
    const amount = walletsAt(network, at, "dry") ? 50_000_000n : full;
    return position < 0
      ? []
      : [{ address, txID: makeId(network.world.settings.seed, "genesis utxo", position), amount }];
  });
}

const getBalance: SimulatedMethod = (view, params) => {
  const { hrp } = view.network.world;
  const addresses = textsParam(params, "addresses")?.map((text) => chainAddress("P", hrp, text));
  if (addresses === undefined) return fail(BAD_ARGUMENT);
  const fault = addressFault(addresses);
  if (fault !== undefined) return fail(fault);
  const held = holdings(view, addresses);
  const total = u64(held.reduce((sum, { amount }) => sum + amount, 0n));
  const byAsset = held.length === 0 ? {} : { [view.network.world.assetId]: total };
  return ok({
    balance: total,
    unlocked: total,
    lockedStakeable: "0",
    lockedNotStakeable: "0",
    balances: byAsset,
    unlockeds: byAsset,
    lockedStakeables: {},
    lockedNotStakeables: {},
    utxoIDs:
      held.length === 0 && view.dialect === "avalanchego" ? null : held.map(({ txID }) => ({ txID, outputIndex: 0 })),
  });
};

/** One page for all: an owner has one UTXO. */
const getUTXOs: SimulatedMethod = (view, params) => {
  const { hrp } = view.network.world;
  const addresses = textsParam(params, "addresses")?.map((text) => chainAddress("P", hrp, text));
  if (addresses === undefined) return fail(BAD_ARGUMENT);
  if (addresses.length === 0) return fail("no addresses provided");
  const fault = addressFault(addresses);
  if (fault !== undefined) return fail(fault);
  const held = holdings(view, addresses);
  const last = held.at(-1) ?? { address: `P-${bech32(hrp, Buffer.alloc(20))}`, txID: ZERO_ID };
  return ok({
    numFetched: u64(held.length),
    utxos: held.map(({ address, txID, amount }) =>
      encodedUtxo(view, address, parseCb58(txID, 32) ?? Buffer.alloc(32), 0, amount),
    ),
    endIndex: { address: last.address, utxo: last.txID },
    encoding: "hex",
  });
};

const getStakingAssetID: SimulatedMethod = ({ network }, params) => {
  const subnet = textParam(params, "subnetID");
  if (subnet === undefined || (subnet !== "" && !isId(subnet))) return fail(BAD_ARGUMENT);
  return subnet === "" || subnet === PRIMARY
    ? ok({ assetID: network.world.assetId })
    : fail(`failed fetching subnet transformation for ${subnet}: not found`);
};

const getValidatorFeeState: SimulatedMethod = (view) =>
  ok({ excess: 26_956, price: VALIDATOR_PRICE, timestamp: clock(view) });
const specified: RpcService["methods"] = {
  getBalance,
  getBlock,
  getBlockByHeight,
  getBlockchains,
  getBlockchainStatus,
  getCurrentSupply,
  getCurrentValidators,
};

const old: RpcService["methods"] = {
  ...specified,
  getHeight,
  getL1Validator,
  getStakingAssetID,
  getUTXOs,
  getTimestamp,
};

const current: RpcService["methods"] = { ...old, getValidatorFeeState };

const DEPRECATED = ["getBalance", "getBlockchains"];
/** Of a release to come. */
const next: RpcService["methods"] = Object.fromEntries(
  Object.entries(current).filter(([name]) => !DEPRECATED.includes(name)),
);

/** Serves the path of the P-Chain under each of its aliases. */
export const platform: Interface = (request, view) => {
  const route = chainRoute(view, request.path);
  if (route?.chain !== "P" || route.rest !== "") return undefined;
  const { nextRelease } = behaviourAt(view.network, view.index, view.at);
  const recent = nextRelease ? next : current;
  const methods = view.dialect === "spec" ? specified : since(view, "1.12.2") ? recent : old;
  return gate(view, "P") ?? answerRpc({ name: "platform", methods }, request, view);
};
