import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { WaitingUtxos } from "../../../src/api/node/waiting-utxos.ts";
import type { TargetFacts } from "../../../src/api/endpoint.ts";
import { REFUSALS, notFound, rpcError, scriptedApi, unsupported, type Scripted } from "../../support/scripted-api.ts";
import { contextOf } from "../../support/topics.ts";

const ASSET = "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe";
const ASSET_HEX = "dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db";
const WALLET = "C-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u";
const KEY = `${WALLET} P`;

/** A UTXO with `amount` nAVAX or units of another asset. */
function utxo(index: number, amount: number, asset = ASSET_HEX, type = 7): string {
  const head = Buffer.alloc(38);
  head.writeUInt32BE(index, 34);
  const output = Buffer.alloc(12);
  output.writeUInt32BE(type);
  output.writeBigUInt64BE(BigInt(amount), 4);
  const payload = Buffer.concat([head, Buffer.from(asset, "hex"), output]);
  return `0x${payload.toString("hex")}${createHash("sha256").update(payload).digest("hex").slice(-8)}`;
}

type Page = { readonly startIndex?: { readonly utxo: string }; readonly limit: number };

/**
 * A page of `count` UTXOs of one AVAX each. Before Helicon a page begins with the last UTXO of the previous one; since Helicon the
 * cursor of the last page is the maximum.
 */
function page(count: number, { startIndex, limit }: Page, helicon: boolean) {
  const before = startIndex === undefined ? undefined : Number(startIndex.utxo);
  const from = before === undefined ? 0 : Math.min(count, helicon ? before + 1 : before);
  const utxos = Array.from({ length: Math.min(limit, count - from) }, (_, i) => utxo(from + i, 1_000_000_000));
  const last = from + utxos.length - 1;
  const end = helicon && from + utxos.length >= count ? 2 ** 40 : last;
  return { numFetched: String(utxos.length), utxos, endIndex: { address: WALLET, utxo: String(end) }, encoding: "hex" };
}

const facts: TargetFacts = contextOf();

/** Asks a server with `count` UTXOs; `pages` have the requests for them. */
async function ask(count: number, helicon = false) {
  const api = scriptedApi(({ name, params }) =>
    name === "platform.getStakingAssetID" ? { assetID: ASSET } : page(count, (params as readonly [Page])[0], helicon),
  );
  const found = await WaitingUtxos.ask(api, KEY, facts, undefined);
  return { ...found, pages: api.asked.filter(({ name }) => name === "ledger.getUTXOs").length };
}

describe("paging", () => {
  it.each([
    [0, 1],
    [1, 2],
    [1023, 2],
    [1024, 2],
    [1025, 3],
    [2048, 4],
    [2500, 4],
  ])("reads %i UTXOs in %i pages and counts each once, with a cursor beyond the end too", async (count, pages) => {
    const expected = { utxos: count, avax: count, truncated: false };
    expect(await ask(count)).toMatchObject({ ...expected, pages });
    expect(await ask(count, true)).toMatchObject(expected);
  });

  it("stops after ten pages with truncated set", async () => {
    expect(await ask(20_000, true)).toMatchObject({ utxos: 10_240, truncated: true, pages: 10 });
  });

  it("reads a server that gives fewer than it is asked for, up to ten pages", async () => {
    const server = (count: number) =>
      scriptedApi(({ name, params }) =>
        name === "platform.getStakingAssetID"
          ? { assetID: ASSET }
          : page(count, { ...(params as readonly [Page])[0], limit: 100 }, false),
      );
    const read = (count: number) => WaitingUtxos.ask(server(count), KEY, facts, undefined);
    expect(await read(250)).toMatchObject({ utxos: 250, avax: 250, truncated: false });
    expect(await read(2500)).toMatchObject({ truncated: true });
    expect(await WaitingUtxos.ask(server(1), KEY, facts, undefined)).toMatchObject({ utxos: 1, avax: 1 });
  });

  it("names the encoding that it reads", async () => {
    const api = scriptedApi(({ name, params }) =>
      name === "platform.getStakingAssetID" ? { assetID: ASSET } : page(0, (params as readonly [Page])[0], true),
    );
    await WaitingUtxos.ask(api, KEY, facts, undefined);
    expect(api.asked[0]?.params).toMatchObject([{ encoding: "hex" }]);
  });

  it("stops at a server that repeats its page", async () => {
    const utxos = Array.from({ length: 1024 }, (_, i) => utxo(i, 1));
    const api = scriptedApi(({ name }) =>
      name === "platform.getStakingAssetID"
        ? { assetID: ASSET }
        : { numFetched: 1024, utxos, endIndex: { address: WALLET, utxo: "x" } },
    );
    expect(await WaitingUtxos.ask(api, KEY, facts, undefined)).toMatchObject({ utxos: 1024, truncated: false });
    expect(api.asked.filter(({ name }) => name === "ledger.getUTXOs")).toHaveLength(2);
  });
});

