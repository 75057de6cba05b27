import { describe, expect, it } from "vitest";
import { methodNamed } from "../../../src/api/node/methods.ts";

describe("methods without a declaration", () => {
  it.each([
    ["eth_gasPrice", "/ext/bc/C/rpc"],
    ["eth_getLogs", "/ext/bc/C/rpc"],
    ["debug_traceTransaction", "/ext/bc/C/rpc"],
    ["platform.getTx", "/ext/bc/P"],
    ["platform.validatedBy", "/ext/bc/P"],
    ["info.getSomethingNew", "/ext/info"],
  ])("%s only reads, at %s", (name, path) => {
    const method = methodNamed(name);
    expect([method?.writes, method?.spelling("C", "spec").path]).toEqual([false, path]);
  });

  it.each([
    "platform.issueTx",
    "info.issueSomething",
    "eth_sendRawTransaction",
    "eth_sign",
    "eth_newFilter",
    "eth_resend",
    "personal_listAccounts",
    "debug_setHead",
    "debug_gcPercent",
    "debug_freeOSMemory",
    "debug_writeMemProfile",
    "debug_standardTraceBlockToFile",
  ])("%s may change state", (name) => {
    expect(methodNamed(name)?.writes).toBe(true);
  });

  it.each(["", "peers", "eth-gasPrice", "admin.peers", "../x", "/ext/metrics", "platform.", "constructor"])(
    "%j is not a method",
    (name) => {
      expect(methodNamed(name)).toBeUndefined();
    },
  );
});
