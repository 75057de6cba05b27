import { describe, expect, it } from "vitest";
import type { Waiting } from "../../../src/api/node/waiting-utxos.ts";
import { PlatformBalances } from "../../../src/api/node/platform-balances.ts";
import { CurrentSupply } from "../../../src/api/node/platform-state.ts";
import type { VmConfig } from "../../../src/api/node/admin.ts";
import { evmConfig, evmConfigChanges } from "../../../src/topics/evm/evm-config.ts";
import { evmWallets } from "../../../src/topics/wallets/evm-wallets.ts";
import { platformBalance } from "../../../src/topics/wallets/platform-balance.ts";
import { chainStatus, subnetChains } from "../../../src/topics/network/subnet-chains.ts";
import { waitingUtxos } from "../../../src/topics/wallets/waiting-utxos.ts";
import { watchedAddresses } from "../../../src/topics/wallets/watched-addresses.ts";
import { L1ONE, S1, SUBNETS } from "../../support/local-network.ts";
import { rpcError, scriptedApi } from "../../support/scripted-api.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

const WALLET = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u";
const context = {
  ...contextOf({ subnets: SUBNETS }),
  addresses: [{ address: WALLET, name: "treasury", low: 5, chains: [] }],
};

describe("supply", () => {
  it("may be missing for a subnet, and is an error on the Primary Network", async () => {
    const api = scriptedApi(() => {
      throw rpcError("fetching current supply failed: not found");
    });
    expect(await CurrentSupply.ask(api, S1, context, undefined)).toEqual({ supply: undefined });
    await expect(CurrentSupply.ask(api, "primary", context, undefined)).rejects.toThrow("not found");
    expect(api.asked.map(({ params }) => params)).toEqual([{ subnetID: S1 }, {}]);
  });
});

describe("blockchains", () => {
  it("have bounded names and numbers", () => {
    const many = Array.from({ length: 100 }, (_, i) => ({
      id: `id${i}`,
      name: `${"a\n\u202e\t".repeat(50)}${i}`,
      subnetID: S1,
      vmID: "v".repeat(500),
    }));
    const samples = readTopic(subnetChains, { answer: { total: 100, blockchains: many } }, context);
    const infos = Object.keys(only(samples, "_info"));
    expect(infos).toHaveLength(20);
    for (const info of infos) {
      expect(info.length).toBeLessThan(320);
      expect(info).not.toMatch(/\\n|\\t|\u202e/);
    }
    expect(samples.get(`avax_subnet_blockchains{subnet="${S1}"}`)).toBe(100);
  });

  it("exports an unknown status as such", () => {
    const samples = readTopic(chainStatus, { statuses: new Map([["C", { status: "Dreaming" }]]) }, context);
    expect(samples.get('avax_chain_state{chain="C",subnet="primary",state="unknown_state"}')).toBe(1);
  });
});

