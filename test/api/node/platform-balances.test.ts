import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { PlatformBalances } from "../../../src/api/node/platform-balances.ts";
import type { ScenarioName } from "../../../simulator/world/scenarios.ts";
import { recordedApi } from "../../support/recorded-api.ts";
import { recordingOf } from "../../support/recordings.ts";
import { scriptedApi, unsupported } from "../../support/scripted-api.ts";
import { contextOf } from "../../support/topics.ts";
import { clientOf } from "../../support/clients.ts";
import { run } from "../../simulator/running.ts";

const facts = contextOf();
const ADDRESS = "P-custom18jma8ppw3nhx5r4ap8clazz0dps7rv5u9xde7p";
const ASSET = "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z";
const ASSET_HEX = "21e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff";
const DATE = "Thu, 26 Nov 2026 20:52:05 GMT";
const NOW = Date.parse(DATE) / 1000;

/** A UTXO with an output of this type, by the codec. */
function utxo(index: number, ...output: ReadonlyArray<readonly [bytes: 4 | 8, value: number]>): string {
  const head = Buffer.alloc(38);
  head.writeUInt32BE(index, 34);
  const fields = output.map(([bytes, value]) => Buffer.from(value.toString(16).padStart(2 * bytes, "0"), "hex"));
  const payload = Buffer.concat([head, Buffer.from(ASSET_HEX, "hex"), ...fields, Buffer.alloc(28)]);
  return `0x${payload.toString("hex")}${createHash("sha256").update(payload).digest("hex").slice(56)}`;
}
const transfer = (avax: number, until = 0) =>
  [
    [4, 7],
    [8, avax * 1e9],
    [8, until],
  ] as const;

const asked = async (utxos: readonly string[], date: string | undefined = DATE) => {
  const api = scriptedApi(({ name }) => {
    if (name === "platform.getBalance") throw unsupported();
    return name === "platform.getUTXOs" ? { numFetched: String(utxos.length), utxos, date } : { assetID: ASSET };
  });
  const balance = await PlatformBalances.ask(api, ADDRESS, facts, undefined);
  return { api, balance };
};

describe("the balance of a P-Chain address", () => {
  it("is what the node adds up", async () => {
    const balance = await PlatformBalances.ask(
      recordedApi("head-auto-renewed-second-cycle"),
      ADDRESS,
      facts,
      undefined,
    );
    expect(balance).toEqual({
      ...{ unlocked: 29_496_491.843_379_98, lockedStakeable: 0, lockedNotStakeable: 0 },
      ...{ utxos: 10, isSummed: false },
    });
  });

  it("is added up from the UTXOs by a release without the method", async () => {
    const { api, balance } = await asked([
      utxo(0, ...transfer(1)),
      utxo(1, ...transfer(2, NOW - 1)),
      utxo(2, ...transfer(4, NOW + 60)),
      utxo(3, [4, 22], [8, NOW + 60], ...transfer(8)),
      utxo(4, [4, 22], [8, NOW - 60], ...transfer(16)),
      utxo(5, [4, 22], [8, NOW + 60], ...transfer(32, NOW + 60)),
    ]);
    expect(balance).toEqual({
      ...{ unlocked: 19, lockedStakeable: 8, lockedNotStakeable: 36 },
      ...{ utxos: 6, isSummed: true },
    });
    const before = api.asked.length;
    await PlatformBalances.ask(api, ADDRESS, facts, balance);
    expect(api.asked.slice(before).map(({ name }) => name)).not.toContain("platform.getBalance");
    // Another release is asked for the method again.
    await PlatformBalances.ask(api, ADDRESS, facts, PlatformBalances.afresh?.(balance));
    expect(api.asked.filter(({ name }) => name === "platform.getBalance")).toHaveLength(2);
  });

  it("is unknown where a UTXO cannot be read, and where a lock has no clock to compare", async () => {
    const unknown = { unlocked: undefined, lockedStakeable: undefined, lockedNotStakeable: undefined };
    const { balance: unread } = await asked([utxo(0, ...transfer(1)), utxo(1, [4, 99], [8, 1])]);
    expect(unread).toMatchObject({ ...unknown, utxos: 2 });
    const { balance: timeless } = await asked([utxo(0, ...transfer(1, NOW))], "");
    expect(timeless).toMatchObject({ ...unknown, utxos: 1 });
    const { balance: empty } = await asked([], "");
    expect(empty).toMatchObject({ unlocked: 0, utxos: 0 });
  });

  it("is no ticket where the node has neither method", async () => {
    const api = scriptedApi(() => {
      throw unsupported();
    });
    await expect(PlatformBalances.ask(api, ADDRESS, facts, undefined)).rejects.toMatchObject({
      failure: { reason: "unsupported" },
    });
    expect(PlatformBalances.optional).toBe(true);
    expect(recordingOf("head-auto-renewed-second-cycle").ids["P_ADDRESS"]).toBe(ADDRESS);
  });
});

describe("in the simulated network", () => {
  const balanceOf = async (...scenario: readonly ScenarioName[]) => {
    const { simulation, url } = await run({ scenario: scenario.map((name) => ({ node: 1, name })) });
    const asked = clientOf(url(1)).within(5, (api) =>
      PlatformBalances.ask(api, simulation.wallets[0]?.p ?? "", facts, undefined),
    );
    const { asset: _asset, ...balance } = await asked;
    return { ...balance, methods: simulation.requests().map(({ rpc }) => rpc) };
  };
  const known = { lockedStakeable: 0, lockedNotStakeable: 0, utxos: 1 };

  it("a release without the method has the same balance as one with it", async () => {
    const held = { ...known, unlocked: 29_993_773.699_611_574 };
    const [before, after] = [await balanceOf("healthy"), await balanceOf("next-release")];
    expect(before).toMatchObject({ ...held, isSummed: false });
    expect(after).toMatchObject({ ...held, isSummed: true });
    expect(after.methods).toContain("platform.getUTXOs");
    expect(await balanceOf("next-release", "wallet-dry")).toMatchObject({ ...known, unlocked: 0.05, isSummed: true });
  });
});
