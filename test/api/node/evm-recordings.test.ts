import { describe, expect, it } from "vitest";
import { evmMethods, validatorsMethod } from "../../../src/api/node/evm.ts";
import { ApiError, type Call } from "../../../src/api/endpoint.ts";
import type { Failure } from "../../../src/api/reasons.ts";
import { batchResults, resultOf } from "../../../src/api/transport/rpc.ts";
import { RECORDINGS, recordedAnswer, recordingOf, type RecordedAnswer } from "../../support/recordings.ts";

/** Reads every recorded answer of the EVM interfaces as the client does. */

const METHODS: ReadonlyMap<string, Call["method"]> = new Map(
  [...Object.values(evmMethods), validatorsMethod].map((method) => [method.name, method]),
);

const replyOf = ({ response: { status, headers, body } }: RecordedAnswer) => ({
  status,
  headers,
  body: Buffer.from(body),
});

/** The failure of a reading. */
function failureOf(read: () => unknown): Failure | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.failure;
    throw error;
  }
}
const methodOf = ({ request }: RecordedAnswer): Call["method"] | undefined => {
  const name = /^\{"jsonrpc".*"method":"([^"]+)"/.exec(request.body ?? "")?.[1];
  return METHODS.get(name ?? "");
};

describe.each(RECORDINGS)("%s", (recording) => {
  const answers = recordingOf(recording).answers.filter(
    (answer) => answer.name.startsWith("evm.") && methodOf(answer) !== undefined,
  );

  it("answers are results, or failures with the expected reason", () => {
    const outcomes = new Set<string>();
    for (const answer of answers) {
      const method = methodOf(answer);
      if (method === undefined) continue;
      const { status, body } = answer.response;
      const expected =
        status === 404
          ? "http_status"
          : body.includes('"code":-32601')
            ? "unsupported"
            : body.includes('"error"')
              ? "rpc_error"
              : "result";
      const got = failureOf(() => resultOf(replyOf(answer), method))?.reason ?? "result";
      expect(`${answer.name}: ${got}`).toBe(`${answer.name}: ${expected}`);
      outcomes.add(got);
    }
    expect([...outcomes]).toContain(recording === "custom-bootstrapping" ? "http_status" : "result");
    expect(answers.length).toBeGreaterThan(15);
  });
});

describe("recorded values", () => {
  const read = <R>(recording: string, name: string, method: Call<R>["method"]) =>
    resultOf(replyOf(recordedAnswer(recording, name)), method);

  it("of a block before Helicon", () => {
    expect(read("local-healthy-validator", "evm.eth_getBlockByNumber.latest", evmMethods.block)).toEqual({
      number: 0x4d,
      hash: "0xff79db8191097c8520fa97881140ebb63a98620ca33b6d55e14b8c32ca43313d",
      parentHash: "0x4ea2f7bebf634506b718b8eec1042f3adc1b8e2b8aa904c6e469c90e503762a9",
      time: 0x1a1fdc98efd / 1000,
      gasLimit: 10_000_000,
      gasUsed: 21_000,
      baseFee: 1n,
      transactions: 1,
    });
  });

  it("of a block beyond the head: an error before Helicon, null after it", () => {
    const name = "evm.eth_getBlockByNumber.0xffffff";
    expect(read("custom-helicon-active", name, evmMethods.block)).toBeUndefined();
    expect(failureOf(() => read("local-healthy-validator", name, evmMethods.block))).toMatchObject({
      reason: "rpc_error",
      rpcMessage: "cannot query unfinalized data",
    });
  });

  it("of a balance, with all digits", () => {
    const wei = read("custom-helicon-active", "evm.eth_getBalance.latest", evmMethods.balance);
    expect(wei).toBe(0x295be96e64066971fb6838n);
  });

  it.each(["perm1", "l1one"])("of the fork times of %s: 0 since genesis, none where it is not scheduled", (chain) => {
    const forks = read("local-healthy-validator", `evm.${chain}.eth_getChainConfig`, evmMethods.chainConfig);
    expect(Object.fromEntries(forks)).toEqual({
      cancun: 1_607_144_400,
      durango: 1_607_144_400,
      etna: 1_607_144_400,
      granite: 1_607_144_400,
      shanghai: 1_607_144_400,
      subnetEVM: 0,
    });
  });

  it("of the fork times of the C-Chain", () => {
    const forks = read("custom-helicon-active", "evm.eth_getChainConfig", evmMethods.chainConfig);
    const early = Array.from({ length: 6 }, (_, phase) => `apricotPhase${phase + 1}`);
    const later = ["PhasePost6", "PhasePre6"].map((name) => `apricot${name}`);
    const past = [
      ...early,
      ...later,
      "banff",
      "cancun",
      "cortina",
      "durango",
      "etna",
      "fortuna",
      "granite",
      "shanghai",
    ];
    expect(Object.fromEntries(forks)).toEqual({
      ...Object.fromEntries(past.map((name) => [name, 1_607_144_400])),
      helicon: 1_795_258_827,
    });
  });

  it("of fork times in other types: none", () => {
    const forks = evmMethods.chainConfig.result.parse({
      aTime: null,
      bTime: "0",
      cTime: -1,
      dTimestamp: {},
      eTime: 253_399_622_400,
      fTime: 0,
    });
    expect([...forks]).toEqual([["f", 0]]);
  });

  it("of the validators of an L1", () => {
    const { validators } = read(
      "local-healthy-validator",
      "evm.l1one.validators.getCurrentValidators",
      validatorsMethod,
    );
    expect(validators[1]).toEqual({
      validationID: "2Ad3hQMDcMmhomdMhrKnUro97CWqnk4mmaSLBs2uYZigbnqca8",
      nodeID: "NodeID-3gw7tFdd2bTitBYanhRAc72CT4pgjvHn6",
      weight: 10,
      startTimestamp: 1_795_258_218,
      isActive: false,
      isConnected: false,
      uptimePercentage: 0.4742164,
    });
  });

  it("of a batch with one unknown method", () => {
    const answer = recordedAnswer("local-healthy-validator", "evm.batch");
    const unknown = { name: "nosuch_method", result: evmMethods.blockNumber.result };
    const methods = [evmMethods.blockNumber, evmMethods.baseFee, unknown, evmMethods.block];
    const outcomes = batchResults(
      replyOf(answer),
      methods.map((method) => ({ method, params: [] })),
    );
    const kinds = outcomes.map((outcome) =>
      outcome === undefined ? "nothing" : "error" in outcome ? outcome.error.failure.reason : typeof outcome.value,
    );
    expect(kinds).toEqual(["number", "bigint", "unsupported", "object"]);
  });

  it("of an empty batch: one error instead of the answers", () => {
    const answer = recordedAnswer("local-healthy-validator", "evm.batch.empty");
    expect(failureOf(() => batchResults(replyOf(answer), []))).toMatchObject({ reason: "rpc_error" });
  });
});
