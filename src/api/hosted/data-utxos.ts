import { z } from "zod";
import { amount, decimals, inTokens, listed, maybeField, moment } from "./data-fields.ts";
import type { Resource } from "../endpoint.ts";
import { hostedEndpoint, keyOf, listing, nextPageToken, partsOf, type Dated } from "./hosted.ts";

/** Data API: unspent outputs of an address on the P-, X- and C-Chain. */

/** Two shapes: the specification's (P and C at the real service), and the X-Chain's with other names for the times. */
const utxo = z
  .object({
    asset: z.object({ assetId: z.string(), denomination: decimals, amount }),
    staked: maybeField(z.boolean()),
    platformLocktime: moment,
    stakeableLocktime: moment,
    locktime: moment,
    utxoEndTimestamp: moment,
    consumingTxHash: maybeField(z.string()),
    blockTimestamp: moment,
    timestamp: moment,
  })
  .transform((raw) => ({
    assetId: raw.asset.assetId,
    coins: inTokens(raw.asset.amount, raw.asset.denomination),
    spent: raw.consumingTxHash !== undefined && raw.consumingTxHash !== "",
    staked: raw.staked === true,
    /** When a lock ends, in Unix seconds; of a stake its end. */
    until: Math.max(
      raw.platformLocktime ?? 0,
      raw.stakeableLocktime ?? 0,
      raw.locktime ?? 0,
      raw.staked === true ? (raw.utxoEndTimestamp ?? 0) : 0,
    ),
    created: raw.blockTimestamp ?? raw.timestamp,
  }));

export type Utxo = z.output<typeof utxo>;

const page = z.object({ nextPageToken, utxos: listed(utxo) });

export const UtxosByAddress: Resource<z.output<typeof page>> = {
  name: "GET /v1/networks/{network}/blockchains/{blockchainId}/utxos",
  path: "/v1/networks/{network}/blockchains/{blockchainId}/utxos",
  about: "Outputs of an address that are not spent.",
  result: page,
};

/** AVAX alone: another asset's amount says nothing in AVAX. */
export type Utxos = Dated & {
  readonly utxos: readonly Utxo[];
  /** Outputs of other assets. */
  readonly others: number;
};

export const DataUtxos = hostedEndpoint<Utxos>({
  id: "data.utxos",
  about: UtxosByAddress.about,
  methods: [UtxosByAddress.name],
  service: "data",
  units: 100,
  priority: 2,
  every: 900,
  keys: ({ utxoChains, wallets }) => wallets.flatMap((wallet) => utxoChains.map((chain) => keyOf(chain, wallet))),
  async ask(api, key, { network, avaxAssetId, maxPages }) {
    const [blockchainId, address] = partsOf(key);
    const query = [
      ["addresses", address] as const,
      ["pageSize", "100"] as const,
      ["includeSpent", "false"] as const,
      ...(blockchainId === "x-chain" && avaxAssetId !== undefined ? [["assetId", avaxAssetId] as const] : []),
    ];
    const { pages, truncated } = await listing(api, UtxosByAddress, { network, blockchainId }, query, maxPages);
    const unspent = pages.flatMap(({ utxos }) => utxos).filter(({ spent }) => !spent);
    const avax = unspent.filter(({ assetId }) => avaxAssetId === undefined || assetId === avaxAssetId);
    return { at: api.now, truncated, utxos: avax, others: unspent.length - avax.length };
  },
});
