import { describe, expect, it } from "vitest";
import { adminMethods, configHash, VmConfigs } from "../../../src/api/node/admin.ts";
import { recorded } from "../../support/recordings.ts";
import { scriptedApi } from "../../support/scripted-api.ts";
import { contextOf } from "../../support/topics.ts";

const inDialect = (dialect: "spec" | "avalanchego") => {
  const context = contextOf();
  return { ...context, options: { ...context.options, dialect } };
};

const { config } = recorded(
  "local-healthy-validator",
  "admin.getVMConfig",
  adminMethods("C", "avalanchego").getVMConfig.result,
);

describe("configHash", () => {
  it("does not depend on the order of the keys", () => {
    const reversed = Object.fromEntries(Object.entries(config).reverse());
    expect(configHash(reversed)).toBe(configHash(config));
    expect(configHash(config)).toMatch(/^[0-9a-f]{16}$/);
  });

  it("changes with a setting", () => {
    expect(configHash({ ...config, "log-level": "debug" })).not.toBe(configHash(config));
    expect(configHash({ ...config, "eth-apis": ["eth"] })).not.toBe(configHash(config));
  });

  it.each([
    "admin-api-dir",
    "keystore-directory",
    "keystore-external-signer",
    "some-secret",
    "rpc-password",
    "api-key",
    "log-file",
  ])("does not depend on %s", (key) => {
    expect(configHash({ ...config, [key]: "/home/somebody" })).toBe(configHash({ ...config, [key]: "" }));
  });
});

it("VmConfigs reads the main settings of a recorded configuration", async () => {
  const api = scriptedApi(() => ({ config }));
  const first = await VmConfigs.ask(api, "C", inDialect("avalanchego"), undefined);
  expect(first).toEqual({
    dialect: "avalanchego",
    hash: configHash(config),
    pruning: true,
    stateSync: undefined,
    logLevel: "warn",
    apis: config["eth-apis"],
  });
  // The dialect of the last answer is the first that is tried.
  await VmConfigs.ask(api, "C", contextOf(), first);
  const asked = { name: "admin.getVMConfig", path: "/ext/bc/C/admin", params: [] };
  expect(api.asked).toEqual([asked, asked]);
});
