import { createPublicClient, defineChain, http, parseEther, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import type { SimulatorOptions } from "../../../simulator/simulate.ts";
import { recordingOf } from "../../support/recordings.ts";
import { ask } from "../ask.ts";
import { run } from "../running.ts";
import { differences, shape } from "../shape.ts";

/** What wallets ask of a node, through a library that wallets use. */

const HELICON = Date.parse("2026-11-21T11:00:00Z") / 1000;
const NOBODY = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";
const DEAD = "0x000000000000000000000000000000000000dead";
const MANAGER = "0x0feedc0de0000000000000000000000000000000";
const TIP = 1_000_000_000n;
const UNKNOWN: Hex = `0x${"ab".repeat(32)}`;

async function client(options: SimulatorOptions = {}, chain: "C" | "l1one" = "C") {
  const { simulation, url, pass } = await run({ nodes: 2, ...options });
  const name = chain === "C" ? "C" : (simulation.subnets[1]?.chainId ?? "");
  const rpc = `${url(1)}/ext/bc/${name}/rpc`;
  const definition = defineChain({
    id: chain === "C" ? 43_112 : 43_002,
    name: "simulated",
    nativeCurrency: { name: "Avalanche", symbol: "AVAX", decimals: 18 },
    rpcUrls: { default: { http: [rpc] } },
  });
  const raw = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await ask(url(1), { method: "POST", path: new URL(rpc).pathname, body });
    const parsed = JSON.parse(answer.body) as { readonly result?: unknown; readonly error?: unknown };
    return "error" in parsed ? parsed.error : parsed.result;
  };
  const transport = http(rpc, { batch: true, retryCount: 0 });
  return { viem: createPublicClient({ chain: definition, transport, cacheTime: 0 }), raw, pass, simulation };
}

type Client = Awaited<ReturnType<typeof client>>;

/** The last block with transactions, at least `atLeast` of them. */
async function busyBlock({ viem }: Client, atLeast = 1) {
  const head = await viem.getBlockNumber();
  for (let number = head - 1n; ; number -= 1n) {
    const block = await viem.getBlock({ blockNumber: number, includeTransactions: true });
    if (block.transactions.length >= atLeast) return block;
  }
}

