import { bounded } from "../../api/hosted/data-fields.ts";
import {
  CollectionToken,
  CollectionTokens,
  DataCollections,
  DataDeployments,
  DataHoldings,
  DataNfts,
  Deployment,
  distinct,
  Erc721Balances,
  INDEX_STATUSES,
  type Collection,
  type Deployed,
  type Holdings,
  type Nft,
} from "../../api/hosted/data-holdings.ts";
import type { Dated } from "../../api/hosted/hosted.ts";
import { each, flat, rowsOf, whole } from "./dated.ts";
import { gauges, infos } from "../define/metric.ts";
import { hostedTopic } from "../define/topic.ts";

type Keyed<A> = { readonly answers: ReadonlyMap<string, A> };
const ACCOUNT = ["evm_chain_id", "address"] as const;
const CONTRACT = ["evm_chain_id", "contract"] as const;
const COLLECTION = ["evm_chain_id", "collection"] as const;
const TOKEN = ["evm_chain_id", "collection", "token_id"] as const;

const accounts = ({ answers }: Keyed<Holdings>) => rowsOf(ACCOUNT, answers);

export const hostedHoldings = hostedTopic(
  {
    id: "hosted-holdings",
    about: "What do the watched accounts hold, and what is its value?",
    needs: { answers: DataHoldings },
  },
  {
    coins: gauges(
      "avax_hosted_address_balance_coins",
      `Coins of the chain that the account holds, by the coin's own decimals (${Erc721Balances.name}, \`nativeTokenBalance.balance\`).`,
      ACCOUNT,
      each(accounts, ({ coins }) => coins),
    ),
    value: gauges(
      "avax_hosted_address_balance_fiat",
      `Value of the account's coins of the chain in a currency (${Erc721Balances.name}, \`nativeTokenBalance.balanceValue\`).`,
      [...ACCOUNT, "currency"],
      flat(accounts, ({ value }, row) =>
        value === undefined ? [] : [[{ ...row, currency: value.currencyCode.slice(0, 8) }, value.value] as const],
      ),
    ),
    price: gauges(
      "avax_hosted_coin_price_fiat",
      `Price of one coin of the chain in a currency (${Erc721Balances.name}, \`nativeTokenBalance.price\`).`,
      ["evm_chain_id", "currency"],
      (data: Keyed<Holdings>) => {
        // All accounts of a chain have the same price.
        const byChain = new Map(accounts(data).map(([{ evm_chain_id }, { price }]) => [evm_chain_id, price]));
        return [...byChain].flatMap(([evm_chain_id, price]) =>
          price === undefined
            ? []
            : [[{ evm_chain_id, currency: price.currencyCode.slice(0, 8) }, price.value] as const],
        );
      },
    ),
    tokens: gauges(
      "avax_hosted_address_erc721_tokens",
      `ERC-721 tokens that the account holds (${Erc721Balances.name}, \`erc721TokenBalances\`).`,
      ACCOUNT,
      each(whole(accounts), ({ tokens }) => tokens),
    ),
    collections: gauges(
      "avax_hosted_address_erc721_collections",
      `Collections in which the account holds tokens (${Erc721Balances.name}, \`erc721TokenBalances\`).`,
      ACCOUNT,
      each(whole(accounts), ({ collections }) => collections),
    ),
  },
);

const contracts = ({ answers }: Keyed<Deployed>) => rowsOf(CONTRACT, answers);

export const hostedContracts = hostedTopic(
  {
    id: "hosted-contracts",
    about: "Who deployed the configured contracts, and when?",
    needs: { answers: DataDeployments },
  },
  {
    info: infos(
      "avax_hosted_contract_info",
      `The account that deployed the contract (${Deployment.name}, \`nativeTransaction.from\`).`,
      [...CONTRACT, "deployer"],
      (data: Keyed<Deployed>) =>
        contracts(data).map(([row, { deployer }]) => ({ ...row, deployer: bounded(deployer, 42) })),
    ),
    deployed: gauges(
      "avax_hosted_contract_deployment_timestamp_seconds",
      `When the contract was deployed (${Deployment.name}, \`nativeTransaction.blockTimestamp\`).`,
      CONTRACT,
      each(contracts, ({ deployedAt }) => deployedAt),
    ),
    fee: gauges(
      "avax_hosted_contract_deployment_fee_coins",
      `Fee of the deployment, in coins of the chain (${Deployment.name}, \`gasUsed\`, \`gasPrice\`).`,
      CONTRACT,
      each(contracts, ({ fee }) => fee),
    ),
  },
);

