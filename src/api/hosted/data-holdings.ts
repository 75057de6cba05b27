import { z } from "zod";
import { amount, decimals, inTokens, listed, maybeField, moment, price, type Price } from "./data-fields.ts";
import type { Resource } from "../endpoint.ts";
import { hostedEndpoint, keyOf, listing, nextPageToken, onChainKeys, partsOf, type Dated } from "./hosted.ts";

/** Data API: what accounts hold, who deployed a contract, and the tokens of NFT collections. */

const nativeBalance = maybeField(
  z.object({
    balance: amount,
    decimals: maybeField(decimals),
    price,
    balanceValue: price,
  }),
);

const balancesPage = z.object({
  nextPageToken,
  nativeTokenBalance: nativeBalance,
  erc721TokenBalances: listed(z.object({ address: z.string() })),
});

export const Erc721Balances: Resource<z.output<typeof balancesPage>> = {
  name: "GET /v1/chains/{chainId}/addresses/{address}/balances:listErc721",
  path: "/v1/chains/{chainId}/addresses/{address}/balances:listErc721",
  about: "The coin and the ERC-721 tokens that an account holds.",
  result: balancesPage,
};

export type Holdings = Dated & {
  readonly coins: number | undefined;
  readonly price: Price;
  readonly value: Price;
  readonly tokens: number;
  readonly collections: number;
};

export const DataHoldings = hostedEndpoint<Holdings>({
  id: "data.holdings",
  about: Erc721Balances.about,
  methods: [Erc721Balances.name],
  service: "data",
  units: 20,
  priority: 2,
  every: 900,
  keys: ({ accounts }) => onChainKeys(accounts),
  async ask(api, key, { maxPages }) {
    const [chainId, address] = partsOf(key);
    const { pages, truncated } = await listing(
      api,
      Erc721Balances,
      { chainId, address },
      [["pageSize", "500"]],
      maxPages,
    );
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

export const Deployment: Resource<z.output<typeof deployment>> = {
  name: "GET /v1/chains/{chainId}/contracts/{address}/transactions:getDeployment",
  path: "/v1/chains/{chainId}/contracts/{address}/transactions:getDeployment",
  about: "The transaction that deployed a contract.",
  result: deployment,
};

export type Deployed = Dated & {
  readonly deployedAt: number | undefined;
  readonly deployer: string | undefined;
  /** In the chain's own coin. */
  readonly fee: number | undefined;
};

export const DataDeployments = hostedEndpoint<Deployed>({
  id: "data.deployments",
  about: Deployment.about,
  methods: [Deployment.name],
  service: "data",
  units: 20,
  priority: 4,
  every: 86_400,
  keys: ({ contracts }) => onChainKeys(contracts),
  async ask(api, key) {
    const [chainId, address] = partsOf(key);
    const { nativeTransaction: made } = await api.get(Deployment, { chainId, address });
    const { gasUsed, gasPrice } = made;
    return {
      at: api.now,
      truncated: false,
      deployedAt: made.blockTimestamp,
      deployer: made.from?.address,
      fee: gasUsed === undefined || gasPrice === undefined ? undefined : inTokens(gasUsed * gasPrice, 18),
    };
  },
});

/** Upper case at the real service, lower case in the specification's example; a closed set either way. */
export const INDEX_STATUSES = [
  ...["INDEXED", "UNINDEXED", "UNKNOWN", "MISSING_TOKEN", "INVALID_TOKEN_URI", "INVALID_TOKEN_URI_SCHEME"],
  ...["UNREACHABLE_TOKEN_URI", "THROTTLED_TOKEN_URI", "METADATA_CONTENT_TOO_LARGE", "INVALID_METADATA"],
  "INVALID_METADATA_JSON",
] as const;

/** A token of either standard. */
const nft = z
  .object({
    name: maybeField(z.string()),
    symbol: maybeField(z.string()),
    ercType: maybeField(z.string()),
    ownerAddress: maybeField(z.string()),
    metadata: maybeField(z.object({ indexStatus: maybeField(z.string()), metadataLastUpdatedTimestamp: moment })),
  })
  .transform(({ metadata, ...rest }) => ({
    ...rest,
    indexStatus: metadata?.indexStatus?.toUpperCase() ?? "UNKNOWN",
    updatedAt: metadata?.metadataLastUpdatedTimestamp,
  }));

export type Nft = z.output<typeof nft>;

const tokensPage = z.object({ nextPageToken, tokens: listed(nft) });

export const CollectionTokens: Resource<z.output<typeof tokensPage>> = {
  name: "GET /v1/chains/{chainId}/nfts/collections/{address}/tokens",
  path: "/v1/chains/{chainId}/nfts/collections/{address}/tokens",
  about: "The tokens of an NFT collection.",
  result: tokensPage,
};

export type Collection = Dated & { readonly tokens: readonly Nft[] };

export const DataCollections = hostedEndpoint<Collection>({
  id: "data.collections",
  about: CollectionTokens.about,
  methods: [CollectionTokens.name],
  service: "data",
  units: 20,
  priority: 4,
  every: 21_600,
  keys: ({ collections }) => onChainKeys(collections),
  async ask(api, key, { maxPages }) {
    const [chainId, address] = partsOf(key);
    const { pages, truncated } = await listing(
      api,
      CollectionTokens,
      { chainId, address },
      [["pageSize", "100"]],
      maxPages,
    );
    return { at: api.now, truncated, tokens: pages.flatMap(({ tokens }) => tokens) };
  },
});

export const CollectionToken: Resource<Nft> = {
  name: "GET /v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}",
  path: "/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}",
  about: "One token of an NFT collection.",
  result: nft,
};

export const DataNfts = hostedEndpoint<Dated & { readonly token: Nft }>({
  id: "data.nfts",
  about: CollectionToken.about,
  methods: [CollectionToken.name],
  service: "data",
  units: 20,
  priority: 4,
  every: 3600,
  keys: ({ nfts }) => nfts.map(({ chain, address, tokenId }) => keyOf(chain, address, tokenId)),
  async ask(api, key) {
    const [chainId, address, tokenId] = partsOf(key);
    return { at: api.now, truncated: false, token: await api.get(CollectionToken, { chainId, address, tokenId }) };
  },
});