/** Answers by method name; any other method is missing. */
const byName = (answers: Readonly<Record<string, unknown>>) => (request: Scripted) => {
  const found = answers[request.name];
  if (found === undefined) throw request.path === "/ext/bc/P" ? unsupported() : notFound();
  if (found instanceof Error) throw found;
  return found;
};
const one = (...utxos: readonly string[]) => ({ numFetched: utxos.length, utxos });

describe("the asset", () => {
  it("counts UTXOs of every asset and sums only AVAX", async () => {
    const utxos = one(utxo(0, 2_500_000_000), utxo(1, 9, "ab".repeat(32)));
    const api = scriptedApi(byName({ "ledger.getUTXOs": utxos, "platform.getStakingAssetID": { assetID: ASSET } }));
    expect(await WaitingUtxos.ask(api, KEY, facts, undefined)).toMatchObject({ utxos: 2, avax: 2.5 });
  });

  it("has a built-in ID on public networks if the P-Chain does not serve the method", async () => {
    const api = scriptedApi(byName({ "ledger.getUTXOs": one(utxo(0, 1_000_000_000)) }));
    expect(await WaitingUtxos.ask(api, KEY, facts, undefined)).toMatchObject({ utxos: 1, avax: 1 });
  });

  it("is unknown on other networks: the sum is undefined, or 0 without UTXOs", async () => {
    const elsewhere = contextOf({ network: "network-424242" });
    const waiting = scriptedApi(byName({ "ledger.getUTXOs": one(utxo(0, 1)) }));
    expect(await WaitingUtxos.ask(waiting, KEY, elsewhere, undefined)).toMatchObject({ utxos: 1, avax: undefined });
    const none = scriptedApi(byName({ "ledger.getUTXOs": one() }));
    expect(await WaitingUtxos.ask(none, KEY, elsewhere, undefined)).toMatchObject({ utxos: 0, avax: 0 });
  });

  it.each([
    ["ledger", []],
    ["avax", ["ledger.getUTXOs"]],
  ])("is requested once, and the dialect %s is found once", async (service, missing) => {
    const method = `${service}.getUTXOs`;
    const api = scriptedApi(byName({ [method]: one(), "platform.getStakingAssetID": { assetID: ASSET } }));
    const first = await WaitingUtxos.ask(api, KEY, facts, undefined);
    await WaitingUtxos.ask(api, KEY, facts, first);
    expect(api.asked.map(({ name }) => name)).toEqual([...missing, method, "platform.getStakingAssetID", method]);
  });

  it.each([
    [ASSET_HEX, undefined],
    ["ab".repeat(32), 1],
  ])("in an output of unknown type of the asset %s leaves the sum unknown where it is AVAX", async (asset, avax) => {
    const utxos = one(utxo(0, 1_000_000_000), utxo(1, 9, asset, 22));
    const api = scriptedApi(byName({ "ledger.getUTXOs": utxos, "platform.getStakingAssetID": { assetID: ASSET } }));
    const found = await WaitingUtxos.ask(api, KEY, facts, undefined);
    expect([found.utxos, found.avax, found.invalidRows]).toEqual([2, avax, undefined]);
  });

  it("counts a UTXO that cannot be decoded, and leaves the sum unknown", async () => {
    const answers = one(utxo(0, 1), "0x00");
    const api = scriptedApi(byName({ "ledger.getUTXOs": answers, "platform.getStakingAssetID": { assetID: ASSET } }));
    expect(await WaitingUtxos.ask(api, KEY, facts, undefined)).toMatchObject({
      utxos: 2,
      avax: undefined,
      invalidRows: { count: 1, problem: "utxos: not an encoded UTXO" },
    });
  });
});

describe("keys", () => {
  const wallet = (address: string) => ({ address, name: address, chains: [] });
  const keys = (network: string, ...addresses: readonly string[]) =>
    WaitingUtxos.keys({ ...contextOf({ network }), addresses: addresses.map(wallet) });

  it("are watched C- addresses by source chain, without those of another network", () => {
    expect(keys("local", WALLET, "P-local1x", "0x00")).toEqual([`${WALLET} P`, `${WALLET} X`]);
    expect(keys("fuji", WALLET, "C-fuji1x")).toEqual(["C-fuji1x P", "C-fuji1x X"]);
    expect(keys("my-own", WALLET)).toHaveLength(2);
  });
});

it("rejects with an error of the node", async () => {
  const api = scriptedApi(byName({ "ledger.getUTXOs": rpcError("no source chain provided") }));
  await expect(WaitingUtxos.ask(api, KEY, facts, undefined)).rejects.toThrow("no source chain provided");
  expect(api.asked.map(({ name }) => name)).toEqual(["ledger.getUTXOs", "avax.getUTXOs"]);
});

it.each(REFUSALS)("is read where the asset ID is refused as %s", async (_, refusal) => {
  const api = scriptedApi(
    byName({ "ledger.getUTXOs": one(utxo(0, 1_000_000_000)), "platform.getStakingAssetID": refusal() }),
  );
  expect(await WaitingUtxos.ask(api, KEY, facts, undefined)).toMatchObject({ utxos: 1, avax: 1 });
});
