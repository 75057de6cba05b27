import { describe, expect, it } from "vitest";
import { inDialect, type Dialect } from "../../../src/api/node/dialect.ts";
import { notFound, rpcError, unsupported } from "../../support/scripted-api.ts";

describe("inDialect", () => {
  /** A server with one dialect; `tried` has the requested dialects. */
  function server(has: Dialect | "none", missing: () => Error) {
    const tried: Dialect[] = [];
    return {
      tried,
      ask: (dialect: Dialect): Promise<Dialect> => {
        tried.push(dialect);
        return dialect === has ? Promise.resolve(dialect) : Promise.reject(missing());
      },
    };
  }

  it.each([
    ["spec", undefined, ["spec"]],
    ["avalanchego", undefined, ["spec", "avalanchego"]],
    ["avalanchego", "avalanchego", ["avalanchego"]],
    ["spec", "avalanchego", ["avalanchego", "spec"]],
    ["spec", "spec", ["spec"]],
  ] as const)("finds %s after a previous answer in %s, with requests in %j", async (has, known, order) => {
    for (const missing of [notFound, unsupported]) {
      const { tried, ask } = server(has, missing);
      expect(await inDialect("auto", known, ask)).toBe(has);
      expect(tried).toEqual(order);
    }
  });

  it.each<[string, Dialect | "none", "auto" | "spec", Dialect | undefined, () => Error, Dialect[]]>([
    ["only the configured dialect", "avalanchego", "spec", "avalanchego", notFound, ["spec"]],
    ["each dialect once if the server has neither", "none", "auto", undefined, notFound, ["spec", "avalanchego"]],
    ["no other dialect after any other error", "none", "auto", undefined, () => rpcError("no addresses"), ["spec"]],
  ])("requests %s", async (_, has, configured, known, missing, order) => {
    const { tried, ask } = server(has, missing);
    await expect(inDialect(configured, known, ask)).rejects.toThrow(/404|no addresses/);
    expect(tried).toEqual(order);
  });
});
