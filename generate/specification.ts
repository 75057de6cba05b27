/**
 * Every method and path of the two specifications, in their spelling: the JSON-RPC interfaces of nodes, and the hosted APIs for
 * indexed data and metrics. The coverage page shows the endpoints and metrics of each.
 */

/**
 * One method or path. `note` explains why it has no metric, where that is not obvious. `usedBy` lists the endpoints that use a
 * transport; the endpoints of a method are known by its name.
 */
export type Specified = {
  readonly name: string;
  readonly note?: string;
  readonly usedBy?: readonly string[];
  /** Where releases of AvalancheGo differ, of the C-Chain before Helicon and since. */
  readonly releases?: string;
};

/** An interface of a specification with its address. */
export type SpecifiedInterface = {
  readonly title: string;
  readonly at: string;
  readonly methods: readonly Specified[];
};

const WRITES = "changes the node; command line only";
const PROFILES = "writes a profile to the node's disk; command line only";

const DEPRECATED = "deprecated in 1.15.0";
const UNTIL_HELICON = "until Helicon";

/** Endpoints that send several calls in one request. */
const BATCHING = ["evm.head", "evm.identity", "evm.balances", "evm.proof", "evm.blocks"];

export const SPECIFICATION: readonly SpecifiedInterface[] = [
  {
    title: "Health API",
    at: "`/ext/health`",
    methods: [
      { name: "GET /ext/health" },
      { name: "GET /ext/health/health", note: "same answer as GET /ext/health, which is polled instead" },
      { name: "GET /ext/health/readiness" },
      { name: "GET /ext/health/liveness" },
      { name: "health.health" },
      { name: "health.readiness" },
      { name: "health.liveness" },
    ],
  },
  {
    title: "Info API",
    at: "`/ext/info`",
    methods: named(
      ...["acps", "isBootstrapped", "getBlockchainID", "getNetworkID", "getNetworkName", "getNodeID", "getNodeIP"],
      ...["getNodeVersion", "getTxFee", "getVMs", "peers", "uptime", "upgrades"],
    ).map(({ name }) => ({
      name: `info.${name}`,
      ...(name === "getTxFee" ? { releases: DEPRECATED } : {}),
      ...(name === "upgrades" ? { releases: "`heliconTime` since 1.14.1" } : {}),
    })),
  },
  {
    title: "P-Chain API",
    at: "`/ext/bc/P`",
    methods: [
      { name: "platform.getBalance", releases: `${DEPRECATED}; \`platform.getUTXOs\` replaces it` },
      { name: "platform.getBlock", note: "blocks are read by height" },
      { name: "platform.getBlockByHeight" },
      { name: "platform.getBlockchains", releases: DEPRECATED },
      { name: "platform.getBlockchainStatus" },
      { name: "platform.getCurrentSupply" },
      { name: "platform.getCurrentValidators" },
    ],
  },
  {
    title: "EVM API",
    at: "`/ext/bc/C/rpc` and `/ext/bc/<blockchainID>/rpc`, WebSocket at `/ext/bc/C/ws`",
    methods: [
      { name: "eth_baseFee", releases: "since Helicon an upper bound" },
      ...named("eth_maxPriorityFeePerGas", "eth_getChainConfig"),
      { name: "eth_getProof", releases: "since Helicon for the last five blocks of a pruning node" },
      { name: "eth_blockNumber", releases: "since Helicon the last executed block" },
      {
        name: "eth_getBlockByNumber",
        releases:
          "since Helicon: `latest` is the last executed block, tag `accepted` is refused, a block beyond it is null",
      },
      ...named("eth_chainId", "eth_getBalance", "net_version", "net_peerCount"),
      { name: "web3_clientVersion", releases: "`v1.14.2` before Helicon, `avalanchego/1.15.0 […]` since" },
      { name: "txpool_status", releases: "by default since Helicon; before, where `eth-apis` has `internal-tx-pool`" },
      ...["eth_*", "web3_*", "net_*", "personal_*", "txpool_*", "debug_*"].map((name) => ({
        name,
        note: "the methods that no row names",
      })),
      { name: "WebSocket subscriptions", usedBy: ["evm.head"] },
      { name: "batched requests", usedBy: BATCHING },
    ],
  },
  {
    title: "EVM admin API",
    at: "`/ext/bc/C/admin`",
    methods: [
      { name: "admin_getVMConfig", releases: UNTIL_HELICON },
      { name: "admin_setLogLevel", note: WRITES, releases: UNTIL_HELICON },
      { name: "admin_startCPUProfiler", note: PROFILES, releases: UNTIL_HELICON },
      { name: "admin_stopCPUProfiler", note: PROFILES, releases: UNTIL_HELICON },
      { name: "admin_memoryProfile", note: PROFILES, releases: UNTIL_HELICON },
      { name: "admin_lockProfile", note: PROFILES, releases: UNTIL_HELICON },
    ],
  },
  {
    title: "EVM ledger API",
    at: "`/ext/bc/C/ledger`",
    methods: [
      { name: "ledger.getUTXOs" },
      { name: "ledger.getAtomicTxStatus", note: "about a single transaction", releases: "up to 1.15.1" },
      { name: "ledger.getAtomicTx", note: "about a single transaction" },
      { name: "ledger.issueTx", note: WRITES },
    ],
  },
  {
    title: "Data API",
    at: "the hosted data service",
    methods: named(
      "GET /v1/chains/{chainId}/addresses/{address}/transactions",
      "GET /v1/chains/{chainId}/contracts/{address}/transactions:getDeployment",
      "GET /v1/chains/{chainId}/addresses/{address}/transactions:listErc20",
      "GET /v1/chains/{chainId}/addresses/{address}/transactions:listErc721",
      "GET /v1/chains/{chainId}/addresses/{address}/transactions:listErc1155",
      "GET /v1/chains/{chainId}/addresses/{address}/balances:listErc721",
      "GET /v1/chains/{chainId}/nfts/collections/{address}/tokens",
      "GET /v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}",
      "GET /v1/networks/{network}/blockchains/{blockchainId}/utxos",
      "GET /v1/networks/{network}/rewards",
      "GET /v1/networks/{network}/validators/{nodeId}",
      "GET /v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks",
      "GET /v1/chains",
      "GET /v1/chains/{chainId}",
    ).concat({
      name: "GET /v1/chains/{chainId}/transactions/{txHash}",
      note: "one transaction, without a form in the specification",
    }),
  },
  {
    title: "Metrics API",
    at: "the hosted metrics service",
    methods: [
      { name: "GET /v1/avg_tps/{chainId}" },
      ...[
        ...["activeAddresses", "activeSenders", "cumulativeTxCount", "cumulativeAddresses", "cumulativeContracts"],
        ...[
          "cumulativeDeployers",
          "contracts",
          "deployers",
          "gasUsed",
          "txCount",
          "avgGps",
          "maxGps",
          "avgTps",
          "maxTps",
        ],
        ...["avgGasPrice", "maxGasPrice", "feesPaid"],
      ].map((metric) => ({ name: `GET /v2/chains/{chainId}/metrics/${metric}` })),
    ],
  },
];

function named(...names: readonly string[]): readonly Specified[] {
  return names.map((name) => ({ name }));
}