describe("wallets", () => {
  const read = async (balance: unknown) => {
    const api = scriptedApi(({ name }) => (name === "platform.getBalance" ? balance : { assetID: "a" }));
    const answer = await PlatformBalances.ask(api, WALLET, context, undefined);
    return readTopic(platformBalance, { balances: new Map([[WALLET, answer]]) }, context);
  };

  it("may be empty, with null for the list of UTXOs", async () => {
    const none = { unlockeds: {}, lockedStakeables: {}, lockedNotStakeables: {}, utxoIDs: null };
    const totals = { unlocked: "0", lockedStakeable: "0", lockedNotStakeable: "0" };
    expect([...(await read({ ...none, ...totals })).values()]).toEqual([0, 0, 0, 5, 0]);
    expect([...(await read(none)).values()]).toEqual([0, 0, 0, 5, 0]);
  });

  it("are those of AVAX where the totals are missing, as the specification allows", async () => {
    const samples = await read({
      unlockeds: { a: "7500000000", b: "1" },
      lockedStakeables: { b: 5 },
      lockedNotStakeables: null,
      utxoIDs: null,
    });
    expect(samples.get('avax_wallet_platform_balance_avax{wallet="treasury",state="unlocked"}')).toBe(7.5);
    expect(samples.get('avax_wallet_platform_balance_avax{wallet="treasury",state="locked_stakeable"}')).toBe(0);
    expect(samples.get('avax_wallet_platform_balance_avax{wallet="treasury",state="locked"}')).toBe(0);
  });

  it.each([
    ["less than the limit", "3500000000", 1.5],
    ["as much as the limit", "5000000000", 0],
    ["more than the limit, most of it locked", "6000000000", 0],
  ])("have a shortfall: %s", async (_which, unlocked, shortfall) => {
    const none = { unlockeds: {}, lockedStakeables: {}, lockedNotStakeables: {}, utxoIDs: null };
    const samples = await read({ ...none, unlocked, lockedStakeable: "0", lockedNotStakeable: "900000000000" });
    expect(samples.get('avax_wallet_platform_shortfall_avax{wallet="treasury"}')).toBe(shortfall);
  });

  it("have a shortfall on each EVM chain, none without a limit, and an unknown one without a balance", () => {
    const addresses = [
      { address: "0x01", name: "relayer", low: 2, chains: ["C"] },
      { address: "0x02", name: "rich", low: 2, chains: ["C"] },
      { address: "0x03", name: "free", chains: ["C"] },
      { address: "0x04", name: "silent", low: 2, chains: ["C"] },
    ];
    const COIN = 10n ** 18n;
    const coins = new Map([
      ["0x01", COIN / 2n],
      ["0x02", 3n * COIN],
      ["0x03", 0n],
    ] as const);
    const samples = readTopic(evmWallets, { balances: new Map([["C", coins]]) }, { ...context, addresses });
    expect(only(samples, "shortfall")).toEqual({
      'avax_wallet_evm_shortfall_avax{chain="C",wallet="relayer"}': 1.5,
      'avax_wallet_evm_shortfall_avax{chain="C",wallet="rich"}': 0,
    });
  });

  it("have the limits of the configuration", () => {
    const addresses = [...context.addresses, { address: "0x00", name: "other", chains: [] }];
    expect([...readTopic(watchedAddresses, {}, { ...context, addresses })]).toEqual([
      ['avax_wallet_low_balance_avax{wallet="treasury"}', 5],
    ]);
  });
});

describe("the limits of wallets", () => {
  it("have the network of the address, where its prefix determines it", () => {
    const wallets = [
      { address: "P-avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae", name: "of mainnet", low: 5, chains: [] },
      { address: "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t", name: "of fuji", low: 4, chains: [] },
      { address: "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC", name: "of any", low: 3, chains: ["C"] },
    ];
    const namesOn = (network: string) =>
      [...readTopic(watchedAddresses, {}, { ...contextOf({ network }), addresses: wallets }).keys()].map(
        (name) => /wallet="([^"]*)"/.exec(name)?.[1],
      );
    expect(namesOn("mainnet")).toEqual(["of mainnet", "of any"]);
    expect(namesOn("fuji")).toEqual(["of fuji", "of any"]);
    // An unknown network may have any of them.
    expect(namesOn("my-network")).toHaveLength(3);
  });
});

describe("UTXOs", () => {
  const waiting: Waiting = {
    dialect: "spec",
    address: WALLET,
    source: "X",
    utxos: 2,
    avax: undefined,
    truncated: true,
    asset: undefined,
  };

  it.each([undefined, 7])("are exported by wallet and source, without a sum while it is unknown", (avax) => {
    const samples = readTopic(waitingUtxos, { waiting: new Map([["k", { ...waiting, avax }]]) }, context);
    expect(Object.fromEntries(samples)).toEqual({
      'avax_wallet_import_utxos{wallet="treasury",source_chain="X"}': 2,
      'avax_wallet_import_utxos_truncated{wallet="treasury",source_chain="X"}': 1,
    });
  });
});

describe("the EVM configuration", () => {
  const config = (hash: string): VmConfig => ({
    dialect: "spec",
    hash,
    pruning: true,
    stateSync: undefined,
    logLevel: "info",
    apis: ["eth", "net"],
  });
  const data = (c: string, l1 = "x") => ({
    configs: new Map([
      ["C", config(c)],
      [L1ONE, config(l1)],
    ]),
  });

  it("counts its changes by chain", () => {
    let state: unknown;
    for (const each of [data("a"), data("a"), data("b"), data("a", "y")])
      state = nextState(evmConfigChanges, each, context, state);
    const changes = readTopic(evmConfigChanges, data("a", "y"), context, state);
    expect(only(changes, "changes")).toEqual({
      'avax_evm_config_changes_total{chain="C"}': 2,
      'avax_evm_config_changes_total{chain="l1one"}': 1,
    });
    expect(
      readTopic(evmConfig, data("a", "y"), context).get(
        'avax_evm_config_info{chain="C",hash="a",pruning="true",state_sync="",log_level="info",apis="eth,net"}',
      ),
    ).toBe(1);
  });
});
