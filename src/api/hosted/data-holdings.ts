import { z } from "zod";
import { feeOf } from "./data-transactions.ts";
import { amount, maybeField, maybeTokens, pastMoment, price } from "./data-fields.ts";
import type { AnswerOf } from "../endpoint.ts";
import {
  getResource,
  hostedEndpoint,
  keyOf,
  listing,
  onChainKeys,
  pageOf,
  partsOf,
  type SearchParameters,
} from "./hosted-endpoint.ts";
import { count } from "../wire.ts";

/** Data API: holdings of accounts, deployments of contracts, and tokens of NFT collections. */

const balancesPage = pageOf("erc721TokenBalances", z.object({ address: maybeField(z.string()) }), ["address"]).and(
  z.object({
    nativeTokenBalance: maybeField(
      z.object({ balance: amount, decimals: maybeField(count), price, balanceValue: price }),
    ),
  }),
);

export const Erc721Balances = getResource(
  "/v1/chains/{chainId}/addresses/{address}/balances:listErc721",
  "Coin balance and ERC-721 tokens of an account.",
  balancesPage,
);

export const DataHoldings = hostedEndpoint(Erc721Balances, {
  id: "data.holdings",
  units: 20,
  priority: 2,
  every: 900,
  keys: ({ accounts }) => onChainKeys(accounts),
  async ask(api, key, { maxPages }) {
    const [chainId, address] = partsOf(key);
    const size: SearchParameters = [["pageSize", "500"]];
    const { pages, rows: tokens, dated } = await listing(api, Erc721Balances, { chainId, address }, maxPages, size);
    const coin = pages[0]?.nativeTokenBalance;
    return {
      ...dated,
      coins: maybeTokens(coin?.balance, coin?.decimals ?? 18),
      price: coin?.price,
      value: coin?.balanceValue,
      tokens: tokens.length,
      collections: distinct(tokens.map((token) => token.address)),
    };
  },
});
export type Holdings = AnswerOf<typeof DataHoldings>;

/** The number of different addresses; unknown where one is. */
export function distinct(addresses: ReadonlyArray<string | undefined>): number | undefined {
  const found = new Set(addresses.map((address) => address?.toLowerCase()));
  return found.has(undefined) ? undefined : found.size;
}

const deployment = z.object({
  nativeTransaction: z.object({
    blockTimestamp: pastMoment,
    from: maybeField(z.object({ address: z.string() })),
    gasUsed: maybeField(amount),
    gasPrice: maybeField(amount),
  }),
});

export const Deployment = getResource(
  "/v1/chains/{chainId}/contracts/{address}/transactions:getDeployment",
  "The transaction that deployed a contract.",
  deployment,
);

export const DataDeployments = hostedEndpoint(Deployment, {
  id: "data.deployments",
  units: 20,
  priority: 4,
  every: 86_400,
  keys: ({ contracts }) => onChainKeys(contracts),
  async ask(api, key) {
    const [chainId, address] = partsOf(key);
    const { nativeTransaction: transaction } = await api.get(Deployment, { chainId, address });
    const { blockTimestamp: deployedAt, from } = transaction;
    return { at: api.now, deployedAt, deployer: from?.address, fee: feeOf(transaction) };
  },
});
export type Deployed = AnswerOf<typeof DataDeployments>;

/** A closed set; the real service sends upper case, the specification's example has lower case. */
export const INDEX_STATUSES = [
  ...["INDEXED", "UNINDEXED", "UNKNOWN", "MISSING_TOKEN", "INVALID_TOKEN_URI", "INVALID_TOKEN_URI_SCHEME"],
  ...["UNREACHABLE_TOKEN_URI", "THROTTLED_TOKEN_URI", "METADATA_CONTENT_TOO_LARGE", "INVALID_METADATA"],
  "INVALID_METADATA_JSON",
] as const;

/** An ERC-721 or ERC-1155 token. */
const nft = z
  .object({
    name: maybeField(z.string()),
    symbol: maybeField(z.string()),
    ercType: z.string(),
    ownerAddress: maybeField(z.string()),
    metadata: maybeField(z.object({ indexStatus: maybeField(z.string()), metadataLastUpdatedTimestamp: pastMoment })),
  })
  .transform(({ metadata, ...rest }) => ({
    ...rest,
    indexStatus: metadata?.indexStatus?.toUpperCase() ?? "UNKNOWN",
    updatedAt: metadata?.metadataLastUpdatedTimestamp,
  }));

export type Nft = z.output<typeof nft>;

export const CollectionTokens = getResource(
  "/v1/chains/{chainId}/nfts/collections/{address}/tokens",
  "The tokens of an NFT collection.",
  pageOf("tokens", nft, ["name", "symbol", "ownerAddress", "metadata.metadataLastUpdatedTimestamp"]),
);

export const DataCollections = hostedEndpoint(CollectionTokens, {
  id: "data.collections",
  units: 20,
  priority: 4,
  every: 21_600,
  keys: ({ collections }) => onChainKeys(collections),
  async ask(api, key, { maxPages }) {
    const [chainId, address] = partsOf(key);
    const { rows: tokens, dated } = await listing(api, CollectionTokens, { chainId, address }, maxPages);
    return { ...dated, tokens };
  },
});
export type Collection = AnswerOf<typeof DataCollections>;

export const CollectionToken = getResource(
  "/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}",
  "One token of an NFT collection.",
  nft,
);

export const DataNfts = hostedEndpoint(CollectionToken, {
  id: "data.nfts",
  units: 20,
  priority: 4,
  every: 3600,
  keys: ({ nfts }) => nfts.map(({ chain, address, tokenId }) => keyOf(chain, address, tokenId)),
  async ask(api, key) {
    const [chainId, address, tokenId] = partsOf(key);
    return { at: api.now, token: await api.get(CollectionToken, { chainId, address, tokenId }) };
  },
});
