import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultConfig } from "../../src/config/default-config.ts";
import type { Config } from "../../src/config/config.ts";
import { createExposition } from "../../src/exposition/exposition.ts";
import { catalogueOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { createPoller, type Poller } from "../../src/poller/poller.ts";
import { simulate, type Simulation } from "../../src/simulator/simulate.ts";

/** What a fleet costs its nodes: every request of a simulated minute, counted where it arrives. */

const NODES = 100;
/** Seconds on the daemon's clock that pass in a real one. */
const HASTE = 6;
const MINUTE = 60;

const start = Date.now() / 1000;
const hasty: Clock = {
  now: () => start + (Date.now() / 1000 - start) * HASTE,
  elapsed: () => performance.now() / 1000,
  after(seconds, run) {
    const timer = setTimeout(run, Math.max(0, (seconds * 1000) / HASTE));
    return () => clearTimeout(timer);
  },
};
const quiet = () => undefined;

let simulation: Simulation;
let engine: Poller;
let ticking: NodeJS.Timeout;
/** Requests of the minute, by JSON-RPC method or path. */
const asked = new Map<string, number>();

beforeAll(async () => {
  simulation = await simulate({ nodes: NODES, validators: NODES, peersPerNode: 20 });
  const catalogue = catalogueOf(TOPICS);
  engine = createPoller({
    catalogue,
    exposition: createExposition(catalogue.families),
    clock: hasty,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    events: { polled: quiet, missed: quiet, readFailed: quiet, duplicates: quiet },
  });
  engine.apply(fleetOf(simulation));
  ticking = setInterval(() => engine.tick(), 1000 / HASTE);
  await engine.firstRound();
  const methods = new Set(
    catalogue.endpoints.flatMap((endpoint) => endpoint.methods.map((method) => method.split(" ")[0] ?? "")),
  );
  const before = new Map([...methods].map((method) => [method, simulation.count("all", method)]));
  const { promise, resolve } = Promise.withResolvers<undefined>();
  hasty.after(MINUTE, () => resolve(undefined));
  await promise;
  for (const [method, count] of before) asked.set(method, simulation.count("all", method) - count);
}, 120_000);

afterAll(async () => {
  clearInterval(ticking);
  await engine.close();
  await simulation.close();
});

function fleetOf({ nodes }: Simulation): Config {
  const base = defaultConfig();
  const [node] = base.nodes;
  if (node === undefined) throw new Error("the default configuration has a node");
  return { ...base, nodes: nodes.map(({ name, url }) => ({ ...node, name, url })) };
}

const count = (method: string): number => asked.get(method) ?? 0;

test("what leaves a trace in a node's log is never asked", () => {
  expect(count("info.getTxFee")).toBe(0);
  expect(simulation.count("all", "info.getTxFee")).toBe(0);
});

test("what concerns one node is asked of each at its cadence, and no more often", () => {
  // Four a minute, give or take the one at either end that the edges of the minute cut off.
  expect(count("platform.getHeight") / NODES).toBeGreaterThan(3);
  expect(count("platform.getHeight") / NODES).toBeLessThan(5.5);
  expect(count("info.peers") / NODES).toBeGreaterThan(1.5);
  expect(count("info.peers") / NODES).toBeLessThan(2.5);
  expect(count("info.isBootstrapped") / NODES).toBeLessThan(3 * 4.5);
});

test("what concerns the network is asked of one speaker, not of a hundred nodes", () => {
  // The whole set once a minute; the watch list of each node twice.
  expect(count("platform.getCurrentValidators")).toBeLessThan(2 * NODES + 2 * NODES * 0.25 + 3);
  expect(count("info.acps")).toBeLessThan(3);
  expect(count("platform.getCurrentSupply")).toBeLessThan(3);
  expect(count("platform.getValidatorFeeState")).toBeLessThan(3);
});

test("a node answers less than one request a second", () => {
  const all = [...asked.values()].reduce((sum, each) => sum + each, 0);
  expect(all / NODES).toBeGreaterThan(20);
  expect(all / NODES / MINUTE).toBeLessThan(1);
});
