import { ACCOUNT, TOKEN } from "../../support/hosted.ts";
import { NOW, type Case } from "./case.ts";

const A = `evm_chain_id="43114",address="${ACCOUNT}"`;
const C = `evm_chain_id="43114",collection="${ACCOUNT}"`;
const chain = "/v1/chains/43114";
const CHAIN = "GET /v1/chains/{chainId}";

const coin = { name: "Avalanche", symbol: "AVAX", decimals: 18 };
const info = { ...coin, logoUri: "u", description: "d" };
const party = (address: string) => ({ address });
/** A party with every field of the specification. */
const rich = (address: string) => ({ name: "n", symbol: "s", decimals: 18, logoUri: "u", address });
const price = (value: unknown) => ({ currencyCode: "usd", value });

const native = {
  blockNumber: "49889407",
  blockTimestamp: 1724990250,
  blockHash: "0x1",
  chainId: "43114",
  blockIndex: 0,
  txHash: "0x2",
  txStatus: "1",
  txType: 2,
  gasLimit: "51373",
  gasUsed: "51373",
  gasPrice: "25000000000",
  nonce: "1",
  value: "0",
};
const method = { callType: "CONTRACT_CALL", methodHash: "0xa9059cbb", methodName: "transfer(address,uint256)" };
const noTransfers = { erc20Transfers: [], erc721Transfers: [], erc1155Transfers: [], internalTransactions: [] };
const after = { ...native, blockNumber: "49890000", blockTimestamp: NOW + 300 };
const sent = { ...after, txHash: "0x3", value: "2500000000000000000" };
const failed = { ...after, txHash: "0x4", txStatus: "0", value: "9000000000000000000" };
const received = { ...after, txHash: "0x5", value: "1000000000000000000" };
const specified = (record: object, from: string, to: string) => ({
  nativeTransaction: { ...record, from: rich(from), to: rich(to), method },
  ...noTransfers,
});
/** As the real service does: the lists are absent where they are empty, and the method of a plain transfer is too. */
const sentReally = (record: object, from: string, to: string) => ({
  nativeTransaction: { ...record, from: party(from), to: party(to), blockTimestampMilliseconds: 1724990250123 },
});

const metadata = (indexStatus: string) => ({ indexStatus, metadataLastUpdatedTimestamp: 1700000000 });
const wordy = (indexStatus: string) => ({
  ...metadata(indexStatus),
  name: "Thing",
  symbol: "THG",
  imageUri: "",
  description: "",
  animationUri: "",
  externalUrl: "",
  background: "",
});
const token = { address: ACCOUNT, name: "Things", symbol: "THG", ercType: "ERC-721", tokenId: "1", tokenUri: "" };
const nft = { ...token, metadata: wordy("indexed"), ownerAddress: "0xAb" };
const nftReally = { ...token, metadata: metadata("INDEXED"), ownerAddress: "0xAb" };
const multi = { address: ACCOUNT, ercType: "ERC-1155", tokenId: "2", tokenUri: "", metadata: metadata("UNKNOWN") };

const dollar = { address: TOKEN, name: "USD Coin", symbol: "USDC", decimals: 6, ercType: "ERC-20" };
const moved = (blockNumber: string, blockTimestamp: number, from: string, to: string) => ({
  from: party(from),
  to: party(to),
  logIndex: 0,
  blockNumber,
  blockTimestamp,
  blockHash: "0x1",
  txHash: "0x2",
});
const STRANGER = "0x0000000000000000000000000000000000000001";
const before = moved("49889407", 1724990250, ACCOUNT, STRANGER);
const out = moved("49890000", NOW + 300, ACCOUNT, STRANGER);
const into = moved("49890001", NOW + 310, STRANGER, ACCOUNT);

/** What each token standard adds to a transfer, in the specification and at the real service. */
const CARRIED = {
  erc20: {
    spec: (value: string) => ({ value, erc20Token: { ...dollar, logoUri: "u", price: price("1") } }),
    real: (value: string) => ({ value, erc20Token: dollar }),
  },
  erc721: {
    spec: () => ({ erc721Token: { ...nft, ownerAddress: ACCOUNT } }),
    real: () => ({ erc721Token: nftReally }),
  },
  erc1155: {
    spec: (value: string) => ({
      value,
      erc1155Token: { ...multi, metadata: { ...wordy("indexed"), decimals: 0, properties: "" } },
    }),
    real: (value: string) => ({ value, erc1155Token: multi }),
  },
} as const;

