import { bounded } from "../../api/bounded.ts";
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
import type { Dated } from "../../api/hosted/hosted-endpoint.ts";
import { rowsOf, whole } from "./hosted-rows.ts";
import { gauges, perRow, type Moment } from "../define/metric.ts";
import { hostedTopic } from "../define/topic.ts";

type Keyed<A> = { readonly answers: ReadonlyMap<string, A> };

const accounts = rowsOf(["evm_chain_id", "address"], ({ answers }: Keyed<Holdings>) => answers);
const account = perRow(accounts);
const wholeAccount = perRow(whole(accounts));

export const hostedHoldings = hostedTopic(
  {
    id: "hosted-holdings",
    about: "What do the watched accounts hold, and what is its value?",
    needs: { answers: DataHoldings },
  },
  {
    coins: account.gauge(
      "avax_hosted_address_balance_coins",
      `Coins of the chain that the account holds, by the coin's own decimals (${Erc721Balances.name}, \`nativeTokenBalance.balance\`).`,
      ({ coins }) => coins,
    ),
    value: account.gauges(
      "avax_hosted_address_balance_fiat",
      `Value of the account's coins of the chain in a currency (${Erc721Balances.name}, \`nativeTokenBalance.balanceValue\`).`,
      ["currency"],
      ({ value }) =>
        value === undefined ? [] : [[{ currency: value.currencyCode.slice(0, 8) }, value.value] as const],
    ),
    price: gauges(
      "avax_hosted_coin_price_fiat",
      `Price of one coin of the chain in a currency (${Erc721Balances.name}, \`nativeTokenBalance.price\`).`,
      ["evm_chain_id", "currency"],
      (data: Keyed<Holdings>, context: Moment) => {
        // All accounts of a chain have the same price.
        const byChain = new Map(
          accounts.of(data, context).map(([{ evm_chain_id }, { price }]) => [evm_chain_id, price]),
        );
        return [...byChain].flatMap(([evm_chain_id, price]) =>
          price === undefined
            ? []
            : [[{ evm_chain_id, currency: price.currencyCode.slice(0, 8) }, price.value] as const],
        );
      },
    ),
    tokens: wholeAccount.gauge(
      "avax_hosted_address_erc721_tokens",
      `ERC-721 tokens that the account holds (${Erc721Balances.name}, \`erc721TokenBalances\`).`,
      ({ tokens }) => tokens,
    ),
    collections: wholeAccount.gauge(
      "avax_hosted_address_erc721_collections",
      `Collections in which the account holds tokens (${Erc721Balances.name}, \`erc721TokenBalances\`).`,
      ({ collections }) => collections,
    ),
  },
);

const contract = perRow(rowsOf(["evm_chain_id", "contract"], ({ answers }: Keyed<Deployed>) => answers));

export const hostedContracts = hostedTopic(
  {
    id: "hosted-contracts",
    about: "Who deployed the configured contracts, and when?",
    needs: { answers: DataDeployments },
  },
  {
    info: contract.infos(
      "avax_hosted_contract_info",
      `The account that deployed the contract (${Deployment.name}, \`nativeTransaction.from\`).`,
      ["deployer"],
      ({ deployer }) => [{ deployer: bounded(deployer, 42) }],
    ),
    deployed: contract.gauge(
      "avax_hosted_contract_deployment_timestamp_seconds",
      `When the contract was deployed (${Deployment.name}, \`nativeTransaction.blockTimestamp\`).`,
      ({ deployedAt }) => deployedAt,
    ),
    fee: contract.gauge(
      "avax_hosted_contract_deployment_fee_coins",
      `Fee of the deployment, in coins of the chain (${Deployment.name}, \`gasUsed\`, \`gasPrice\`).`,
      ({ fee }) => fee,
    ),
  },
);

const collections = rowsOf(["evm_chain_id", "collection"], ({ answers }: Keyed<Collection>) => answers);
const collection = perRow(collections);
const wholeCollection = perRow(whole(collections));

const indexed = (status: string): string => ((INDEX_STATUSES as readonly string[]).includes(status) ? status : "other");

export const hostedCollections = hostedTopic(
  {
    id: "hosted-collections",
    about: "How large are the configured NFT collections, and is their metadata indexed?",
    needs: { answers: DataCollections },
  },
  {
    tokens: wholeCollection.gauges(
      "avax_hosted_collection_tokens",
      `Tokens of the collection by the state of their metadata; a state other than INDEXED is absent without tokens (${CollectionTokens.name}, \`metadata.indexStatus\`).`,
      ["state"],
      ({ tokens }) =>
        [...new Set(["INDEXED", ...tokens.map(({ indexStatus }) => indexed(indexStatus))])].map(
          (status) =>
            [{ state: status }, tokens.filter(({ indexStatus }) => indexed(indexStatus) === status).length] as const,
        ),
    ),
    owners: wholeCollection.gauge(
      "avax_hosted_collection_holders",
      `Accounts that hold tokens of the collection; absent where the service does not report each holder (${CollectionTokens.name}, \`ownerAddress\`).`,
      ({ tokens }) => distinct(tokens.map(({ ownerAddress }) => ownerAddress)),
    ),
    info: collection.infos(
      "avax_hosted_collection_info",
      `Name, symbol and standard of the collection from its contract, cut to 40 characters (${CollectionTokens.name}, \`name\`, \`symbol\`, \`ercType\`).`,
      ["name", "symbol", "standard"],
      ({ tokens }) =>
        tokens
          .slice(0, 1)
          .map(({ name, symbol, ercType }) => ({
            name: bounded(name, 40),
            symbol: bounded(symbol, 16),
            standard: bounded(ercType, 16),
          })),
    ),
  },
);

type Tokens = Keyed<Dated & { readonly token: Nft }>;
const nft = perRow(rowsOf(["evm_chain_id", "collection", "token_id"], ({ answers }: Tokens) => answers));

export const hostedNfts = hostedTopic(
  {
    id: "hosted-nfts",
    about: "Who holds the configured NFTs, and is their metadata indexed?",
    needs: { answers: DataNfts },
  },
  {
    info: nft.infos(
      "avax_hosted_nft_info",
      `Holder and standard of the token (${CollectionToken.name}, \`ownerAddress\`, \`ercType\`).`,
      ["holder", "standard"],
      ({ token }) => [{ holder: bounded(token.ownerAddress, 42), standard: bounded(token.ercType, 16) }],
    ),
    indexed: nft.gauge(
      "avax_hosted_nft_metadata_indexed",
      `1 when the service has indexed the token's metadata (${CollectionToken.name}, \`metadata.indexStatus\`).`,
      ({ token }) => token.indexStatus === "INDEXED",
    ),
    updated: nft.gauge(
      "avax_hosted_nft_metadata_timestamp_seconds",
      `When the service last read the token's metadata (${CollectionToken.name}, \`metadata.metadataLastUpdatedTimestamp\`).`,
      ({ token }) => token.updatedAt,
    ),
  },
);