describe.each<readonly [string, SimulatorOptions, "C" | "l1one"]>([
  ["the C-Chain", {}, "C"],
  ["the C-Chain after Helicon", { heliconTime: HELICON }, "C"],
  ["the C-Chain of the specification", { dialect: "spec" }, "C"],
  ["an L1", {}, "l1one"],
])("%s", (_, options, chain) => {
  test("has one block by number and hash, with the same transactions in every form", async () => {
    const made = await client(options, chain);
    const { viem, raw } = made;
    const full = await busyBlock(made, 2);
    const hashes = full.transactions.map(({ hash }) => hash);
    const [byHash, short, counted, countedByHash] = await Promise.all([
      viem.getBlock({ blockHash: full.hash, includeTransactions: true }),
      viem.getBlock({ blockNumber: full.number }),
      viem.getBlockTransactionCount({ blockNumber: full.number }),
      viem.getBlockTransactionCount({ blockHash: full.hash }),
    ]);
    expect(byHash).toEqual(full);
    expect(short.transactions).toEqual(hashes);
    expect([counted, countedByHash]).toEqual([hashes.length, hashes.length]);
    expect(full.gasUsed).toBe(21_000n * BigInt(hashes.length));
    for (const [index, transaction] of full.transactions.entries()) {
      expect(transaction).toMatchObject({
        blockHash: full.hash,
        blockNumber: full.number,
        transactionIndex: index,
        type: "eip1559",
        gas: 21_000n,
        gasPrice: (full.baseFeePerGas ?? 0n) + TIP,
        to: DEAD,
        input: "0x",
        chainId: viem.chain.id,
      });
      const found = await viem.getTransaction({ hash: transaction.hash });
      expect(found).toEqual(transaction);
      expect(await viem.getTransaction({ blockNumber: full.number, index })).toEqual(transaction);
      expect(await viem.getTransaction({ blockHash: full.hash, index })).toEqual(transaction);
    }
    const receipts = await Promise.all(hashes.map((hash) => viem.getTransactionReceipt({ hash })));
    receipts.forEach((receipt, index) => {
      expect(receipt).toMatchObject({
        transactionHash: hashes[index],
        blockHash: full.hash,
        blockNumber: full.number,
        transactionIndex: index,
        status: "success",
        gasUsed: 21_000n,
        cumulativeGasUsed: 21_000n * BigInt(index + 1),
        effectiveGasPrice: (full.baseFeePerGas ?? 0n) + TIP,
        from: full.transactions[index]?.from,
        to: DEAD,
        contractAddress: null,
        logs: [],
        type: "eip1559",
      });
    });
    const quantity = `0x${full.number.toString(16)}`;
    const all = (await raw("eth_getBlockReceipts", quantity)) as ReadonlyArray<{ readonly transactionHash: string }>;
    expect(all.map(({ transactionHash }) => transactionHash)).toEqual(hashes);
    expect(await raw("eth_getBlockReceipts", full.hash)).toEqual(all);
    expect(await raw("eth_getTransactionReceipt", hashes[1])).toEqual(all[1]);
  });

  test("counts the transactions of a sender in its blocks", async () => {
    const made = await client(options, chain);
    const { viem } = made;
    const last = 600;
    const blocks = await Promise.all(
      Array.from({ length: last + 1 }, (_each, number) =>
        viem.getBlock({ blockNumber: BigInt(number), includeTransactions: true }),
      ),
    );
    const sent = new Map<string, number>();
    for (const block of blocks) {
      for (const { from, nonce } of block.transactions) {
        expect(nonce).toBe(sent.get(from) ?? 0);
        sent.set(from, nonce + 1);
      }
      if (Number(block.number) % 100 > 1) continue;
      for (const [address, count] of sent) {
        const options = { address: address as Hex, blockNumber: block.number };
        expect(await viem.getTransactionCount(options)).toBe(count);
      }
    }
    expect(sent.size).toBeGreaterThan(1);
    const busy = await busyBlock(made);
    const { from, nonce } = busy.transactions[0] ?? { from: NOBODY, nonce: 0 };
    const at = { address: from, blockNumber: busy.number };
    expect(await viem.getTransactionCount(at)).toBe(nonce + 1);
    expect(await viem.getTransactionCount({ address: from, blockNumber: busy.number - 1n })).toBe(nonce);
    expect(await viem.getTransactionCount({ address: NOBODY })).toBe(0);
  });

  test("has a fee history of its blocks", async () => {
    const { viem } = await client(options, chain);
    const head = await viem.getBlockNumber();
    const history = await viem.getFeeHistory({ blockCount: 5, rewardPercentiles: [10, 50], blockNumber: head });
    const blocks = await Promise.all([4n, 3n, 2n, 1n, 0n].map((back) => viem.getBlock({ blockNumber: head - back })));
    expect(history.oldestBlock).toBe(head - 4n);
    expect(history.baseFeePerGas.slice(0, 5)).toEqual(blocks.map(({ baseFeePerGas }) => baseFeePerGas));
    expect(history.gasUsedRatio).toEqual(blocks.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)));
    expect(history.reward).toEqual(blocks.map(({ transactions }) => (transactions.length > 0 ? [TIP, TIP] : [0n, 0n])));
    const next = history.baseFeePerGas[5] ?? 0n;
    expect(await viem.getGasPrice()).toBe(next + TIP);
    expect(await viem.estimateMaxPriorityFeePerGas()).toBe(TIP);
    expect(await viem.estimateFeesPerGas()).toMatchObject({ maxPriorityFeePerGas: TIP });
  });

  test("prepares a transfer: nonce, gas and fees", async () => {
    const { viem } = await client(options, chain);
    const value = parseEther("0.5");
    const request = await viem.prepareTransactionRequest({ account: NOBODY, to: DEAD, value, type: "eip1559" });
    expect(request).toMatchObject({ nonce: 0, gas: 21_000n, maxPriorityFeePerGas: TIP, value, type: "eip1559" });
    // Four zero bytes and one other.
    expect(await viem.estimateGas({ account: NOBODY, to: DEAD, data: "0x0000000001" })).toBe(21_032n);
    expect(await viem.estimateGas({ account: NOBODY, data: "0x00" })).toBe(53_006n);
    expect(await viem.getBalance({ address: NOBODY })).toBeGreaterThan(value);
  });
});

