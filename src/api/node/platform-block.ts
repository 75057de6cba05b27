import { z } from "zod";
import { count, unixTime } from "../wire.ts";

/**
 * What a P-Chain block says of itself: its kind, its time and what its transactions are. The JSON of a transaction never
 * names its type, and that of a block does not either: both are inferred from the fields that only they have.
 */

export const BLOCK_KINDS = ["standard", "proposal", "commit", "abort", "unknown"] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/**
 * Types of transactions with the fields that tell them apart, the first whose fields are all there. Source: transaction
 * types of AvalancheGo; the two last of the auto-renewed ones are from the proposal (ACP-236) and were never seen recorded.
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

/** A transaction with these fields and no others moves assets and does nothing else. */
const BASE_FIELDS: ReadonlySet<string> = new Set(["networkID", "blockchainID", "outputs", "inputs", "memo"]);

/** What a transaction can be; `unknown` is one of a type that this table does not have, or one that could not be read. */
export const TRANSACTION_KINDS: readonly string[] = [...RULES.map(([kind]) => kind), "base", "unknown"];

/** The type of an unsigned transaction by its fields. */
export function transactionKind(unsignedTx: Readonly<Record<string, unknown>>): string {
  const has = (field: string): boolean => Object.hasOwn(unsignedTx, field);
  const rule = RULES.find(([, fields]) => fields.every(has));
  if (rule !== undefined) return rule[0];
  return has("outputs") && Object.keys(unsignedTx).every((field) => BASE_FIELDS.has(field)) ? "base" : "unknown";
}

export type Block = {
  readonly height: number;
  readonly kind: BlockKind;
  /** Unix seconds; `undefined` in blocks from before the Banff upgrade. */
  readonly time: number | undefined;
  /** Kind of each transaction. */
  readonly transactions: readonly string[];
};

const transaction = z
  .object({ unsignedTx: z.record(z.string(), z.unknown()) })
  .transform(({ unsignedTx }) => transactionKind(unsignedTx));

/** `kind` is `unknown` for a block without transactions of its own: commit or abort, which look the same in JSON. */
export const jsonBlock = z
  .object({
    height: count,
    time: unixTime.optional(),
    tx: transaction.nullish(),
    txs: z.array(transaction).nullish(),
  })
  .transform(({ height, time, tx, txs }): Block => ({
    height,
    time,
    kind: (tx ?? undefined) !== undefined ? "proposal" : (txs ?? undefined) !== undefined ? "standard" : "unknown",
    transactions: [...(txs ?? []), ...(tx === undefined || tx === null ? [] : [tx])],
  }));

/** Kinds of blocks by type ID of the codec: before Banff, and since, with a time of their own. */
const APRICOT: readonly BlockKind[] = ["proposal", "abort", "commit", "standard", "standard"];
const BANFF_FROM = 29;
const BANFF: readonly BlockKind[] = ["proposal", "abort", "commit", "standard"];

/**
 * What the head of an encoded block tells: its kind and time, and of a standard block how many transactions there are, of
 * types that stay unknown. `undefined` when it is no encoded block. The height is the one that was asked for.
 */
export function readHexBlock(text: string, height: number): Block | undefined {
  if (!/^0x([0-9a-fA-F]{2}){42,}$/.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(2), "hex");
  const type = bytes.readUInt32BE(2);
  const banff = BANFF[type - BANFF_FROM];
  const kind = banff ?? APRICOT[type] ?? "unknown";
  const time = banff === undefined ? undefined : Number(bytes.readBigUInt64BE(6));
  const header = banff === undefined ? 46 : 54;
  const isList = kind === "standard" && type !== 4 && bytes.length >= header + 8;
  // A block is 2 MB at most; a count beyond that is no count.
  const counted = isList ? Math.min(bytes.readUInt32BE(header), 10_000) : 0;
  const held = kind === "proposal" ? 1 : counted;
  return { height, kind, time, transactions: Array.from({ length: held }, () => "unknown") };
}
