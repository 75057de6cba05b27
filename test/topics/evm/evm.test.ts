import { describe, expect, it } from "vitest";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { VmConfigs } from "../../../src/api/node/admin.ts";
import { ChainValidators, EvmBalances, EvmIdentity, EvmProof } from "../../../src/api/node/evm-facts.ts";
import { EvmHead, RETRY_AFTER_POLLS } from "../../../src/api/node/evm-head.ts";
import { platformMethods } from "../../../src/api/node/platform.ts";
import type { Context } from "../../../src/topics/define/metric.ts";
import { evmConfigChanges } from "../../../src/topics/evm/evm-config.ts";
import { evmHead } from "../../../src/topics/evm/evm-head.ts";
import { evmIdentity, evmProof } from "../../../src/topics/evm/evm-identity.ts";
import { l1ValidatorView } from "../../../src/topics/l1/l1-validator-view.ts";
import { scriptedApi, rpcError } from "../../support/scripted-api.ts";
import { recordedApi } from "../../support/recorded-api.ts";
import { recordingOf } from "../../support/recordings.ts";
import { contextOf, nextState, only, readTopic } from "../../support/topics.ts";

/** Figures of the topics of the EVM interface, read from the recordings by eye. */

const L1_CHAIN = recordingOf("local-healthy-validator").ids["S2_CHAIN"] ?? "";
const L1 = recordingOf("local-healthy-validator").ids["S2"] ?? "";
const context = contextOf({
  subnets: [{ id: L1, name: "l1", chains: [{ id: L1_CHAIN, name: "l1one", evm: true, evmChainId: 43_002 }] }],
  validators: ["NodeID-3gw7tFdd2bTitBYanhRAc72CT4pgjvHn6", "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA"],
});

async function answers<A>(
  recording: string,
  endpoint: Endpoint<A>,
  chains: readonly string[],
  facts: Context = context,
): Promise<ReadonlyMap<string, A>> {
  const api = recordedApi(recording);
  const pairs = chains.map(async (chain) => [chain, await endpoint.ask(api, chain, facts, undefined)] as const);
  return new Map(await Promise.all(pairs));
}

describe("the head", () => {
  it("of a healthy validator's chains", async () => {
    const heads = await answers("local-healthy-validator", EvmHead, ["C"]);
    expect(Object.fromEntries(readTopic(evmHead, { heads }, context))).toEqual({
      'avax_chain_head_timestamp_seconds{chain="C"}': 1_795_259_207.421,
      'avax_evm_gas_limit{chain="C"}': 10_000_000,
      'avax_evm_base_fee_gwei{chain="C"}': 1e-9,
      'avax_evm_priority_fee_gwei{chain="C"}': 1,
      'avax_evm_txpool_transactions{chain="C",state="pending"}': 0,
      'avax_evm_txpool_transactions{chain="C",state="queued"}': 2,
      'avax_evm_batch_calls{chain="C"}': 40,
    });
  });

  it("is absent for a pool that the node does not serve, which is not polled again at once", async () => {
    const api = recordedApi("local-1.14.2-just-restarted");
    const first = await EvmHead.ask(api, "C", context, undefined);
    expect(only(readTopic(evmHead, { heads: new Map([["C", first]]) }, context), "txpool")).toEqual({});
    expect(first.txpoolMissing).toBe(0);
    const second = await EvmHead.ask(api, "C", context, first);
    expect(second.txpoolMissing).toBe(1);
    // Each refusal is a line in the node's log: a day of polls at the default interval passes before the next one.
    expect((RETRY_AFTER_POLLS * EvmHead.every) / 86_400).toBe(1);
    const later = (txpoolMissing: number) => EvmHead.ask(api, "C", context, { ...second, txpoolMissing });
    expect((await later(RETRY_AFTER_POLLS - 1)).txpoolMissing).toBe(RETRY_AFTER_POLLS);
    expect((await later(RETRY_AFTER_POLLS)).txpoolMissing).toBe(0);
  });
});

