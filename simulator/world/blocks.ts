import type { World } from "./genesis.ts";
import { blockSeconds, heightOf } from "./heights.ts";
import { bech32, blockBytes, blockId, digest, heightOfBlockId, isId, makeId } from "../encoding/ids.ts";
import type { Network } from "./network.ts";
import { withChecksum } from "./utxos.ts";
import {
  BAD_ARGUMENT,
  fail,
  numberParam,
  ok,
  textParam,
  type SimulatedMethod,
  type MethodOutcome,
  type Params,
  type View,
} from "./wire.ts";

/** P-Chain blocks. The height determines the content. */

const SECP = "spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ";

type Kind = "genesis" | "proposal" | "commit" | "abort" | "standard";

/** Of every 50 blocks, one pair rewards a validator and one pair denies the reward. */
function kindOf(height: number): Kind {
  if (height === 0) return "genesis";
  if (height % 50 === 10 || height % 50 === 30) return "proposal";
  if (height % 50 === 11) return "commit";
  return height % 50 === 31 ? "abort" : "standard";
}

function transfer(world: World, height: number, amount: number): { readonly output: unknown; readonly input: unknown } {
  const address = `P-${bech32(world.hrp, digest(world.settings.seed, "payer", height % 7).subarray(0, 20))}`;
  const common = { assetID: world.assetId, fxID: SECP };
  const spent = { txID: makeId(world.settings.seed, "utxo", height), outputIndex: 0 };
  return {
    output: { ...common, output: { addresses: [address], amount, locktime: 0, threshold: 1 } },
    input: { ...spent, ...common, input: { amount: amount + 10_278, signatureIndices: [0] } },
  };
}

function transactions(network: Network, height: number): unknown[] {
  const { world } = network;
  const { output, input } = transfer(world, height, 1_000_000_000 + (height % 1000) * 1_000_000);
  const fields = specialFields(network, height, output, input);
  if (fields === undefined) return [];
  const base = { networkID: world.settings.network.id, blockchainID: world.chainIds.P };
  const inputs = "importedInputs" in fields ? [] : [input];
  const unsignedTx = { ...base, outputs: [output], inputs, memo: "0x", ...fields };
  const signature = digest(world.settings.seed, "signature", height).toString("hex");
  const credentials = [{ signatures: [`0x${signature}${signature}00`] }];
  return [{ unsignedTx, credentials, id: makeId(world.settings.seed, "tx", height) }];
}

/** Type-specific fields of the transaction in a block; `undefined` if the block has no transaction. */
function specialFields(network: Network, height: number, output: unknown, input: unknown): object | undefined {
  const { world } = network;
  const odd = ODD_TRANSACTIONS[height % 50];
  if (odd !== undefined) return odd(network, height);
  if (height % 4 === 1) return { destinationChain: world.chainIds.C, exportedOutputs: [output] };
  return height % 4 === 2 ? { sourceChain: world.chainIds.C, importedInputs: [input] } : undefined;
}

const owner = (world: World) => ({ addresses: [`P-${world.members[0]?.owner ?? ""}`], locktime: 0, threshold: 1 });
const staker = (network: Network, height: number) => ({
  nodeID: network.world.members[height % network.world.members.length]?.nodeId ?? "",
  start: 0,
  end: Math.floor(blockSeconds(network, "P", height)) + 1_209_600,
  weight: 25_000_000_000,
});

/** Transactions other than exports and imports, by height modulo 50. */
const ODD_TRANSACTIONS: Readonly<Record<number, (network: Network, height: number) => object>> = {
  20: (network, height) => ({
    validator: staker(network, height),
    subnetID: network.world.chainIds.P,
    stake: [],
    rewardsOwner: owner(network.world),
  }),
  21: ({ world }) => ({ owner: owner(world) }),
  22: (network, height) => ({
    validator: staker(network, height),
    subnetID: network.world.chainIds.P,
    signer: {},
    stake: [],
    validationRewardsOwner: owner(network.world),
    delegationRewardsOwner: owner(network.world),
    shares: 20_000,
  }),
  23: ({ world }, height) => ({
    validationID: makeId(world.settings.seed, "topped up", height),
    balance: 1_000_000_000,
  }),
  24: (network, height) => ({
    validator: { ...staker(network, height), subnetID: network.world.subnets[0].id },
    subnetAuthorization: { signatureIndices: [0] },
  }),
  25: () => ({}),
};

function asJson({ network }: View, height: number): unknown {
  const { world } = network;
  const { seed } = world.settings;
  const kind = kindOf(height);
  const parentID = blockId(seed, "P", height - 1 < 0 ? 2 ** 40 : height - 1);
  const head = { parentID, height, id: blockId(seed, "P", height) };
  if (kind === "genesis") return head;
  const time = Math.floor(blockSeconds(network, "P", height));
  if (kind === "commit" || kind === "abort") return { time, ...head };
  if (kind !== "proposal") return { time, ...head, txs: transactions(network, height) };
  const tx = {
    unsignedTx: { txID: makeId(seed, "stake", height) },
    credentials: [],
    id: makeId(seed, "reward", height),
  };
  return { time, txs: [], ...head, tx };
}

/** Type IDs of the codec; the first block has one of those before Banff. */
const TYPES: Readonly<Record<Kind, number>> = {
  genesis: 0x02,
  proposal: 0x1d,
  abort: 0x1e,
  commit: 0x1f,
  standard: 0x20,
};

/** Codec bytes. Only the header matches the JSON form: there are no transactions. */
function asBytes({ network }: View, height: number): Buffer {
  const { world } = network;
  const kind = kindOf(height);
  const head = Buffer.alloc(kind === "genesis" ? 6 : 14);
  head.writeUInt32BE(TYPES[kind], 2);
  if (kind !== "genesis") head.writeBigUInt64BE(BigInt(Math.floor(blockSeconds(network, "P", height))), 6);
  const parent = blockBytes(world.settings.seed, "P", Math.max(0, height - 1));
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(height));
  const rest = Buffer.alloc(kind === "standard" || kind === "proposal" ? 4 : 0);
  return Buffer.concat([head, parent, number, rest]);
}

function encoded(view: View, params: Params, height: number): MethodOutcome {
  const encoding = (textParam(params, "encoding") ?? "").toLowerCase();
  if (encoding === "json") return ok({ block: asJson(view, height), encoding });
  const bytes = asBytes(view, height);
  if (encoding === "hexnc") return ok({ block: `0x${bytes.toString("hex")}`, encoding });
  return encoding === "" || encoding === "hex" || encoding === "hexc"
    ? ok({ block: withChecksum(bytes), encoding: encoding || "hex" })
    : fail(BAD_ARGUMENT);
}

export const getBlockByHeight: SimulatedMethod = (view, params) => {
  const height = numberParam(params, "height");
  if (height === undefined) return fail(BAD_ARGUMENT);
  const last = heightOf(view.network, view.index, "P", view.at);
  return height <= last ? encoded(view, params, height) : fail(`couldn't get block at height ${height}: not found`);
};

export const getBlock: SimulatedMethod = (view, params) => {
  const id = textParam(params, "blockID");
  if (id === undefined || !isId(id)) return fail(BAD_ARGUMENT);
  const height = heightOfBlockId(view.network.world.settings.seed, "P", id);
  const known = height !== undefined && height <= heightOf(view.network, view.index, "P", view.at);
  return known ? encoded(view, params, height) : fail(`couldn't get block with id ${id}: not found`);
};
