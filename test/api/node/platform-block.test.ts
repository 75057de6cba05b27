import { describe, expect, it } from "vitest";
import { jsonBlock, readHexBlock, TRANSACTION_KINDS, transactionKind } from "../../../src/api/node/platform-block.ts";
import { RECORDINGS, recordedAnswer, recordingOf } from "../../support/recordings.ts";

type Raw = { readonly result?: { readonly block: unknown } };

/** Every recorded block, as JSON or hex, with its recording and name. */
const BLOCKS = RECORDINGS.flatMap((recording) =>
  recordingOf(recording)
    .answers.filter(({ name, response }) => /getBlock(ByHeight)?(\.|$)/.test(name) && response.status === 200)
    .map(({ name, response }) => ({
      place: `${recording} ${name}`,
      block: (JSON.parse(response.body) as Raw).result?.block,
    }))
    .filter(({ block }) => block !== undefined),
);

const blockOf = (recording: string, height: string) =>
  jsonBlock.parse(
    (JSON.parse(recordedAnswer(recording, `platform.getBlockByHeight.${height}`).response.body) as Raw).result?.block,
  );

/** The end of three stakes of one network: each is proposed, and decided by a commit, which is the same as an abort in JSON. */
const REWARDS = new Map([
  [15, "proposal"],
  [16, "commit"],
  [19, "proposal"],
  [20, "commit"],
  [21, "proposal"],
  [22, "commit"],
]);
/** The first block is a commit from before Banff. */
const kindOf = (place: string, height: number): string =>
  height === 0 ? "commit" : ((place.startsWith("head-") ? REWARDS.get(height) : undefined) ?? "standard");

