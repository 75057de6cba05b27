import { unshown } from "./values.ts";

/** Every field of the specification of the hosted services, in the form of `node-fields.ts`. */

/** What is known of a sender or recipient beside its address. */
function party(record: string): string {
  return unshown(record, "name symbol decimals:18 logoUri", "names of strangers are no labels");
}

/** The texts of a token's metadata; `more` are those of its standard. */
function metadata(record: string, more: string): string {
  const texts = `name symbol imageUri description animationUri externalUrl background ${more}`;
  return unshown(record, texts, "texts of the token: description, links and attributes are no figures");
}

/** A token of a list, of which only the number is shown. */
function counted(record: string, fields: string, more: string): string {
  return (
    unshown(record, fields, "tokens and transfers are counted; avax_hosted_nft_info shows a configured token") +
    unshown(
      `${record}.metadata`,
      "indexStatus metadataLastUpdatedTimestamp:1741064006",
      "of a configured token, below",
    ) +
    metadata(`${record}.metadata`, more)
  );
}

/** The fields of a native transaction, a token and a transfer that have no series of their own, with the reason. */
const TRANSFERS = `
    transactions[0].from.address | "$HOT" | who sent it decides the direction of the counters
    transactions[0].to.address | "0x01" | as from
    transactions[0].logIndex | 1 | the place within a block
    transactions[0].blockNumber | "24" | the next poll begins after it
    transactions[0].blockHash | "0xb" | the number names the block
    transactions[0].txHash | "0xt" | transfers are counted${party("transactions[0].from")}${party("transactions[0].to")}`;

