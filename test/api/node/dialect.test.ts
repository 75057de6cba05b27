import { afterEach, describe, expect, it } from "vitest";
import { VmConfigs, type VmConfig } from "../../../src/api/node/admin.ts";
import { inDialect, type Dialect } from "../../../src/api/node/dialect.ts";
import type { TargetFacts } from "../../../src/api/endpoint.ts";
import { WaitingUtxos } from "../../../src/api/node/ledger.ts";
import { simulate, type Simulation } from "../../../simulator/simulate.ts";
import { clientOf } from "../../support/clients.ts";
import { notFound, rpcError, unsupported } from "../../support/scripted-api.ts";
import { contextOf } from "../../support/topics.ts";

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

  it("requests only the configured dialect", async () => {
    const { tried, ask } = server("avalanchego", notFound);
    await expect(inDialect("spec", "avalanchego", ask)).rejects.toThrow("404");
    expect(tried).toEqual(["spec"]);
  });

  it("requests each dialect once if the server has neither", async () => {
    const { tried, ask } = server("none", notFound);
    await expect(inDialect("auto", undefined, ask)).rejects.toThrow("404");
    expect(tried).toEqual(["spec", "avalanchego"]);
  });

  it("does not try the other dialect after any other error", async () => {
    const { tried, ask } = server("none", () => rpcError("no addresses provided"));
    await expect(inDialect("auto", undefined, ask)).rejects.toThrow("no addresses");
    expect(tried).toEqual(["spec"]);
  });
});

describe("against simulated nodes", () => {
  const open: Simulation[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((simulation) => simulation.close()));
  });

  const started = async (dialect: Dialect): Promise<Simulation> => {
    const simulation = await simulate({
      nodes: 1,
      dialect,
      scenario: [
        { node: 1, name: "admin-on" },
        { node: 1, name: "utxo-waiting" },
      ],
    });
    open.push(simulation);
    return simulation;
  };
  const facts = (dialect: TargetFacts["options"]["dialect"]): TargetFacts => {
    const context = contextOf();
    return { ...context, options: { ...context.options, dialect } };
  };

  it.each([
    ["spec", "ledger.getUTXOs", "avax.getUTXOs", 3, 0],
    ["avalanchego", "avax.getUTXOs", "ledger.getUTXOs", 3, 1],
  ] as const)(
    "three polls of the ledger in dialect %s send %s three times and do not repeat the other method",
    async (dialect, right, wrong, rights, wrongs) => {
      const simulation = await started(dialect);
      const key = `${simulation.wallets[0]?.c ?? ""} P`;
      const client = clientOf(simulation.nodes[0]?.url ?? "");
      let previous: Awaited<ReturnType<typeof WaitingUtxos.ask>> | undefined;
      for (let poll = 0; poll < 3; poll++)
        previous = await client.within(5, (api) => WaitingUtxos.ask(api, key, facts("auto"), previous));
      expect(previous).toMatchObject({ dialect, utxos: 3, avax: 6 });
      expect([simulation.count("all", right), simulation.count("all", wrong)]).toEqual([rights, wrongs]);
    },
  );

  it.each(["spec", "avalanchego"] as const)(
    "detects the dialect %s of the admin interface with reads only",
    async (dialect) => {
      const simulation = await started(dialect);
      const client = clientOf(simulation.nodes[0]?.url ?? "");
      let previous: VmConfig | undefined;
      for (let poll = 0; poll < 2; poll++)
        previous = await client.within(5, (api) => VmConfigs.ask(api, "C", facts("auto"), previous));
      expect(previous).toMatchObject({ dialect, pruning: true, stateSync: undefined, logLevel: "warn" });
      const asked = simulation.requests().map(({ rpc }) => rpc);
      const [right, wrong] =
        dialect === "spec" ? ["admin_getVMConfig", "admin.getVMConfig"] : ["admin.getVMConfig", "admin_getVMConfig"];
      expect(asked).toEqual(dialect === "spec" ? [right, right] : [wrong, right, right]);
    },
  );

  it("does not detect the dialect if one is configured", async () => {
    const simulation = await started("spec");
    const client = clientOf(simulation.nodes[0]?.url ?? "");
    await expect(client.within(5, (api) => VmConfigs.ask(api, "C", facts("avalanchego"), undefined))).rejects.toThrow(
      "does not exist",
    );
    expect(simulation.requests().map(({ rpc }) => rpc)).toEqual(["admin.getVMConfig"]);
  });
});
