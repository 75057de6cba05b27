import { bounded } from "../../api/hosted/data-fields.ts";
import {
  CollectionToken,
  CollectionTokens,
  DataCollections,
  DataDeployments,
  DataHoldings,
  DataNfts,
  Deployment,
  Erc721Balances,
  INDEX_STATUSES,
  type Collection,
  type Deployed,
  type Holdings,
  type Nft,
} from "../../api/hosted/data-holdings.ts";
import { partsOf, type Dated } from "../../api/hosted/hosted.ts";
import { answeredAt, flat, truncated } from "./dated.ts";
import { gauges, infos } from "../../catalogue/metric.ts";
import { hostedTopic } from "../../catalogue/topic.ts";

type Keyed<A> = { readonly answers: ReadonlyMap<string, A> };
const ACCOUNT = ["chain_id", "address"] as const;
const COLLECTION = ["chain_id", "collection"] as const;
const TOKEN = ["chain_id", "collection", "token_id"] as const;

const accounts = ({ answers }: Keyed<Holdings>) =>
  [...answers].map(([key, answer]) => {
    const [chain_id, address] = partsOf(key);
    return [{ chain_id, address }, answer] as const;
  });

export const hostedHoldings = hostedTopic(
  {
    id: "hosted-holdings",
    about: "What do the watched accounts hold, and what is it worth?",
    needs: { answers: DataHoldings },
  },
  {
    coins: gauges(
      "avax_address_indexed_balance",
      `Coins of the chain that the account holds, by the coin's own decimals (${Erc721Balances.name}, \`nativeTokenBalance.balance\`).`,
      ACCOUNT,
      (data: Keyed<Holdings>) => accounts(data).map(([row, { coins }]) => [row, coins]),
    ),
    value: gauges(
      "avax_address_indexed_balance_value",
      `Worth of those coins in a currency (${Erc721Balances.name}, \`nativeTokenBalance.balanceValue\`).`,
      [...ACCOUNT, "currency"],
      (data: Keyed<Holdings>) =>
        flat(accounts(data), ({ value }, row) =>
          value === undefined ? [] : [[{ ...row, currency: value.currencyCode.slice(0, 8) }, value.value] as const],
        ),
    ),
    price: gauges(
      "avax_chain_coin_price",
      `Price of one coin of the chain in a currency (${Erc721Balances.name}, \`nativeTokenBalance.price\`).`,
      ["chain_id", "currency"],
      (data: Keyed<Holdings>) => {
        // Every account of a chain is told the same price.
        const byChain = new Map(accounts(data).map(([{ chain_id }, { price }]) => [chain_id, price]));
        return [...byChain].flatMap(([chain_id, price]) =>
          price === undefined ? [] : [[{ chain_id, currency: price.currencyCode.slice(0, 8) }, price.value] as const],
        );
      },
    ),
    tokens: gauges(
      "avax_address_erc721_tokens",
      `ERC-721 tokens that the account holds (${Erc721Balances.name}, \`erc721TokenBalances\`).`,
      ACCOUNT,
      (data: Keyed<Holdings>) => accounts(data).map(([row, { tokens }]) => [row, tokens]),
    ),
    collections: gauges(
      "avax_address_erc721_collections",
      `Collections of which the account holds tokens (${Erc721Balances.name}, \`erc721TokenBalances\`).`,
      ACCOUNT,
      (data: Keyed<Holdings>) => accounts(data).map(([row, { collections }]) => [row, collections]),
    ),
    truncated: truncated("avax_address_erc721_tokens_truncated", Erc721Balances.name, ACCOUNT, accounts),
    answered: answeredAt("avax_address_holdings_answer_timestamp_seconds", Erc721Balances.name, ACCOUNT, accounts),
  },
);

const contracts = ({ answers }: Keyed<Deployed>) =>
  [...answers].map(([key, answer]) => {
    const [chain_id, contract] = partsOf(key);
    return [{ chain_id, contract }, answer] as const;
  });

export const hostedContracts = hostedTopic(
  {
    id: "hosted-contracts",
    about: "Who deployed the configured contracts, and when?",
    needs: { answers: DataDeployments },
  },
  {
    info: infos(
      "avax_contract_info",
      `The account that deployed the contract (${Deployment.name}, \`nativeTransaction.from\`).`,
      ["chain_id", "contract", "deployer"],
      (data: Keyed<Deployed>) =>
        contracts(data).map(([row, { deployer }]) => ({ ...row, deployer: bounded(deployer, 42) })),
    ),
    deployed: gauges(
      "avax_contract_deployment_timestamp_seconds",
      `When the contract was deployed (${Deployment.name}, \`nativeTransaction.blockTimestamp\`).`,
      ["chain_id", "contract"],
      (data: Keyed<Deployed>) => contracts(data).map(([row, { deployedAt }]) => [row, deployedAt]),
    ),
    fee: gauges(
      "avax_contract_deployment_fee",
      `What the deployment cost, in coins of the chain (${Deployment.name}, \`gasUsed\`, \`gasPrice\`).`,
      ["chain_id", "contract"],
      (data: Keyed<Deployed>) => contracts(data).map(([row, { fee }]) => [row, fee]),
    ),
    answered: answeredAt(
      "avax_contract_answer_timestamp_seconds",
      Deployment.name,
      ["chain_id", "contract"],
      contracts,
    ),
  },
);

