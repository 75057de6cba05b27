import { describe, expect, it } from "vitest";
import { ApiError } from "../../../src/api/endpoint.ts";
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

  it("finds the other dialect where the first one is refused in other words, and rejects with these without it", async () => {
    const refusal = () => new ApiError({ reason: "unauthorized", message: "HTTP 403", status: 403 });
    expect(await inDialect("auto", undefined, server("avalanchego", refusal).ask)).toBe("avalanchego");
    const { tried, ask } = server("none", () => (tried.length === 1 ? refusal() : notFound()));
    await expect(inDialect("auto", undefined, ask)).rejects.toThrow("403");
    expect(tried).toEqual(["spec", "avalanchego"]);
  });

  it.each<[string, Dialect | "none", "auto" | "spec", Dialect | undefined, () => Error, Dialect[]]>([
    ["only the configured dialect", "avalanchego", "spec", "avalanchego", notFound, ["spec"]],
    ["each dialect once if the server has neither", "none", "auto", undefined, notFound, ["spec", "avalanchego"]],
    [
      "no other than the known one after another error",
      "none",
      "auto",
      "spec",
      () => rpcError("no addresses"),
      ["spec"],
    ],
  ])("requests %s", async (_, has, configured, known, missing, order) => {
    const { tried, ask } = server(has, missing);
    await expect(inDialect(configured, known, ask)).rejects.toThrow(/404|no addresses/);
    expect(tried).toEqual(order);
  });
});
