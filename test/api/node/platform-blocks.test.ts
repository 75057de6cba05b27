import { describe, expect, it } from "vitest";
import type { Api } from "../../../src/api/endpoint.ts";
import { LOOKBACK_BLOCKS, MAX_BLOCKS, PlatformBlocks, type BlockRun } from "../../../src/api/node/platform-blocks.ts";
import { contextOf } from "../../support/topics.ts";
import { REFUSALS, notFound, rpcError, scriptedApi, unsupported, type Scripted } from "../../support/scripted-api.ts";

/** Unix seconds of the height 0. */
const BEGAN = 1_700_000_000;

/** A chain with a block each second; every tenth block is a commit, which is the same as an abort in JSON. */
type Server = {
  head: number;
  readonly getHeight?: boolean;
  /** The name of the check of the P-Chain; without one, there is no health API. */
  readonly check?: string | undefined;
  readonly json?: "served" | "refused" | "ignored";
  /** Heights that the server lacks. */
  readonly missing?: readonly number[];
};

function hexOf(height: number): string {
  const bytes = Buffer.alloc(62);
  bytes.writeUInt32BE(height % 10 === 0 ? 0x1f : 0x20, 2);
  bytes.writeBigUInt64BE(BigInt(BEGAN + height), 6);
  return `0x${bytes.toString("hex")}`;
}

const AVAX = "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe";

function answerOf(server: Server, { name, params }: Scripted): unknown {
  if (name === "platform.getStakingAssetID") return { assetID: AVAX };
  if (name === "platform.getHeight") {
    if (server.getHeight === false) throw unsupported();
    return { height: String(server.head) };
  }
  if (name.includes("health")) {
    const consensus = { lastAcceptedHeight: server.head };
    const { check = "P" } = server;
    if (check === "") throw notFound();
    return { healthy: true, checks: { [check]: { message: { engine: { consensus } } } } };
  }
  const { height, encoding } = params as { readonly height: number; readonly encoding: string };
  if (height > server.head || server.missing?.includes(height) === true)
    throw rpcError(`couldn't get block at height ${height}: not found`);
  if (encoding === "json" && server.json === "refused") throw rpcError("unsupported encoding in method");
  if (encoding === "hex" || server.json === "ignored") return { block: hexOf(height), encoding: "hex" };
  const txs = height % 10 === 0 ? {} : { txs: [{ unsignedTx: { txID: "x" } }] };
  return { block: { height, time: BEGAN + height, ...txs }, encoding };
}

const facts = contextOf();
const follow = (api: Api, previous?: BlockRun): Promise<BlockRun> => PlatformBlocks.ask(api, "", facts, previous);
const heights = ({ blocks }: BlockRun): readonly number[] => blocks.map(({ height }) => height);

/** A server with an `Api` that counts requests. */
function serving(server: Server) {
  const api = scriptedApi((request) => answerOf(server, request));
  return { server, api, count: () => api.asked.length };
}

it("starts over with the third poll after a lie about a higher head, and not for a reference node that is behind", async () => {
  const { server, api } = serving({ head: 100 });
  const ask = (now: number, previous?: BlockRun) => follow({ ...api, now: () => BEGAN + now }, previous);
  for (const [late, expected] of [
    [0, [false, false, true]],
    [60, [false, false, false]],
  ] as const) {
    server.head = 140;
    let last = await ask(100 + late);
    const over: boolean[] = [];
    for (server.head of [101, 102, 103]) {
      last = await ask(server.head, last);
      over.push(last.startsOver === true);
    }
    expect(over).toEqual(expected);
  }
});

