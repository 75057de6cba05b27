import { createPublicClient, defineChain, http, webSocket } from "viem";
import { describe, expect, it } from "vitest";
import type { SimulatorOptions } from "../../../simulator/simulate.ts";
import { ask } from "../ask.ts";
import { run } from "../running.ts";

async function started(options: SimulatorOptions = {}) {
  const { url: urlOf, pass } = await run({ nodes: 2, ...options });
  const url = urlOf(1);
  const rpc = async (method: string, ...params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await ask(url, { method: "POST", path: "/ext/bc/C/rpc", body });
    return { ...answer, json: JSON.parse(answer.body) as unknown };
  };
  return { url, rpc, pass };
}

it("the differences before and after Helicon are a block beyond the head, the proof window, the pool and the client", async () => {
  const before = await started({ version: "1.14.2" });
  const after = await started();
  const answersOf = async ({ rpc }: typeof before) => ({
    beyond: (await rpc("eth_getBlockByNumber", "0xffffffff", false)).json,
    proof: (await rpc("eth_getProof", `0x${"0".repeat(40)}`, [], "0x1")).body.includes("not allowed"),
    pool: (await rpc("txpool_status")).body.includes("pending"),
    client: ((await rpc("web3_clientVersion")).json as { result: string }).result.split("/")[0],
  });
  expect(await answersOf(before)).toMatchObject({
    beyond: { error: { code: -32000, message: "cannot query unfinalized data" } },
    proof: true,
    pool: false,
    client: "v1.14.2",
  });
  expect(await answersOf(after)).toMatchObject({
    beyond: { result: null },
    proof: false,
    pool: true,
    client: "avalanchego",
  });
});

it("receipts have what a block's transactions used, and since Helicon headers have the limits", async () => {
  type Block = { readonly number: string; readonly gasUsed: string; readonly baseFeePerGas: string };
  type Receipt = { readonly gasUsed: string; readonly effectiveGasPrice: string };
  const read = async (heliconTime: number) => {
    const { rpc } = await started({ heliconTime });
    const result = async <A>(method: string, ...params: readonly unknown[]) =>
      ((await rpc(method, ...params)).json as { readonly result: A }).result;
    const { number, gasUsed, baseFeePerGas } = await result<Block>("eth_getBlockByNumber", "0x1a5cf3", false);
    const receipts = await result<readonly Receipt[]>("eth_getBlockReceipts", number);
    const used = receipts.reduce((sum, receipt) => sum + Number(receipt.gasUsed), 0);
    const price = Number(receipts[0]?.effectiveGasPrice) - 1e9;
    return { gas: Number(gasUsed) / used, price: Number(baseFeePerGas) / price, count: receipts.length };
  };
  expect(await read(253_399_622_400)).toEqual({ gas: 1, price: 1, count: 5 });
  expect(await read(1)).toEqual({ gas: 2, price: 1.25, count: 5 });
});

describe("viem", () => {
  const chainOf = (url: string) =>
    defineChain({
      id: 43_112,
      name: "simulated C-Chain",
      nativeCurrency: { name: "Avalanche", symbol: "AVAX", decimals: 18 },
      rpcUrls: { default: { http: [`${url}/ext/bc/C/rpc`] } },
    });

  it("reads the chain over HTTP, in batches", async () => {
    const { url } = await started();
    const transport = http(`${url}/ext/bc/C/rpc`, { batch: true, retryCount: 0 });
    const client = createPublicClient({ chain: chainOf(url), transport });
    const [id, height, block, balance] = await Promise.all([
      client.getChainId(),
      client.getBlockNumber(),
      client.getBlock({ blockTag: "latest" }),
      client.getBalance({ address: "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC" }),
    ]);
    expect(id).toBe(43_112);
    expect(block.number).toBe(height);
    const parent = await client.getBlock({ blockNumber: height - 1n });
    expect(block.parentHash).toBe(parent.hash);
    expect(Number(block.timestamp - parent.timestamp)).toBe(2);
    expect(Number(block.gasUsed)).toBe(42_000 * block.transactions.length);
    expect(balance).toBeGreaterThan(10n ** 19n);
  });

  it("receives new heads over a WebSocket", async () => {
    const { url, pass } = await started();
    const transport = webSocket(`${url.replace("http", "ws")}/ext/bc/C/ws`, { retryCount: 0, reconnect: false });
    const client = createPublicClient({ chain: chainOf(url), transport });
    const height = await client.getBlockNumber();
    const { promise: heads, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const numbers: string[] = [];
    const { unsubscribe } = await client.transport.subscribe({
      params: ["newHeads"],
      onData: ({ result }: { readonly result?: unknown }) => {
        numbers.push((result as { readonly number: string }).number);
        if (numbers.length === 3) resolve(numbers);
      },
      onError: reject,
    });
    pass(6);
    expect((await heads).map(BigInt)).toEqual([height + 1n, height + 2n, height + 3n]);
    await unsubscribe();
    (await client.transport.getRpcClient()).close();
  });
});