const collections = ({ answers }: Keyed<Collection>) => rowsOf(COLLECTION, answers);

const indexed = (status: string): string => ((INDEX_STATUSES as readonly string[]).includes(status) ? status : "other");

export const hostedCollections = hostedTopic(
  {
    id: "hosted-collections",
    about: "How large are the configured NFT collections, and is their metadata indexed?",
    needs: { answers: DataCollections },
  },
  {
    tokens: gauges(
      "avax_hosted_collection_tokens",
      `Tokens of the collection by the state of their metadata; a state other than INDEXED is absent without tokens (${CollectionTokens.name}, \`metadata.indexStatus\`).`,
      [...COLLECTION, "state"],
      flat(whole(collections), ({ tokens }, row) =>
        [...new Set(["INDEXED", ...tokens.map(({ indexStatus }) => indexed(indexStatus))])].map(
          (status) =>
            [
              { ...row, state: status },
              tokens.filter(({ indexStatus }) => indexed(indexStatus) === status).length,
            ] as const,
        ),
      ),
    ),
    owners: gauges(
      "avax_hosted_collection_holders",
      `Accounts that hold tokens of the collection; absent where the service does not report each holder (${CollectionTokens.name}, \`ownerAddress\`).`,
      COLLECTION,
      each(whole(collections), ({ tokens }) => distinct(tokens.map(({ ownerAddress }) => ownerAddress))),
    ),
    info: infos(
      "avax_hosted_collection_info",
      `Name, symbol and standard of the collection from its contract, cut to 40 characters (${CollectionTokens.name}, \`name\`, \`symbol\`, \`ercType\`).`,
      [...COLLECTION, "name", "symbol", "standard"],
      (data: Keyed<Collection>) =>
        collections(data).flatMap(([row, { tokens }]) =>
          tokens.slice(0, 1).map(({ name, symbol, ercType }) => ({
            ...row,
            name: bounded(name),
            symbol: bounded(symbol, 16),
            standard: bounded(ercType, 16),
          })),
        ),
    ),
  },
);

type Tokens = Keyed<Dated & { readonly token: Nft }>;
const nfts = ({ answers }: Tokens) => rowsOf(TOKEN, answers);

export const hostedNfts = hostedTopic(
  {
    id: "hosted-nfts",
    about: "Who holds the configured NFTs, and is their metadata indexed?",
    needs: { answers: DataNfts },
  },
  {
    info: infos(
      "avax_hosted_nft_info",
      `Holder and standard of the token (${CollectionToken.name}, \`ownerAddress\`, \`ercType\`).`,
      [...TOKEN, "holder", "standard"],
      (data: Tokens) =>
        nfts(data).map(([row, { token }]) => ({
          ...row,
          holder: bounded(token.ownerAddress, 42),
          standard: bounded(token.ercType, 16),
        })),
    ),
    indexed: gauges(
      "avax_hosted_nft_metadata_indexed",
      `1 when the service has indexed the token's metadata (${CollectionToken.name}, \`metadata.indexStatus\`).`,
      TOKEN,
      each(nfts, ({ token }) => token.indexStatus === "INDEXED"),
    ),
    updated: gauges(
      "avax_hosted_nft_metadata_timestamp_seconds",
      `When the service last read the token's metadata (${CollectionToken.name}, \`metadata.metadataLastUpdatedTimestamp\`).`,
      TOKEN,
      each(nfts, ({ token }) => token.updatedAt),
    ),
  },
);
