import { Avalanche } from "@avalanche-sdk/chainkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { METRICS } from "../../src/simulator/hosted-series.ts";
import { simulateHosted, type SimulatedHosted } from "../../src/simulator/hosted.ts";
import { ACCOUNT, NODE, WALLET } from "../support/hosted.ts";

/** The service's own public client reads every answer of the real dialect: it validates each of them against its schemas. */

let hosted: SimulatedHosted;
let client: Avalanche;
const options = () => ({ serverURL: hosted.metricsUrl, retries: { strategy: "none" as const } });
const dataOptions = () => ({ serverURL: hosted.dataUrl, retries: { strategy: "none" as const } });
const on = { chainId: "43114", address: ACCOUNT };

beforeAll(async () => {
  hosted = await simulateHosted({ key: "k-123", now: () => 1_800_000_000_000 });
  client = new Avalanche({
    apiKey: "k-123",
    chainId: "43114",
    network: "mainnet",
    serverURL: hosted.dataUrl,
    enableTelemetry: false,
  });
});
afterAll(() => hosted.close());

/** Results of the first pages, which the client follows by their tokens. */
async function firstPages<R>(pages: AsyncIterable<{ readonly result: R }>, most = 3): Promise<R[]> {
  const found: R[] = [];
  for await (const { result } of pages) {
    found.push(result);
    if (found.length === most) break;
  }
  return found;
}

describe("the service's own client reads", () => {
  it("chains", async () => {
    const { chains } = await client.data.evm.chains.list({}, dataOptions());
    expect(chains.length).toBeGreaterThan(20);
    const chain = await client.data.evm.chains.get({ chainId: "43114" }, dataOptions());
    expect([chain.chainId, chain.status]).toEqual(["43114", "OK"]);
  });

  it("validators of every status", async () => {
    const pages = await client.data.primaryNetwork.getValidatorDetails({ nodeId: NODE, pageSize: 2 }, dataOptions());
    const found = (await firstPages(pages)).flatMap(({ validators }) => validators);
    expect(found.map(({ validationStatus }) => validationStatus)).toEqual([
      "pending",
      "active",
      "completed",
      "completed",
      "removed",
    ]);
  });

  it("blocks, rewards and outputs", async () => {
    const { primaryNetwork } = client.data;
    const blocks = await primaryNetwork.blocks.listByNodeId({ blockchainId: "p-chain", nodeId: NODE }, dataOptions());
    expect((await firstPages(blocks)).flatMap((page) => page.blocks)).toHaveLength(30);
    const rewards = await primaryNetwork.rewards.listHistoricalRewards({ nodeIds: NODE }, dataOptions());
    expect((await firstPages(rewards)).flatMap(({ historicalRewards }) => historicalRewards)).toHaveLength(6);
    const pending = await primaryNetwork.rewards.listPendingRewards({ addresses: WALLET }, dataOptions());
    expect((await firstPages(pending)).flatMap(({ pendingRewards }) => pendingRewards)).toHaveLength(2);
    for (const [blockchainId, count] of [
      ["p-chain", 14],
      ["x-chain", 14],
      ["c-chain", 13],
    ] as const) {
      const utxos = await primaryNetwork.utxos.listByAddresses({ blockchainId, addresses: WALLET }, dataOptions());
      expect(
        (await firstPages(utxos)).flatMap((page) => page.utxos as unknown[]),
        blockchainId,
      ).toHaveLength(count);
    }
  });

  it("what an account did and holds", async () => {
    const { transactions, balances } = client.data.evm.address;
    expect(
      (await firstPages(await transactions.list(on, dataOptions()))).flatMap((page) => page.transactions),
    ).toHaveLength(30);
    expect(
      (await firstPages(await transactions.listErc20(on, dataOptions()))).flatMap((page) => page.transactions),
    ).toHaveLength(30);
    expect(
      (await firstPages(await transactions.listErc721(on, dataOptions()))).flatMap((page) => page.transactions),
    ).toHaveLength(30);
    expect(
      (await firstPages(await transactions.listErc1155(on, dataOptions()))).flatMap((page) => page.transactions),
    ).toHaveLength(30);
    const [first] = await firstPages(await balances.listErc721(on, dataOptions()));
    expect(first?.erc721TokenBalances).toHaveLength(10);
  });

  it("contracts, collections and tokens of both standards", async () => {
    const made = await client.data.evm.contracts.getDeploymentTransaction(on, dataOptions());
    expect(made.nativeTransaction.gasUsed).toBe("2000000");
    for (const address of [ACCOUNT, `${ACCOUNT.slice(0, -1)}3`]) {
      const pages = await firstPages(await client.data.nfts.list({ chainId: "43114", address }, dataOptions()));
      expect(pages.flatMap(({ tokens }) => tokens)).toHaveLength(30);
      const token = await client.data.nfts.get({ chainId: "43114", address, tokenId: "1" }, dataOptions());
      expect(token.tokenId).toBe("1");
    }
  });

  it.each(METRICS)("the metric %s", async (metric) => {
    const pages = await client.metrics.chains.getMetrics(
      { chainId: "43114", metric: metric, pageSize: 5, timeInterval: "day" },
      options(),
    );
    const results = (await firstPages(pages, 1)).flatMap((page) => page.results);
    expect(results).toHaveLength(5);
    expect(results[0]?.timestamp).toBe(1_799_971_200);
  });

  it("and a key is needed where there is one", async () => {
    const stranger = new Avalanche({ serverURL: hosted.dataUrl, enableTelemetry: false });
    await expect(stranger.data.evm.chains.get({ chainId: "43114" }, dataOptions())).rejects.toMatchObject({
      statusCode: 401,
    });
  });
});
