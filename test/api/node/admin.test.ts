import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { adminMethods, configHash, VmConfigs } from "../../../src/api/node/admin.ts";
import type { Sha256 } from "../../../src/api/wire.ts";
import { recorded } from "../../support/recordings.ts";
import { scriptedApi } from "../../support/scripted-api.ts";
import { contextOf } from "../../support/topics.ts";

const sha256: Sha256 = (bytes) => createHash("sha256").update(bytes).digest();
const { config } = recorded(
  "local-healthy-validator",
  "admin.getVMConfig",
  adminMethods("C", "avalanchego").getVMConfig.result,
);

describe("configHash", () => {
  it("is the same whatever the order of the keys", () => {
    const reversed = Object.fromEntries(Object.entries(config).reverse());
    expect(configHash(reversed, sha256)).toBe(configHash(config, sha256));
    expect(configHash(config, sha256)).toMatch(/^[0-9a-f]{16}$/);
  });

  it("changes with a setting", () => {
    expect(configHash({ ...config, "log-level": "debug" }, sha256)).not.toBe(configHash(config, sha256));
    expect(configHash({ ...config, "eth-apis": ["eth"] }, sha256)).not.toBe(configHash(config, sha256));
  });

  it.each([
    "admin-api-dir",
    "keystore-directory",
    "keystore-external-signer",
    "some-secret",
    "rpc-password",
    "api-key",
    "log-file",
  ])("does not tell anything about %s", (key) => {
    expect(configHash({ ...config, [key]: "/home/somebody" }, sha256)).toBe(
      configHash({ ...config, [key]: "" }, sha256),
    );
  });
});

describe("VmConfigs", () => {
  it("keeps what matters of a recorded configuration", async () => {
    const api = scriptedApi(() => ({ config }));
    expect(await VmConfigs.ask(api, "C", { ...contextOf(), dialect: "avalanchego" }, undefined)).toEqual({
      dialect: "avalanchego",
      hash: configHash(config, sha256),
      pruning: true,
      stateSync: undefined,
      logLevel: "warn",
      apis: config["eth-apis"],
    });
    expect(api.asked).toEqual([{ name: "admin.getVMConfig", path: "/ext/bc/C/admin", params: [{}] }]);
  });

  it("is off unless configured", () => {
    expect(VmConfigs.enabled).toBe(false);
  });
});

it("marks every other method of the interface as one that writes", () => {
  const writing = Object.values(adminMethods("C", "spec")).filter(({ writes }) => writes === true);
  expect(writing.map(({ name }) => name).sort()).toEqual([
    "admin_lockProfile",
    "admin_memoryProfile",
    "admin_setLogLevel",
    "admin_startCPUProfiler",
    "admin_stopCPUProfiler",
  ]);
});
