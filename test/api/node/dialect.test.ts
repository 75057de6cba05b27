import { describe, expect, it } from "vitest";
import { VmConfigs, type VmConfig } from "../../../src/api/node/admin.ts";
import { inDialect, type Dialect } from "../../../src/api/node/dialect.ts";
import type { TargetFacts } from "../../../src/api/endpoint.ts";
import { WaitingUtxos, type Waiting } from "../../../src/api/node/ledger.ts";
import { simulate, type Simulation } from "../../../simulator/simulate.ts";
import { afterThisTest } from "../../support/cleanup.ts";
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

describe("against simulated nodes", () => {
  const started = async (dialect: Dialect): Promise<Simulation> => {
    const simulation = await simulate({
      nodes: 1,
      dialect,
      scenario: [
        { node: 1, name: "admin-on" },
        { node: 1, name: "utxo-waiting" },
      ],
    });
    afterThisTest.add(simulation.close);
    return simulation;
  };
  const facts = (dialect: TargetFacts["options"]["dialect"]): TargetFacts => {
    const context = contextOf();
    return { ...context, options: { ...context.options, dialect } };
  };

  const ASKED = {
    ledger: { spec: "ledger.getUTXOs", avalanchego: "avax.getUTXOs" },
    admin: { spec: "admin_getVMConfig", avalanchego: "admin.getVMConfig" },
  };
  const ANSWERS = {
    ledger: { utxos: 3, avax: 6 },
    admin: { pruning: true, stateSync: undefined, logLevel: "warn" },
  };

  it.each([
    ["ledger", "spec"],
    ["ledger", "avalanchego"],
    ["admin", "spec"],
    ["admin", "avalanchego"],
  ] as const)("three polls of the %s in dialect %s send the other method once at most", async (asked, dialect) => {
    const simulation = await started(dialect);
    const client = clientOf(simulation.nodes[0]?.url ?? "");
    let config: VmConfig | undefined;
    let utxos: Waiting | undefined;
    for (let poll = 0; poll < 3; poll++)
      await client.within(5, async (api) => {
        if (asked === "admin") config = await VmConfigs.ask(api, "C", facts("auto"), config);
        else utxos = await WaitingUtxos.ask(api, `${simulation.wallets[0]?.c ?? ""} P`, facts("auto"), utxos);
      });
    expect(config ?? utxos).toMatchObject({ dialect, ...ANSWERS[asked] });
    const { spec, avalanchego } = ASKED[asked];
    const methods = simulation.requests().flatMap(({ rpc }) => (rpc === spec || rpc === avalanchego ? [rpc] : []));
    const three = Array.from({ length: 3 }, () => ASKED[asked][dialect]);
    expect(methods).toEqual(dialect === "spec" ? three : [spec, ...three]);
  });
});
