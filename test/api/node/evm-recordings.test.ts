import { describe, expect, it } from "vitest";
import { evmMethods } from "../../../src/api/node/evm-methods.ts";
import { ApiError, type Call } from "../../../src/api/endpoint.ts";
import type { Failure } from "../../../src/api/reasons.ts";
import { batchResults, resultOf } from "../../../src/api/transport/json-rpc.ts";
import { recordedAnswer, type RecordedAnswer } from "../../support/recordings.ts";

const replyOf = ({ response: { status, headers, body } }: RecordedAnswer) => ({
  status,
  headers,
  body: { text: () => body },
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

describe("recorded values", () => {
  const read = <R>(recording: string, name: string, method: Call<R>["method"]) =>
    resultOf(replyOf(recordedAnswer(recording, name)), method);

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
