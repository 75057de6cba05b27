import { z } from "zod";
import { amount, maybeField, maybeTokens, moment, pastMoment } from "./data-fields.ts";
import type { AnswerOf } from "../endpoint.ts";
import { getResource, hostedEndpoint, keyOf, listing, PAGE_SIZE, pageOf, partsOf } from "./hosted-endpoint.ts";
import { count } from "../wire.ts";

/** Data API: unspent outputs of an address on the P-, X- and C-Chain. */

/** Two shapes: that of the specification (P and C at the real service), and that of the X-Chain, which names the times differently. */
const utxo = z
  .object({
    asset: z.object({ assetId: z.string(), denomination: maybeField(count), amount: maybeField(amount) }),
    staked: maybeField(z.boolean()),
    platformLocktime: moment,
    stakeableLocktime: moment,
    locktime: moment,
    utxoEndTimestamp: moment,
    consumingTxHash: maybeField(z.string()),
    blockTimestamp: pastMoment,
    timestamp: pastMoment,
  })
  .transform((raw) => ({
    assetId: raw.asset.assetId,
    coins: maybeTokens(raw.asset.amount, raw.asset.denomination),
    spent: raw.consumingTxHash !== undefined && raw.consumingTxHash !== "",
    staked: raw.staked === true,
    /** End of the lock or of the stake, in Unix seconds. */
    until: Math.max(
      raw.platformLocktime ?? 0,
      raw.stakeableLocktime ?? 0,
      raw.locktime ?? 0,
      raw.staked === true ? (raw.utxoEndTimestamp ?? 0) : 0,
    ),
    created: raw.blockTimestamp ?? raw.timestamp,
  }));

export type Utxo = z.output<typeof utxo>;

export const UtxosByAddress = getResource(
  "/v1/networks/{network}/blockchains/{blockchainId}/utxos",
  "Unspent outputs of an address.",
  pageOf("utxos", utxo, ["asset.amount", "asset.denomination", "blockTimestamp", "timestamp"]),
);

/** `utxos` holds AVAX only: amounts of other assets cannot be added to it. `others` is the number of outputs of other assets. */
export const DataUtxos = hostedEndpoint(UtxosByAddress, {
  id: "data.utxos",
  units: 100,
  priority: 2,
  every: 900,
  keys: ({ utxoChains, wallets }) => wallets.flatMap((wallet) => utxoChains.map((chain) => keyOf(chain, wallet))),
  async ask(api, key, { network, avaxAssetId, maxPages }) {
    const [blockchainId, address] = partsOf(key);
    const { rows, dated } = await listing(api, UtxosByAddress, { network, blockchainId }, maxPages, [
      ["addresses", address],
      PAGE_SIZE,
      ["includeSpent", "false"],
      ...(blockchainId === "x-chain" && avaxAssetId !== undefined ? [["assetId", avaxAssetId] as const] : []),
    ]);
    const unspent = rows.filter(({ spent }) => !spent);
    const avax = unspent.filter(({ assetId }) => avaxAssetId === undefined || assetId === avaxAssetId);
    return { ...dated, utxos: avax, others: unspent.length - avax.length };
  },
});
export type Utxos = AnswerOf<typeof DataUtxos>;
