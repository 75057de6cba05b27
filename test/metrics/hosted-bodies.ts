import { ACCOUNT, AVAX, NODE, WALLET } from "../support/hosted.ts";

/** Bodies of the hosted services as the specification writes them and as the real service sends them, with the series that they must give. */
export type Case = {
  readonly path: string;
  readonly spec: unknown;
  readonly real: unknown;
  /** Series and their values in both. */
  readonly both: Readonly<Record<string, number>>;
  readonly specOnly?: Readonly<Record<string, number>>;
  readonly realOnly?: Readonly<Record<string, number>>;
};

const PRIMARY = "11111111111111111111111111111111LpoYY";
const N = `network="mainnet",node_id="${NODE}"`;
const A = `chain_id="43114",address="${ACCOUNT}"`;
const C = `chain_id="43114",collection="${ACCOUNT}"`;
const chain = `/v1/chains/43114`;
const net = "/v1/networks/mainnet";
const period = { txHash: "t", nodeId: NODE, subnetId: PRIMARY, amountStaked: "2000000000000" };
const paid = {
  validationRewardAmount: "146209912345",
  delegationRewardAmount: "21930000",
  rewardAddresses: [WALLET],
  rewardTxHash: "r",
};
const none = { validationRewardAmount: "0", delegationRewardAmount: "0" };
const avax = {
  assetId: AVAX,
  name: "Avalanche",
  symbol: "AVAX",
  denomination: 9,
  type: "secp256k1",
  amount: "2000000000000",
};
const info = { name: "Avalanche", symbol: "AVAX", decimals: 18, logoUri: "u", description: "d" };
const reward = (type: string, amount: string, historicalPrice: unknown) => ({
  addresses: [WALLET],
  txHash: "t",
  amountStaked: "2000000000000",
  nodeId: NODE,
  startTimestamp: 1720000000,
  endTimestamp: 1750000000,
  rewardType: type,
  utxoId: "u",
  outputIndex: 2,
  rewardTxHash: "x",
  reward: { ...avax, amount, historicalPrice },
});
const address = (value: string) => ({ address: value });
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
const transfer = {
  from: address(ACCOUNT),
  to: address("0x01"),
  logIndex: 0,
  value: "1",
  blockNumber: "1",
  blockTimestamp: 1724990250,
  blockHash: "0x1",
  txHash: "0x2",
};
const token = (indexStatus: string) => ({
  address: ACCOUNT,
  name: "Things",
  symbol: "THG",
  ercType: "ERC-721",
  tokenId: "1",
  tokenUri: "",
  metadata: { indexStatus, metadataLastUpdatedTimestamp: 1700000000 },
  ownerAddress: "0xAb",
});

