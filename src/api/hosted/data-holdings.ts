import { z } from "zod";
import { amount, inTokens, maybeField, moment, price, type Price } from "./data-fields.ts";
import {
  getResource,
  hostedEndpoint,
  keyOf,
  listing,
  nextPageToken,
  onChainKeys,
  partsOf,
  type Dated,
  type Query,
} from "./hosted.ts";
import { count, list } from "../wire.ts";

/** Data API: holdings of accounts, deployments of contracts, and tokens of NFT collections. */

const balancesPage = z.object({
  nextPageToken,
  nativeTokenBalance: maybeField(
    z.object({ balance: amount, decimals: maybeField(count), price, balanceValue: price }),
  ),
  erc721TokenBalances: list(z.object({ address: z.string() })),
});

export const Erc721Balances = getResource(
  "/v1/chains/{chainId}/addresses/{address}/balances:listErc721",
  "Coin balance and ERC-721 tokens of an account.",
  balancesPage,
);

export type Holdings = Dated & {
  readonly coins: number | undefined;
  readonly price: Price;
  readonly value: Price;
  readonly tokens: number;
  readonly collections: number;
};

export const DataHoldings = hostedEndpoint<Holdings>(Erc721Balances, {
  id: "data.holdings",
  units: 20,
  priority: 2,
  every: 900,
  keys: ({ accounts }) => onChainKeys(accounts),
  async ask(api, key, { maxPages }) {
    const [chainId, address] = partsOf(key);
    const size: Query = [["pageSize", "500"]];
    const { pages, truncated } = await listing(api, Erc721Balances, { chainId, address }, maxPages, size);
    const tokens = pages.flatMap(({ erc721TokenBalances }) => erc721TokenBalances);
    const coin = pages[0]?.nativeTokenBalance;
    return {
      at: api.now,
      truncated,
      coins: coin === undefined ? undefined : inTokens(coin.balance, coin.decimals ?? 18),
      price: coin?.price,
      value: coin?.balanceValue,
      tokens: tokens.length,
      collections: new Set(tokens.map((token) => token.address.toLowerCase())).size,
    };
  },
});

const deployment = z.object({
  nativeTransaction: z.object({
    blockTimestamp: moment,
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

export type Deployed = Dated & {
  readonly deployedAt: number | undefined;
  readonly deployer: string | undefined;
  /** In the chain's own coin. */
  readonly fee: number | undefined;
};

export const DataDeployments = hostedEndpoint<Deployed>(Deployment, {
  id: "data.deployments",
  units: 20,
  priority: 4,
  every: 86_400,
  keys: ({ contracts }) => onChainKeys(contracts),
  async ask(api, key) {
    const [chainId, address] = partsOf(key);
    const { nativeTransaction: transaction } = await api.get(Deployment, { chainId, address });
    const { gasUsed, gasPrice } = transaction;
    return {
      at: api.now,
      truncated: false,
      deployedAt: transaction.blockTimestamp,
      deployer: transaction.from?.address,
      fee: gasUsed === undefined || gasPrice === undefined ? undefined : inTokens(gasUsed * gasPrice, 18),
    };
  },
});

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
    metadata: maybeField(z.object({ indexStatus: maybeField(z.string()), metadataLastUpdatedTimestamp: moment })),
  })
  .transform(({ metadata, ...rest }) => ({
    ...rest,
    indexStatus: metadata?.indexStatus?.toUpperCase() ?? "UNKNOWN",
    updatedAt: metadata?.metadataLastUpdatedTimestamp,
  }));

export type Nft = z.output<typeof nft>;

const tokensPage = z.object({ nextPageToken, tokens: list(nft) });

export const CollectionTokens = getResource(
  "/v1/chains/{chainId}/nfts/collections/{address}/tokens",
  "The tokens of an NFT collection.",
  tokensPage,
);

export type Collection = Dated & { readonly tokens: readonly Nft[] };

export const DataCollections = hostedEndpoint<Collection>(CollectionTokens, {
  id: "data.collections",
  units: 20,
  priority: 4,
  every: 21_600,
  keys: ({ collections }) => onChainKeys(collections),
  async ask(api, key, { maxPages }) {
    const [chainId, address] = partsOf(key);
    const { pages, truncated } = await listing(api, CollectionTokens, { chainId, address }, maxPages);
    return { at: api.now, truncated, tokens: pages.flatMap(({ tokens }) => tokens) };
  },
});

export const CollectionToken = getResource(
  "/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}",
  "One token of an NFT collection.",
  nft,
);

export const DataNfts = hostedEndpoint<Dated & { readonly token: Nft }>(CollectionToken, {
  id: "data.nfts",
  units: 20,
  priority: 4,
  every: 3600,
  keys: ({ nfts }) => nfts.map(({ chain, address, tokenId }) => keyOf(chain, address, tokenId)),
  async ask(api, key) {
    const [chainId, address, tokenId] = partsOf(key);
    return { at: api.now, truncated: false, token: await api.get(CollectionToken, { chainId, address, tokenId }) };
  },
});
