import { createHash } from "node:crypto";
import type { World } from "./genesis.ts";
import { bech32, blockBytes, blockId, digest, heightOfBlockId, isId, makeId } from "./ids.ts";
import { blockSeconds, heightOf } from "./network.ts";
import {
  BAD_ARGUMENT,
  fail,
  numberParam,
  ok,
  textParam,
  type Method,
  type Outcome,
  type Params,
  type View,
} from "./wire.ts";

/** P-Chain blocks. What a block holds follows from its height alone. */

const SECP = "spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ";

type Kind = "genesis" | "empty" | "export" | "import" | "proposal" | "commit";

function kindOf(height: number): Kind {
  if (height === 0) return "genesis";
  if (height % 50 === 10) return "proposal";
  if (height % 50 === 11) return "commit";
  return (["empty", "export", "import", "empty"] as const)[height % 4] ?? "empty";
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

function transactions(world: World, height: number, kind: Kind): unknown[] {
  if (kind !== "export" && kind !== "import") return [];
  const { output, input } = transfer(world, height, 1_000_000_000 + (height % 1000) * 1_000_000);
  const base = { networkID: world.settings.network.id, blockchainID: world.chainIds.P };
  const unsignedTx =
    kind === "export"
      ? {
          ...base,
          outputs: [output],
          inputs: [input],
          memo: "0x",
          destinationChain: world.chainIds.C,
          exportedOutputs: [output],
        }
      : { ...base, outputs: [output], inputs: [], memo: "0x", sourceChain: world.chainIds.C, importedInputs: [input] };
  const signature = digest(world.settings.seed, "signature", height).toString("hex");
  const credentials = [{ signatures: [`0x${signature}${signature}00`] }];
  return [{ unsignedTx, credentials, id: makeId(world.settings.seed, "tx", height) }];
}

function asJson({ network }: View, height: number): unknown {
  const { world } = network;
  const { seed } = world.settings;
  const kind = kindOf(height);
  const parentID = blockId(seed, "P", height - 1 < 0 ? 2 ** 40 : height - 1);
  const head = { parentID, height, id: blockId(seed, "P", height) };
  if (kind === "genesis") return head;
  const time = Math.floor(blockSeconds(world, "P", height));
  if (kind === "commit") return { time, ...head };
  if (kind !== "proposal") return { time, ...head, txs: transactions(world, height, kind) };
  const tx = {
    unsignedTx: { txID: makeId(seed, "stake", height) },
    credentials: [],
    id: makeId(seed, "reward", height),
  };
  return { time, txs: [], ...head, tx };
}

/** Codec bytes with checksum. Only headers are true to the JSON form: transactions are left out and counted as none. */
function asHex({ network }: View, height: number): string {
  const { world } = network;
  const parent = blockBytes(world.settings.seed, "P", Math.max(0, height - 1));
  const commit = kindOf(height) === "commit";
  const bytes = Buffer.alloc(2 + 4 + 8 + 32 + 8 + (commit ? 0 : 4));
  bytes.writeUInt32BE(commit ? 0x1f : 0x20, 2);
  bytes.writeBigUInt64BE(BigInt(Math.floor(blockSeconds(world, "P", height))), 6);
  parent.copy(bytes, 14);
  bytes.writeBigUInt64BE(BigInt(height), 46);
  return `0x${bytes.toString("hex")}${createHash("sha256").update(bytes).digest().subarray(28).toString("hex")}`;
}

function encoded(view: View, params: Params, height: number): Outcome {
  const encoding = (textParam(params, "encoding") ?? "").toLowerCase();
  if (encoding === "json") return ok({ block: asJson(view, height), encoding });
  return encoding === "" || encoding === "hex"
    ? ok({ block: asHex(view, height), encoding: "hex" })
    : fail(BAD_ARGUMENT);
}

export const getBlockByHeight: Method = (view, params) => {
  const height = numberParam(params, "height");
  if (height === undefined) return fail(BAD_ARGUMENT);
  const last = heightOf(view.network, view.index, "P", view.at);
  return height <= last ? encoded(view, params, height) : fail(`couldn't get block at height ${height}: not found`);
};

export const getBlock: Method = (view, params) => {
  const id = textParam(params, "blockID");
  if (id === undefined || !isId(id)) return fail(BAD_ARGUMENT);
  const height = heightOfBlockId(view.network.world.settings.seed, "P", id);
  const known = height !== undefined && height <= heightOf(view.network, view.index, "P", view.at);
  return known ? encoded(view, params, height) : fail(`couldn't get block with id ${id}: not found`);
};