// prettier-ignore
export const CASES: Readonly<Record<string, Case>> = {
  validators: {
    path: `${net}/validators/${NODE}`,
    spec: { validators: [
      { ...period, startTimestamp: 1786000000, endTimestamp: 1830000000, delegationFee: "2.0", delegatorCount: 12, amountDelegated: "300000000000", validationStatus: "active" },
      { ...period, startTimestamp: 1720000000, endTimestamp: 1750000000, delegatorCount: 0, amountDelegated: "0", delegationFee: "2", rewards: none, validationStatus: "completed" },
      { ...period, startTimestamp: 1690000000, endTimestamp: 1710000000, delegatorCount: 0, amountDelegated: "0", delegationFee: "2", rewards: paid, validationStatus: "completed" },
      { ...period, startTimestamp: 1840000000, endTimestamp: 1850000000, validationStatus: "pending" },
      { ...period, subnetId: "s", startTimestamp: 1700000000, endTimestamp: 1731000000, amountStaked: "20", validationStatus: "removed" },
    ] },
    real: { validators: [
      { ...period, delegationFee: "2.0000000000000000", startTimestamp: 1786000000, endTimestamp: 1830000000, stakePercentage: 0.0012, delegatorCount: 12, amountDelegated: "300000000000", uptimePerformance: 99.98, avalancheGoVersion: "avalanchego/1.14.2", delegationCapacity: "7700000000000", potentialRewards: paid, validationStatus: "active", validatorHealth: { reachabilityPercent: 100, benchedPChainRequestsPercent: 0, benchedXChainRequestsPercent: 0, benchedCChainRequestsPercent: 0.5 }, geolocation: null },
      { ...period, startTimestamp: 1720000000, endTimestamp: 1750000000, delegatorCount: 0, rewards: none, validationStatus: "completed" },
      { ...period, startTimestamp: 1690000000, endTimestamp: 1710000000, delegatorCount: 0, rewards: paid, validationStatus: "completed" },
      { ...period, subnetId: "s", amountStaked: "20", startTimestamp: 1700000000, endTimestamp: 1731000000, removeTxHash: "e", removeTimestamp: 1710000000, validationStatus: "removed" },
      { ...period, delegationFee: "2.0000000000000000", startTimestamp: 1840000000, endTimestamp: 1850000000, validationStatus: "pending" },
    ] },
    both: {
      [`avax_indexed_validator_stake_avax{${N}}`]: 2000,
      [`avax_indexed_validator_delegated_avax{${N}}`]: 300,
      [`avax_indexed_validator_delegators{${N}}`]: 12,
      [`avax_indexed_validator_delegation_fee_ratio{${N}}`]: 0.02,
      [`avax_indexed_validator_periods{${N},subnet="primary",status="completed"}`]: 2,
      [`avax_indexed_validator_periods{${N},subnet="other",status="removed"}`]: 1,
      [`avax_indexed_validator_next_start_timestamp_seconds{${N}}`]: 1840000000,
      [`avax_indexed_validator_earned_reward_avax{${N},kind="validation"}`]: 146.209912345,
      [`avax_indexed_validator_unrewarded_periods{${N}}`]: 1,
      [`avax_indexed_validator_last_completed_rewarded{${N}}`]: 0,
      [`avax_indexed_validator_last_completed_timestamp_seconds{${N}}`]: 1750000000,
    },
    realOnly: {
      [`avax_indexed_validator_uptime_ratio{${N}}`]: 0.9998,
      [`avax_indexed_validator_potential_reward_avax{${N},kind="delegation"}`]: 0.02193,
      [`avax_indexed_validator_benched_ratio{${N},chain="C"}`]: 0.005,
      [`avax_indexed_validator_last_removed_timestamp_seconds{${N}}`]: 1710000000,
    },
  },
  blocks: {
    path: `${net}/blockchains/p-chain/nodes/${NODE}/blocks`,
    spec: { blocks: [{ blockNumber: "24117820", blockHash: "L", parentHash: "h", blockTimestamp: 1786000000, blockType: "BanffStandardBlock", txCount: 1, transactions: ["S"], blockSizeBytes: 733, l1ValidatorsAccruedFees: 21974528, activeL1Validators: 241, currentSupply: "459817167637779183", proposerDetails: { proposerId: "2" } }], chainInfo: { chainName: "p-chain", network: "mainnet" } },
    real: { blocks: [{ blockNumber: "24117820", blockHash: "L", parentHash: "h", blockTimestamp: 1786000000, blockType: "BanffStandardBlock", txCount: 1, transactions: ["S"], blockSizeBytes: 733 }], chainInfo: { chainName: "p-chain", network: "mainnet" } },
    both: {
      [`avax_indexed_proposed_blocks_total{network="mainnet",chain="p-chain",node_id="${NODE}"}`]: 0,
      [`avax_indexed_last_proposed_block_timestamp_seconds{network="mainnet",chain="p-chain",node_id="${NODE}"}`]: 1786000000,
      [`avax_indexed_last_proposed_block_height{network="mainnet",chain="p-chain",node_id="${NODE}"}`]: 24117820,
    },
  },
  rewards: {
    path: `${net}/rewards`,
    spec: { historicalRewards: [reward("VALIDATOR", "138209912345", { currencyCode: "usd", value: "20" }), reward("DELEGATOR", "1000000000", { currencyCode: "usd", value: "10.5" })] },
    real: { historicalRewards: [reward("VALIDATOR", "138209912345", { currencyCode: "usd", value: 20 }), reward("DELEGATOR", "1000000000", { currencyCode: "usd", value: 10.5 })] },
    both: {
      [`avax_indexed_node_rewards_paid_avax{${N},reward="validator"}`]: 138.209912345,
      [`avax_indexed_node_reward_payments{${N},reward="validator_fee"}`]: 0,
      [`avax_indexed_node_last_reward_timestamp_seconds{${N}}`]: 1750000000,
      [`avax_address_rewards_paid_avax{network="mainnet",address="${WALLET}",reward="delegator"}`]: 1,
      [`avax_address_rewards_value{network="mainnet",address="${WALLET}",currency="usd"}`]: 2774.6982469,
    },
  },
  utxosP: {
    path: `${net}/blockchains/p-chain/utxos`,
    spec: { utxos: [{ addresses: [WALLET], asset: avax, utxoId: "u", amount: "2000000000000", assetId: AVAX, blockNumber: "1", blockTimestamp: 1780000000, platformLocktime: 0, outputIndex: 0, staked: true, threshold: 1, txHash: "S", utxoStartTimestamp: 1780000000, utxoEndTimestamp: 1890000000, utxoType: "STAKE", consumingTxHash: null }, { addresses: [WALLET], asset: { ...avax, amount: "500000000" }, utxoId: "v", staked: false, platformLocktime: 0, utxoType: "TRANSFER", blockTimestamp: 1790000000 }], chainInfo: { chainName: "p-chain", network: "mainnet" } },
    real: { utxos: [{ addresses: [WALLET], asset: avax, consumedOnChainId: PRIMARY, createdOnChainId: PRIMARY, utxoId: "u", amount: "2000000000000", assetId: AVAX, blockNumber: "1", blockTimestamp: 1780000000, outputIndex: 0, staked: true, txHash: "S", utxoStartTimestamp: 1780000000, utxoEndTimestamp: 1890000000, utxoType: "STAKE" }, { addresses: [WALLET], asset: { ...avax, amount: "500000000" }, utxoId: "v", amount: "500000000", blockTimestamp: 1790000000, utxoType: "TRANSFER" }], chainInfo: { chainName: "p-chain", network: "mainnet" } },
    both: {
      [`avax_address_utxo_amount_avax{network="mainnet",chain="p-chain",address="${WALLET}",state="staked"}`]: 2000,
      [`avax_address_utxo_amount_avax{network="mainnet",chain="p-chain",address="${WALLET}",state="free"}`]: 0.5,
      [`avax_address_next_unlock_timestamp_seconds{network="mainnet",chain="p-chain",address="${WALLET}"}`]: 1890000000,
    },
  },
  utxosX: {
    path: `${net}/blockchains/x-chain/utxos`,
    spec: { utxos: [{ addresses: [WALLET], asset: { ...avax, amount: "1000" }, utxoId: "h", platformLocktime: 1890000000, outputIndex: 1, threshold: 1, blockTimestamp: 1700000000, utxoType: "TRANSFER" }], chainInfo: { chainName: "x-chain", network: "mainnet" } },
    real: { utxos: [{ addresses: [WALLET], asset: { ...avax, amount: "1000" }, consumedOnChainId: "o", createdOnChainId: "o", utxoId: "h", creationTxHash: "S", locktime: 1890000000, outputIndex: "1", threshold: 1, timestamp: 1700000000, utxoType: "transfer" }], chainInfo: { chainName: "x-chain", network: "mainnet" } },
    both: {
      [`avax_address_utxo_amount_avax{network="mainnet",chain="x-chain",address="${WALLET}",state="locked"}`]: 0.000001,
      [`avax_address_newest_utxo_timestamp_seconds{network="mainnet",chain="x-chain",address="${WALLET}"}`]: 1700000000,
    },
  },
  chains: {
    path: "/v1/chains",
    spec: { chains: [{ chainId: "43114", status: "OK", enabledFeatures: [] }, { chainId: "1", status: "UNAVAILABLE", enabledFeatures: [] }] },
    real: { chains: [{ chainId: "43114", status: "OK", chainName: "C", description: "", vmName: "EVM", rpcUrl: "r", isTestnet: false, networkToken: info }, { chainId: "1", status: "UNAVAILABLE", chainName: "C", description: "", vmName: "EVM", rpcUrl: "r", isTestnet: true, networkToken: info }] },
    both: { 'avax_indexed_chains{network="mainnet",status="OK"}': 1, 'avax_indexed_chains{network="mainnet",status="UNAVAILABLE"}': 1 },
  },
  chain: {
    path: chain,
    spec: { chainId: "43114", status: "OK", chainName: "Avalanche (C-Chain)", vmName: "EVM", isTestnet: false, private: false, networkToken: info, enabledFeatures: ["webhooks"] },
    real: { chainId: "43114", status: "OK", chainName: "Avalanche (C-Chain)", description: "…", vmName: "EVM", rpcUrl: "r", isTestnet: false, networkToken: { name: "Avalanche", symbol: "AVAX", decimals: 18 }, enabledFeatures: ["nftIndexing", "webhooks", "teleporter"] },
    both: {
      'avax_indexed_chain_status{chain_id="43114",state="OK"}': 1,
      'avax_indexed_chain_feature_enabled{chain_id="43114",feature="webhooks"}': 1,
      'avax_indexed_chain_info{chain_id="43114",name="Avalanche (C-Chain)",symbol="AVAX",vm="EVM",testnet="false"}': 1,
    },
  },
  transactions: {
    path: `${chain}/addresses/${ACCOUNT}/transactions`,
    spec: { transactions: [{ nativeTransaction: { ...native, from: { ...info, address: ACCOUNT }, to: { ...info, address: "0x01" }, method: { callType: "CONTRACT_CALL", methodHash: "0x", methodName: "t" } }, erc20Transfers: [], erc721Transfers: [], erc1155Transfers: [], internalTransactions: [] }] },
    real: { transactions: [{ nativeTransaction: { ...native, from: address(ACCOUNT), to: address("0x01"), blockTimestampMilliseconds: 1724990250123 } }] },
    both: { [`avax_address_transactions_total{${A},direction="out"}`]: 0, [`avax_address_last_transaction_timestamp_seconds{${A}}`]: 1724990250 },
  },
  ...Object.fromEntries((["Erc20", "Erc721", "Erc1155"] as const).map((word): [string, Case] => [`list${word}`, {
    path: `${chain}/addresses/${ACCOUNT}/transactions:list${word}`,
    spec: { transactions: [{ ...transfer, erc20Token: { address: "0x1", decimals: 6 } }] },
    real: { transactions: [{ ...transfer, value: word === "Erc721" ? undefined : "340282366920938463463374607431768211456", erc20Token: undefined }] },
    both: { [`avax_address_last_token_transfer_timestamp_seconds{${A},standard="${word.toLowerCase()}"}`]: 1724990250, [`avax_address_token_transfers_total{${A},standard="${word.toLowerCase()}",direction="out"}`]: 0 },
  }])),
  holdings: {
    path: `${chain}/addresses/${ACCOUNT}/balances:listErc721`,
    spec: { nativeTokenBalance: { ...info, chainId: "43114", balance: "1500000000000000000", price: { currencyCode: "usd", value: "20" }, balanceValue: { currencyCode: "usd", value: "30" } }, erc721TokenBalances: [{ ...token("indexed"), chainId: "43114" }] },
    real: { nativeTokenBalance: { name: "Avalanche", symbol: "AVAX", decimals: 18, chainId: "43114", balance: "1500000000000000000", price: { currencyCode: "usd", value: 20 }, balanceValue: { currencyCode: "usd", value: 30 } }, erc721TokenBalances: [{ ...token("INDEXED"), chainId: "43114", ownerAddress: undefined }] },
    both: { [`avax_address_indexed_balance{${A}}`]: 1.5, [`avax_address_indexed_balance_value{${A},currency="usd"}`]: 30, 'avax_chain_coin_price{chain_id="43114",currency="usd"}': 20, [`avax_address_erc721_tokens{${A}}`]: 1 },
  },
  deployment: {
    path: `${chain}/contracts/${ACCOUNT}/transactions:getDeployment`,
    spec: { nativeTransaction: { ...native, from: { ...info, address: "0x02" }, to: address(ACCOUNT), input: "0x", baseFeePerGas: "1", maxFeePerGas: "1", maxPriorityFeePerGas: "1" }, erc20Transfers: [], networkTokenDetails: { networkToken: info, currentPrice: { currencyCode: "usd", value: "20" }, historicalPrice: { currencyCode: "usd", value: "20" } }, teleporterMessageInfo: { teleporterMessageId: "t" } },
    real: { nativeTransaction: { ...native, from: address("0x02"), to: address(ACCOUNT), input: "0x", baseFeePerGas: "1" }, networkTokenDetails: { networkToken: info } },
    both: { [`avax_contract_info{chain_id="43114",contract="${ACCOUNT}",deployer="0x02"}`]: 1, [`avax_contract_deployment_timestamp_seconds{chain_id="43114",contract="${ACCOUNT}"}`]: 1724990250, [`avax_contract_deployment_fee{chain_id="43114",contract="${ACCOUNT}"}`]: 0.001284325 },
  },
  collection: {
    path: `${chain}/nfts/collections/${ACCOUNT}/tokens`,
    spec: { tokens: [token("indexed"), token("indexed")] },
    real: { tokens: [token("INDEXED"), { ...token("INDEXED"), ercType: "ERC-1155", name: undefined, symbol: undefined, ownerAddress: undefined }] },
    both: { [`avax_collection_tokens{${C},status="INDEXED"}`]: 2, [`avax_collection_holders{${C}}`]: 1, [`avax_collection_info{${C},name="Things",symbol="THG",standard="ERC-721"}`]: 1 },
  },
  nft: {
    path: `${chain}/nfts/collections/${ACCOUNT}/tokens/1`,
    spec: token("indexed"),
    real: token("INDEXED"),
    both: { [`avax_nft_metadata_indexed{${C},token_id="1"}`]: 1, [`avax_nft_info{${C},token_id="1",holder="0xAb",standard="ERC-721"}`]: 1, [`avax_nft_metadata_timestamp_seconds{${C},token_id="1"}`]: 1700000000 },
  },
};