export const HOSTED_FIELDS: Readonly<Record<string, string>> = {
  "GET /v1/chains/{chainId}/addresses/{address}/transactions": `
    transactions[0].nativeTransaction.blockNumber | "23" | the next poll begins after it
    transactions[0].nativeTransaction.blockTimestamp | 1741064001 | avax_hosted_address_last_transaction_timestamp_seconds | 1741064001
    transactions[0].nativeTransaction.blockHash | "0xb" | the number names the block
    transactions[0].nativeTransaction.chainId | "43114" | known from the request
    transactions[0].nativeTransaction.blockIndex | 2 | the place within a block
    transactions[0].nativeTransaction.txHash | "0xt" | transactions are counted
    transactions[0].nativeTransaction.txStatus | "1" | counted later (avax_hosted_address_transactions_failed_total)
    transactions[0].nativeTransaction.txType | 2 | of no consequence for the account
    transactions[0].nativeTransaction.gasLimit | "21000" | the price of gas used is paid
    transactions[0].nativeTransaction.gasUsed | "20000" | counted later (avax_hosted_address_fees_coins_total)
    transactions[0].nativeTransaction.gasPrice | "25000000000" | counted later (avax_hosted_address_fees_coins_total)
    transactions[0].nativeTransaction.nonce | "3" | transactions are counted
    transactions[0].nativeTransaction.from.address | "$HOT" | avax_hosted_address_transactions_total{direction=out} | 0
    transactions[0].nativeTransaction.to.address | "0x01" | avax_hosted_address_transactions_total{direction=in} | 0
    transactions[0].nativeTransaction.method.methodName | "transfer" | names of strangers are no labels
    transactions[0].nativeTransaction.method.methodHash | "0xa9" | as methodName
    transactions[0].nativeTransaction.method.callType | "CONTRACT_CALL" | as methodName${party("transactions[0].nativeTransaction.from")}${party("transactions[0].nativeTransaction.to")}
    transactions[0].nativeTransaction.value | "1500000000000000000" | avax_hosted_address_coins_total{direction=out} | 0
    transactions[0].erc20Transfers | [] | of listErc20, which has all of them
    transactions[0].erc721Transfers | [] | of listErc721, which has all of them
    transactions[0].erc1155Transfers | [] | of listErc1155, which has all of them
    transactions[0].internalTransactions | [] | coins moved by contracts: the list is incomplete by the specification, and a wrong sum is worse than none`,
  "GET /v1/chains/{chainId}/contracts/{address}/transactions:getDeployment": `
    nativeTransaction.blockTimestamp | 1741064002 | avax_hosted_contract_deployment_timestamp_seconds | 1741064002
    nativeTransaction.from.address | "0xfeed" | avax_hosted_contract_info{deployer=0xfeed} | 1
    nativeTransaction.gasUsed | "2000000" | avax_hosted_contract_deployment_fee_coins | 0.05
    nativeTransaction.gasPrice | "25000000000" | avax_hosted_contract_deployment_fee_coins | 0.05
    nativeTransaction.input | "0x60" | code is no figure
    nativeTransaction.to.address | "" | a deployment has no recipient${party("nativeTransaction.from")}${party("nativeTransaction.to")}${unshown("nativeTransaction", "blockNumber blockHash chainId blockIndex:2 txHash txStatus txType:2 gasLimit nonce value", "a deployment is in the past and does not change")}${unshown("nativeTransaction.method", "callType methodHash methodName", "as blockNumber")}
    nativeTransaction.baseFeePerGas | "1" | part of gasPrice
    nativeTransaction.maxFeePerGas | "2" | an offer; the paid fee is shown
    nativeTransaction.maxPriorityFeePerGas | "3" | an offer; the paid fee is shown
    erc20Transfers | [] | a deployment is in the past and does not change
    erc721Transfers | [] | as erc20Transfers
    erc1155Transfers | [] | as erc20Transfers
    internalTransactions[0].internalTxType | "CREATE" | as erc20Transfers
    internalTransactions[0].isReverted | false | as erc20Transfers
    internalTransactions[0].value | "0" | as erc20Transfers
    internalTransactions[0].gasUsed | "4" | as erc20Transfers
    internalTransactions[0].gasLimit | "5" | as erc20Transfers${["from", "to"].map((side) => unshown(`internalTransactions[0].${side}`, "address name symbol decimals:18 logoUri", "as erc20Transfers")).join("")}${unshown("networkTokenDetails.networkToken", "symbol name decimals:18 logoUri description", "of avax_hosted_chain_info")}
    networkTokenDetails.currentPrice.value | "30" | avax_hosted_coin_price_fiat shows the price, from the holdings of accounts
    networkTokenDetails.currentPrice.currencyCode | "usd" | as value
    networkTokenDetails.historicalPrice.value | "20" | the price of that day does not change
    networkTokenDetails.historicalPrice.currencyCode | "usd" | as value
    teleporterMessageInfo.teleporterMessageId | "m" | a deployment by a message is rare; \`call\` shows it
    teleporterMessageInfo.direction | "SOURCE_TRANSACTION" | as teleporterMessageId
    teleporterMessageInfo.sourceChainId | "1" | as teleporterMessageId
    teleporterMessageInfo.destinationChainId | "2" | as teleporterMessageId`,
  "GET /v1/chains/{chainId}/addresses/{address}/transactions:listErc20": `${TRANSFERS}
    transactions[0].blockTimestamp | 1741064003 | avax_hosted_address_last_token_transfer_timestamp_seconds{standard=erc20} | 1741064003
    transactions[0].value | "7000000" | avax_hosted_address_token_amount_total{direction=out} | 0
    transactions[0].erc20Token.address | "$TOKEN" | avax_hosted_address_token_transfers_total{direction=out,standard=erc20} | 0
    transactions[0].erc20Token.decimals | 6 | the unit of value
    transactions[0].erc20Token.name | "USD Coin" | the contract's own text; the configuration names tokens
    transactions[0].erc20Token.symbol | "USDC" | as name
    transactions[0].erc20Token.logoUri | "l" | as name
    transactions[0].erc20Token.ercType | "ERC-20" | known from the request
    transactions[0].erc20Token.price.value | "1" | a price without a source or a time: no sum is built on it
    transactions[0].erc20Token.price.currencyCode | "usd" | as price.value`,
  "GET /v1/chains/{chainId}/addresses/{address}/transactions:listErc721": `${TRANSFERS}
    transactions[0].blockTimestamp | 1741064004 | avax_hosted_address_last_token_transfer_timestamp_seconds{standard=erc721} | 1741064004
    transactions[0].erc721Token.tokenId | "9" | transfers are counted${counted("transactions[0].erc721Token", "address name symbol ercType tokenUri ownerAddress", "attributes")}`,
  "GET /v1/chains/{chainId}/addresses/{address}/transactions:listErc1155": `${TRANSFERS}
    transactions[0].blockTimestamp | 1741064005 | avax_hosted_address_last_token_transfer_timestamp_seconds{standard=erc1155} | 1741064005
    transactions[0].value | "5" | amounts of different tokens have no common unit; transfers are counted
    transactions[0].erc1155Token.tokenId | "9" | transfers are counted${counted("transactions[0].erc1155Token", "address ercType tokenUri", "decimals:0 properties")}`,
  "GET /v1/chains/{chainId}/addresses/{address}/balances:listErc721": `
    nativeTokenBalance.balance | "2500000000000000000" | avax_hosted_address_balance_coins | 2.5
    nativeTokenBalance.decimals | 18 | the unit of balance
    nativeTokenBalance.price.currencyCode | "usd" | avax_hosted_coin_price_fiat{currency=usd} | 31.25
    nativeTokenBalance.price.value | "31.25" | avax_hosted_coin_price_fiat | 31.25
    nativeTokenBalance.balanceValue.currencyCode | "usd" | avax_hosted_address_balance_fiat{currency=usd} | 78.125
    nativeTokenBalance.balanceValue.value | "78.125" | avax_hosted_address_balance_fiat | 78.125
    nativeTokenBalance.name | "Avalanche" | of avax_hosted_chain_info
    nativeTokenBalance.symbol | "AVAX" | of avax_hosted_chain_info
    nativeTokenBalance.logoUri | "l" | pictures are no figures
    nativeTokenBalance.chainId | "43114" | known from the request
    erc721TokenBalances[0].address | "0xc0" | avax_hosted_address_erc721_collections | 1
    erc721TokenBalances[0].tokenId | "1" | avax_hosted_address_erc721_tokens | 2
    erc721TokenBalances[0].chainId | "43114" | known from the request
    erc721TokenBalances[1].address | "0xc0" | avax_hosted_address_erc721_tokens | 2${counted("erc721TokenBalances[0]", "name symbol ercType tokenUri ownerAddress", "attributes")}`,
  "GET /v1/chains/{chainId}/nfts/collections/{address}/tokens": `
    tokens[0].address | "$HOT" | known from the request
    tokens[0].name | "Apes" | avax_hosted_collection_info{name=Apes} | 1
    tokens[0].symbol | "APE" | avax_hosted_collection_info{symbol=APE} | 1
    tokens[0].ercType | "ERC-721" | avax_hosted_collection_tokens | 1
    tokens[0].tokenId | "1" | tokens are counted
    tokens[0].tokenUri | "u" | links are no figures
    tokens[0].ownerAddress | "0x77" | avax_hosted_collection_holders | 1
    tokens[0].metadata.indexStatus | "indexed" | avax_hosted_collection_tokens{state=INDEXED} | 1
    tokens[0].metadata.metadataLastUpdatedTimestamp | 1741064006 | of a configured token, below${metadata("tokens[0].metadata", "attributes")}`,
  "GET /v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}": `
    address | "$HOT" | known from the request
    ercType | "ERC-721" | avax_hosted_nft_info{standard=ERC-721} | 1
    name | "Ape" | the token ID names it: its text is a stranger's
    symbol | "APE1" | the collection has it
    tokenId | "1" | avax_hosted_nft_info{token_id=1} | 1
    tokenUri | "u" | links are no figures
    ownerAddress | "0x78" | avax_hosted_nft_info{holder=0x78} | 1
    metadata.indexStatus | "indexed" | avax_hosted_nft_metadata_indexed | 1
    metadata.metadataLastUpdatedTimestamp | 1741064006 | avax_hosted_nft_metadata_timestamp_seconds | 1741064006${metadata("metadata", "attributes")}`,
  "GET /v1/networks/{network}/blockchains/{blockchainId}/utxos": `
    utxos[0].asset.assetId | "$AVAX" | avax_hosted_address_utxos{chain=P,state=free} | 1
    utxos[0].asset.denomination | 9 | the unit of amount
    utxos[0].asset.amount | "4000000004" | avax_hosted_address_utxos_avax{chain=P,state=free} | 4.000000004
    utxos[0].asset.name | "Avalanche" | other assets are counted without names (avax_hosted_address_other_asset_utxos)
    utxos[0].asset.symbol | "AVAX" | as name
    utxos[0].asset.type | "secp256k1" | as name
    utxos[0].addresses | ["$BARE"] | known from the request
    utxos[0].amount | "4000000004" | equal to asset.amount
    utxos[0].assetId | "$AVAX" | equal to asset.assetId
    utxos[0].blockNumber | "24" | the time tells when
    utxos[0].blockTimestamp | 1741064007 | avax_hosted_address_newest_utxo_timestamp_seconds{chain=P} | 1741064008
    utxos[0].consumingTxHash | "" | spent outputs are not requested
    utxos[0].consumingBlockNumber | "" | spent outputs are not requested
    utxos[0].consumingBlockTimestamp | 0 | spent outputs are not requested
    utxos[0].consumedOnChainId | "c" | spent outputs are not requested
    utxos[0].createdOnChainId | "$PRIMARY" | known from the request
    utxos[0].txHash | "t" | outputs are counted
    utxos[0].utxoId | "u" | outputs are counted
    utxos[0].utxoBytes | "0x00" | the encoded output
    utxos[0].outputIndex | 1 | outputs are counted
    utxos[0].platformLocktime | 0 | decides the state locked
    utxos[0].threshold | 1 | how many of the owners sign
    utxos[0].utxoType | "TRANSFER" | staked tells it
    utxos[0].rewardType | null | rewards have their own path
    utxos[0].staked | false | avax_hosted_address_utxos{chain=P,state=staked} | 1
    utxos[1].asset.assetId | "$AVAX" | as above
    utxos[1].asset.denomination | 9 | as above
    utxos[1].asset.amount | "5000000005" | avax_hosted_address_utxos_avax{chain=P,state=staked} | 5.000000005
    utxos[1].staked | true | as above
    utxos[1].utxoStartTimestamp | 1700000002 | the stake's start: the end is what is waited for
    utxos[1].utxoEndTimestamp | 1990000009 | avax_hosted_address_next_unlock_timestamp_seconds{chain=P} | 1990000009
    utxos[1].stakeableLocktime | 0 | decides the state locked
    utxos[1].blockTimestamp | 1741064008 | avax_hosted_address_newest_utxo_timestamp_seconds{chain=P} | 1741064008
    chainInfo.chainName | "p-chain" | known from the request
    chainInfo.network | "mainnet" | known from the request`,
  "GET /v1/networks/{network}/rewards": `
    historicalRewards[0].rewardType | "VALIDATOR" | avax_hosted_node_reward_payments{kind=validator} | 1
    historicalRewards[0].endTimestamp | 1741064009 | avax_hosted_node_last_reward_timestamp_seconds | 1741064009
    historicalRewards[0].startTimestamp | 1700000003 | the end is when it is paid
    historicalRewards[0].reward.amount | "6000000006" | avax_hosted_node_rewards_paid_avax{kind=validator} | 6.000000006
    historicalRewards[0].reward.denomination | 9 | the unit of amount
    historicalRewards[0].reward.historicalPrice.value | "20" | avax_hosted_address_rewards_fiat | 120.00000012
    historicalRewards[0].reward.historicalPrice.currencyCode | "usd" | avax_hosted_address_rewards_fiat{currency=usd} | 120.00000012
    historicalRewards[0].reward.assetId | "$AVAX" | rewards are AVAX
    historicalRewards[0].reward.name | "Avalanche" | rewards are AVAX
    historicalRewards[0].reward.symbol | "AVAX" | rewards are AVAX
    historicalRewards[0].reward.type | "secp256k1" | rewards are AVAX
    historicalRewards[0].amountStaked | "2000" | the stake of a period that is over; that of the present one is avax_hosted_validator_stake_avax
    historicalRewards[0].addresses | ["$BARE"] | known from the request
    historicalRewards[0].nodeId | "$OTHER" | known from the request
    historicalRewards[0].txHash | "t" | payments are counted
    historicalRewards[0].rewardTxHash | "r" | payments are counted
    historicalRewards[0].utxoId | "u" | payments are counted
    historicalRewards[0].outputIndex | 2 | payments are counted`,
  "GET /v1/networks/{network}/validators/{nodeId}": `
    validators[0].validationStatus | "active" | avax_hosted_validator_periods{state=active} | 1
    validators[0].subnetId | "$PRIMARY" | avax_hosted_validator_periods{state=active,subnet=primary} | 1
    validators[0].nodeId | "$OTHER" | known from the request
    validators[0].txHash | "t" | periods are counted
    validators[0].startTimestamp | 1700000004 | avax_hosted_validator_start_timestamp_seconds | 1700000004
    validators[0].endTimestamp | 1990000005 | avax_hosted_validator_end_timestamp_seconds | 1990000005
    validators[0].amountStaked | "2001000000001" | avax_hosted_validator_stake_avax | 2001.000000001
    validators[0].amountDelegated | "302000000002" | avax_hosted_validator_delegated_stake_avax | 302.000000002
    validators[0].delegationFee | "3.5" | avax_hosted_validator_delegation_fee_ratio | 0.035
    validators[0].delegatorCount | 12 | avax_hosted_validator_delegators | 12
    validators[0].blsCredentials.publicKey | "0xc5" | avax_node_bls_info shows the key of the node
    validators[0].blsCredentials.proofOfPossession | "0x12" | a proof for the network
    validators[1].validationStatus | "completed" | avax_hosted_validator_periods{state=completed} | 1
    validators[1].subnetId | "$PRIMARY" | as above
    validators[1].startTimestamp | 1690000000 | of the active period
    validators[1].endTimestamp | 1699000006 | avax_hosted_validator_last_completed_timestamp_seconds | 1699000006
    validators[1].amountStaked | "2000000000000" | of the active period
    validators[1].rewards.validationRewardAmount | "7000000007" | avax_hosted_validator_earned_reward_avax{kind=validation} | 7.000000007
    validators[1].rewards.delegationRewardAmount | "8000000008" | avax_hosted_validator_earned_reward_avax{kind=delegation} | 8.000000008
    validators[1].rewards.rewardAddresses | ["$BARE"] | avax_validator_reward_address_info has those of the present period
    validators[1].rewards.rewardTxHash | "r" | avax_hosted_validator_last_completed_rewarded | 1`,
  "GET /v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks": `
    blocks[0].blockNumber | "24000100" | avax_hosted_last_proposed_block_height | 24000100
    blocks[0].blockTimestamp | 1741064010 | avax_hosted_last_proposed_block_timestamp_seconds | 1741064010
    blocks[0].blockHash | "h" | a block is counted once
    blocks[0].parentHash | "p" | heights are consecutive
    blocks[0].blockType | "BanffStandardBlock" | avax_platform_blocks_total counts the kinds of all blocks
    blocks[0].txCount | 3 | avax_hosted_proposed_transactions_total | 0
    blocks[0].blockSizeBytes | 1234 | avax_hosted_proposed_bytes_total | 0
    blocks[0].transactions | ["t"] | transactions are counted
    blocks[0].currentSupply | "459817167637779183" | avax_supply_avax, from a node
    blocks[0].activeL1Validators | 241 | of the network at an old block; the price that follows from it is avax_l1_validator_fee_avax_per_second
    blocks[0].l1ValidatorsAccruedFees | 21974528 | fees of all L1s together: no operator's own figure
    blocks[0].proposerDetails.proposerId | "2" | the node is the one of the request
    blocks[0].proposerDetails.proposerParentId | "1" | as proposerId
    blocks[0].proposerDetails.proposerNodeId | "$OTHER" | as proposerId
    blocks[0].proposerDetails.proposerPChainHeight | 24000099 | of an old block
    blocks[0].proposerDetails.proposerTimestamp | 1741064010 | equal to blockTimestamp but for the second
    chainInfo.chainName | "p-chain" | known from the request
    chainInfo.network | "mainnet" | known from the request`,
  "GET /v1/chains": `
    chains[0].chainId | "43114" | of the chain, below${unshown("chains[0]", "chainName description platformChainId subnetId vmId vmName explorerUrl rpcUrl wsUrl chainLogoUri isTestnet:false private:false enabledFeatures:[] utilityAddresses.multicall networkToken.name networkToken.symbol networkToken.decimals:18 networkToken.logoUri networkToken.description", "as chainId: of hundreds of chains the configured ones have series")}
    chains[0].status | "OK" | avax_hosted_chains{state=OK} | 1`,
  "GET /v1/chains/{chainId}": `
    chainId | "43114" | avax_hosted_chain_info{evm_chain_id=43114} | 1
    status | "OK" | avax_hosted_chain_state{state=OK} | 1
    chainName | "C-Chain" | avax_hosted_chain_info{name=C-Chain} | 1
    networkToken.symbol | "AVAX" | avax_hosted_chain_info{symbol=AVAX} | 1
    networkToken.name | "Avalanche" | the symbol is shown
    networkToken.decimals | 18 | 18 on every EVM chain
    networkToken.logoUri | "l" | pictures are no figures
    networkToken.description | "d" | texts are no figures
    vmName | "EVM" | avax_hosted_chain_info{vm=EVM} | 1
    isTestnet | false | avax_hosted_chain_info{testnet=false} | 1
    enabledFeatures[0] | "nftIndexing" | avax_hosted_chain_feature_enabled{feature=nftIndexing} | 1
    description | "d" | texts are no figures
    platformChainId | "$CHAIN" | avax_chain_info, from a node
    subnetId | "$PRIMARY" | known from the configuration
    vmId | "v" | avax_vm_info, from a node
    explorerUrl | "e" | links are no figures
    rpcUrl | "r" | links are no figures
    wsUrl | "w" | links are no figures
    chainLogoUri | "l" | links are no figures
    private | false | of no consequence for a configured chain
    utilityAddresses.multicall | "0x05" | addresses are no figures`,
  "GET /v1/avg_tps/{chainId}": `
    results[0].value | 2.5 | avax_hosted_chain_legacy_average_transaction_rate{window=current} | 2.5
    results[0].timestamp | $TODAY | avax_hosted_chain_legacy_timestamp_seconds{window=current} | $TODAY
    results[1].value | 1.5 | avax_hosted_chain_legacy_average_transaction_rate{window=complete} | 1.5
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_legacy_timestamp_seconds{window=complete} | $YESTERDAY
    lastRun | $TODAY | avax_hosted_chain_legacy_last_run_timestamp_seconds | $TODAY
    status | 200 | equal to the status of HTTP`,
  "GET /v2/chains/{chainId}/metrics/activeAddresses": `
    results[0].value | 201 | avax_hosted_chain_active_addresses{window=current} | 201
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=activeAddresses,window=current} | $TODAY
    results[1].value | 101 | avax_hosted_chain_active_addresses{window=complete} | 101
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=activeAddresses,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/activeSenders": `
    results[0].value | 202 | avax_hosted_chain_active_senders{window=current} | 202
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=activeSenders,window=current} | $TODAY
    results[1].value | 102 | avax_hosted_chain_active_senders{window=complete} | 102
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=activeSenders,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/cumulativeTxCount": `
    results[0].value | 203 | avax_hosted_chain_cumulative_transactions{window=current} | 203
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=cumulativeTxCount,window=current} | $TODAY
    results[1].value | 103 | avax_hosted_chain_cumulative_transactions{window=complete} | 103
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=cumulativeTxCount,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/cumulativeAddresses": `
    results[0].value | 204 | avax_hosted_chain_cumulative_addresses{window=current} | 204
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=cumulativeAddresses,window=current} | $TODAY
    results[1].value | 104 | avax_hosted_chain_cumulative_addresses{window=complete} | 104
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=cumulativeAddresses,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/cumulativeContracts": `
    results[0].value | 205 | avax_hosted_chain_cumulative_contracts{window=current} | 205
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=cumulativeContracts,window=current} | $TODAY
    results[1].value | 105 | avax_hosted_chain_cumulative_contracts{window=complete} | 105
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=cumulativeContracts,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/cumulativeDeployers": `
    results[0].value | 206 | avax_hosted_chain_cumulative_deployers{window=current} | 206
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=cumulativeDeployers,window=current} | $TODAY
    results[1].value | 106 | avax_hosted_chain_cumulative_deployers{window=complete} | 106
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=cumulativeDeployers,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/contracts": `
    results[0].value | 207 | avax_hosted_chain_new_contracts{window=current} | 207
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=contracts,window=current} | $TODAY
    results[1].value | 107 | avax_hosted_chain_new_contracts{window=complete} | 107
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=contracts,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/deployers": `
    results[0].value | 208 | avax_hosted_chain_deployers{window=current} | 208
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=deployers,window=current} | $TODAY
    results[1].value | 108 | avax_hosted_chain_deployers{window=complete} | 108
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=deployers,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/gasUsed": `
    results[0].value | 209 | avax_hosted_chain_gas_used{window=current} | 209
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=gasUsed,window=current} | $TODAY
    results[1].value | 109 | avax_hosted_chain_gas_used{window=complete} | 109
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=gasUsed,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/txCount": `
    results[0].value | 210 | avax_hosted_chain_transactions{window=current} | 210
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=txCount,window=current} | $TODAY
    results[1].value | 110 | avax_hosted_chain_transactions{window=complete} | 110
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=txCount,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/avgGps": `
    results[0].value | 211 | avax_hosted_chain_average_gas_rate{window=current} | 211
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=avgGps,window=current} | $TODAY
    results[1].value | 111 | avax_hosted_chain_average_gas_rate{window=complete} | 111
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=avgGps,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/maxGps": `
    results[0].value | 212 | avax_hosted_chain_max_gas_rate{window=current} | 212
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=maxGps,window=current} | $TODAY
    results[1].value | 112 | avax_hosted_chain_max_gas_rate{window=complete} | 112
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=maxGps,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/avgTps": `
    results[0].value | 213 | avax_hosted_chain_average_transaction_rate{window=current} | 213
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=avgTps,window=current} | $TODAY
    results[1].value | 113 | avax_hosted_chain_average_transaction_rate{window=complete} | 113
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=avgTps,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/maxTps": `
    results[0].value | 214 | avax_hosted_chain_max_transaction_rate{window=current} | 214
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=maxTps,window=current} | $TODAY
    results[1].value | 114 | avax_hosted_chain_max_transaction_rate{window=complete} | 114
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=maxTps,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/avgGasPrice": `
    results[0].value | 215000000000 | avax_hosted_chain_average_gas_price_gwei{window=current} | 215
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=avgGasPrice,window=current} | $TODAY
    results[1].value | 115000000000 | avax_hosted_chain_average_gas_price_gwei{window=complete} | 115
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=avgGasPrice,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/maxGasPrice": `
    results[0].value | 216000000000 | avax_hosted_chain_max_gas_price_gwei{window=current} | 216
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=maxGasPrice,window=current} | $TODAY
    results[1].value | 116000000000 | avax_hosted_chain_max_gas_price_gwei{window=complete} | 116
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=maxGasPrice,window=complete} | $YESTERDAY`,
  "GET /v2/chains/{chainId}/metrics/feesPaid": `
    results[0].value | 217000000000000000000 | avax_hosted_chain_fees_coins{window=current} | 217
    results[0].timestamp | $TODAY | avax_hosted_chain_metric_timestamp_seconds{metric=feesPaid,window=current} | $TODAY
    results[1].value | 117000000000000000000 | avax_hosted_chain_fees_coins{window=complete} | 117
    results[1].timestamp | $YESTERDAY | avax_hosted_chain_metric_timestamp_seconds{metric=feesPaid,window=complete} | $YESTERDAY`,
};