test("the manager of an L1 is a contract; nothing else is", async () => {
  const { viem, raw } = await client({}, "l1one");
  expect(await viem.getCode({ address: MANAGER })).toBe("0x60206000f3");
  expect(await viem.getCode({ address: NOBODY })).toBeUndefined();
  expect(await viem.call({ to: MANAGER, data: "0x12345678" })).toEqual({ data: `0x${"0".repeat(64)}` });
  expect(await viem.call({ to: NOBODY, data: "0x12345678" })).toEqual({ data: undefined });
  expect(await viem.estimateGas({ account: NOBODY, to: MANAGER })).toBe(21_009n);
  expect(await viem.getStorageAt({ address: MANAGER, slot: "0x0" })).toBe(`0x${"0".repeat(64)}`);
  const c = await client();
  expect(await c.viem.getCode({ address: MANAGER })).toBeUndefined();
  expect(await raw("eth_getCode", MANAGER, "earliest")).toBe("0x60206000f3");
});

test("balances, nonces and proofs of one block agree, by number and by hash", async () => {
  const made = await client();
  const { viem, raw } = made;
  const { number, hash, transactions } = await busyBlock(made);
  const address = transactions[0]?.from ?? NOBODY;
  const proof = await viem.getProof({ address, storageKeys: [UNKNOWN], blockNumber: number });
  expect(proof.balance).toBe(await viem.getBalance({ address, blockNumber: number }));
  expect(proof.nonce).toBe(await viem.getTransactionCount({ address, blockNumber: number }));
  expect(proof.storageProof).toEqual([{ key: UNKNOWN, value: 0n, proof: [] }]);
  const quantity = `0x${number.toString(16)}`;
  for (const block of [hash, { blockHash: hash }, { blockNumber: quantity }]) {
    expect(await raw("eth_getBalance", address, block)).toBe(await raw("eth_getBalance", address, quantity));
  }
});

test("transfers write no logs, and nothing is null but what is not there", async () => {
  const { viem, raw } = await client();
  const head = await viem.getBlockNumber();
  expect(await viem.getLogs({ fromBlock: head - 100n, toBlock: head })).toEqual([]);
  expect(await viem.getLogs({ blockHash: (await viem.getBlock()).hash })).toEqual([]);
  for (const method of ["eth_getTransactionByHash", "eth_getTransactionReceipt", "eth_getBlockReceipts"]) {
    expect({ method, answer: await raw(method, UNKNOWN) }).toEqual({ method, answer: null });
  }
  expect(await raw("eth_getBlockByHash", UNKNOWN, true)).toBeNull();
  expect(await raw("eth_getBlockTransactionCountByHash", UNKNOWN)).toBeNull();
  expect(await raw("eth_getBlockTransactionCountByNumber", "0xffffffff")).toBeNull();
  expect(await raw("eth_getBlockReceipts", "0xffffffff")).toBeNull();
  expect(await raw("eth_getTransactionByBlockNumberAndIndex", "latest", "0x63")).toBeNull();
  expect(await raw("eth_getTransactionByBlockHashAndIndex", UNKNOWN, "0x0")).toBeNull();
  expect(await raw("net_listening")).toBe(true);
  expect(await raw("eth_feeHistory", 0, "latest", [])).toEqual({ oldestBlock: "0x0", gasUsedRatio: null });
  expect(await raw("eth_feeHistory", "3", "0x1", [])).toMatchObject({
    oldestBlock: "0x0",
    gasUsedRatio: [0, expect.any(Number)],
  });
});

test("a block and its transactions are not there before they are accepted", async () => {
  const made = await client();
  const { viem, raw, pass } = made;
  const head = await viem.getBlockNumber();
  pass(60);
  const { hash, number, transactions } = await busyBlock(made);
  expect(number).toBeGreaterThan(head);
  pass(-60);
  expect(await raw("eth_getBlockByHash", hash, false)).toBeNull();
  expect(await raw("eth_getTransactionByHash", transactions[0]?.hash)).toBeNull();
  expect(await raw("eth_getTransactionReceipt", transactions[0]?.hash)).toBeNull();
});

const bad = (message: string) => ({ code: -32602, message });

