import { AVAX, NODE, WALLET } from "../../support/hosted.ts";
import { NOW, type Case } from "./case.ts";

const PRIMARY = "11111111111111111111111111111111LpoYY";
const OTHER_SUBNET = "217XbdinVhB2JKAwcNbjDVWoXRf1r3azvS3gkoEFPUiXPWoize";
const N = `network="mainnet",node_id="${NODE}"`;
const W = `network="mainnet",address="${WALLET}"`;
const NETWORK = "GET /v1/networks/{network}";
const net = "/v1/networks/mainnet";

const period = { txHash: "t", nodeId: NODE, subnetId: PRIMARY, amountStaked: "2000000000000" };
const bls = { publicKey: "0xc519", proofOfPossession: "0x12ab" };
const paid = {
  validationRewardAmount: "146209912345",
  delegationRewardAmount: "21930000",
  rewardAddresses: [WALLET],
  rewardTxHash: "r",
};
const none = { validationRewardAmount: "0", delegationRewardAmount: "0" };
const health = {
  reachabilityPercent: 98.5,
  benchedPChainRequestsPercent: 0,
  benchedXChainRequestsPercent: 0.25,
  benchedCChainRequestsPercent: 0.5,
};
/** One record with every field of the specification. */
const specified = { delegationFee: "2", delegatorCount: 0, amountDelegated: "0", blsCredentials: bls };
const avax = { assetId: AVAX, name: "Avalanche", symbol: "AVAX", denomination: 9, type: "secp256k1" };
const other = { ...avax, assetId: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe", symbol: "X", amount: "1" };

const reward = (rewardType: string, amount: string, endTimestamp: number, value: unknown) => ({
  addresses: [WALLET],
  txHash: "t",
  amountStaked: "2000000000000",
  nodeId: NODE,
  startTimestamp: 1720000000,
  endTimestamp,
  rewardType,
  utxoId: "u",
  outputIndex: 2,
  rewardTxHash: "x",
  reward: { ...avax, amount, historicalPrice: { currencyCode: "usd", value } },
});

const expected = (rewardType: string, amount: string, endTimestamp: number) => ({
  addresses: [WALLET],
  txHash: "t",
  amountStaked: "25000000000",
  nodeId: NODE,
  startTimestamp: 1790000000,
  endTimestamp,
  rewardType,
  progress: 33.3,
  estimatedReward: { ...avax, amount },
});

const block = (blockNumber: string, blockTimestamp: number, txCount: number, blockSizeBytes: number) => ({
  blockNumber,
  blockHash: `h${blockNumber}`,
  parentHash: "p",
  blockTimestamp,
  blockType: "BanffStandardBlock",
  txCount,
  transactions: ["S"],
  blockSizeBytes,
});
const proposed = {
  l1ValidatorsAccruedFees: 21974528,
  activeL1Validators: 241,
  currentSupply: "459817167637779183",
  proposerDetails: {
    proposerId: "2",
    proposerParentId: "1",
    proposerNodeId: NODE,
    proposerPChainHeight: 24117800,
    proposerTimestamp: 1786000000,
  },
};
const B = `network="mainnet",chain="P",node_id="${NODE}"`;

/** An output of P or C, with what the specification adds to it. */
const output = (utxoId: string, amount: string, blockTimestamp: number) => ({
  addresses: [WALLET],
  asset: { ...avax, amount },
  consumedOnChainId: PRIMARY,
  createdOnChainId: PRIMARY,
  utxoId,
  amount,
  assetId: AVAX,
  blockNumber: "24000000",
  blockTimestamp,
  outputIndex: 0,
  txHash: "S",
});
const stake = { staked: true, utxoStartTimestamp: 1780000000, utxoEndTimestamp: 1890000000, utxoType: "STAKE" };
const free = { staked: false, utxoType: "TRANSFER" };
const spent = { ...free, consumingTxHash: "c", consumingBlockNumber: "24000009", consumingBlockTimestamp: 1785000000 };
/** The specification's fields of outputs, empty where they do not apply. */
const unset = { platformLocktime: 0, stakeableLocktime: 0, threshold: 1, consumingTxHash: null, rewardType: null };
const U = (chain: string) => `network="mainnet",chain="${chain}",address="${WALLET}"`;
const about = (chainName: string) => ({ chainInfo: { chainName, network: "mainnet" } });

// prettier-ignore
export const STAKING_CASES: Readonly<Record<string, Case>> = {
  "validators of every status": {
    method: `${NETWORK}/validators/{nodeId}`,
    path: `${net}/validators/${NODE}`,
    spec: { validators: [
      { ...period, ...specified, startTimestamp: 1786000000, endTimestamp: 1830000000, delegationFee: "2.0", delegatorCount: 12, amountDelegated: "300000000000", validationStatus: "active", rewards: null },
      { ...period, ...specified, startTimestamp: 1720000000, endTimestamp: 1750000000, rewards: none, validationStatus: "completed" },
      { ...period, ...specified, startTimestamp: 1690000000, endTimestamp: 1710000000, rewards: paid, validationStatus: "completed" },
      { ...period, startTimestamp: 1840000000, endTimestamp: 1850000000, validationStatus: "pending" },
      { ...period, subnetId: OTHER_SUBNET, startTimestamp: 1700000000, endTimestamp: 1731000000, amountStaked: "20", validationStatus: "removed" },
    ] },
    real: (token) => token === undefined
      ? { nextPageToken: "3d22deea-ea64-4d30-8a1e-c2a353b67e90", validators: [
          { ...period, delegationFee: "2.0000000000000000", startTimestamp: 1786000000, endTimestamp: 1830000000, blsCredentials: bls, stakePercentage: 0.0012, delegatorCount: 12, amountDelegated: "300000000000", uptimePerformance: 99.98, avalancheGoVersion: "avalanchego/1.14.2", delegationCapacity: "7700000000000", potentialRewards: paid, validationStatus: "active", validatorHealth: health, geolocation: null },
          { ...period, startTimestamp: 1720000000, endTimestamp: 1750000000, delegatorCount: 0, rewards: none, validationStatus: "completed" },
        ] }
      : { validators: [
          { ...period, startTimestamp: 1690000000, endTimestamp: 1710000000, delegatorCount: 0, rewards: paid, validationStatus: "completed" },
          { ...period, subnetId: OTHER_SUBNET, amountStaked: "20", startTimestamp: 1700000000, endTimestamp: 1731000000, removeTxHash: "e", removeTimestamp: 1710000000, validationStatus: "removed" },
          { ...period, delegationFee: "2.0000000000000000", startTimestamp: 1840000000, endTimestamp: 1850000000, validationStatus: "pending" },
        ] },
    both: {
      [`avax_hosted_validator_stake_avax{${N}}`]: 2000,
      [`avax_hosted_validator_delegated_stake_avax{${N}}`]: 300,
      [`avax_hosted_validator_delegators{${N}}`]: 12,
      [`avax_hosted_validator_delegation_fee_ratio{${N}}`]: 0.02,
      [`avax_hosted_validator_start_timestamp_seconds{${N}}`]: 1786000000,
      [`avax_hosted_validator_end_timestamp_seconds{${N}}`]: 1830000000,
      [`avax_hosted_validator_periods{${N},subnet="primary",state="active"}`]: 1,
      [`avax_hosted_validator_periods{${N},subnet="primary",state="completed"}`]: 2,
      [`avax_hosted_validator_periods{${N},subnet="primary",state="pending"}`]: 1,
      [`avax_hosted_validator_periods{${N},subnet="other",state="removed"}`]: 1,
      [`avax_hosted_validator_next_start_timestamp_seconds{${N}}`]: 1840000000,
      [`avax_hosted_validator_earned_reward_avax{${N},kind="validation"}`]: 146.209912345,
      [`avax_hosted_validator_earned_reward_avax{${N},kind="delegation"}`]: 0.02193,
      [`avax_hosted_validator_unrewarded_periods{${N}}`]: 1,
      [`avax_hosted_validator_last_completed_rewarded{${N}}`]: 0,
      [`avax_hosted_validator_last_completed_timestamp_seconds{${N}}`]: 1750000000,
    },
    realOnly: {
      [`avax_hosted_validator_uptime_ratio{${N}}`]: 0.9998,
      [`avax_hosted_validator_delegation_capacity_avax{${N}}`]: 7700,
      [`avax_hosted_validator_potential_reward_avax{${N},kind="validation"}`]: 146.209912345,
      [`avax_hosted_validator_potential_reward_avax{${N},kind="delegation"}`]: 0.02193,
      [`avax_hosted_validator_reachability_ratio{${N}}`]: 0.985,
      [`avax_hosted_validator_benched_ratio{${N},chain="P"}`]: 0,
      [`avax_hosted_validator_benched_ratio{${N},chain="X"}`]: 0.0025,
      [`avax_hosted_validator_benched_ratio{${N},chain="C"}`]: 0.005,
      [`avax_hosted_validator_last_removed_timestamp_seconds{${N}}`]: 1710000000,
    },
  },
  "blocks of a node": {
    method: `${NETWORK}/blockchains/{blockchainId}/nodes/{nodeId}/blocks`,
    path: `${net}/blockchains/p-chain/nodes/${NODE}/blocks`,
    spec: { blocks: [{ ...block("24117820", 1786000000, 1, 733), ...proposed }], ...about("p-chain") },
    real: { blocks: [block("24117820", 1786000000, 1, 733)], ...about("p-chain") },
    both: {
      [`avax_hosted_proposed_blocks_total{${B}}`]: 0,
      [`avax_hosted_proposed_transactions_total{${B}}`]: 0,
      [`avax_hosted_proposed_bytes_total{${B}}`]: 0,
      [`avax_hosted_last_proposed_block_timestamp_seconds{${B}}`]: 1786000000,
      [`avax_hosted_last_proposed_block_height{${B}}`]: 24117820,
    },
    later: {
      spec: { blocks: [{ ...block("24117900", NOW + 300, 3, 1000), ...proposed }, { ...block("24117820", 1786000000, 1, 733), ...proposed }], ...about("p-chain") },
      real: { blocks: [{ ...block("24117900", NOW + 300, 3, 1000), ...proposed }, block("24117820", 1786000000, 1, 733)], ...about("p-chain") },
      both: {
        [`avax_hosted_proposed_blocks_total{${B}}`]: 1,
        [`avax_hosted_proposed_transactions_total{${B}}`]: 3,
        [`avax_hosted_proposed_bytes_total{${B}}`]: 1000,
        [`avax_hosted_last_proposed_block_timestamp_seconds{${B}}`]: NOW + 300,
        [`avax_hosted_last_proposed_block_height{${B}}`]: 24117900,
      },
    },
  },
  "rewards that were paid": {
    method: `${NETWORK}/rewards`,
    path: `${net}/rewards`,
    spec: { historicalRewards: [reward("VALIDATOR", "138209912345", 1750000000, "20"), reward("DELEGATOR", "1000000000", 1740000000, "10.5")] },
    real: { historicalRewards: [reward("VALIDATOR", "138209912345", 1750000000, 20), reward("DELEGATOR", "1000000000", 1740000000, 10.5)] },
    both: {
      [`avax_hosted_node_rewards_paid_avax{${N},kind="validator"}`]: 138.209912345,
      [`avax_hosted_node_reward_payments{${N},kind="delegator"}`]: 1,
      [`avax_hosted_node_reward_payments{${N},kind="validator_fee"}`]: 0,
      [`avax_hosted_node_last_reward_timestamp_seconds{${N}}`]: 1750000000,
      [`avax_hosted_address_rewards_paid_avax{${W},kind="delegator"}`]: 1,
      [`avax_hosted_address_last_reward_timestamp_seconds{${W}}`]: 1750000000,
      [`avax_hosted_address_rewards_fiat{${W},currency="usd"}`]: 2774.6982469,
    },
  },
  // Not in the specification, but in the client of the service.
  "rewards to come": {
    method: `${NETWORK}/rewards:listPending`,
    path: `${net}/rewards:listPending`,
    spec: { pendingRewards: [expected("VALIDATOR", "2500000000", 1830000000), expected("DELEGATOR", "1500000000", 1820000000)] },
    real: { pendingRewards: [expected("VALIDATOR", "2500000000", 1830000000), expected("DELEGATOR", "1500000000", 1820000000)] },
    both: {
      [`avax_hosted_node_rewards_pending_avax{${N},kind="validator"}`]: 2.5,
      [`avax_hosted_node_next_reward_timestamp_seconds{${N}}`]: 1820000000,
      [`avax_hosted_address_rewards_pending_avax{${W},kind="delegator"}`]: 1.5,
      [`avax_hosted_address_next_reward_timestamp_seconds{${W}}`]: 1820000000,
    },
  },
  "outputs on P": {
    method: `${NETWORK}/blockchains/{blockchainId}/utxos`,
    path: `${net}/blockchains/p-chain/utxos`,
    spec: { utxos: [
      { ...output("u", "2000000000000", 1780000000), ...unset, ...stake },
      { ...output("v", "500000000", 1790000000), ...unset, ...free },
      { ...output("w", "700000000", 1770000000), ...unset, ...free, stakeableLocktime: 1880000000 },
      { ...output("x", "900000000", 1760000000), ...unset, ...spent },
    ], ...about("p-chain") },
    real: { utxos: [
      { ...output("u", "2000000000000", 1780000000), ...stake },
      { ...output("v", "500000000", 1790000000), ...free },
      { ...output("w", "700000000", 1770000000), ...free, stakeableLocktime: 1880000000 },
      { ...output("x", "900000000", 1760000000), ...spent },
    ], ...about("p-chain") },
    both: {
      [`avax_hosted_address_utxos_avax{${U("P")},state="staked"}`]: 2000,
      [`avax_hosted_address_utxos_avax{${U("P")},state="free"}`]: 0.5,
      [`avax_hosted_address_utxos_avax{${U("P")},state="locked"}`]: 0.7,
      [`avax_hosted_address_utxos{${U("P")},state="free"}`]: 1,
      [`avax_hosted_address_other_asset_utxos{${U("P")}}`]: 0,
      [`avax_hosted_address_next_unlock_timestamp_seconds{${U("P")}}`]: 1880000000,
      [`avax_hosted_address_newest_utxo_timestamp_seconds{${U("P")}}`]: 1790000000,
    },
  },
  "outputs on X": {
    method: `${NETWORK}/blockchains/{blockchainId}/utxos`,
    path: `${net}/blockchains/x-chain/utxos`,
    spec: { utxos: [{ ...output("h", "1000", 1700000000), ...unset, ...free, platformLocktime: 1890000000 }, { ...output("i", "1", 1700000000), ...unset, ...free, asset: other }], ...about("x-chain") },
    real: { utxos: [
      { addresses: [WALLET], asset: { ...avax, amount: "1000" }, consumedOnChainId: "o", createdOnChainId: "o", utxoId: "h", creationTxHash: "S", locktime: 1890000000, outputIndex: "1", threshold: 1, timestamp: 1700000000, utxoType: "transfer" },
      { addresses: [WALLET], asset: other, consumedOnChainId: "o", createdOnChainId: "o", utxoId: "i", creationTxHash: "S", locktime: 0, outputIndex: "1", threshold: 1, timestamp: 1700000000, utxoType: "transfer" },
    ], ...about("x-chain") },
    both: {
      [`avax_hosted_address_utxos_avax{${U("X")},state="locked"}`]: 0.000001,
      [`avax_hosted_address_other_asset_utxos{${U("X")}}`]: 1,
      [`avax_hosted_address_newest_utxo_timestamp_seconds{${U("X")}}`]: 1700000000,
    },
  },
  "outputs on C": {
    method: `${NETWORK}/blockchains/{blockchainId}/utxos`,
    path: `${net}/blockchains/c-chain/utxos`,
    spec: { utxos: [{ ...output("c", "1250000000", 1795000000), ...unset, ...free }], ...about("c-chain") },
    real: { utxos: [{ ...output("c", "1250000000", 1795000000), ...free }], ...about("c-chain") },
    both: {
      [`avax_hosted_address_utxos_avax{${U("C")},state="free"}`]: 1.25,
      [`avax_hosted_address_newest_utxo_timestamp_seconds{${U("C")}}`]: 1795000000,
    },
  },
};
