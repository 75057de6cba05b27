import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { Pool } from "undici";

/**
 * What any program in Node.js pays for the same requests: undici, `JSON.parse`, the last answer kept, and every 15 s 4 kB of text a node
 * compressed. A process of its own, started by fleet.ts with the nodes; to each message it answers what it has spent so far.
 */

/** CPU time in milliseconds, and the polls without an answer: they cost less than a poll. */
export type Spent = { readonly cpu: number; readonly failed: number };

type Request = { readonly method: "GET" | "POST"; readonly path: string; readonly body?: string };
/** Seconds between two polls, and what is asked. */
type Poll = readonly [every: number, request: Request];

const get = (path: string): Request => ({ method: "GET", path });
const post = (path: string, body: object): Request => ({ method: "POST", path, body: JSON.stringify(body) });
const call = (method: string, params: object = {}, id = 1) => ({ jsonrpc: "2.0", id, method, params });
const info = (method: string, params?: object) => post("/ext/info", call(`info.${method}`, params));
const platform = (method: string, params?: object) => post("/ext/bc/P", call(`platform.${method}`, params));
const evm = (...calls: ReadonlyArray<readonly [method: string, params: readonly unknown[]]>) =>
  post(
    "/ext/bc/C/rpc",
    calls.map(([method, params], id) => call(method, params, id)),
  );

const CHAINS = ["P", "X", "C"];
/** All polls of a node at the default cadences. @param watched node IDs of the validators that it observes */
const ofNode = (watched: readonly string[]): readonly Poll[] => [
  [15, get("/ext/health")],
  [60, get("/ext/health/readiness")],
  [30, get("/ext/health/liveness")],
  [30, info("peers")],
  [30, info("uptime")],
  ...CHAINS.map((chain): Poll => [60, info("isBootstrapped", { chain })]),
  [15, platform("getHeight")],
  [30, platform("getTimestamp")],
  [30, platform("getCurrentValidators", { nodeIDs: watched })],
  ...CHAINS.map((blockchainID): Poll => [60, platform("getBlockchainStatus", { blockchainID })]),
  [
    10,
    evm(
      ["eth_blockNumber", []],
      ["eth_getBlockByNumber", ["latest", false]],
      ["eth_baseFee", []],
      ["eth_maxPriorityFeePerGas", []],
      ["txpool_status", []],
    ),
  ],
  ...["getNodeID", "getNodeVersion", "getNetworkID", "getNetworkName", "getNodeIP", "getVMs", "upgrades"].map(
    (method): Poll => [300, info(method)],
  ),
  ...CHAINS.map((alias): Poll => [300, info("getBlockchainID", { alias })]),
  [
    300,
    evm(
      ["eth_chainId", []],
      ["net_version", []],
      ["web3_clientVersion", []],
      ["net_peerCount", []],
      ["eth_getChainConfig", []],
    ),
  ],
];
/** Validators that a node observes. */
const WATCHED = 5;
/** And of the node that is asked about its network. */
const OF_NETWORK: readonly Poll[] = [
  [60, platform("getCurrentValidators")],
  [15, evm(["eth_getBlockByNumber", ["latest", true]])],
];

const HEADERS = { "content-type": "application/json" };
const SCRAPE_EVERY_MS = 15_000;
const LINE = 'avax_some_family_name{node="n",network="mainnet",check="network"} 1\n';

const kept = new Map<string, unknown>();
let failed = 0;

async function poll(pool: Pool, key: string, request: Request): Promise<void> {
  const { body } = await pool.request({ ...request, headers: HEADERS, headersTimeout: 10_000, bodyTimeout: 10_000 });
  kept.set(key, JSON.parse(await body.text()));
}

type Node = { readonly url: string; readonly nodeId: string };

const nodes = JSON.parse(process.argv[2] ?? "[]") as readonly Node[];
for (const [index, { url }] of nodes.entries()) {
  const ofThis = ofNode([...nodes, ...nodes].slice(index, index + WATCHED).map(({ nodeId }) => nodeId));
  const pool = new Pool(url, { connections: 2, keepAliveTimeout: 60_000 });
  const polls = index === 0 ? [...ofThis, ...OF_NETWORK] : ofThis;
  for (const [slot, [every, request]] of polls.entries()) {
    const run = () => void poll(pool, `${url} ${slot}`, request).catch(() => failed++);
    const phase = (index * 7919 + slot * 104_729) % (every * 1000);
    setTimeout(() => (run(), setInterval(run, every * 1000)), phase);
  }
}
const compress = promisify(gzip);
let scrapes = 0;
setInterval(() => {
  scrapes++;
  const text = nodes.map((_, index) => LINE.replace("1\n", `${index + scrapes}\n`).repeat(60)).join("");
  void compress(text, { level: constants.Z_BEST_SPEED });
}, SCRAPE_EVERY_MS);

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: (user + system) / 1000, failed } satisfies Spent);
});
process.once("disconnect", () => process.exit(0));
process.send?.("ready");
