import { expect, it } from "vitest";
import { HOSTED_FIELDS } from "../../generate/fields/hosted-fields.ts";
import { NODE_FIELDS } from "../../generate/fields/node-fields.ts";
import { fieldsOf } from "../../generate/fields/values.ts";

/** Every field of the records of both specifications, each at every method that has it, is in the tables of fields. */

/** A record within another one, or in a list. */
const of = (path: string, fields: string) => fields.split(" ").map((field) => `${path}.${field}`);
const all = (...parts: ReadonlyArray<string | readonly string[]>) => parts.flat().join(" ");

const party = "name symbol decimals logoUri address";
const price = "currencyCode value";
const coin = "name symbol decimals logoUri description";
const metadata =
  "indexStatus metadataLastUpdatedTimestamp name symbol imageUri description animationUri externalUrl background";
const erc20 = all("address name symbol decimals logoUri ercType", of("price", price));
const erc721 = all(
  "address name symbol ercType tokenId tokenUri ownerAddress",
  of("metadata", all(metadata, "attributes")),
);
const erc1155 = all("address ercType tokenId tokenUri", of("metadata", all(metadata, "decimals properties")));
const native = all(
  "blockNumber blockTimestamp blockHash chainId blockIndex txHash txStatus txType gasLimit gasUsed gasPrice nonce value",
  of("from", party),
  of("to", party),
  of("method", "callType methodHash methodName"),
);
const transfer = (more: string) =>
  all("logIndex blockNumber blockTimestamp blockHash txHash", of("from", party), of("to", party), more);
const internal = all("internalTxType value isReverted gasUsed gasLimit", of("from", party), of("to", party));
const lists = "erc20Transfers erc721Transfers erc1155Transfers";
const utxo = all(
  "addresses consumedOnChainId consumingTxHash createdOnChainId utxoId utxoBytes amount assetId blockNumber",
  "consumingBlockNumber txHash blockTimestamp consumingBlockTimestamp platformLocktime outputIndex stakeableLocktime",
  "threshold utxoEndTimestamp utxoStartTimestamp rewardType staked utxoType",
  of("asset", "assetId name symbol denomination type amount"),
);
const reward = all(
  "addresses txHash amountStaked nodeId utxoId rewardTxHash startTimestamp endTimestamp outputIndex rewardType",
  of("reward", all("assetId name symbol denomination type amount", of("historicalPrice", price))),
);
const period = all(
  "txHash nodeId subnetId amountStaked delegationFee amountDelegated startTimestamp endTimestamp delegatorCount",
  "validationStatus",
  of("blsCredentials", "publicKey proofOfPossession"),
  of("rewards", "validationRewardAmount delegationRewardAmount rewardAddresses rewardTxHash"),
);
const proposed = all(
  "blockNumber blockHash parentHash blockType currentSupply blockTimestamp txCount blockSizeBytes",
  "l1ValidatorsAccruedFees activeL1Validators transactions",
  of("proposerDetails", "proposerId proposerParentId proposerNodeId proposerPChainHeight proposerTimestamp"),
);
const chain = all(
  "chainId status chainName description platformChainId subnetId vmId vmName explorerUrl rpcUrl wsUrl chainLogoUri",
  "isTestnet private enabledFeatures",
  of("utilityAddresses", "multicall"),
  of("networkToken", coin),
);
const about = of("chainInfo", "chainName network");

const owners = "locktime threshold addresses";
const delegator = all("txID startTime endTime weight nodeID potentialReward", of("rewardOwner", owners));
const validator = "txID startTime nodeID weight uptime connected";
const check = "message error timestamp duration contiguousFailures timeOfFirstFailure";
const fees = ["Primary", "Subnet"].flatMap((of) => ["Validator", "Delegator"].map((who) => `${of}${who}`));

const ADDRESS = "GET /v1/chains/{chainId}/addresses/{address}";
const TOKENS = "GET /v1/chains/{chainId}/nfts/collections/{address}/tokens";
const NETWORK = "GET /v1/networks/{network}";

