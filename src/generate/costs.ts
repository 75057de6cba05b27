/**
 * What an answer costs: the largest one among the recordings (a network of seven validators), and what it grows with on a large
 * network. Answers of hosted services are counted in their own units, not here.
 */
export type Cost = {
  /** Recorded answers to this endpoint's requests, by name. All are added up where one poll sends several requests. */
  readonly recorded: readonly RegExp[];
  /** Bytes of the largest recorded answer to each, added up. */
  readonly bytes: number;
  /** What makes it larger, with figures of the main network where they are known. */
  readonly grows?: string;
};

const fixed = (recorded: RegExp, bytes: number): Cost => ({ recorded: [recorded], bytes });

/** By endpoint id. */
export const COSTS: Readonly<Record<string, Cost>> = {
  "info.getNodeID": fixed(/^info\.getNodeID$/, 430),
  "info.getNodeVersion": fixed(/^info\.getNodeVersion$/, 287),
  "info.getNetworkID": fixed(/^info\.getNetworkID$/, 57),
  "info.getNetworkName": fixed(/^info\.getNetworkName$/, 67),
  "info.getNodeIP": fixed(/^info\.getNodeIP$/, 59),
  "info.getVMs": fixed(/^info\.getVMs$/, 483),
  "info.getBlockchainID": fixed(/^info\.getBlockchainID\./, 107),
  health: {
    recorded: [/^health\.get$/],
    bytes: 3300,
    grows: "about 430 bytes a tracked chain, 41 a disconnected validator and chain",
  },
  "health.readiness": fixed(/^health\.get\.readiness$/, 337),
  "health.liveness": fixed(/^health\.get\.liveness$/, 29),
  "health.subnet": fixed(/^health\.get\.tag-/, 1797),
  "info.isBootstrapped": fixed(/^info\.isBootstrapped\./, 158),
  "platform.getHeight": fixed(/^platform\.getHeight$/, 58),
  "platform.getTimestamp": fixed(/^platform\.getTimestamp$/, 71),
  "platform.getBlockchainStatus": fixed(/^platform\.getBlockchainStatus\.[CPX]$/, 58),
  "evm.head": {
    recorded: [
      /^evm\.eth_blockNumber$/,
      /^evm\.eth_getBlockByNumber\.latest$/,
      /^evm\.eth_baseFee$/,
      /^evm\.eth_maxPriorityFeePerGas$/,
      /^evm\.eth_syncing$/,
      /^evm\.txpool_status$/,
    ],
    bytes: 2304,
    grows: "69 bytes a transaction of the last block",
  },
  "evm.identity": {
    recorded: [
      /^evm\.eth_chainId$/,
      /^evm\.net_version$/,
      /^evm\.web3_clientVersion$/,
      /^evm\.net_peerCount$/,
      /^evm\.eth_getChainConfig$/,
    ],
    bytes: 1123,
  },
  "evm.proof": { recorded: [/^evm\.eth_getProof\.latest$/, /^evm\.eth_getProof\.0x1$/], bytes: 3458 },
  "info.peers": { recorded: [/^info\.peers$/], bytes: 3019, grows: "about 500 bytes a peer: 0.6 to 0.9 MB with 1,800" },
  "platform.getCurrentValidators": {
    recorded: [/^platform\.getCurrentValidators\.primary$/],
    bytes: 6810,
    grows: "about 940 bytes a validator: 0.9 MB with 930; 545 an L1 validator",
  },
  "info.uptime": fixed(/^info\.uptime$/, 123),
  "info.uptime.subnet": fixed(/^info\.uptime\.subnet-s1$/, 112),
  "info.upgrades": fixed(/^info\.upgrades$/, 777),
  "info.acps": { recorded: [/^info\.acps$/], bytes: 2757, grows: "43 bytes a supporter and proposal" },
  "info.getTxFee": fixed(/^info\.getTxFee$/, 326),
  "platform.getCurrentValidators.watched": {
    recorded: [/^platform\.getCurrentValidators\.two$/],
    bytes: 2093,
    grows: "about 940 bytes a watched validator; with exactly one, 325 more for each of its delegators",
  },
  "platform.getValidatorFeeState": fixed(/^platform\.getValidatorFeeState$/, 92),
  "evm.validators": {
    recorded: [/^evm\.l1one\.validators\.getCurrentValidators$/],
    bytes: 1114,
    grows: "about 270 bytes a validator",
  },
  "evm.blocks": {
    recorded: [/^evm\.eth_getBlockByNumber\.latest$/],
    bytes: 2017,
    grows: "69 bytes a transaction; one block for each since the last poll",
  },
  "evm.balances": { recorded: [/^evm\.eth_getBalance\.latest$/], bytes: 61, grows: "as much for each watched address" },
  "platform.getBlockByHeight": {
    recorded: [/^platform\.getHeight$/, /^platform\.getBlockByHeight\.\d+$/],
    bytes: 3879,
    grows: "a block for each since the last poll",
  },
  "platform.getCurrentSupply": fixed(/^platform\.getCurrentSupply\./, 115),
  "platform.getBlockchains": {
    recorded: [/^platform\.getBlockchains$/],
    bytes: 820,
    grows: "about 200 bytes a blockchain ever created",
  },
  "platform.getBalance": { recorded: [/^platform\.getBalance\.rich$/], bytes: 531, grows: "about 80 bytes a UTXO" },
  "ledger.getUTXOs": { recorded: [/^ledger\.getUTXOs\.from-[PX]$/], bytes: 461, grows: "about 260 bytes a UTXO" },
  "admin.getVMConfig": fixed(/^admin\.getVMConfig$/, 2448),
};
