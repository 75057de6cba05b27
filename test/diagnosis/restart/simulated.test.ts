import fc from "fast-check";
import { expect, it } from "vitest";
import { demoConfig } from "../../../src/cli/demo.ts";
import { createDaemon } from "../../../src/daemon/daemon.ts";
import { createLogger } from "../../../src/daemon/create-logger.ts";
import { planOf, USUAL_DOWN, type RestartPlan } from "../../../src/diagnosis/restart/restart-plan.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createWorld, type ChainName } from "../../../simulator/world/genesis.ts";
import { initialHistory, switched } from "../../../simulator/world/history.ts";
import { isInactive } from "../../../simulator/world/l1.ts";
import { behaviourAt, createNetwork, stakeOf, type Network } from "../../../simulator/world/network.ts";
import { settle, type SimulatorOptions } from "../../../simulator/world/options.ts";
import { seatsOf } from "../../../simulator/world/quorum.ts";
import type { ScenarioName } from "../../../simulator/world/scenarios.ts";
import { observedUptime } from "../../../simulator/world/uptime.ts";
import { simulate } from "../../../simulator/simulate.ts";

/**
 * The order of a simulated fleet, as an exporter plans it from the answers of its nodes, is replayed on the simulated network, which
 * knows what is connected and which uptimes are observed.
 */

const START = Date.parse("2026-11-24T12:00:00Z");
const [OLD, NEW] = ["1.14.2", "1.15.0"];
const HOUR = 3600;
/** A stake that ends or a balance that is used up changes the network, whatever is restarted: then it is time for another plan. */
const CHANGES_AFTER: Partial<Record<ScenarioName, number>> = {
  "stake-ending": 20 * HOUR,
  "l1-balance-short": 6 * HOUR,
};
const AWAY: readonly ScenarioName[] = ["offline-validator", "bootstrapping"];
const STATES: ReadonlyArray<readonly ScenarioName[]> = [
  ...Array.from({ length: 8 }, () => ["healthy"] as const),
  ["edge-uptime", "stake-ending"],
  ["low-uptime"],
  ["l1-balance-short"],
  ["drained-l1"],
  ...AWAY.map((name) => [name]),
];

type Fleet = {
  readonly states: ReadonlyArray<readonly ScenarioName[]>;
  readonly options: SimulatorOptions;
  readonly down: number;
};

const fleets: fc.Arbitrary<Fleet> = fc
  .record({
    states: fc.array(fc.constantFrom(...STATES), { minLength: 4, maxLength: 8 }),
    others: fc.nat(6),
    seed: fc.nat(1000),
    equalStakes: fc.boolean(),
    secondL1: fc.boolean(),
    upgraded: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }),
    leadHours: fc.integer({ min: 1, max: 48 }),
    down: fc.constantFrom(600, HOUR, 8 * HOUR),
  })
  .map(({ states, others, upgraded, leadHours, down, ...options }) => ({
    states,
    down,
    options: {
      ...options,
      tidy: true,
      nodes: states.length,
      validators: states.length + others,
      version: OLD,
      overrides: upgraded.map((node) => ({ node, version: NEW })),
      heliconTime: START / 1000 + leadHours * HOUR,
      scenario: states.flatMap((names, index) => names.map((name) => ({ node: index + 1, name }))),
    },
  }));

/** What an exporter that polls the fleet once knows and exports. Time stands still. */
async function polled({ options }: Fleet) {
  const simulation = await simulate({ ...options, now: () => START });
  const demo = demoConfig(simulation);
  const nodes = demo.nodes.map((node, index) => ({
    ...node,
    network: "local",
    nodeId: simulation.nodes[index]?.nodeId,
  }));
  const daemon = createDaemon({
    config: { ...demo, nodes },
    log: createLogger("error", "logfmt", () => undefined),
    clock: { ...systemClock, now: () => START / 1000 },
    ...{ version: "1", revision: "r", nodeVersion: "v", exporterMetrics: false },
  });
  daemon.poller.tick();
  await daemon.poller.firstRound();
  const facts = await daemon.restarts();
  const only = new Set(["avax_node_restart_safe", "avax_node_restart_blocked"]);
  const { chunks } = await daemon.metrics({ accept: undefined, acceptEncoding: undefined, only });
  await daemon.poller.close();
  await simulation.close();
  const lines = chunks.map(String).join("").split("\n");
  return { facts, samples: lines.filter((line) => line !== "" && !line.startsWith("#")) };
}

/** Share of the weight of a chain's validators that has a balance and a process. */
function connected(network: Network, chain: ChainName, at: number): number {
  const seats = seatsOf(network, chain, at);
  const weigh = (some: typeof seats): number => some.reduce((sum, { weight }) => sum + weight, 0);
  const isThere = ({ member, validation }: (typeof seats)[number]): boolean =>
    behaviourAt(network, member, at).links !== "down" &&
    (validation === undefined || !isInactive(network, 0, validation, at));
  return weigh(seats.filter(isThere)) / weigh(seats);
}

