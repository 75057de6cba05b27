import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Size of the answers of a node's endpoint. Answers of hosted services are counted in their own units. */
type AnswerSize = {
  /** Bytes of the largest recorded answer of a network of seven validators. */
  readonly bytes: number;
  /** What the size grows with, with figures of the main network where known. */
  readonly grows?: string;
};

type Recording = {
  readonly answers: ReadonlyArray<{
    readonly name: string;
    readonly response: { readonly status?: number; readonly body?: string };
  }>;
};

const RECORDINGS = join(import.meta.dirname, "../test/recordings");

/**
 * Names of the recorded answers of endpoints, where they differ from the endpoint's id. A poll with several requests has a
 * pattern for each, and the sizes are added up.
 */
export const RECORDED_AS: Readonly<Record<string, readonly RegExp[]>> = {
  "info.getBlockchainID": [/^info\.getBlockchainID\./],
  health: [/^health\.get$/],
  "health.readiness": [/^health\.get\.readiness$/],
  "health.liveness": [/^health\.get\.liveness$/],
  "health.subnet": [/^health\.get\.tag-/],
  "info.isBootstrapped": [/^info\.isBootstrapped\./],
  "platform.getBlockchainStatus": [/^platform\.getBlockchainStatus\./],
  "evm.head": [
    /^evm\.eth_blockNumber$/,
    /^evm\.eth_getBlockByNumber\.latest$/,
    /^evm\.eth_baseFee$/,
    /^evm\.eth_maxPriorityFeePerGas$/,
    /^evm\.eth_syncing$/,
    /^evm\.txpool_status$/,
  ],
  "evm.identity": [
    /^evm\.eth_chainId$/,
    /^evm\.net_version$/,
    /^evm\.web3_clientVersion$/,
    /^evm\.net_peerCount$/,
    /^evm\.eth_getChainConfig$/,
  ],
  "evm.proof": [/^evm\.eth_getProof\.latest$/, /^evm\.eth_getProof\.0x1$/],
  "platform.getCurrentValidators": [/^platform\.getCurrentValidators\.primary$/],
  "info.uptime.subnet": [/^info\.uptime\.subnet-/],
  "platform.getCurrentValidators.watched": [/^platform\.getCurrentValidators\.two$/],
  "platform.getCurrentValidators.delegators": [/^platform\.getCurrentValidators\.one-node/],
  "evm.validators": [/^evm\.l1one\.validators\.getCurrentValidators$/],
  "evm.blocks": [/^evm\.eth_getBlockByNumber\.latest$/],
  "evm.balances": [/^evm\.eth_getBalance\.latest$/],
  "platform.getBlockByHeight": [/^platform\.getHeight$/, /^platform\.getBlockByHeight\.\d+$/],
  "platform.getCurrentSupply": [/^platform\.getCurrentSupply\./],
  "platform.getBalance": [/^platform\.getBalance\.rich$/],
  "ledger.getUTXOs": [/^ledger\.getUTXOs\.from-[PX]$/],
};

/** What answers grow with, by endpoint id; the others hardly grow. */
export const GROWS: Readonly<Record<string, string>> = {
  health: "about 430 bytes per tracked chain, 41 per disconnected validator and chain",
  "evm.head": "69 bytes per transaction of the last block",
  "info.peers": "about 500 bytes per peer: 0.6 to 0.9 MB with 1,800",
  "platform.getCurrentValidators": "about 940 bytes per validator: 0.9 MB with 930; 545 per L1 validator",
  "info.acps": "43 bytes per supporter and proposal",
  "platform.getCurrentValidators.watched":
    "about 940 bytes per watched validator; with exactly one, 325 more per delegator",
  "platform.getCurrentValidators.delegators": "325 bytes per delegator",
  "evm.validators": "about 270 bytes per validator",
  "evm.blocks":
    "69 bytes per transaction; all blocks since the last poll; with receipts 4.5 kB per transaction of five logs, 135 kB and 0.3 ms of processor time for a block of 30, 8 GB a day for 20 transactions a second",
  "evm.balances": "this size per watched address",
  "platform.getBlockByHeight": "all blocks since the last poll",
  "platform.getBlockchains": "about 200 bytes per blockchain ever created",
  "platform.getBalance": "about 80 bytes per UTXO",
  "ledger.getUTXOs": "about 260 bytes per UTXO",
};

/** Answer size of a node's endpoint; `undefined` without a recorded answer. */
export function answerSize(name: string, sizes = recordedSizes()): AnswerSize | undefined {
  const id = name.replace(/\.second$/, "");
  const largest = (RECORDED_AS[id] ?? [id]).map((wanted) => {
    const found = [...sizes].filter(([name]) => (typeof wanted === "string" ? name === wanted : wanted.test(name)));
    return Math.max(...found.map(([, bytes]) => bytes));
  });
  const bytes = largest.reduce((sum, each) => sum + each, 0);
  const grows = GROWS[id];
  return Number.isFinite(bytes) ? { bytes, ...(grows === undefined ? {} : { grows }) } : undefined;
}

/** JSON-RPC errors, whose size is not that of an answer. */
const ERROR = /^\{"jsonrpc":"2\.0",(?:"id":\d+,)?"error":/;

/** Bytes of the largest recorded answer of each name, errors left out. */
export function recordedSizes(): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const file of globSync("*.json", { cwd: RECORDINGS })) {
    const { answers } = JSON.parse(readFileSync(join(RECORDINGS, file), "utf8")) as Recording;
    for (const {
      name,
      response: { status, body = "" },
    } of answers)
      if (status !== 404 && !ERROR.test(body)) sizes.set(name, Math.max(sizes.get(name) ?? 0, Buffer.byteLength(body)));
  }
  return sizes;
}