const transfers = (standard: keyof typeof CARRIED, word: string): Case => {
  const labels = `${A},standard="${standard}"`;
  const { spec, real } = CARRIED[standard];
  const AMOUNTS = "avax_hosted_address_token_amount_total";
  const amounts = (outgoing: number, incoming: number) =>
    standard === "erc20"
      ? {
          [`${AMOUNTS}{${A},token="${TOKEN}",direction="out"}`]: outgoing,
          [`${AMOUNTS}{${A},token="${TOKEN}",direction="in"}`]: incoming,
        }
      : {};
  return {
    method: `${CHAIN}/addresses/{address}/transactions:list${word}`,
    path: `${chain}/addresses/${ACCOUNT}/transactions:list${word}`,
    spec: { transactions: [{ ...before, ...spec("7") }] },
    real: { transactions: [{ ...before, ...real("340282366920938463463374607431768211456") }] },
    both: {
      [`avax_hosted_address_token_transfers_total{${labels},direction="out"}`]: 0,
      [`avax_hosted_address_last_token_transfer_timestamp_seconds{${labels}}`]: 1724990250,
      ...amounts(0, 0),
    },
    later: {
      spec: {
        transactions: [
          { ...into, ...spec("250000") },
          { ...out, ...spec("12500000") },
        ],
      },
      real: {
        transactions: [
          { ...into, ...real("250000") },
          { ...out, ...real("12500000") },
        ],
      },
      both: {
        [`avax_hosted_address_token_transfers_total{${labels},direction="out"}`]: 1,
        [`avax_hosted_address_token_transfers_total{${labels},direction="in"}`]: 1,
        [`avax_hosted_address_last_token_transfer_timestamp_seconds{${labels}}`]: NOW + 310,
        ...amounts(12.5, 0.25),
      },
    },
  };
};