test.each<readonly [string, readonly unknown[], object]>([
  ["eth_getTransactionCount", [NOBODY], bad("missing value for required argument 1")],
  ["eth_getTransactionCount", [null, "latest"], bad("missing value for required argument 0")],
  [
    "eth_getBalance",
    ["0x12", "latest"],
    bad("invalid argument 0: hex string has length 2, want 40 for common.Address"),
  ],
  [
    "eth_getCode",
    ["0x123", "latest"],
    bad("invalid argument 0: json: cannot unmarshal hex string of odd length into Go value of type common.Address"),
  ],
  [
    "eth_getCode",
    ["me", "latest"],
    bad("invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type common.Address"),
  ],
  [
    "eth_getTransactionByHash",
    [7],
    bad("invalid argument 0: json: cannot unmarshal non-string into Go value of type common.Hash"),
  ],
  ["eth_getTransactionReceipt", [], bad("missing value for required argument 0")],
  [
    "eth_getTransactionReceipt",
    [`0x${"zz".repeat(32)}`],
    bad("invalid argument 0: json: cannot unmarshal invalid hex string into Go value of type common.Hash"),
  ],
  ["eth_getBlockByHash", [UNKNOWN], bad("missing value for required argument 1")],
  ["eth_getBlockReceipts", ["soon"], bad("invalid argument 0: hex string without 0x prefix")],
  [
    "eth_getStorageAt",
    [NOBODY, "slot", "latest"],
    bad("invalid argument 1: unable to decode storage key: hex string invalid"),
  ],
  ["eth_call", [], bad("missing value for required argument 0")],
  [
    "eth_call",
    [{ to: "0x12" }, "latest"],
    bad("invalid argument 0: hex string has length 2, want 40 for common.Address"),
  ],
  ["eth_getLogs", [], bad("missing value for required argument 0")],
  [
    "eth_getLogs",
    [{ blockHash: UNKNOWN, fromBlock: "0x1" }],
    bad("invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other"),
  ],
  ["eth_getLogs", [{ fromBlock: "0x5", toBlock: "0x2" }], { code: -32000, message: "invalid block range params" }],
  ["eth_getLogs", [{ blockHash: UNKNOWN }], { code: -32000, message: "unknown block" }],
  ["eth_feeHistory", ["0x5", "latest"], bad("missing value for required argument 2")],
  ["eth_feeHistory", ["many", "latest", []], bad("invalid argument 0: invalid hex or decimal integer")],
  ["eth_feeHistory", [1, "latest", [101]], { code: -32000, message: "invalid reward percentile: 101.000000" }],
  ["eth_feeHistory", [1, "latest", [50, 20]], { code: -32000, message: "invalid reward percentile: 20.000000" }],
  ["eth_getBalance", [NOBODY, "0xffffffff"], { code: -32000, message: "cannot query unfinalized data" }],
  ["eth_getBalance", [NOBODY, UNKNOWN], { code: -32000, message: "header for hash not found" }],
  ["eth_accounts", [], { code: -32601, message: "the method eth_accounts does not exist/is not available" }],
])("%s of %j is refused", async (method, params, expected) => {
  const { raw } = await client();
  expect(await raw(method, ...params)).toEqual(expected);
});

test("the new engine and the specification differ in what they refuse", async () => {
  const after = await client({ heliconTime: HELICON });
  expect(await after.raw("eth_getBalance", NOBODY, "0xffffffff")).toEqual({
    code: -32000,
    message: "block not found: not accepted yet: block 4294967295",
  });
  expect(await after.raw("eth_getBalance", NOBODY, UNKNOWN)).toEqual({
    code: -32000,
    message: `block not found: hash ${UNKNOWN}`,
  });
  const spec = await client({ dialect: "spec" });
  expect(await spec.raw("eth_accounts")).toEqual([]);
});

test("full transactions have the recorded keys and types", async () => {
  const recorded = recordingOf("custom-helicon-active").answers.find(
    ({ name }) => name === "evm.eth_getBlockByNumber.latest-full",
  );
  const { result } = JSON.parse(recorded?.response.body ?? "{}") as { readonly result: object };
  const made = await client({ heliconTime: HELICON });
  const { number } = await busyBlock(made);
  const block = await made.raw("eth_getBlockByNumber", `0x${number.toString(16)}`, true);
  expect(differences(shape(result), shape(block))).toEqual([]);
  const [transaction] = (block as { readonly transactions: readonly object[] }).transactions;
  const [real] = (result as { readonly transactions: readonly object[] }).transactions;
  expect(Object.keys(transaction ?? {})).toEqual(Object.keys(real ?? {}));
});