/** The network with the order followed, and the moments at which it changes. */
function replayed({ options, states, down }: Fleet, { batches }: Pick<RestartPlan, "batches">) {
  const settings = settle(options, START);
  const untouched = createNetwork(createWorld(settings), initialHistory(settings, options.scenario ?? "healthy"));
  let network = untouched;
  const moments: number[] = [];
  for (const { from, nodes } of batches) {
    for (const [at, isDown] of [
      [from * 1000, true],
      [(from + down) * 1000, false],
    ] as const) {
      for (const name of nodes) {
        const node = Number(name.slice("sim-".length));
        const own = (states[node - 1] ?? []).filter((each) => !AWAY.includes(each));
        network = switched(network, { node, names: ["healthy", ...own, ...(isDown ? AWAY.slice(0, 1) : [])] }, at);
      }
      moments.push(at - 1, at);
    }
  }
  return { untouched, network, moments };
}

/** The least uptime that another node will have observed of a validator when its stake ends, if only the order brings it down. */
function uptimeAtEnd(untouched: Network, network: Network, index: number): number {
  const { start = 0, end = 0 } = stakeOf(untouched, index, START) ?? {};
  const last = end * 1000 - 1;
  const uptimes = untouched.world.members
    .filter((member) => member.index !== index)
    .map((other) => {
      const of = (which: Network, at: number) => observedUptime(which, other.index, index, at);
      const lost = (1 - of(untouched, START)) * (START / 1000 - start);
      return 1 - lost / (end - start) - (of(untouched, last) - of(network, last));
    });
  return Math.min(...uptimes);
}

it("no order of a simulated fleet breaks a quorum or a budget", async () => {
  await fc.assert(
    fc.asyncProperty(fleets, async (fleet) => {
      const { facts, samples } = await polled(fleet);
      const plan = planOf(facts, { down: fleet.down, version: NEW });
      const { untouched, network, moments } = replayed(fleet, plan);
      const names = fleet.states.map((_, index) => `sim-${index + 1}`);

      // The release of a node that never answered is unknown.
      const isUpgraded = (name: string, index: number) =>
        fleet.states[index]?.includes("offline-validator") === false &&
        fleet.options.overrides?.some(({ node }) => name === `sim-${node}`) === true;
      const inOrder = plan.batches.flatMap(({ nodes }) => nodes);
      const left = plan.left.map(({ node }) => node);
      expect([...inOrder, ...left].toSorted()).toEqual(names.filter((name, index) => !isUpgraded(name, index)));

      const until = START / 1000 + Math.min(...fleet.states.flat().map((name) => CHANGES_AFTER[name] ?? Infinity));
      for (const at of moments.filter((moment) => moment >= START && moment / 1000 < until))
        for (const chain of ["P", "perm1", "l1one"] as const) {
          const least = Math.min(0.8, connected(untouched, chain, at));
          expect(connected(network, chain, at)).toBeGreaterThanOrEqual(least - 1e-9);
        }

      for (const name of inOrder) {
        const index = names.indexOf(name);
        if (uptimeAtEnd(untouched, untouched, index) < 0.8) continue;
        // Observers differ by a thousandth.
        expect(uptimeAtEnd(untouched, network, index)).toBeGreaterThanOrEqual(0.799);
      }

      const usual = planOf(facts, { down: USUAL_DOWN }).nodes.map(({ node, block }) => ({
        node,
        reason: block?.reason,
      }));
      expect(samples).toEqual([
        ...usual.map(
          ({ node, reason }) =>
            `avax_node_restart_safe{network="local",node="${node}"} ${reason === undefined ? 1 : 0}`,
        ),
        ...usual.flatMap(({ node, reason }) =>
          reason === undefined
            ? []
            : [`avax_node_restart_blocked{network="local",node="${node}",reason="${reason}"} 1`],
        ),
      ]);

      const { heliconTime: activation = NaN } = fleet.options;
      const last = plan.batches.at(-1)?.from ?? -Infinity;
      expect(plan.deadlines).toMatchObject([
        { network: "local", at: activation, fits: left.length === 0 && last + fleet.down <= activation },
      ]);
    }),
    { numRuns: 8 },
  );
}, 120_000);

it("a replay shows which quorums and budgets an order breaks", () => {
  const scarce: readonly ScenarioName[] = ["edge-uptime", "stake-ending"];
  const states = [scarce, ...Array.from({ length: 7 }, (): readonly ScenarioName[] => [])];
  const scenario = scarce.map((name) => ({ node: 1, name }));
  const options = { nodes: 8, validators: 10, tidy: true, equalStakes: true, secondL1: true, scenario };
  const nodes = states.map((_, index) => `sim-${index + 1}`);
  const allAtOnce = { batches: [{ from: START / 1000, nodes }] };
  const { untouched, network } = replayed({ states, options, down: 19 * HOUR }, allAtOnce);
  expect((["P", "perm1", "l1one"] as const).map((chain) => connected(network, chain, START))).toEqual([
    0.2,
    2 / 7,
    200 / 1060,
  ]);
  expect(uptimeAtEnd(untouched, untouched, 0)).toBeGreaterThan(0.8);
  expect(uptimeAtEnd(untouched, network, 0)).toBeLessThan(0.799);
});
