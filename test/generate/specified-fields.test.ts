import { expect, it } from "vitest";
import { HOSTED_FIELDS } from "../../generate/fields/hosted-fields.ts";
import { NODE_FIELDS } from "../../generate/fields/node-fields.ts";
import { fieldsOf } from "../../generate/fields/values.ts";

/** Every field of the records of both specifications, each at every method that has it, is in the tables of fields. */

/** The fields of a text such as `a b{c d}`: `a`, `b.c` and `b.d`. */
function paths(text: string): readonly string[] {
  const found: string[] = [];
  const within: string[] = [];
  for (const [, name = "", opens, closes] of text.matchAll(/([^\s{}]+)(\{)?|(\})/g)) {
    if (opens !== undefined) within.push(name);
    else if (closes !== undefined) within.pop();
    else found.push([...within, name].join("."));
  }
  return found;
}

const party = "{name symbol decimals logoUri address}";
const price = "{currencyCode value}";
const coin = "{name symbol decimals logoUri description}";
const metadata =
  "indexStatus metadataLastUpdatedTimestamp name symbol imageUri description animationUri externalUrl background";
const erc20 = `{address name symbol decimals logoUri ercType price${price}}`;
const erc721 = `address name symbol ercType tokenId tokenUri ownerAddress metadata{${metadata} attributes}`;
const erc1155 = `{address ercType tokenId tokenUri metadata{${metadata} decimals properties}}`;
const native = `blockNumber blockTimestamp blockHash chainId blockIndex txHash txStatus txType gasLimit gasUsed gasPrice nonce value
  from${party} to${party} method{callType methodHash methodName}`;
const transfer = (more: string) =>
  `transactions[]{logIndex blockNumber blockTimestamp blockHash txHash from${party} to${party} ${more}}`;
const lists = "erc20Transfers erc721Transfers erc1155Transfers";
const utxo = `{addresses consumedOnChainId consumingTxHash createdOnChainId utxoId utxoBytes amount assetId blockNumber
  consumingBlockNumber txHash blockTimestamp consumingBlockTimestamp platformLocktime outputIndex stakeableLocktime
  threshold utxoEndTimestamp utxoStartTimestamp rewardType staked utxoType
  asset{assetId name symbol denomination type amount}}`;
const reward = `{addresses txHash amountStaked nodeId utxoId rewardTxHash startTimestamp endTimestamp outputIndex rewardType
  reward{assetId name symbol denomination type amount historicalPrice${price}}}`;
const period = `{txHash nodeId subnetId amountStaked delegationFee amountDelegated startTimestamp endTimestamp delegatorCount
  validationStatus blsCredentials{publicKey proofOfPossession}
  rewards{validationRewardAmount delegationRewardAmount rewardAddresses rewardTxHash}}`;
const proposed = `{blockNumber blockHash parentHash blockType currentSupply blockTimestamp txCount blockSizeBytes
  l1ValidatorsAccruedFees activeL1Validators transactions
  proposerDetails{proposerId proposerParentId proposerNodeId proposerPChainHeight proposerTimestamp}}`;
const chain = `chainId status chainName description platformChainId subnetId vmId vmName explorerUrl rpcUrl wsUrl chainLogoUri
  isTestnet private enabledFeatures utilityAddresses{multicall} networkToken${coin}`;
const about = "chainInfo{chainName network}";

const owners = "{locktime threshold addresses}";
const delegator = `{txID startTime endTime weight nodeID potentialReward rewardOwner${owners}}`;
const validator = "txID startTime nodeID weight uptime connected";
const check = "{error timestamp duration contiguousFailures timeOfFirstFailure";

const ADDRESS = "GET /v1/chains/{chainId}/addresses/{address}";
const TOKENS = "GET /v1/chains/{chainId}/nfts/collections/{address}/tokens";
const NETWORK = "GET /v1/networks/{network}";