describe("PlatformBlocks", () => {
  it("starts a few blocks before the head, or at block 0, and continues after its previous answer", async () => {
    const { server, api } = serving({ head: 100 });
    const first = await follow(api);
    expect(heights(first)).toEqual(Array.from({ length: LOOKBACK_BLOCKS + 1 }, (_, i) => 90 + i));
    expect(first).toMatchObject({ from: 90, to: 100, time: BEGAN + 100, head: "rpc", encoding: "json" });
    server.head = 103;
    const second = await follow(api, first);
    expect(heights(second)).toEqual([101, 102, 103]);
    expect(heights(await follow(serving({ head: 2 }).api))).toEqual([0, 1, 2]);
  });

  it("requests only the height without new blocks", async () => {
    const { api, count } = serving({ head: 100 });
    const first = await follow(api);
    const before = count();
    expect(await follow(api, first)).toEqual({ ...first, from: 101, blocks: [] });
    expect(count() - before).toBe(1);
  });

  it("distinguishes commit and abort with one more request", async () => {
    const { server, api, count } = serving({ head: 108 });
    const first = await follow(api);
    server.head = 110;
    const before = count();
    const { blocks } = await follow(api, first);
    expect(blocks.map(({ kind, transactions }) => [kind, transactions])).toEqual([
      ["standard", ["reward_validator"]],
      ["commit", []],
    ]);
    expect(count() - before).toBe(1 + 2 + 1);
  });

  it("skips blocks above the limit", async () => {
    const { server, api, count } = serving({ head: 100 });
    const first = await follow(api);
    server.head = 1000;
    const before = count();
    const run = await follow(api, first);
    expect([run.from, run.to, run.blocks.length]).toEqual([951, 1000, MAX_BLOCKS]);
    expect(count() - before).toBeLessThanOrEqual(1 + MAX_BLOCKS * 1.1);
  });

  it("stops at a missing block and requests it again", async () => {
    const first = await follow(serving({ head: 100 }).api);
    const run = await follow(serving({ head: 105, missing: [103, 104] }).api, first);
    expect([heights(run), run.to, run.time]).toEqual([[101, 102], 102, BEGAN + 102]);
    const none = await follow(serving({ head: 105, missing: [103] }).api, run);
    expect([none.from, none.to, none.blocks, none.time]).toEqual([103, 102, [], BEGAN + 102]);
    expect(heights(await follow(serving({ head: 105 }).api, none))).toEqual([103, 104, 105]);
  });

  it("reports a lower head", async () => {
    const first = await follow(serving({ head: 100 }).api);
    expect(await follow(serving({ head: 40 }).api, first)).toMatchObject({ from: 40, to: 40, time: BEGAN + 40 });
  });

  it.each([
    ["the health report", "P", "health", 2],
    ["a report with the ID of the chain", "11111111111111111111111111111111LpoYY", "health", 2],
    ["the blocks themselves without one", "", "search", 1],
    ["the blocks themselves without its check", "other", "search", 1],
  ])("reads the height from %s if there is no other source, and keeps that source", async (_, check, head, reports) => {
    const { server, api } = serving({ head: 10_000, getHeight: false, check });
    const first = await follow(api);
    expect(first).toMatchObject({ head, to: 10_000 });
    server.head = 10_003;
    const second = await follow(api, first);
    expect(heights(second)).toEqual([10_001, 10_002, 10_003]);
    expect(api.asked.filter(({ name }) => name === "platform.getHeight")).toHaveLength(1);
    expect(api.asked.filter(({ name }) => name === "GET /ext/health")).toHaveLength(reports);
    server.head = 40;
    expect(await follow(api, second)).toMatchObject({ from: 40, to: 40 });
  });

  it.each(REFUSALS)("reads the blocks where the height and the health report are refused as %s", async (_, refusal) => {
    const refusing = scriptedApi((request) => {
      if (request.name !== "platform.getBlockByHeight") throw refusal();
      return answerOf({ head: 10_000 }, request);
    });
    expect(await follow(refusing)).toMatchObject({ head: "search", to: 10_000 });
  });

  it.each(["refused", "ignored"] as const)("reads hex if JSON is %s, and keeps that encoding", async (json) => {
    const { server, api } = serving({ head: 100, json });
    const first = await follow(api);
    expect(first).toMatchObject({ encoding: "hex", time: BEGAN + 100 });
    server.head = 101;
    const run = await follow(api, first);
    expect(run.blocks).toEqual([{ height: 101, kind: "standard", time: BEGAN + 101, transactions: [] }]);
    const jsonAsked = api.asked.filter(({ params }) => (params as { encoding?: string }).encoding === "json");
    expect(jsonAsked).toHaveLength(1);
  });

  it("fails without a height", async () => {
    const api = scriptedApi(({ name }) => {
      if (name === "platform.getHeight") throw rpcError("chain is in a bad mood");
      return {};
    });
    await expect(follow(api)).rejects.toThrow("bad mood");
  });
});
