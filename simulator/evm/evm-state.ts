import { digest } from "../encoding/ids.ts";
import { walletsAt } from "../world/wallets.ts";
import type { View } from "../world/wire.ts";
import {
  absent,
  addressFault,
  fail,
  invalid,
  missing,
  ok,
  stateHeight,
  type EvmMethod,
  type EvmResult,
  type Refusal,
} from "./evm-arguments.ts";
import { EMPTY_ROOT } from "./evm-blocks.ts";
import { hash, headOf, hex, isNewEngine, type EvmChain } from "./evm-chain.ts";
import { sentBy, TRANSFER_GAS } from "./evm-transactions.ts";

/** Methods of the simulated EVM that read accounts: balances, nonces, the code of one contract, and calls to it. */

const COIN = 10n ** 18n;
const NO_CODE = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
const ZERO_WORD = `0x${"0".repeat(64)}`;

/** The manager of the L1's validators: the only contract. It answers 32 zero bytes to every call. */
const MANAGER = "0x0feedc0de0000000000000000000000000000000";
const MANAGER_CODE = "0x60206000f3";
const MANAGER_GAS = 9;

const isContract = (chain: EvmChain, address: unknown): boolean =>
  chain === "l1one" && typeof address === "string" && address.toLowerCase() === MANAGER;

/** Wei of an address: 10 to 110 coins less fees, or 0.01 coins with the behaviour "dry". */
function balanceOf(view: View, chain: EvmChain, address: string, height: number): bigint {
  if (walletsAt(view.network, view.at, "dry")) return COIN / 100n;
  const share = BigInt(digest("evm balance", chain, address.toLowerCase()).readUInt32BE(0) % 100);
  return (10n + share) * COIN - BigInt(height) * BigInt(TRANSFER_GAS);
}

/** A method about an account at a block. @param at position of the block among the arguments, all of them required */
const ofAccount =
  (at: number, read: (view: View, chain: EvmChain, address: string, height: number) => EvmResult): EvmMethod =>
  (view, chain, params) => {
    const height = absent(params, at + 1) ?? addressFault(0, params[0]) ?? stateHeight(view, chain, at, params[at]);
    return typeof height === "number" ? read(view, chain, String(params[0]), height) : height;
  };

const getStorageAt: EvmMethod = (view, chain, params) => {
  const slot = params[1] ?? "0x0";
  const isSlot = typeof slot === "string" && /^(0x)?[0-9a-f]{1,64}$/i.test(slot);
  if (!isSlot) return invalid(1, "unable to decode storage key: hex string invalid");
  return ofAccount(2, () => ok(ZERO_WORD))(view, chain, params);
};

/** Blocks before the head for which there are proofs. */
const PROOF_WINDOW = 32;

const getProof: EvmMethod = (view, chain, params) => {
  const [address, keys] = params;
  const wrong = absent(params, 2) ?? addressFault(0, address);
  if (wrong !== undefined) return wrong;
  const height = stateHeight(view, chain, 2, params[2] ?? "latest");
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
    balance: hex(balanceOf(view, chain, text, height)),
    codeHash: isContract(chain, text) ? hash("code", MANAGER_CODE) : NO_CODE,
    nonce: hex(sentBy(view, chain, text, height)),
    storageHash: EMPTY_ROOT,
    storageProof: (Array.isArray(keys) ? keys : []).map((key: unknown) => ({ key, value: "0x0", proof: [] })),
  });
};

type Call = { readonly to: unknown; readonly data: string };

/** The transaction of a call, or the error for it. */
function callIn(transaction: unknown): Call | Refusal {
  if (transaction === undefined || transaction === null) return missing(0);
  if (typeof transaction !== "object" || Array.isArray(transaction)) {
    return invalid(0, "json: cannot unmarshal non-object into Go value of type ethapi.TransactionArgs");
  }
  const { from, to, data, input } = transaction as Readonly<Record<string, unknown>>;
  const wrong = [from, to].flatMap((address) =>
    address === undefined || address === null ? [] : [addressFault(0, address)],
  );
  const fault = wrong.find((each) => each !== undefined);
  if (fault !== undefined) return fault;
  const bytes = input ?? data ?? "0x";
  return typeof bytes === "string" && /^0x([0-9a-f]{2})*$/i.test(bytes)
    ? { to: to ?? undefined, data: bytes.slice(2) }
    : invalid(
        0,
        "json: cannot unmarshal invalid hex string into Go struct field TransactionArgs.data of type hexutil.Bytes",
      );
}

/** A method about a transaction at a block, by default the last one. */
const ofCall =
  (run: (chain: EvmChain, call: Call) => EvmResult): EvmMethod =>
  (view, chain, [transaction, block]) => {
    const call = callIn(transaction);
    if ("code" in call) return call;
    const height = stateHeight(view, chain, 1, block ?? "latest");
    return typeof height === "number" ? run(chain, call) : height;
  };

/** Gas of the bytes of a transaction, and of a new contract with these bytes. */
const BYTE_GAS = { zero: 4, other: 16 };
const CREATION_GAS = 32_000;

function gasOf(chain: EvmChain, { to, data }: Call): number {
  const bytes = Buffer.from(data, "hex");
  const zeros = bytes.filter((byte) => byte === 0).length;
  const words = Math.ceil(bytes.length / 32);
  const creation = to === undefined ? CREATION_GAS + 2 * words : 0;
  const code = isContract(chain, to) ? MANAGER_GAS : 0;
  return TRANSFER_GAS + creation + code + zeros * BYTE_GAS.zero + (bytes.length - zeros) * BYTE_GAS.other;
}

export const STATE: Readonly<Record<string, EvmMethod>> = {
  eth_getBalance: ofAccount(1, (view, chain, address, height) => ok(hex(balanceOf(view, chain, address, height)))),
  eth_getTransactionCount: ofAccount(1, (view, chain, address, height) =>
    ok(hex(sentBy(view, chain, address, height))),
  ),
  eth_getCode: ofAccount(1, (_view, chain, address) => ok(isContract(chain, address) ? MANAGER_CODE : "0x")),
  eth_getStorageAt: getStorageAt,
  eth_getProof: getProof,
  eth_call: ofCall((chain, { to }) => ok(isContract(chain, to) ? ZERO_WORD : "0x")),
  eth_estimateGas: ofCall((chain, call) => ok(hex(gasOf(chain, call)))),
};