describe("identity", () => {
  it.each(["local-healthy-validator", "custom-helicon-active"])(
    "matches the network's chain ID, or not: %s",
    async (recording) => {
      const found = await answers(recording, EvmIdentity, ["C"]);
      expect(readTopic(evmIdentity, { answers: found }, context).get('avax_evm_chain_matches{chain="C"}')).toBe(1);
      const elsewhere = contextOf({ network: "fuji" });
      expect(readTopic(evmIdentity, { answers: found }, elsewhere).get('avax_evm_chain_matches{chain="C"}')).toBe(0);
      const unknown = contextOf({ network: "network-424242" });
      expect(only(readTopic(evmIdentity, { answers: found }, unknown), "matches")).toEqual({});
    },
  );

  it("has software and IDs, and peers only where they are counted", async () => {
    const before = await answers("local-healthy-validator", EvmIdentity, ["C"]);
    expect(Object.fromEntries(readTopic(evmIdentity, { answers: before }, context))).toEqual({
      'avax_evm_chain_info{chain="C",evm_chain_id="43112",evm_network_id="43112",client_version="v1.15.0"}': 1,
      'avax_evm_chain_matches{chain="C"}': 1,
    });
    const after = await answers("custom-helicon-active", EvmIdentity, ["C"]);
    expect(readTopic(evmIdentity, { answers: after }, context).get('avax_evm_peers{chain="C"}')).toBe(6);
  });
});

it.each([null, "0x1", 7, [], [1], {}])("a chain configuration %j costs the fork times alone", async (config) => {
  const api = scriptedApi(({ name }) => {
    if (name === "eth_getChainConfig") return config;
    return name === "web3_clientVersion" ? "v1" : name === "net_version" ? "43112" : "0xa868";
  });
  expect(await EvmIdentity.ask(api, "C", context, undefined)).toEqual({
    ...{ chainId: 43112, networkId: "43112", clientVersion: "v1", peers: 43112, forks: new Map() },
  });
});

describe("the configuration of the C-Chain after Helicon", () => {
  const countAfter = (steps: ReadonlyArray<Record<string, unknown>>): ReadonlyMap<string, number> => {
    let state: unknown;
    for (const step of steps.slice(0, -1)) state = nextState(evmConfigChanges, step, context, state);
    return readTopic(evmConfigChanges, steps.at(-1) ?? {}, context, state);
  };

  it("has no settings, and other fork times of one release are a change of it", async () => {
    const settings = answers("custom-helicon-active", VmConfigs, ["C"]);
    await expect(settings).rejects.toMatchObject({ failure: { reason: "unsupported" } });
    const identities = await answers("custom-helicon-active", EvmIdentity, ["C"]);
    const moved = new Map(
      [...identities].map(([chain, identity]) => [
        chain,
        { ...identity, forks: new Map([...identity.forks, ["helicon", 1]]) },
      ]),
    );
    const series = 'avax_evm_config_changes_total{chain="C"}';
    expect(Object.fromEntries(countAfter([{ identities }, { identities }]))).toEqual({ [series]: 0 });
    expect(Object.fromEntries(countAfter([{ identities }, { identities: moved }]))).toEqual({ [series]: 1 });
  });

  it("did not change with another release, or because its settings are no longer reported", async () => {
    const [before, after] = await Promise.all(
      ["local-1.14.2-validator", "custom-helicon-active"].map((recording) => answers(recording, EvmIdentity, ["C"])),
    );
    const configs = new Map([["C", { hash: "a", apis: [] }]]);
    const counted = countAfter([{ configs, identities: before }, { identities: before }, { identities: after }]);
    expect(only(counted, "changes")).toEqual({ 'avax_evm_config_changes_total{chain="C"}': 0 });
  });
});

describe("wallets", () => {
  const address = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";
  const watching = { ...context, addresses: [{ address, name: "faucet", low: 1, chains: ["C"] }] };

  it("are polled only on their own chains", () => {
    expect(EvmBalances.keys(watching)).toEqual(["C"]);
    const onL1 = { ...context, addresses: [{ address, name: "faucet", chains: ["l1one"] }] };
    expect(EvmBalances.keys(onL1)).toEqual([L1_CHAIN]);
    expect(EvmBalances.keys({ ...context, addresses: [{ address: "P-local1x", name: "p", chains: ["C"] }] })).toEqual(
      [],
    );
  });
});

describe("the proof window", () => {
  const proof = { accountProof: ["0x01"] };
  const probing = { ...context, evm: { ...context.evm, proofProbe: true, batch: 1 } };
  const probe = async (first: () => unknown) => {
    const api = scriptedApi(({ name, params }) =>
      name === "eth_blockNumber" ? "0x64" : (params as string[])[2] === "0x1" ? first() : proof,
    );
    const windows = new Map([["C", await EvmProof.ask(api, "C", probing, undefined)]]);
    return { samples: Object.fromEntries(readTopic(evmProof, { windows }, context)), asked: api.asked };
  };

  it("is in the node's error for the first block", async () => {
    const { samples, asked } = await probe(() => {
      throw rpcError(
        "historical proof query not allowed: block number 1 is before the oldest allowed block number 45 (window of 32 blocks)",
      );
    });
    expect(samples).toEqual({
      'avax_evm_proof_served{chain="C",block="recent"}': 1,
      'avax_evm_proof_served{chain="C",block="first"}': 0,
      'avax_evm_proof_window_blocks{chain="C"}': 32,
    });
    expect(asked.map(({ params }) => (params as string[])[2])).toEqual([undefined, "0x4c", "0x1"]);
  });

  it("is unlimited where every proof is served, and only polled where configured", async () => {
    const { samples } = await probe(() => proof);
    expect(samples['avax_evm_proof_served{chain="C",block="first"}']).toBe(1);
    expect(Object.keys(samples)).toHaveLength(2);
    expect(EvmProof.keys(context)).toEqual([]);
    expect(EvmProof.keys(probing)).toEqual(["C", L1_CHAIN]);
  });
});

