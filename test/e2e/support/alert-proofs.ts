/** How each alert is made to fire: the scenario and simulated network (`alert-fleets.ts`), and the labels of the alert. */
export type Proof =
  { readonly by: string; readonly labels: Readonly<Record<string, string>> } | { readonly promtoolOnly: string };

const fleet = (labels: Readonly<Record<string, string>>) => ({ job: "fleet", ...labels });

export const PROOFS: Readonly<Record<string, Proof>> = {
  // The exporter and its polls.
  AvaxNodeDown: { by: "offline-validator", labels: fleet({ node: "alpha-14" }) },
  AvaxNodeDownBudgetLow: {
    by: "offline-validator with edge-uptime and stake-ending",
    labels: fleet({ node: "alpha-12" }),
  },
  AvaxApiNodeDown: { by: "validator-gone, then offline-validator", labels: fleet({ node: "alpha-2" }) },
  AvaxNodeRestarting: { by: "offline-validator", labels: fleet({ node: "alpha-14" }) },
  AvaxExporterCannotPoll: { by: "offline-validator on all nodes of an exporter", labels: { job: "blind" } },
  AvaxExporterAbsent: { by: "all exporters are stopped", labels: {} },
  AvaxExporterShardMissing: { by: "the first of two exporters alone", labels: { job: "part" } },
  AvaxAuxiliaryNodeFailing: {
    by: "offline-validator, a node of the other exporter",
    labels: { job: "part", node: "pair-1" },
  },
  AvaxLabelsOverwritten: { by: "a scrape job that sets the label node", labels: { job: "relabelled" } },
  AvaxExporterReloadFailed: { by: "reload of a wrong file", labels: { job: "odd" } },
  AvaxNodePollsMissed: {
    by: "slow, with deadlines beyond the interval",
    labels: { job: "odd", node: "odd-2" },
  },
  AvaxExporterOverloaded: {
    promtoolOnly: "It needs a process that lacks CPU: test/e2e/overload.long.ts takes it from one.",
  },
  AvaxExporterDefect: {
    promtoolOnly:
      "It reports a bug of the exporter: answers that pass validation and cannot be read. No such bug is known.",
  },
  AvaxEndpointFailing: { by: "plugin-failed", labels: fleet({ node: "beta-7", api_endpoint: "evm.head" }) },
  AvaxDataStale: {
    promtoolOnly: "It reports a defect of the exporter: polls that neither end nor fail. No such defect is known.",
  },
  AvaxNodeApiCertificateExpiring: {
    by: "a certificate that expires in thirteen days",
    labels: fleet({ node: "late-1" }),
  },
  AvaxHealthNotServed: { by: "no-health", labels: fleet({ node: "alpha-15", api_endpoint: "health" }) },
  AvaxNetworkWithoutReferenceNode: { by: "offline-validator on all nodes", labels: { job: "blind", network: "dark" } },
  // One node.
  AvaxNodeReplaced: { by: "another network at the same address", labels: { job: "odd", node: "swap-1" } },
  AvaxNodeUnhealthy: { by: "few-peers", labels: fleet({ node: "alpha-8" }) },
  AvaxSubnetCheckFailing: { by: "plugin-failed", labels: fleet({ node: "beta-7", check: "beta-l1one" }) },
  AvaxNodeDiskLow: { by: "disk-filling", labels: fleet({ node: "alpha-3" }) },
  AvaxNodeDiskFull: { by: "disk-filling", labels: fleet({ node: "alpha-3" }) },
  AvaxNodeDiskFilling: { promtoolOnly: "A trend of six hours, and this run is an hour long." },
  AvaxHealthFrozen: { by: "frozen-health", labels: fleet({ node: "alpha-4" }) },
  AvaxNodeClockWrong: { by: "clock-ahead", labels: fleet({ node: "alpha-9" }) },
  AvaxChainNotBootstrapped: { by: "bootstrapping", labels: { job: "odd", node: "odd-4", chain: "P" } },
  AvaxChainBootstrapping: { by: "bootstrapping", labels: { job: "odd", node: "odd-4", chain: "P" } },
  AvaxNodeBootstrapping: { by: "bootstrapping", labels: { job: "odd", node: "odd-4" } },
  AvaxChainNotRun: { by: "plugin-failed", labels: fleet({ node: "beta-7", chain: "beta-l1one", state: "Created" }) },
  AvaxNodeLagging: { by: "left-behind", labels: fleet({ node: "alpha-7" }) },
  AvaxNodeCutOff: { by: "few-peers", labels: fleet({ node: "alpha-8" }) },
  AvaxNodeFewPeers: { by: "few-peers", labels: fleet({ node: "alpha-8" }) },
  AvaxNodeBenched: { by: "benched", labels: fleet({ node: "beta-2", chain: "P" }) },
  AvaxNodeBenchesStake: { by: "benched, two of eight validators", labels: fleet({ node: "beta-1", chain: "P" }) },
  // Validators.
  AvaxUptimeRewardAtRisk: { by: "low-uptime", labels: fleet({ node: "alpha-9" }) },
  AvaxRewardingStakeOverstated: { by: "edge-uptime after Helicon", labels: fleet({ node: "late-2" }) },
  AvaxValidatorGone: { by: "validator-gone", labels: fleet({ network: "alpha", subnet: "primary" }) },
  AvaxValidatorNotInSet: {
    by: "stake-ends-soon",
    labels: fleet({ network: "alpha", subnet: "primary", node: "alpha-13" }),
  },
  AvaxValidatorRewardAddressChanged: {
    by: "reward-address-changed",
    labels: fleet({ network: "alpha", subnet: "primary" }),
  },
  AvaxValidatorEndingSoon: { by: "stake-ending", labels: fleet({ network: "alpha", subnet: "primary" }) },
  AvaxValidatorDisconnected: { by: "offline-validator", labels: { network: "alpha", subnet: "primary" } },
  AvaxRewardLost: { by: "low-uptime with stake-ending", labels: { network: "alpha", subnet: "primary" } },
  AvaxDowntimeBudgetLow: { by: "edge-uptime with stake-ending", labels: { network: "alpha", subnet: "primary" } },
  AvaxUptimeBelowRequirement: { by: "low-uptime", labels: { network: "alpha", subnet: "primary" } },
  AvaxUptimeNearRequirement: { by: "edge-uptime", labels: { network: "alpha", subnet: "primary" } },
  AvaxValidatorViewsDisagree: { by: "near-sighted", labels: fleet({ network: "alpha" }) },
  // Upgrades.
  AvaxNodeUpgradeDue: { by: "heliconTime in three days, an older release", labels: fleet({ node: "delta-2" }) },
  AvaxNodeUpgradeNotReady: { by: "upgrade-unknown", labels: fleet({ node: "gamma-2" }) },
  AvaxNodeOutdated: { by: "an older release than the others'", labels: fleet({ node: "delta-2" }) },
  AvaxNodeLeftBehind: { by: "upgrade-unknown with left-behind", labels: fleet({ node: "gamma-2" }) },
  AvaxNetworkStakeNotUpgraded: { by: "an older release since before the upgrade", labels: fleet({ network: "late" }) },
  // L1s.
  AvaxL1RunwayShort: { by: "an L1 validator that is paid for three days", labels: fleet({ network: "beta" }) },
  AvaxL1RunwayCritical: { by: "l1-balance-short", labels: fleet({ network: "beta" }) },
  AvaxSubnetQuorumAtRisk: {
    by: "one of a few validators offline",
    labels: { job: "part", network: "pair", subnet: "primary" },
  },
  AvaxSubnetQuorumLost: { by: "offline-validator and drained-l1", labels: fleet({ network: "beta" }) },
  AvaxSubnetSignaturesAtRisk: {
    promtoolOnly: "A subnet whose consensus requires less than signatures; the simulated ones require 80 %.",
  },
  // Chains and wallets.
  AvaxPublicChainStalled: { by: "left-behind on all nodes", labels: fleet({ network: "fuji", chain: "C" }) },
  AvaxEvmChainStalled: { by: "chain-stalled", labels: { job: "odd", network: "swap", chain: "C" } },
  AvaxEvmWrongChain: { by: "wrong-chain", labels: fleet({ node: "beta-6", chain: "beta-l1one" }) },
  AvaxEvmWebSocketDown: { by: "bootstrapping from the start", labels: { job: "odd", node: "odd-4", chain: "C" } },
  AvaxEvmBlocksSkipped: { by: "one block a poll", labels: { job: "odd", network: "odd", chain: "C" } },
  AvaxEvmHistoryChanged: {
    by: "another network at the same address",
    labels: { job: "odd", network: "swap", chain: "C" },
  },
  AvaxEvmConfigChanged: { by: "admin-on, then admin-changed", labels: fleet({ node: "alpha-5", chain: "C" }) },
  AvaxEvmWalletLow: { by: "wallet-dry", labels: fleet({ network: "beta", wallet: "beta-evm", chain: "C" }) },
  AvaxPlatformStalled: { by: "left-behind on all nodes", labels: fleet({ network: "fuji" }) },
  AvaxPlatformBlocksSkipped: { by: "blocks read every twenty minutes", labels: { job: "odd", network: "odd" } },
  AvaxPlatformWalletLow: { by: "wallet-dry", labels: fleet({ network: "beta", wallet: "beta-p" }) },
  AvaxUtxoWaiting: {
    by: "utxo-waiting",
    labels: fleet({ network: "alpha", wallet: "alpha-exports", source_chain: "P" }),
  },
  // Hosted services.
  AvaxHostedDataStale: { by: "the service fails", labels: { job: "blind", api: "metrics" } },
  AvaxHostedNeverAnswered: {
    by: "a chain that the service does not have",
    labels: fleet({ api: "data", api_endpoint: "data.chain" }),
  },
  AvaxHostedKeyRefused: { by: "another key", labels: { job: "blind", api: "data" } },
  AvaxHostedBudgetExhausted: { by: "a budget of 200 units a minute", labels: { job: "odd", api: "metrics" } },
  AvaxHostedSeriesBehind: { by: "series six days behind", labels: fleet({ evm_chain_id: "43114" }) },
  AvaxHostedChainUnavailable: {
    by: "a chain that the service calls unavailable",
    labels: fleet({ evm_chain_id: "99999" }),
  },
  AvaxStakingPeriodUnrewarded: { by: "a period that was not paid", labels: fleet({ network: "mainnet" }) },
};
