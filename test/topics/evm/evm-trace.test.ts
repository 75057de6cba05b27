import { describe, expect, it } from "vitest";
import { EvmTrace } from "../../../src/api/node/evm-facts.ts";
import { evmTrace } from "../../../src/topics/evm/evm-trace.ts";
import { recordedApi } from "../../support/recorded-api.ts";
import { rpcError, scriptedApi, unsupported } from "../../support/scripted-api.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const context = contextOf();
const at = (url: string) => ({ ...context, options: { ...context.options, url } });

describe("traces", () => {
  it("are asked for at a public address alone", () => {
    expect(EvmTrace.keys(at("http://10.0.0.1:9650"))).toEqual([]);
    expect(EvmTrace.keys(at("https://api.example.com"))).toEqual(["C"]);
  });

  it.each([
    ["served", rpcError("transaction not found"), 1],
    ["refused", unsupported(), 0],
    ["refused by a gateway", rpcError("method not allowed"), 0],
  ])("are %s", async (_which, error, open) => {
    const api = scriptedApi(() => {
      throw error;
    });
    const traces = new Map([["C", await EvmTrace.ask(api, "C", context, undefined)]]);
    expect(api.asked).toEqual([
      { name: "debug_traceTransaction", path: "/ext/bc/C/rpc", params: [`0x${"0".repeat(64)}`] },
    ]);
    expect([...readTopic(evmTrace, { traces }, context)]).toEqual([['avax_evm_trace_open{chain="C"}', open]]);
  });

  it("are refused by a node before Helicon", async () => {
    expect(await EvmTrace.ask(recordedApi("head115-upgrade-ahead"), "C", context, undefined)).toEqual({
      served: false,
    });
  });
});