// prettier-ignore
export const EVM_CASES: Readonly<Record<string, Case>> = {
  chains: {
    method: "GET /v1/chains",
    path: "/v1/chains",
    spec: { chains: [{ chainId: "43114", status: "OK", enabledFeatures: [] }, { chainId: "1", status: "UNAVAILABLE", enabledFeatures: [] }, { chainId: "2", status: "PAUSED", enabledFeatures: null }] },
    real: { chains: [
      { chainId: "43114", status: "OK", chainName: "C", description: "", vmName: "EVM", rpcUrl: "r", isTestnet: false, networkToken: coin },
      { chainId: "1", status: "UNAVAILABLE", chainName: "C", description: "", vmName: "EVM", rpcUrl: "r", isTestnet: true, networkToken: coin },
    ] },
    both: { 'avax_hosted_chains{network="mainnet",state="OK"}': 1, 'avax_hosted_chains{network="mainnet",state="UNAVAILABLE"}': 1 },
    specOnly: { 'avax_hosted_chains{network="mainnet",state="other"}': 1 },
  },
  "one chain": {
    method: CHAIN,
    path: chain,
    spec: { chainId: "43114", status: "OK", chainName: "Avalanche (C-Chain)", description: "d", platformChainId: "p", subnetId: "s", vmId: "v", vmName: "EVM", explorerUrl: "e", rpcUrl: "r", wsUrl: "w", chainLogoUri: "l", isTestnet: false, private: false, utilityAddresses: { multicall: "0x" }, networkToken: info, enabledFeatures: ["webhooks"] },
    real: { chainId: "43114", status: "OK", chainName: "Avalanche (C-Chain)", description: "…", vmName: "EVM", rpcUrl: "r", isTestnet: false, networkToken: coin, enabledFeatures: ["nftIndexing", "webhooks", "teleporter"] },
    both: {
      'avax_hosted_chain_state{evm_chain_id="43114",state="OK"}': 1,
      'avax_hosted_chain_feature_enabled{evm_chain_id="43114",feature="webhooks"}': 1,
      'avax_hosted_chain_info{evm_chain_id="43114",name="Avalanche (C-Chain)",symbol="AVAX",vm="EVM",testnet="false"}': 1,
    },
    specOnly: { 'avax_hosted_chain_feature_enabled{evm_chain_id="43114",feature="teleporter"}': 0 },
    realOnly: { 'avax_hosted_chain_feature_enabled{evm_chain_id="43114",feature="teleporter"}': 1 },
  },
  "transactions of an account": {
    method: `${CHAIN}/addresses/{address}/transactions`,
    path: `${chain}/addresses/${ACCOUNT}/transactions`,
    spec: { transactions: [specified(native, ACCOUNT, "0x01")] },
    real: { nextPageToken: "9f9e1d25-14a9-49f4-8742-fd4bf12f7cd8", transactions: [sentReally(native, ACCOUNT, "0x01")] },
    both: {
      [`avax_hosted_address_transactions_total{${A},direction="out"}`]: 0,
      [`avax_hosted_address_last_transaction_timestamp_seconds{${A}}`]: 1724990250,
    },
    later: {
      spec: { transactions: [specified(sent, ACCOUNT, "0x01"), specified(failed, ACCOUNT, "0x01"), specified(received, "0x01", ACCOUNT)] },
      real: (page) => page === undefined
        ? { nextPageToken: "9f9e1d25-14a9-49f4-8742-fd4bf12f7cd9", transactions: [sentReally(sent, ACCOUNT.toLowerCase(), "0x01")] }
        : { transactions: [sentReally(failed, ACCOUNT, "0x01"), sentReally(received, "0x01", ACCOUNT)] },
      both: {
        [`avax_hosted_address_transactions_total{${A},direction="out"}`]: 2,
        [`avax_hosted_address_transactions_total{${A},direction="in"}`]: 1,
        [`avax_hosted_address_transactions_failed_total{${A}}`]: 1,
        [`avax_hosted_address_coins_total{${A},direction="out"}`]: 2.5,
        [`avax_hosted_address_coins_total{${A},direction="in"}`]: 1,
        [`avax_hosted_address_fees_coins_total{${A}}`]: 0.00256865,
        [`avax_hosted_address_last_transaction_timestamp_seconds{${A}}`]: NOW + 300,
      },
    },
  },
  "ERC-20 transfers": transfers("erc20", "Erc20"),
  "ERC-721 transfers": transfers("erc721", "Erc721"),
  "ERC-1155 transfers": transfers("erc1155", "Erc1155"),
  holdings: {
    method: `${CHAIN}/addresses/{address}/balances:listErc721`,
    path: `${chain}/addresses/${ACCOUNT}/balances:listErc721`,
    spec: { nativeTokenBalance: { ...coin, logoUri: "u", chainId: "43114", balance: "1500000000000000000", price: price("20"), balanceValue: price("30") }, erc721TokenBalances: [{ ...nft, chainId: "43114" }] },
    real: { nativeTokenBalance: { ...coin, chainId: "43114", balance: "1500000000000000000", price: price(20), balanceValue: price(30) }, erc721TokenBalances: [{ ...nftReally, chainId: "43114", ownerAddress: undefined }] },
    both: {
      [`avax_hosted_address_balance_coins{${A}}`]: 1.5,
      [`avax_hosted_address_balance_fiat{${A},currency="usd"}`]: 30,
      'avax_hosted_coin_price_fiat{evm_chain_id="43114",currency="usd"}': 20,
      [`avax_hosted_address_erc721_tokens{${A}}`]: 1,
      [`avax_hosted_address_erc721_collections{${A}}`]: 1,
    },
  },
  deployment: {
    method: `${CHAIN}/contracts/{address}/transactions:getDeployment`,
    path: `${chain}/contracts/${ACCOUNT}/transactions:getDeployment`,
    spec: { nativeTransaction: { ...native, from: rich("0x02"), to: rich(ACCOUNT), method, input: "0x", baseFeePerGas: "1", maxFeePerGas: "1", maxPriorityFeePerGas: "1" }, ...noTransfers, networkTokenDetails: { networkToken: info, currentPrice: price("20"), historicalPrice: price("20") }, teleporterMessageInfo: { teleporterMessageId: "t", direction: "SOURCE_TRANSACTION", sourceChainId: "1", destinationChainId: "2" } },
    real: { nativeTransaction: { ...native, from: party("0x02"), to: party(ACCOUNT), input: "0x", baseFeePerGas: "1" }, networkTokenDetails: { networkToken: coin, currentPrice: price(20), historicalPrice: price(20) } },
    both: {
      [`avax_hosted_contract_info{evm_chain_id="43114",contract="${ACCOUNT}",deployer="0x02"}`]: 1,
      [`avax_hosted_contract_deployment_timestamp_seconds{evm_chain_id="43114",contract="${ACCOUNT}"}`]: 1724990250,
      [`avax_hosted_contract_deployment_fee_coins{evm_chain_id="43114",contract="${ACCOUNT}"}`]: 0.001284325,
    },
  },
  collection: {
    method: `${CHAIN}/nfts/collections/{address}/tokens`,
    path: `${chain}/nfts/collections/${ACCOUNT}/tokens`,
    spec: { tokens: [nft, { ...nft, tokenId: "2" }] },
    real: { tokens: [nftReally, { ...nftReally, tokenId: "2", ownerAddress: "0xaB" }, multi] },
    both: {
      [`avax_hosted_collection_tokens{${C},state="INDEXED"}`]: 2,
      [`avax_hosted_collection_info{${C},name="Things",symbol="THG",standard="ERC-721"}`]: 1,
    },
    // Of the other form one token has no holder.
    specOnly: { [`avax_hosted_collection_holders{${C}}`]: 1 },
    realOnly: { [`avax_hosted_collection_tokens{${C},state="UNKNOWN"}`]: 1 },
  },
  "one token": {
    method: `${CHAIN}/nfts/collections/{address}/tokens/{tokenId}`,
    path: `${chain}/nfts/collections/${ACCOUNT}/tokens/1`,
    spec: nft,
    real: nftReally,
    both: {
      [`avax_hosted_nft_metadata_indexed{${C},token_id="1"}`]: 1,
      [`avax_hosted_nft_info{${C},token_id="1",holder="0xAb",standard="ERC-721"}`]: 1,
      [`avax_hosted_nft_metadata_timestamp_seconds{${C},token_id="1"}`]: 1700000000,
    },
  },
};