const SPECIFIED: Readonly<Record<string, string>> = {
  [`${ADDRESS}/transactions`]: all(
    of("transactions[]", all(lists, "internalTransactions", of("nativeTransaction", native))),
  ),
  "GET /v1/chains/{chainId}/contracts/{address}/transactions:getDeployment": all(
    lists,
    of("nativeTransaction", all(native, "input baseFeePerGas maxFeePerGas maxPriorityFeePerGas")),
    of("internalTransactions[]", internal),
    of("networkTokenDetails.networkToken", coin),
    of("networkTokenDetails.currentPrice", price),
    of("networkTokenDetails.historicalPrice", price),
    of("teleporterMessageInfo", "teleporterMessageId direction sourceChainId destinationChainId"),
  ),
  [`${ADDRESS}/transactions:listErc20`]: all(of("transactions[]", transfer(all("value", of("erc20Token", erc20))))),
  [`${ADDRESS}/transactions:listErc721`]: all(of("transactions[]", transfer(all(of("erc721Token", erc721))))),
  [`${ADDRESS}/transactions:listErc1155`]: all(
    of("transactions[]", transfer(all("value", of("erc1155Token", erc1155)))),
  ),
  [`${ADDRESS}/balances:listErc721`]: all(
    of(
      "nativeTokenBalance",
      all("name symbol decimals logoUri chainId balance", of("price", price), of("balanceValue", price)),
    ),
    of("erc721TokenBalances[]", all(erc721, "chainId")),
  ),
  [TOKENS]: all(of("tokens[]", erc721)),
  [`${TOKENS}/{tokenId}`]: erc721,
  [`${NETWORK}/blockchains/{blockchainId}/utxos`]: all(of("utxos[]", utxo), about),
  [`${NETWORK}/rewards`]: all(of("historicalRewards[]", reward)),
  [`${NETWORK}/validators/{nodeId}`]: all(of("validators[]", period)),
  [`${NETWORK}/blockchains/{blockchainId}/nodes/{nodeId}/blocks`]: all(of("blocks[]", proposed), about),
  "GET /v1/chains": all(of("chains[]", chain)),
  "GET /v1/chains/{chainId}": chain,
  "GET /v1/avg_tps/{chainId}": "results[].timestamp results[].value status lastRun",
  ...Object.fromEntries(
    "activeAddresses activeSenders cumulativeTxCount cumulativeAddresses cumulativeContracts cumulativeDeployers contracts deployers gasUsed txCount avgGps maxGps avgTps maxTps avgGasPrice maxGasPrice feesPaid"
      .split(" ")
      .map((metric) => [`GET /v2/chains/{chainId}/metrics/${metric}`, "results[].timestamp results[].value"]),
  ),
  "GET /ext/health": all(
    "healthy",
    of("checks.C", check),
    of(
      "checks.C.message.engine.consensus",
      "lastAcceptedHeight lastAcceptedID longestProcessingBlock processingBlocks",
    ),
    "checks.C.message.engine.vm checks.C.message.networking.percentConnected checks.database checks.bootstrapped",
    of("checks.network.message", "connectedPeers sendFailRate timeSinceLastMsgReceived timeSinceLastMsgSent"),
    "checks.diskspace.message.availableDiskBytes",
    of("checks.router.message", "longestRunningRequest outstandingRequests"),
  ),
  "GET /ext/health/readiness": "healthy checks",
  "GET /ext/health/liveness": "healthy checks",
  "info.acps": all(of("acps.77", "supportWeight supporters objectWeight objectors abstainWeight")),
  "info.isBootstrapped": "isBootstrapped",
  "info.getBlockchainID": "blockchainID",
  "info.getNetworkID": "networkID",
  "info.getNetworkName": "networkName",
  "info.getNodeID": "nodeID nodePOP.publicKey nodePOP.proofOfPossession",
  "info.getNodeIP": "ip",
  "info.getNodeVersion": "version databaseVersion gitCommit rpcProtocolVersion vmVersions",
  "info.getTxFee": all(
    "txFee createAssetTxFee createSubnetTxFee transformSubnetTxFee createBlockchainTxFee",
    fees.map((each) => `add${each.replace("Primary", "PrimaryNetwork")}Fee`),
  ),
  "info.getVMs": "vms",
  "info.peers": all(
    "numPeers",
    of("peers[]", "ip publicIP nodeID version lastSent lastReceived benched observedUptime trackedSubnets"),
  ),
  "info.uptime": "rewardingStakePercentage weightedAveragePercentage",
  "info.uptime {subnetID}": "rewardingStakePercentage weightedAveragePercentage",
  "info.upgrades": all(
    "apricotPhase1Time apricotPhase2Time apricotPhase3Time apricotPhase4Time apricotPhase4MinPChainHeight",
    "apricotPhase5Time apricotPhasePre6Time apricotPhase6Time apricotPhasePost6Time banffTime cortinaTime",
    "cortinaXChainStopVertexID durangoTime etnaTime fortunaTime graniteTime heliconTime",
  ),
  "platform.getBalance": all(
    "balances unlockeds lockedStakeables lockedNotStakeables balance unlocked lockedStakeable lockedNotStakeable",
    of("utxoIDs[]", "txID outputIndex"),
  ),
  "platform.getBlockByHeight": all(
    "encoding block.parentID block.height block.txs[].credentials[].signatures",
    of("block.txs[].unsignedTx", "inputs destinationChain exportedOutputs"),
  ),
  "platform.getBlockchains": all(of("blockchains[]", "id name subnetID vmID")),
  "platform.getBlockchainStatus": "status",
  "platform.getCurrentSupply": "supply",
  "platform.getCurrentValidators": all(
    of(
      "validators[]",
      all(
        validator,
        "endTime delegatorCount delegatorWeight potentialReward delegationFee",
        of("signer", "publicKey proofOfPosession"),
        of("validationRewardOwner", owners),
        of("delegationRewardOwner", owners),
        of("delegators[]", delegator),
      ),
    ),
  ),
  "platform.getCurrentValidators {subnetID}": all(
    of(
      "validators[]",
      all(
        validator,
        "validationID publicKey minNonce balance",
        of("remainingBalanceOwner", owners),
        of("deactivationOwner", owners),
      ),
    ),
  ),
  admin_getVMConfig: "config",
  "ledger.getUTXOs": "utxos endIndex.address endIndex.utxo numFetched encoding",
};

const TABLES: Readonly<Record<string, string>> = { ...NODE_FIELDS, ...HOSTED_FIELDS };

it.each(Object.entries(SPECIFIED))("%s has every field", (method, fields) => {
  const listed = fieldsOf(TABLES[method] ?? "").map(({ path }) => `${path.replaceAll(/\[\d+\]/g, "[]")}.`);
  // What is said of a record is said of its fields, and what is said of them of the record.
  const isListed = (path: string) => listed.some((each) => each.startsWith(path) || path.startsWith(each));
  expect(fields.split(" ").filter((field) => !isListed(`${field}.`) && !isListed(`${field}[].`))).toEqual([]);
});
