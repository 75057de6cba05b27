/**
 * Every method and path of the two specifications, in their spelling: the JSON-RPC interfaces of nodes, and the hosted APIs for
 * indexed data and metrics. The coverage page shows the endpoints and metrics of each.
 */

/**
 * One method or path. `note` explains why it has no metric, where that is not obvious. `usedBy` lists the endpoints that use a
 * transport; the endpoints of a method are known by its name.
 */
export type Specified = { readonly name: string; readonly note?: string; readonly usedBy?: readonly string[] };

/** An interface of a specification with its address. */
export type Interface = { readonly title: string; readonly at: string; readonly methods: readonly Specified[] };

const WRITES = "changes the node; command line only";
const PROFILES = "writes a profile to the node's disk; command line only";

/** Endpoints that send several calls in one request. */
const BATCHING = ["evm.head", "evm.identity", "evm.balances", "evm.proof", "evm.blocks"];

export const SPECIFICATION: readonly Interface[] = [
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
    ).map(({ name }) => ({ name: `info.${name}` })),
  },
  {
    title: "P-Chain API",
    at: "`/ext/bc/P`",
    methods: [
      { name: "platform.getBalance" },
      { name: "platform.getBlock", note: "blocks are read by height" },
      { name: "platform.getBlockByHeight" },
      { name: "platform.getBlockchains" },
      { name: "platform.getBlockchainStatus" },
      { name: "platform.getCurrentSupply" },
      { name: "platform.getCurrentValidators" },
    ],
  },
  {
    title: "EVM API",
    at: "`/ext/bc/C/rpc` and `/ext/bc/<blockchainID>/rpc`, WebSocket at `/ext/bc/C/ws`",
    methods: [
      ...named("eth_baseFee", "eth_maxPriorityFeePerGas", "eth_getChainConfig", "eth_getProof", "eth_blockNumber"),
      ...named("eth_getBlockByNumber", "eth_chainId", "eth_getBalance", "net_version", "net_peerCount"),
      ...named("web3_clientVersion", "txpool_status"),
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
      { name: "admin_getVMConfig" },
      { name: "admin_setLogLevel", note: WRITES },
      { name: "admin_startCPUProfiler", note: PROFILES },
      { name: "admin_stopCPUProfiler", note: PROFILES },
      { name: "admin_memoryProfile", note: PROFILES },
      { name: "admin_lockProfile", note: PROFILES },
    ],
  },
  {
    title: "EVM ledger API",
    at: "`/ext/bc/C/ledger`",
    methods: [
      { name: "ledger.getUTXOs" },
      { name: "ledger.getAtomicTxStatus", note: "about a single transaction" },
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