describe("recorded blocks", () => {
  it("have no transaction of an unknown kind", () => {
    const json = BLOCKS.filter(({ block }) => typeof block !== "string");
    expect(json).not.toEqual([]);
    for (const { place, block } of json) {
      const { kind, height, transactions } = jsonBlock.parse(block);
      const expected = { place, kind: kindOf(place, height).replace("commit", "unknown"), unknown: [] };
      expect({ place, kind, unknown: transactions.filter((each) => each === "unknown") }).toEqual(expected);
    }
  });

  it.each([
    ["local-healthy-validator", "1", ["create_subnet"]],
    ["local-healthy-validator", "16", ["convert_subnet_to_l1"]],
    ["local-healthy-validator", "17", ["import"]],
    ["local-healthy-validator", "18", ["export"]],
    ["local-healthy-validator", "19", ["export"]],
    ["local-plugin-failed", "13", ["add_subnet_validator"]],
    ["local-l1-drained", "20", []],
    ["custom-auto-renewed-validator", "1", ["add_auto_renewed_validator"]],
    ["custom-auto-renewed-validator", "2", ["add_permissionless_validator"]],
    ["head-auto-renewed-second-cycle", "19", ["reward_validator"]],
    ["head-auto-renewed-second-cycle", "21", ["reward_auto_renewed_validator"]],
  ])("%s: block %s has %j", (recording, height, kinds) => {
    expect(blockOf(recording, height).transactions).toEqual(kinds);
  });

  it("have a time, except the first", () => {
    expect(blockOf("local-healthy-validator", "19")).toEqual({
      height: 19,
      kind: "standard",
      time: 1_795_258_735,
      transactions: ["export"],
      exported: [{ asset: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe", amount: 7_000_000_000n }],
    });
    expect(blockOf("local-healthy-validator", "0").time).toBeUndefined();
  });

  it("have the same values in hex, except the transaction kinds", () => {
    const hex = BLOCKS.filter(({ block }) => typeof block === "string");
    expect(hex).not.toEqual([]);
    for (const { place, block } of hex) {
      const height = Number(/\.(\d+)\.hex$/.exec(place)?.[1]);
      const [recording = ""] = place.split(" ");
      const json = blockOf(recording, String(height));
      const read = readHexBlock(String(block), height);
      const kind = kindOf(place, height);
      expect({ place, kind: read?.kind, time: read?.time, count: read?.transactions.length }).toEqual({
        place,
        kind,
        time: json.time,
        count: json.transactions.length,
      });
    }
  });
});

describe("readHexBlock", () => {
  const COMMIT =
    "0x00000000001f000000006a7432805baee261f53b26152d263ba83b037cd4962e434801256b885e9c9051f320b0db000000000170023c549cc143";

  it("reads the kind and time of a commit or abort", () => {
    expect(readHexBlock(COMMIT, 24_117_820)).toEqual({
      height: 24_117_820,
      kind: "commit",
      time: 1_786_000_000,
      transactions: [],
      exported: [],
    });
    expect(readHexBlock(COMMIT.replace("1f", "1e"), 1)?.kind).toBe("abort");
    expect(readHexBlock(COMMIT.replace("1f", "1d"), 1)).toMatchObject({ kind: "proposal", transactions: ["unknown"] });
    expect(readHexBlock(COMMIT.replace("1f", "77"), 1)?.kind).toBe("unknown");
  });

  it.each(["", "0x", "0x0000", "hello", COMMIT.slice(0, 60)])("rejects %j", (text) => {
    expect(readHexBlock(text, 1)).toBeUndefined();
  });
});

describe("transactionKind", () => {
  const base = { networkID: 1, blockchainID: "x", outputs: [], inputs: [], memo: "0x" };
  const stake = { ...base, validator: {}, stake: [] };

  it.each([
    ["base", base],
    ["reward_validator", { txID: "x" }],
    ["reward_auto_renewed_validator", { txID: "x", timestamp: 1 }],
    ["set_auto_renewed_validator_config", { ...base, txID: "x", autoCompoundRewardShares: 1, period: 1 }],
    ["add_validator", { ...stake, rewardsOwner: {}, shares: 1 }],
    ["add_delegator", { ...stake, rewardsOwner: {} }],
    ["add_permissionless_delegator", { ...stake, rewardsOwner: {}, subnetID: "x" }],
    ["add_subnet_validator", { ...base, validator: {}, subnetAuthorization: {} }],
    ["register_l1_validator", { ...base, balance: 1, proofOfPossession: [], message: "" }],
    ["set_l1_validator_weight", { ...base, message: "" }],
    ["export", { inputs: base, destinationChain: "x", exportedOutputs: [] }],
    ["unknown", { ...base, somethingNew: 1 }],
    ["unknown", {}],
  ])("is %s", (kind, fields) => {
    expect(transactionKind(fields)).toBe(kind);
    expect(TRANSACTION_KINDS).toContain(kind);
  });
});

describe("exports", () => {
  const output = (assetID: string, amount: unknown) => ({ assetID, fxID: "f", output: { addresses: [], amount } });
  const exporting = (...exportedOutputs: readonly object[]) =>
    jsonBlock.parse({
      ...{ height: 5, time: 1_800_000_000 },
      txs: [{ unsignedTx: { inputs: { networkID: 1 }, destinationChain: "C", exportedOutputs } }],
    });

  it("have the assets and amounts that they move", () => {
    expect(exporting(output("a", "5"), output("b", 7))).toMatchObject({
      ...{ kind: "standard", transactions: ["export"] },
      exported: [
        { asset: "a", amount: 5n },
        { asset: "b", amount: 7n },
      ],
    });
    expect(exporting(output("a", {})).exported).toEqual([{ asset: "a", amount: undefined }]);
    expect(jsonBlock.parse({ height: 5, txs: [{ unsignedTx: { owner: {} } }] }).exported).toEqual([]);
  });

  it("are unknown in hex", () => {
    const bytes = Buffer.alloc(70);
    bytes.writeUInt32BE(0x20, 2);
    expect(readHexBlock(`0x${bytes.toString("hex")}`, 5)?.exported).toBeUndefined();
    bytes.writeUInt32BE(0x1f, 2);
    expect(readHexBlock(`0x${bytes.toString("hex")}`, 5)?.exported).toEqual([]);
  });
});
