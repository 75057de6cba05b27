import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../src/api/transport/client.ts";
import { defaultConfig } from "../../src/config/default-config.ts";
import type { Config } from "../../src/config/config.ts";
import { createExposition } from "../../src/exposition/exposition.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { createPoller, type Poller } from "../../src/poller/poller.ts";
import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { createRequestsUnderWay } from "../support/requests-under-way.ts";

/** The load of the exporter on a fleet: every request of a simulated minute, counted by the nodes. */

const NODES = 50;
const MINUTE = 60;
/** Deadline for a busy machine, which is not measured. Seconds. */
const PATIENT = { timeout: 300 };

/** Stops while requests are running, so that a minute has the same polls on a slow machine. */
const clock = fakeClock({ start: Date.now() / 1000 });
const catalogue = catalogueOf(TOPICS);
const quiet = () => undefined;

let simulation: Simulation;
let poller: Poller;
/** Requests of the minute, by JSON-RPC method or path. */
const asked = new Map<string, number>();

const { watched, answered } = createRequestsUnderWay();

/** Lets a second pass after all its requests were answered. */
async function second(): Promise<void> {
  poller.tick();
  await answered(clock);
  await clock.pass(1);
}

beforeAll(async () => {
  simulation = await simulate({ nodes: NODES, validators: NODES, peersPerNode: 20, now: () => clock.now() * 1000 });
  poller = createPoller({
    catalogue,
    exposition: createExposition(catalogue.families),
    clock,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    events: { polled: quiet, defect: quiet, duplicates: quiet },
    connect: (...given) => watched(createClient(...given)),
  });
  poller.apply(fleetOf(simulation));
  let complete = false;
  void poller.firstRound().then(() => (complete = true));
  while (!complete) await second();
  const methods = new Set(
    catalogue.endpoints.flatMap((endpoint) => endpoint.methods.map((method) => method.split(" ")[0] ?? "")),
  );
  const before = new Map([...methods].map((method) => [method, simulation.count("all", method)]));
  for (let passed = 0; passed < MINUTE; passed++) await second();
  for (const [method, count] of before) asked.set(method, simulation.count("all", method) - count);
}, 120_000);

afterAll(async () => {
  await poller.close();
  await simulation.close();
});

function fleetOf({ nodes }: Simulation): Config {
  const base = defaultConfig();
  const [node] = base.nodes;
  if (node === undefined) throw new Error("the default configuration has a node");
  const endpoints = Object.fromEntries(catalogue.endpoints.map(({ id }) => [id, PATIENT]));
  return { ...base, endpoints, nodes: nodes.map(({ name, url }) => ({ ...node, name, url })) };
}

const count = (method: string): number => asked.get(method) ?? 0;

test("methods that write to the log of a node are never called", () => {
  expect(count("info.getTxFee")).toBe(0);
  expect(simulation.count("all", "info.getTxFee")).toBe(0);
});

test("endpoints of a node are polled on each node at their cadence", () => {
  // Four a minute, plus or minus one at the edges of the minute.
  expect(count("platform.getHeight") / NODES).toBeGreaterThan(3);
  expect(count("platform.getHeight") / NODES).toBeLessThan(5.5);
  expect(count("info.peers") / NODES).toBeGreaterThan(1.5);
  expect(count("info.peers") / NODES).toBeLessThan(2.5);
  // Once a minute and chain: all of them are bootstrapped.
  expect(count("info.isBootstrapped") / NODES).toBeLessThan(3 * 1.5);
});

test("endpoints of the network are polled on one reference node, not on fifty nodes", () => {
  // The whole set once a minute, and the watch list of each node twice.
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
