/**
 * Every field of the node specification: path in the result | a value of its own, as JSON | the series that shows it, or why none
 * does | the number that is expected. `npm run test:spec` serves these values and compares; the coverage page shows the table.
 * `$NAMES` are in `values.ts`.
 */
export const NODE_FIELDS: Readonly<Record<string, string>> = {
  "GET /ext/health": `
    healthy | true | avax_node_healthy | 1
    checks.C.timestamp | "2025-03-04T05:06:07Z" | the newest run of any check is shown
    checks.C.duration | 20375000 | no decision needs how long a check took
    checks.C.contiguousFailures | 14 | avax_node_health_check_contiguous_failures{check=C} | 14
    checks.C.timeOfFirstFailure | "2025-03-04T05:00:00Z" | avax_node_health_check_first_failure_timestamp_seconds{check=C} | 1741064400
    checks.C.error | "too late" | avax_node_health_check_passing{check=C} | 0
    checks.C.message.engine.consensus.lastAcceptedHeight | 68214533 | of an EVM chain the height of its own API comes first
    checks.$CHAIN.message.engine.consensus.lastAcceptedHeight | 991 | avax_chain_height{chain=one} | 991
    checks.C.message.engine.consensus.lastAcceptedID | "h" | the height is shown: an ID is no number
    checks.C.message.engine.consensus.longestProcessingBlock | "1m3.5s" | avax_chain_longest_processing_block_seconds{chain=C} | 63.5
    checks.C.message.engine.consensus.processingBlocks | 301 | avax_chain_processing_blocks{chain=C} | 301
    checks.C.message.engine.vm | null | its form is the VM's own
    checks.C.message.networking.percentConnected | 0.83125 | avax_chain_connected_stake_ratio{chain=C} | 0.83125
    checks.P.message.engine.consensus.lastAcceptedHeight | 24000123 | avax_chain_height{chain=P} | 24000123
    checks.P.timestamp | "2025-03-04T05:06:08Z" | avax_node_health_check_passing{check=P} | 1
    checks.network.message.connectedPeers | 1284 | avax_node_peers: numPeers of info.peers comes first
    checks.network.message.sendFailRate | 0.125 | avax_node_send_failure_ratio | 0.125
    checks.network.message.timeSinceLastMsgReceived | "5s" | avax_node_last_message_received_timestamp_seconds | 1741064763
    checks.network.message.timeSinceLastMsgSent | "7s" | avax_node_last_message_sent_timestamp_seconds | 1741064761
    checks.network.timestamp | "2025-03-04T05:06:08Z" | the newest run of any check is shown
    checks.diskspace.message.availableDiskBytes | 345701449728 | avax_node_disk_available_bytes | 345701449728
    checks.router.message.longestRunningRequest | "66.5ms" | avax_node_longest_running_request_seconds | 0.0665
    checks.router.message.outstandingRequests | 33 | avax_node_outstanding_requests | 33
    checks.bootstrapped.message[0] | "$SUBNET" | avax_subnet_bootstrapping{subnet=$SUBNET} | 1
    checks.database.timestamp | "2025-03-04T05:06:09Z" | avax_node_health_last_run_timestamp_seconds | 1741064769
    checks.database.duration | 2294 | no decision needs how long a check took`,
  "GET /ext/health/readiness": `
    healthy | true | avax_node_ready | 1
    checks | {} | the checks are those of GET /ext/health`,
  "GET /ext/health/liveness": `
    healthy | true | avax_node_live | 1
    checks | {} | always empty`,
  "info.acps": `
    acps.77.supportWeight | "5000000001" | avax_acp_stake_avax{acp=77,stance=support} | 5.000000001
    acps.77.objectWeight | "6000000002" | avax_acp_stake_avax{acp=77,stance=object} | 6.000000002
    acps.77.abstainWeight | "7000000003" | avax_acp_stake_avax{acp=77,stance=abstain} | 7.000000003
    acps.77.supporters | ["$NODE"] | avax_acp_vote_info{acp=77,node_id=$NODE,stance=support} | 1
    acps.77.objectors | ["$OTHER"] | as supporters: of watched validators alone`,
  "info.isBootstrapped": `
    isBootstrapped | true | avax_chain_bootstrapped{chain=X} | 1`,
  "info.getBlockchainID": `
    blockchainID | "$ALIAS" | avax_chain_info{blockchain_id=$XCHAIN,chain=X} | 1`,
  "info.getNetworkID": `
    networkID | "1" | avax_node_info{network_id=1} | 1`,
  "info.getNetworkName": `
    networkName | "mainnet" | avax_node_info{network_name=mainnet} | 1`,
  "info.getNodeID": `
    nodeID | "$NODE" | avax_node_info{node_id=$NODE} | 1
    nodePOP.publicKey | "0x8f95" | avax_node_bls_info{public_key=0x8f95} | 1
    nodePOP.proofOfPossession | "0x86a3" | a proof for the network; the key is shown`,
  "info.getNodeIP": `
    ip | "203.0.113.7:9651" | avax_node_ip_info{ip=203.0.113.7:9651} | 1`,
  "info.getNodeVersion": `
    version | "avalanchego/1.12.3" | avax_node_info{version=avalanchego/1.12.3} | 1
    databaseVersion | "v1.4.5" | avax_node_info{database_version=v1.4.5} | 1
    gitCommit | "cafe" | avax_node_info{git_commit=cafe} | 1
    rpcProtocolVersion | "39" | avax_node_info{rpc_protocol=39} | 1
    vmVersions.evm | "v0.14.1" | avax_vm_info{version=v0.14.1} | 1`,
  "info.getTxFee": `
    txFee | "1000001" | avax_tx_fee_avax{kind=txFee} | 0.001000001
    createAssetTxFee | "1000002" | avax_tx_fee_avax{kind=createAssetTxFee} | 0.001000002
    createSubnetTxFee | "1000003" | avax_tx_fee_avax{kind=createSubnetTxFee} | 0.001000003
    transformSubnetTxFee | "1000004" | avax_tx_fee_avax{kind=transformSubnetTxFee} | 0.001000004
    createBlockchainTxFee | "1000005" | avax_tx_fee_avax{kind=createBlockchainTxFee} | 0.001000005
    addPrimaryNetworkValidatorFee | "1000006" | avax_tx_fee_avax{kind=addPrimaryNetworkValidatorFee} | 0.001000006
    addPrimaryNetworkDelegatorFee | "1000007" | avax_tx_fee_avax{kind=addPrimaryNetworkDelegatorFee} | 0.001000007
    addSubnetValidatorFee | "1000008" | avax_tx_fee_avax{kind=addSubnetValidatorFee} | 0.001000008
    addSubnetDelegatorFee | "1000009" | avax_tx_fee_avax{kind=addSubnetDelegatorFee} | 0.001000009`,
  "info.getVMs": `
    vms.mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6[0] | "evm" | avax_vm_info{vm=evm,vm_id=mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6} | 1`,
  "info.peers": `
    numPeers | 3 | avax_node_peers | 3
    peers[0].nodeID | "$OTHER" | avax_peer_last_received_timestamp_seconds{node_id=$OTHER} | 1741064705
    peers[0].ip | "198.51.100.1:9651" | the end of a connection; publicIP is the address that counts
    peers[0].publicIP | "198.51.100.2:9651" | a watched validator at several addresses is shown after minutes (avax_validator_addresses_info)
    peers[0].version | "avalanchego/1.12.4" | avax_node_peers_by_version{version=avalanchego/1.12.4} | 1
    peers[0].lastSent | "2025-03-04T05:05:10Z" | part of the latest message, which is the node's clock for the ages
    peers[0].lastReceived | "2025-03-04T05:05:05Z" | part of avax_node_peers_silent, which has the peers without a message for a minute
    peers[0].benched[0] | "$XCHAIN" | avax_node_peers_benched{chain=X} | 1
    peers[0].observedUptime | 77 | avax_node_peers_by_observed_uptime{range=0.5-0.8} | 1
    peers[0].trackedSubnets[0] | "$SUBNET" | avax_node_peers_tracking_subnet{subnet=$SUBNET} | 1`,
  "info.uptime": `
    rewardingStakePercentage | "81.5" | avax_node_uptime_rewarding_stake_ratio | 0.815
    weightedAveragePercentage | "92.25" | avax_node_uptime_weighted_average_ratio | 0.9225`,
  "info.uptime {subnetID}": `
    rewardingStakePercentage | "61.25" | avax_subnet_uptime_rewarding_stake_ratio{subnet=$SUBNET} | 0.6125
    weightedAveragePercentage | "72.5" | avax_subnet_uptime_weighted_average_ratio{subnet=$SUBNET} | 0.725`,
  "info.upgrades": `
    apricotPhase1Time | "2021-03-31T14:00:01Z" | avax_upgrade_activation_timestamp_seconds{upgrade=apricotPhase1} | 1617199201
    apricotPhase2Time | "2021-05-10T11:00:02Z" | avax_upgrade_activation_timestamp_seconds{upgrade=apricotPhase2} | 1620644402
    apricotPhase3Time | "2021-08-24T14:00:03Z" | avax_upgrade_activation_timestamp_seconds{upgrade=apricotPhase3} | 1629813603
    apricotPhase4Time | "2021-09-22T21:00:04Z" | avax_upgrade_activation_timestamp_seconds{upgrade=apricotPhase4} | 1632344404
    apricotPhase4MinPChainHeight | 793005 | a height of 2021, which no operator waits for
    apricotPhase5Time | "2021-12-02T18:00:05Z" | avax_upgrade_activation_timestamp_seconds{upgrade=apricotPhase5} | 1638468005
    apricotPhasePre6Time | "2022-09-05T01:30:06Z" | avax_upgrade_activation_timestamp_seconds{upgrade=apricotPhasePre6} | 1662341406
    apricotPhase6Time | "2022-09-06T20:00:07Z" | avax_upgrade_activation_timestamp_seconds{upgrade=apricotPhase6} | 1662494407
    apricotPhasePost6Time | "2022-09-07T03:00:08Z" | avax_upgrade_activation_timestamp_seconds{upgrade=apricotPhasePost6} | 1662519608
    banffTime | "2022-10-18T16:00:09Z" | avax_upgrade_activation_timestamp_seconds{upgrade=banff} | 1666108809
    cortinaTime | "2023-04-25T15:00:10Z" | avax_upgrade_activation_timestamp_seconds{upgrade=cortina} | 1682434810
    cortinaXChainStopVertexID | "$CHAIN" | an ID of 2023
    durangoTime | "2024-03-06T16:00:11Z" | avax_upgrade_activation_timestamp_seconds{upgrade=durango} | 1709740811
    etnaTime | "2024-12-16T17:00:12Z" | avax_upgrade_activation_timestamp_seconds{upgrade=etna} | 1734368412
    fortunaTime | "2025-04-08T15:00:13Z" | avax_upgrade_activation_timestamp_seconds{upgrade=fortuna} | 1744124413
    graniteTime | "2025-11-19T16:00:14Z" | avax_upgrade_activation_timestamp_seconds{upgrade=granite} | 1763568014
    heliconTime | "9999-12-01T00:00:00Z" | avax_upgrade_activation_timestamp_seconds{upgrade=helicon}: absent, as a time far in the future is not scheduled`,
  "platform.getBalance": `
    balances.$AVAX | "6000000006" | the sum of the three below
    unlockeds.$AVAX | "1000000001" | avax_wallet_platform_balance_avax{state=unlocked} | 1.000000001
    lockedStakeables.$AVAX | "2000000002" | avax_wallet_platform_balance_avax{state=locked_stakeable} | 2.000000002
    lockedNotStakeables.$AVAX | "3000000003" | avax_wallet_platform_balance_avax{state=locked} | 3.000000003
    utxoIDs[0].txID | "t" | avax_wallet_platform_utxos | 1
    utxoIDs[0].outputIndex | 4 | outputs are counted
    balance | "6000000006" | the sum of the three below
    unlocked | "1000000001" | as unlockeds of AVAX; other assets have no series, as they have no common unit
    lockedStakeable | "2000000002" | as lockedStakeables of AVAX
    lockedNotStakeable | "3000000003" | as lockedNotStakeables of AVAX`,
  "platform.getBlockByHeight": `
    block.height | $HEIGHT | avax_platform_counted_height | 24000123
    block.parentID | "p" | heights are consecutive: a parent adds nothing
    block.txs[0].unsignedTx.destinationChain | "$CHAIN" | the fields of a transaction tell its kind, counted from the second poll on
    block.txs[0].unsignedTx.exportedOutputs[0].assetID | "$AVAX" | avax_platform_exported_avax_total: AVAX alone is counted
    block.txs[0].unsignedTx.exportedOutputs[0].fxID | "f" | the kind of an output is no figure
    block.txs[0].unsignedTx.exportedOutputs[0].output.amount | "5" | avax_platform_exported_avax_total: counted from the second poll on
    block.txs[0].unsignedTx.exportedOutputs[0].output.addresses | ["a"] | addresses of others are no labels
    block.txs[0].unsignedTx.exportedOutputs[0].output.locktime | "0" | a lock of others; of watched wallets platform.getBalance has the locked amounts
    block.txs[0].unsignedTx.exportedOutputs[0].output.threshold | "1" | how many signatures an output needs is no figure
    block.txs[0].unsignedTx.inputs.networkID | "1" | known from info.getNetworkID
    block.txs[0].unsignedTx.inputs.blockchainID | "$PRIMARY" | known: the P-Chain
    block.txs[0].unsignedTx.inputs.outputs | [] | change that returns to its owner
    block.txs[0].unsignedTx.inputs.memo | "0x" | a text of the sender
    block.txs[0].unsignedTx.inputs.inputs[0].txID | "t" | an ID is no number
    block.txs[0].unsignedTx.inputs.inputs[0].outputIndex | 0 | which output was spent is no figure
    block.txs[0].unsignedTx.inputs.inputs[0].assetID | "$AVAX" | what was spent is the amount that is exported, the change and the fee
    block.txs[0].unsignedTx.inputs.inputs[0].fxID | "f" | the kind of an input is no figure
    block.txs[0].unsignedTx.inputs.inputs[0].input.amount | "6" | what was spent is the amount that is exported, the change and the fee
    block.txs[0].unsignedTx.inputs.inputs[0].input.signatureIndices | [0] | signatures are no figures
    block.txs[0].credentials[0].signatures | ["0x00"] | signatures are no figures
    encoding | "json" | chosen by the request`,
  "platform.getBlockchains": `
    blockchains[0].id | "$CHAIN" | avax_blockchains | 1
    blockchains[0].name | "my chain" | avax_subnet_blockchain_info{name=my chain} | 1
    blockchains[0].subnetID | "$SUBNET" | avax_subnet_blockchain_info{subnet=$SUBNET} | 1
    blockchains[0].vmID | "vm1" | avax_subnet_blockchain_info{vm_id=vm1} | 1`,
  "platform.getBlockchainStatus": `
    status | "Syncing" | avax_chain_state{chain=C,state=Syncing} | 1`,
  "platform.getCurrentSupply": `
    supply | "459817167637779183" | avax_supply_avax | 459817167.637779183`,
  "platform.getCurrentValidators": `
    validators[0].txID | "t" | the node ID names the validator; \`call\` shows the transaction
    validators[0].startTime | "1700000001" | avax_validator_stake_start_timestamp_seconds{subnet=primary} | 1700000001
    validators[0].endTime | "1990000002" | avax_validator_stake_end_timestamp_seconds{subnet=primary} | 1990000002
    validators[0].nodeID | "$OTHER" | avax_validator_in_set{node_id=$OTHER,subnet=primary} | 1
    validators[0].weight | "2003000000004" | avax_validator_stake_avax | 2003.000000004
    validators[0].uptime | "97.5" | avax_validator_uptime_ratio{subnet=primary} | 0.975
    validators[0].connected | true | avax_validator_connected{subnet=primary} | 1
    validators[0].delegatorCount | "5" | avax_validator_delegators{subnet=primary} | 5
    validators[0].delegatorWeight | "600000000007" | avax_validator_delegated_stake_avax | 600.000000007
    validators[0].potentialReward | "8000000009" | avax_validator_potential_reward_avax | 8.000000009
    validators[0].delegationFee | "2.5" | avax_validator_delegation_fee_ratio | 0.025
    validators[0].signer.publicKey | "0xc519" | avax_validator_bls_registered | 1
    validators[0].signer.proofOfPosession | "0x12ab" | a proof for the network
    validators[0].validationRewardOwner.addresses[0] | "$WALLET" | avax_validator_reward_address_info{address=$WALLET,kind=validation} | 1
    validators[0].validationRewardOwner.locktime | "0" | a reward owner with a lock is rare; \`call\` shows it
    validators[0].validationRewardOwner.threshold | "1" | as locktime
    validators[0].delegationRewardOwner.addresses[0] | "$SECOND" | avax_validator_reward_address_info{address=$SECOND,kind=delegation} | 1
    validators[0].delegationRewardOwner.locktime | "0" | as that of validationRewardOwner
    validators[0].delegationRewardOwner.threshold | "1" | as locktime
    validators[0].delegators[0].txID | "d" | of a polled node, what began and ended is counted (avax_node_delegation_changes_total); one delegator is not the validator's matter
    validators[0].delegators[0].startTime | "1700000010" | the reward is decided from the validator's own start on
    validators[0].delegators[0].endTime | "1800000011" | of a polled node avax_node_delegations_ending_avax shows the stake by days left; of others delegatorWeight is the sum
    validators[0].delegators[0].weight | "600000000007" | as endTime; sums without one row would be too low, so that an odd weight or end fails the answer
    validators[0].delegators[0].nodeID | "$OTHER" | one delegator is not the validator's matter: sums are shown
    validators[0].delegators[0].rewardOwner.addresses[0] | "$WALLET" | as nodeID
    validators[0].delegators[0].rewardOwner.locktime | "0" | as nodeID
    validators[0].delegators[0].rewardOwner.threshold | "1" | as nodeID
    validators[0].delegators[0].potentialReward | "13" | of a polled node the commission is shown (avax_node_delegations_potential_fee_avax)`,
  "platform.getCurrentValidators {subnetID}": `
    validators[0].txID | "t" | as on the Primary Network
    validators[0].startTime | "1700000101" | avax_l1_validator_start_timestamp_seconds | 1700000101
    validators[0].nodeID | "$OTHER" | avax_l1_validator_active{node_id=$OTHER} | 1
    validators[0].weight | "104" | avax_l1_validator_weight | 104
    validators[0].uptime | "88.25" | avax_l1_validator_uptime_ratio | 0.8825
    validators[0].connected | true | avax_l1_validator_connected | 1
    validators[0].validationID | "$CHAIN" | avax_l1_validator_active{validation_id=$CHAIN} | 1
    validators[0].publicKey | "0x8f95" | compared with the key of a polled node (avax_node_bls_key_wrong)
    validators[0].remainingBalanceOwner.addresses[0] | "$WALLET" | who may withdraw is set once; \`call\` shows it
    validators[0].remainingBalanceOwner.locktime | "0" | as its addresses
    validators[0].remainingBalanceOwner.threshold | "1" | as its addresses
    validators[0].deactivationOwner.addresses[0] | "$WALLET" | as remainingBalanceOwner
    validators[0].deactivationOwner.locktime | "0" | as its addresses
    validators[0].deactivationOwner.threshold | "1" | as its addresses
    validators[0].minNonce | "105" | avax_l1_validator_min_nonce | 105
    validators[0].balance | "8780477952" | avax_l1_validator_balance_avax | 8.780477952`,
  eth_baseFee: `
    result | "0x77359401" | avax_evm_base_fee_gwei{chain=C} | 2.000000001`,
  eth_maxPriorityFeePerGas: `
    result | "0x3b9aca02" | avax_evm_priority_fee_gwei{chain=C} | 1.000000002`,
  eth_getChainConfig: `
    result.etnaTimestamp | 1734368412 | avax_evm_fork_activation_timestamp_seconds{chain=C,fork=etna} | 1734368412`,
  eth_blockNumber: `
    result | "0x410de86" | avax_chain_height{chain=C} | 68214406`,
  eth_getBlockByNumber: `
    result.number | "$BLOCK" | the higher one of it and eth_blockNumber is the height
    result.hash | "0xd34b" | tells another history (avax_evm_history_changes_total)
    result.parentHash | "0xf491" | as hash
    result.timestamp | "0x67c68a00" | avax_chain_head_timestamp_seconds{chain=C} | 1741064704
    result.gasLimit | "0x1c9c380" | avax_evm_gas_limit{chain=C} | 30000000
    result.gasUsed | "0xd168" | counted from the second poll on (avax_evm_gas_used_total)
    result.baseFeePerGas | "0x5" | counted from the second poll on (avax_evm_base_fees_avax_total)
    result.transactions | [] | counted from the second poll on (avax_evm_transactions_total)`,
  eth_chainId: `
    result | "0xa86a" | avax_evm_chain_info{chain=C,evm_chain_id=43114} | 1`,
  net_version: `
    result | "1" | avax_evm_chain_info{chain=C,evm_network_id=1} | 1`,
  web3_clientVersion: `
    result | "v0.14.1" | avax_evm_chain_info{chain=C,client_version=v0.14.1} | 1`,
  net_peerCount: `
    result | "0x5" | avax_evm_peers{chain=C} | 5`,
  txpool_status: `
    result.pending | "0x11" | avax_evm_txpool_transactions{chain=C,state=pending} | 17
    result.queued | "0x12" | avax_evm_txpool_transactions{chain=C,state=queued} | 18`,
  eth_getBalance: `
    result | "0x6f05b59d3b20000" | avax_wallet_evm_balance_avax{chain=C} | 0.5`,
  eth_getProof: `
    result.accountProof | [] | avax_evm_proof_served{block=first,chain=C} | 1`,
  admin_getVMConfig: `
    config.pruning-enabled | true | avax_evm_config_info{pruning=true} | 1
    config.state-sync-enabled | false | avax_evm_config_info{state_sync=false} | 1
    config.log-level | "warn" | avax_evm_config_info{log_level=warn} | 1
    config.eth-apis | ["eth"] | avax_evm_config_info{apis=eth} | 1`,
  "ledger.getUTXOs": `
    numFetched | 1 | avax_wallet_import_utxos{source_chain=P} | 1
    utxos[0] | "$UTXO" | avax_wallet_import_avax{source_chain=P} | 3.000000007
    endIndex.address | "C-a" | where the next page begins
    endIndex.utxo | "u" | where the next page begins
    encoding | "hex" | chosen by the request`,
};