const collections = ({ answers }: Keyed<Collection>) =>
  [...answers].map(([key, answer]) => {
    const [chain_id, collection] = partsOf(key);
    return [{ chain_id, collection }, answer] as const;
  });

const indexed = (status: string): string => ((INDEX_STATUSES as readonly string[]).includes(status) ? status : "other");

export const hostedCollections = hostedTopic(
  {
    id: "hosted-collections",
    about: "How large are the configured NFT collections, and are their metadata indexed?",
    needs: { answers: DataCollections },
  },
  {
    tokens: gauges(
      "avax_collection_tokens",
      `Tokens of the collection by the state of their metadata; states without a token are left out (${CollectionTokens.name}, \`metadata.indexStatus\`).`,
      [...COLLECTION, "status"],
      (data: Keyed<Collection>) =>
        flat(collections(data), ({ tokens }, row) =>
          [...new Set(["INDEXED", ...tokens.map(({ indexStatus }) => indexed(indexStatus))])].map(
            (status) =>
              [{ ...row, status }, tokens.filter(({ indexStatus }) => indexed(indexStatus) === status).length] as const,
          ),
        ),
    ),
    owners: gauges(
      "avax_collection_holders",
      `Accounts that hold tokens of the collection, where the service says who does (${CollectionTokens.name}, \`ownerAddress\`).`,
      COLLECTION,
      (data: Keyed<Collection>) =>
        collections(data).map(([row, { tokens }]) => {
          const owners = tokens.map(({ ownerAddress }) => ownerAddress).filter((owner) => owner !== undefined);
          return [row, owners.length === 0 ? undefined : new Set(owners.map((owner) => owner.toLowerCase())).size];
        }),
    ),
    info: infos(
      "avax_collection_info",
      `Name, symbol and standard of the collection as its contract says them, cut to 40 characters (${CollectionTokens.name}, \`name\`, \`symbol\`, \`ercType\`).`,
      [...COLLECTION, "name", "symbol", "standard"],
      (data: Keyed<Collection>) =>
        collections(data).flatMap(
          ([
            row,
            {
              tokens: [token],
            },
          ]) =>
            token === undefined
              ? []
              : [
                  {
                    ...row,
                    name: bounded(token.name),
                    symbol: bounded(token.symbol, 16),
                    standard: bounded(token.ercType, 16),
                  },
                ],
        ),
    ),
    truncated: truncated("avax_collection_truncated", CollectionTokens.name, COLLECTION, collections),
    answered: answeredAt("avax_collection_answer_timestamp_seconds", CollectionTokens.name, COLLECTION, collections),
  },
);

const nfts = ({ answers }: Keyed<Dated & { readonly token: Nft }>) =>
  [...answers].map(([key, answer]) => {
    const [chain_id, collection, token_id] = partsOf(key);
    return [{ chain_id, collection, token_id }, answer] as const;
  });

export const hostedNfts = hostedTopic(
  {
    id: "hosted-nfts",
    about: "Who holds the configured NFTs, and are their metadata indexed?",
    needs: { answers: DataNfts },
  },
  {
    info: infos(
      "avax_nft_info",
      `Holder and standard of the token (${CollectionToken.name}, \`ownerAddress\`, \`ercType\`).`,
      [...TOKEN, "holder", "standard"],
      (data: Keyed<Dated & { readonly token: Nft }>) =>
        nfts(data).map(([row, { token }]) => ({
          ...row,
          holder: bounded(token.ownerAddress, 42),
          standard: bounded(token.ercType, 16),
        })),
    ),
    indexed: gauges(
      "avax_nft_metadata_indexed",
      `1 when the service has indexed the token's metadata (${CollectionToken.name}, \`metadata.indexStatus\`).`,
      TOKEN,
      (data: Keyed<Dated & { readonly token: Nft }>) =>
        nfts(data).map(([row, { token }]) => [row, token.indexStatus === "INDEXED"]),
    ),
    updated: gauges(
      "avax_nft_metadata_timestamp_seconds",
      `When the service last read the token's metadata (${CollectionToken.name}, \`metadata.metadataLastUpdatedTimestamp\`).`,
      TOKEN,
      (data: Keyed<Dated & { readonly token: Nft }>) => nfts(data).map(([row, { token }]) => [row, token.updatedAt]),
    ),
    answered: answeredAt("avax_nft_answer_timestamp_seconds", CollectionToken.name, TOKEN, nfts),
  },
);