const SPECIFIED: Readonly<Record<string, string>> = {
  [`${ADDRESS}/transactions`]: `transactions[]{${lists} internalTransactions nativeTransaction{${native}}}`,
  "GET /v1/chains/{chainId}/contracts/{address}/transactions:getDeployment": `${lists}
    nativeTransaction{${native} input baseFeePerGas maxFeePerGas maxPriorityFeePerGas}
    internalTransactions[]{internalTxType value isReverted gasUsed gasLimit from${party} to${party}}
    networkTokenDetails{networkToken${coin} currentPrice${price} historicalPrice${price}}
    teleporterMessageInfo{teleporterMessageId direction sourceChainId destinationChainId}`,
  [`${ADDRESS}/transactions:listErc20`]: transfer(`value erc20Token${erc20}`),
  [`${ADDRESS}/transactions:listErc721`]: transfer(`erc721Token{${erc721}}`),
  [`${ADDRESS}/transactions:listErc1155`]: transfer(`value erc1155Token${erc1155}`),
  [`${ADDRESS}/balances:listErc721`]: `erc721TokenBalances[]{${erc721} chainId}
    nativeTokenBalance{name symbol decimals logoUri chainId balance price${price} balanceValue${price}}`,
  [TOKENS]: `tokens[]{${erc721}}`,
  [`${TOKENS}/{tokenId}`]: erc721,
  [`${NETWORK}/blockchains/{blockchainId}/utxos`]: `utxos[]${utxo} ${about}`,
  [`${NETWORK}/rewards`]: `historicalRewards[]${reward}`,
  [`${NETWORK}/validators/{nodeId}`]: `validators[]${period}`,
  [`${NETWORK}/blockchains/{blockchainId}/nodes/{nodeId}/blocks`]: `blocks[]${proposed} ${about}`,
  "GET /v1/chains": `chains[]{${chain}}`,
  "GET /v1/chains/{chainId}": chain,
  "GET /v1/avg_tps/{chainId}": "results[]{timestamp value} status lastRun",
  ...Object.fromEntries(
    "activeAddresses activeSenders cumulativeTxCount cumulativeAddresses cumulativeContracts cumulativeDeployers contracts deployers gasUsed txCount avgGps maxGps avgTps maxTps avgGasPrice maxGasPrice feesPaid"
      .split(" ")
      .map((metric) => [`GET /v2/chains/{chainId}/metrics/${metric}`, "results[]{timestamp value}"]),
  ),
  "GET /ext/health": `healthy checks{database bootstrapped diskspace{message{availableDiskBytes}}
    C${check} message{networking{percentConnected} engine{vm
      consensus{lastAcceptedHeight lastAcceptedID longestProcessingBlock processingBlocks}}}}
    network{message{connectedPeers sendFailRate timeSinceLastMsgReceived timeSinceLastMsgSent}}
    router{message{longestRunningRequest outstandingRequests}}}`,
  "GET /ext/health/readiness": "healthy checks",
  "GET /ext/health/liveness": "healthy checks",
  "info.acps": "acps{77{supportWeight supporters objectWeight objectors abstainWeight}}",
  "info.isBootstrapped": "isBootstrapped",
  "info.getBlockchainID": "blockchainID",
  "info.getNetworkID": "networkID",
  "info.getNetworkName": "networkName",
  "info.getNodeID": "nodeID nodePOP{publicKey proofOfPossession}",
  "info.getNodeIP": "ip",
  "info.getNodeVersion": "version databaseVersion gitCommit rpcProtocolVersion vmVersions",
  "info.getTxFee": `txFee createAssetTxFee createSubnetTxFee transformSubnetTxFee createBlockchainTxFee addSubnetValidatorFee
    addSubnetDelegatorFee addPrimaryNetworkValidatorFee addPrimaryNetworkDelegatorFee`,
  "info.getVMs": "vms",
  "info.peers": `numPeers
    peers[]{ip publicIP nodeID version lastSent lastReceived benched observedUptime trackedSubnets}`,
  "info.uptime": "rewardingStakePercentage weightedAveragePercentage",
  "info.uptime {subnetID}": "rewardingStakePercentage weightedAveragePercentage",
  "info.upgrades": `apricotPhase1Time apricotPhase2Time apricotPhase3Time apricotPhase4Time apricotPhase4MinPChainHeight
    apricotPhase5Time apricotPhasePre6Time apricotPhase6Time apricotPhasePost6Time banffTime cortinaTime
    cortinaXChainStopVertexID durangoTime etnaTime fortunaTime graniteTime heliconTime`,
  "platform.getBalance": `balances unlockeds lockedStakeables lockedNotStakeables balance unlocked lockedStakeable
    lockedNotStakeable utxoIDs[]{txID outputIndex}`,
  "platform.getBlockByHeight": `encoding block{parentID height
    txs[]{credentials[]{signatures} unsignedTx{destinationChain
    exportedOutputs[]{assetID fxID output{addresses amount locktime threshold}}
    inputs{networkID blockchainID outputs memo inputs[]{txID outputIndex assetID fxID input{amount signatureIndices}}}}}}`,
  "platform.getBlockchains": "blockchains[]{id name subnetID vmID}",
  "platform.getBlockchainStatus": "status",
  "platform.getCurrentSupply": "supply",
  "platform.getCurrentValidators": `validators[]{${validator} endTime delegatorCount delegatorWeight potentialReward
    delegationFee signer{publicKey proofOfPosession} validationRewardOwner${owners} delegationRewardOwner${owners}
    delegators[]${delegator}}`,
  "platform.getCurrentValidators {subnetID}": `validators[]{${validator} validationID publicKey minNonce balance
    remainingBalanceOwner${owners} deactivationOwner${owners}}`,
  admin_getVMConfig: "config",
  "ledger.getUTXOs": "utxos endIndex{address utxo} numFetched encoding",
};

const TABLES: Readonly<Record<string, string>> = { ...NODE_FIELDS, ...HOSTED_FIELDS };

it.each(Object.entries(SPECIFIED))("%s has every field", (method, fields) => {
  const listed = fieldsOf(TABLES[method] ?? "").map(({ path }) => `${path.replaceAll(/\[\d+\]/g, "[]")}.`);
  // What is said of a record is said of its fields, and what is said of them of the record.
  const isListed = (path: string) => listed.some((each) => each.startsWith(path) || path.startsWith(each));
  expect(paths(fields).filter((field) => !isListed(`${field}.`) && !isListed(`${field}[].`))).toEqual([]);
});