describe("an L1's own validators", () => {
  it("keep their other figures where one is of a wrong type", async () => {
    const row = { nodeID: "NodeID-w", isActive: true, isConnected: true, uptimePercentage: 50 };
    const rows = [
      { ...row, validationID: "a", uptimePercentage: "much" },
      { ...row, validationID: "b", isConnected: "no" },
    ];
    const api = scriptedApi(() => ({ validators: rows }));
    const answer = await ChainValidators.ask(api, L1_CHAIN, context, undefined);
    expect(answer.invalidRows?.count).toBe(2);
    const watching = { ...context, watch: ["NodeID-w"] };
    const samples = readTopic(l1ValidatorView, { chains: new Map([[L1_CHAIN, answer]]) }, watching);
    const ids = (name: string) =>
      Object.entries(only(samples, name)).map(([series, value]) => [/validation_id="(.)"/.exec(series)?.[1], value]);
    expect(ids("uptime_ratio")).toEqual([["b", 0.5]]);
    expect(ids("connected")).toEqual([["a", 1]]);
    expect(ids("active_on_chain")).toHaveLength(2);
    // A node's view of itself.
    const own = readTopic(
      l1ValidatorView,
      { chains: new Map([[L1_CHAIN, answer]]) },
      { ...watching, nodeId: "NodeID-w" },
    );
    expect(only(own, "uptime_ratio")).toEqual({});
    expect(only(own, "connected")).toEqual({});
    expect(Object.keys(only(own, "active_on_chain"))).toHaveLength(2);
  });

  it("are exported where they are watched", async () => {
    const chains = await answers("local-healthy-validator", ChainValidators, []);
    const api = scriptedApi(() => {
      const answer = recordingOf("local-healthy-validator").answers.find(
        ({ name }) => name === "evm.l1one.validators.getCurrentValidators",
      );
      return (JSON.parse(answer?.response.body ?? "{}") as { result: unknown }).result;
    });
    const lists = new Map([...chains, [L1_CHAIN, await ChainValidators.ask(api, L1_CHAIN, context, undefined)]]);
    expect(api.asked).toEqual([
      { name: "validators.getCurrentValidators", path: `/ext/bc/${L1_CHAIN}/validators`, params: { nodeIDs: [] } },
    ]);
    const samples = readTopic(l1ValidatorView, { chains: lists }, context);
    const labels = (node: string, validation: string) =>
      `{subnet="${L1}",node_id="${node}",validation_id="${validation}"}`;
    const inactive = labels(
      "NodeID-3gw7tFdd2bTitBYanhRAc72CT4pgjvHn6",
      "2Ad3hQMDcMmhomdMhrKnUro97CWqnk4mmaSLBs2uYZigbnqca8",
    );
    expect(only(samples, "3gw7")).toEqual({
      [`avax_l1_validator_uptime_ratio${inactive}`]: 0.4742164,
      [`avax_l1_validator_connected${inactive}`]: 0,
      [`avax_l1_validator_active_on_chain${inactive}`]: 0,
    });
    expect(Object.keys(only(samples, "uptime_ratio"))).toHaveLength(2);
    // A server of the specification has both on the P-Chain.
    const record = {
      nodeID: "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA",
      validationID: "v",
      uptime: "93",
      connected: true,
    };
    const sets = new Map([
      [L1, platformMethods.getCurrentValidators.result.parse({ validators: [{ ...record, weight: 1, startTime: 1 }] })],
    ]);
    expect(Object.fromEntries(readTopic(l1ValidatorView, { sets }, context))).toEqual({
      [`avax_l1_validator_uptime_ratio${labels(record.nodeID, "v")}`]: 0.93,
      [`avax_l1_validator_connected${labels(record.nodeID, "v")}`]: 1,
    });
  });
});
