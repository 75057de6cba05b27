import { afterEach, expect, test } from "vitest";
import { createClient } from "../../src/api/transport/client.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { defaultConfig, defaultNode } from "../../src/config/default-config.ts";
import { ESSENTIAL_FAMILIES } from "../../src/topics/all/essential-families.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { createExposition } from "../../src/exposition/exposition.ts";
import { PRICE } from "../../generate/reference.ts";
import { createPoller } from "../../src/poller/poller.ts";
import { simulate, type SimulatorOptions } from "../../simulator/simulate.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { createRequestsUnderWay } from "../support/requests-under-way.ts";

/** The price of nodes and L1s in the reference, which users of a hosted Prometheus pay: counted at simulated nodes. */

const FAMILIES = catalogueOf(TOPICS).families.map(({ name }) => name);
const RECORD = /^avax_(endpoint|poll|polls)_|^avax_node_(up|id_matches|overdue_seconds)$/;
const ESSENTIAL = FAMILIES.filter((name) => ESSENTIAL_FAMILIES.has(name));
/** Until every endpoint but those of an hour has answered. Seconds. */
const POLLED = 330;

const quiet = () => undefined;
const ends: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The series of a simulated network. @param serving how many of its nodes serve the L1, an EVM chain */
async function priced(options: SimulatorOptions, serving = 0) {
  const clock = fakeClock({ start: 1_790_000_000 });
  const catalogue = catalogueOf(TOPICS);
  const exposition = createExposition(catalogue.families);
  const { watched, answered } = createRequestsUnderWay();
  const simulation = await simulate({ tidy: true, ...options, now: () => clock.now() * 1000 });
  const poller = createPoller({
    catalogue,
    exposition,
    clock,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    events: { polled: quiet, defect: quiet, duplicates: quiet },
    connect: (...given) => watched(createClient(...given)),
  });
  ends.push(() => poller.close(), simulation.close);
  const l1s = simulation.subnets
    .filter(({ isL1 }) => isL1)
    .map(({ id, name, chainId }) => ({ id, name, chains: [{ id: chainId, evm: true }] }));
  const nodes = simulation.nodes.map(({ name, url }, index) => ({
    ...defaultNode(name, url),
    subnets: index < serving ? l1s.map(({ id }) => id) : [],
  }));
  poller.apply({ ...defaultConfig(), nodes, subnets: serving === 0 ? [] : l1s });
  for (let second = 0; second < POLLED; second++) {
    poller.tick();
    await answered(clock);
    await clock.pass(1);
  }
  poller.collect();
  // Nodes report the health of chains that the configuration does not name: no part of the price of a node.
  const others = new Set(simulation.subnets.map(({ chainId }) => chainId));
  const isPlain = ({ chain = "", check = "" }: Readonly<Record<string, string>>) =>
    !others.has(chain) && !others.has(check);
  const rows = (families: readonly string[]) =>
    families.flatMap((each) => exposition.readings(each)).map(({ labels }) => labels);
  return {
    ofAll: () => rows(FAMILIES).length,
    ofNode: (index: number, families = FAMILIES) =>
      rows(families).filter((labels) => labels["node"] === simulation.nodes[index]?.name && isPlain(labels)).length,
  };
}

/** At most the price, and not less than it by a seventh: the reference says what users pay. */
function expectPrice(series: number, price: number): void {
  expect(series).toBeLessThanOrEqual(price);
  expect(series).toBeGreaterThan((6 / 7) * price);
}

test("a validator and a node that validates nothing have the series that the reference says", async () => {
  const { ofNode } = await priced({ nodes: 4, validators: 3 });
  const record = FAMILIES.filter((name) => RECORD.test(name));
  expectPrice(ofNode(2), PRICE.validator);
  expectPrice(ofNode(3), PRICE.node);
  expectPrice(ofNode(2, record), PRICE.record);
  expectPrice(ofNode(2, ESSENTIAL), PRICE.essential);
});

test("an L1 of ten validators adds the series that the reference says, and each further node that serves it some more", async () => {
  const [none, one, two] = [
    await priced({ nodes: 2, validators: 10 }),
    await priced({ nodes: 2, validators: 10 }, 1),
    await priced({ nodes: 2, validators: 10 }, 2),
  ];
  expectPrice(one.ofAll() - none.ofAll(), PRICE.l1);
  expectPrice(two.ofAll() - one.ofAll(), PRICE.l1Node);
});
