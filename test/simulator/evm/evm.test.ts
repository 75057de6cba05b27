import { createPublicClient, defineChain, http, webSocket } from "viem";
import { describe, expect, it } from "vitest";
import type { SimulatorOptions } from "../../../simulator/simulate.ts";
import { ask } from "../ask.ts";
import { run } from "../running.ts";
import { recordingOf } from "../../support/recordings.ts";
import { differences, shape } from "../shape.ts";

const past = Date.parse("2026-11-21T11:58:00Z") / 1000;
const custom = { id: 424242, name: "network-424242" };
async function started(options: SimulatorOptions = {}) {
  const { simulation, url: urlOf, pass } = await run({ nodes: 2, ...options });
  const url = urlOf(1);
  const post = async (path: string, body: unknown) => {
    const answer = await ask(url, { method: "POST", path, body: JSON.stringify(body) });
    return { ...answer, json: answer.body.startsWith("4") ? undefined : (JSON.parse(answer.body) as unknown) };
  };
  const rpc = (method: string, ...params: readonly unknown[]) =>
    post("/ext/bc/C/rpc", { jsonrpc: "2.0", id: 1, method, params });
  return { simulation, url, post, rpc, pass };
}

describe("the shapes of recorded answers", () => {
  const cases: ReadonlyArray<readonly [string, SimulatorOptions]> = [
    ["local-healthy-validator", {}],
    ["local-1.14.2-just-restarted", { version: "1.14.2" }],
    ["custom-helicon-active", { network: custom, heliconTime: past }],
  ];
  /** Methods that the exporter does not use, or whose answers depend on the history of the recorded network. */
  const skipped =
    /suggestPrice|feeHistory|AssetBalance|ActiveRules|debug|personal|content|get$|batch$|latest-full|l1one.eth_getBlock|perm1.eth_getBlock/;

  it.each(cases)("equal those of simulated answers: %s", async (name, options) => {
    const { post, simulation, url } = await started(options);
    const { ids, answers } = recordingOf(name);
    const [first, second] = simulation.subnets;
    const wrong: string[] = [];
    let compared = 0;
    for (const recorded of answers.filter((answer) => answer.name.startsWith("evm.") && !skipped.test(answer.name))) {
      const path = recorded.request.path
        .replace(ids["S1_CHAIN"] ?? "-", first?.chainId ?? "")
        .replace(ids["S2_CHAIN"] ?? "-", second?.chainId ?? "");
      const simulated = await ask(url, { ...recorded.request, path });
      compared += 1;
      expect(`${recorded.name} ${simulated.status}`).toBe(`${recorded.name} ${recorded.response.status}`);
      if (!/^[[{]/.test(recorded.response.body)) continue;
      const [real, own] = [JSON.parse(recorded.response.body), JSON.parse(simulated.body)] as [object, object];
      // Before Helicon the pool API depends on the configuration.
      if (/txpool/.test(recorded.name) && "error" in real !== "error" in own) continue;
      // Proofs and blocks at height 1 depend on the length of the chain.
      if (/0x1$|0xffffff$/.test(recorded.name) && "error" in real !== "error" in own) continue;
      wrong.push(...differences(shape(real), shape(own)).map((line) => `${recorded.name} ${line}`));
    }
    expect(wrong.filter((line) => !/transactions\[\]|adminAddresses\[\]|accountProof/.test(line))).toEqual([]);
    expect(compared).toBeGreaterThan(15);
    expect((await post("/ext/bc/C/rpc", [])).json).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "empty batch" },
    });
  });
});

it("the differences before and after Helicon are a block beyond the head, the proof window, the pool and the client", async () => {
  const before = await started({ heliconTime: 253_399_622_400 });
  const after = await started({ heliconTime: past });
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
    client: "v1.15.0",
  });
  expect(await answersOf(after)).toMatchObject({
    beyond: { result: null },
    proof: false,
    pool: true,
    client: "avalanchego",
  });
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
    expect(Number(block.gasUsed)).toBe(21_000 * block.transactions.length);
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
