import { z } from "zod";
import { isLate, LATE } from "../is-late.ts";
import { fieldAt, height, mapped, pastTime, setTime, wholeOf } from "../wire.ts";

/**
 * P-Chain blocks: kind, time and types of the transactions. The JSON of blocks and transactions does not name their type: it is
 * inferred from the fields.
 */

export const BLOCK_KINDS = ["standard", "proposal", "commit", "abort", "unknown"] as const;
type BlockKind = (typeof BLOCK_KINDS)[number];

/**
 * Types of transactions with their distinguishing fields; the first match applies. Source: transaction types of AvalancheGo;
 * `set_auto_renewed_validator_config` is from ACP-236 and not in any recording.
 */
const RULES: ReadonlyArray<readonly [kind: string, fields: readonly string[]]> = [
  ["add_auto_renewed_validator", ["autoCompoundRewardShares", "validatorAuthority"]],
  ["set_auto_renewed_validator_config", ["autoCompoundRewardShares", "txID"]],
  ["reward_auto_renewed_validator", ["txID", "timestamp"]],
  ["reward_validator", ["txID"]],
  ["import", ["sourceChain", "importedInputs"]],
  ["export", ["destinationChain", "exportedOutputs"]],
  ["create_chain", ["vmID", "genesisData"]],
  ["transform_subnet", ["assetID", "initialSupply"]],
  ["convert_subnet_to_l1", ["validators", "chainID"]],
  ["transfer_subnet_ownership", ["subnetID", "newOwner"]],
  ["register_l1_validator", ["message", "proofOfPossession"]],
  ["set_l1_validator_weight", ["message"]],
  ["increase_l1_validator_balance", ["validationID", "balance"]],
  ["disable_l1_validator", ["validationID", "disableAuthorization"]],
  ["add_permissionless_validator", ["validator", "validationRewardsOwner"]],
  ["add_permissionless_delegator", ["validator", "rewardsOwner", "subnetID"]],
  ["add_validator", ["validator", "rewardsOwner", "shares"]],
  ["add_delegator", ["validator", "rewardsOwner"]],
  ["add_subnet_validator", ["validator", "subnetAuthorization"]],
  ["remove_subnet_validator", ["nodeID", "subnetAuthorization"]],
  ["create_subnet", ["owner"]],
  ["advance_time", ["time"]],
];

/** A transaction with only these fields is a plain transfer. */
const BASE_FIELDS: ReadonlySet<string> = new Set(["networkID", "blockchainID", "outputs", "inputs", "memo"]);

/** `unknown` is a type outside this table, or a transaction that could not be read. */
export const TRANSACTION_KINDS: readonly string[] = [...RULES.map(([kind]) => kind), "base", "unknown"];

export function transactionKind(unsignedTx: Readonly<Record<string, unknown>>): string {
  const has = (field: string): boolean => Object.hasOwn(unsignedTx, field);
  const rule = RULES.find(([, fields]) => fields.every(has));
  if (rule !== undefined) return rule[0];
  return has("outputs") && Object.keys(unsignedTx).every((field) => BASE_FIELDS.has(field)) ? "base" : "unknown";
}

export type PlatformBlock = {
  readonly height: number;
  readonly kind: BlockKind;
  /** Unix seconds; `undefined` for blocks before the Banff upgrade. */
  readonly time: number | undefined;
  /** Kind of each transaction. */
  readonly transactions: readonly string[];
  /** What its export transactions move to other chains; unknown where they cannot be read. */
  readonly exported?: readonly Moved[] | undefined;
};

/** An amount in the smallest unit of an asset. */
export type Moved = { readonly asset: unknown; readonly amount: bigint | undefined };

const transaction = mapped(z.object({ unsignedTx: z.record(z.string(), z.unknown()) }), ({ unsignedTx }) => {
  const { exportedOutputs: outputs } = unsignedTx;
  const kind = transactionKind(unsignedTx);
  const moved = kind === "export" && Array.isArray(outputs) ? outputs.map(movedBy) : [];
  return { kind, moved };
});

const movedBy = (output: unknown): Moved => ({
  asset: fieldAt(output, "assetID"),
  amount: wholeOf(fieldAt(output, "output", "amount")),
});

/** `kind` is `unknown` for a block without transactions: commit and abort are the same in JSON. */
export const jsonBlock = mapped(
  z.object({ height, time: pastTime.optional(), tx: transaction.nullish(), txs: z.array(transaction).nullish() }),
  ({ height, time, tx, txs }): PlatformBlock => {
    const all = [...(txs ?? []), ...(tx === undefined || tx === null ? [] : [tx])];
    return {
      height,
      time,
      kind: (tx ?? undefined) !== undefined ? "proposal" : (txs ?? undefined) !== undefined ? "standard" : "unknown",
      transactions: all.map(({ kind }) => kind),
      exported: all.flatMap(({ moved }) => moved),
    };
  },
);

/** An encoded block, which is refused where it is dated later than the answer. */
export const hexBlock = z.string().refine((text) => !isLate(readHexBlock(text, 0)?.time), LATE);

/** Kinds of blocks by type ID of the codec: before Banff, and since Banff, with a time. */
const APRICOT: readonly BlockKind[] = ["proposal", "abort", "commit", "standard", "standard"];
const BANFF_FROM = 29;
const BANFF: readonly BlockKind[] = ["proposal", "abort", "commit", "standard"];

/**
 * Reads the header of an encoded block: kind, time and number of transactions, whose types stay `unknown`. `undefined` if the text
 * is not an encoded block.
 * @param height the requested height
 */
export function readHexBlock(text: string, height: number): PlatformBlock | undefined {
  if (!/^0x([0-9a-fA-F]{2}){42,}$/.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(2), "hex");
  const type = bytes.readUInt32BE(2);
  const banff = BANFF[type - BANFF_FROM];
  const kind = banff ?? APRICOT[type] ?? "unknown";
  const time = banff === undefined ? undefined : setTime(Number(bytes.readBigUInt64BE(6)));
  const header = banff === undefined ? 46 : 54;
  const isList = kind === "standard" && type !== 4 && bytes.length >= header + 8;
  // Bounds the array below: a block has at most 2 MB.
  const counted = isList ? Math.min(bytes.readUInt32BE(header), 10_000) : 0;
  const transactions = kind === "proposal" ? 1 : counted;
  return {
    ...{ height, kind, time },
    transactions: Array.from({ length: transactions }, () => "unknown"),
    exported: kind === "standard" ? undefined : [],
  };
}
