import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { RestartPlan } from "../../src/diagnosis/restart/restart-plan.ts";
import type { Simulation } from "../../simulator/simulate.ts";
import { fastClock } from "./support/compression.ts";
import { outcomeOf, type Outcome, type Sent } from "./support/stories/judge.ts";
import { OLD_RELEASE, RELEASE } from "./support/stories/networks.ts";
import { LEAST_SCRAPED } from "./support/stories/run.ts";
import { startChain, startNetworks, type Chain } from "./support/stories/scene.ts";
import type { Story } from "./support/stories/story.ts";

/**
 * A fleet is upgraded in the order that the exporter plans, asked for as JSON: no page, and no L1 below its quorum. Against the plan an
 * L1 loses its quorum, which is a page. Prometheus and Alertmanager are real.
 */

const FACTOR = 20;
/** Fast minutes for which a node is down, longer than the `for` of a lost quorum, and bootstraps: less than the plan's ten. */
const [DOWN, BOOTSTRAPS] = [7, 2];
/** Fast seconds for which a batch was safe before it begins, as for `restart-plan --wait`. */
const SETTLED = 60;
const SOON = { timeout: 120_000, interval: 250 };

/**
 * Ten validators of equal stake, of which six are polled. The first L1 has all of them, one with more weight; the second one has the
 * last seven, and can lose one at a time.
 */
const FLEET: Story = {
  name: "fleet",
  about: "",
  network: () => ({
    ...{ nodes: 6, validators: 10, tidy: true, equalStakes: true, secondL1: true },
    ...{ quorum: true, version: OLD_RELEASE },
  }),
  l1: true,
  ...{ timeline: [], fault: 0, ends: 0, pages: [], tickets: [] },
};
const NODES = Array.from({ length: 6 }, (_, index) => `fleet-${index + 1}`);

const become = (
  nodes: readonly string[],
  ...scenario: Parameters<Simulation["set"]> extends [unknown, ...infer R] ? R : never
): void => {
  for (const node of nodes) network.set(NODES.indexOf(node) + 1, ...scenario);
};
const minutes = (fast: number): Promise<void> => pause((fast * 60_000) / FACTOR);

let chain: Chain;
let network: Simulation;

async function start(): Promise<void> {
  const compression = { start: Math.floor(Date.now() / 1000) * 1000, factor: FACTOR };
  const networks = await startNetworks([FLEET], fastClock(compression)(), compression);
  for (const each of networks.values()) network = each;
  chain = await startChain({ stories: [FLEET] }, networks, compression);
  await vi.waitUntil(() => chain.hasPolledAll(), SOON);
}

async function planned(query = ""): Promise<RestartPlan> {
  return (await (await chain.get(`/api/v1/restart${query}`)).json()) as RestartPlan;
}

/** The first batch of the order, once its nodes have been safe for a while; empty once every node runs the release. */
async function nextBatch(): Promise<readonly string[]> {
  let [ready, since] = ["", 0];
  return vi.waitUntil(async () => {
    const { at, nodes, batches } = await planned(`?version=${RELEASE}`);
    if (nodes.length > 0 && nodes.every(({ state }) => state === "done")) return [];
    const batch = batches[0]?.nodes ?? [];
    const isSafe = nodes.every(({ node, state }) => !batch.includes(node) || state === "safe");
    const found = isSafe ? batch.join() : "";
    if (found !== ready) [ready, since] = [found, at];
    return ready !== "" && at - since >= SETTLED ? batch : undefined;
  }, SOON);
}

async function restarted(nodes: readonly string[]): Promise<void> {
  become(nodes, "offline-validator", RELEASE);
  await minutes(DOWN);
  become(nodes, "bootstrapping");
  await minutes(BOOTSTRAPS);
  become(nodes, "healthy");
}

/** A value of each subnet, by its name. */
async function bySubnet(promql: string): Promise<Readonly<Record<string, number>>> {
  const nameOf = (id = ""): string => network.subnets.find((subnet) => subnet.id === id)?.name ?? id;
  const found = await chain.query(promql);
  return Object.fromEntries([...found.values()].map(({ labels, value }) => [nameOf(labels["subnet"]), value]));
}

const CONNECTED = "avax_subnet_connected_weight_ratio";
const REQUIRED = "avax_subnet_quorum_requirement_ratio";
const sent = (): readonly Sent[] => chain.notifications().map((each) => ({ ...each, minute: 0 }));
const close = (values: Readonly<Record<string, number>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expect.closeTo(value, 6)]));

type Followed = {
  readonly order: ReadonlyArray<readonly string[]>;
  readonly least: Readonly<Record<string, number>>;
  readonly required: ReadonlyArray<Readonly<Record<string, number>>>;
  readonly scraped: number;
  readonly outcome: Outcome;
  /** Seconds without blocks of each L1's chain. */
  readonly stood: readonly number[];
};

/** The upgrade of the whole fleet, one batch after the other. */
async function followed(): Promise<Followed> {
  const [before, began] = [network.state(), Date.now()];
  const order: Array<readonly string[]> = [];
  for (let batch = await nextBatch(); batch.length > 0; batch = await nextBatch()) {
    const minute = Math.round((network.state().time - before.time) / 60);
    process.stdout.write(`Batch ${order.length + 1} after ${minute} min: ${batch.join(", ")}\n`);
    order.push(batch);
    await restarted(batch);
  }
  const [after, range] = [network.state(), `[${Math.ceil((Date.now() - began) / 1000)}s]`];
  return {
    order,
    least: await bySubnet(`min_over_time(${CONNECTED}${range})`),
    required: [
      await bySubnet(`min_over_time(${REQUIRED}${range})`),
      await bySubnet(`max_over_time(${REQUIRED}${range})`),
    ],
    scraped: await chain.scraped(),
    outcome: outcomeOf(sent()),
    stood: (["l1one", "perm1"] as const).map(
      (name) => after.time - before.time - 5 * (after.heights[name] - before.heights[name]),
    ),
  };
}

/** One node stops, and then one that the plan does not let go before it is back. */
async function against() {
  become(["fleet-6"], "offline-validator");
  const plan = await vi.waitUntil(async () => {
    const found = await planned();
    // Until its peers and the other nodes have been asked again, their answers contradict each other.
    return found.batches[0]?.nodes.includes("fleet-6") === true && found.left.length > 0 ? found : undefined;
  }, SOON);
  become(["fleet-5"], "offline-validator");
  const { heights } = network.state();
  await vi.waitUntil(() => outcomeOf(sent()).pages.length > 0, SOON);
  const paged = sent().filter(({ receiver }) => receiver === "page");
  return {
    plan,
    pages: paged.flatMap(({ alerts }) => alerts.map(({ labels }) => [labels["alertname"], labels["subnet"]])),
    connected: await bySubnet(CONNECTED),
    blocks: [network.state().heights.l1one - heights.l1one, network.state().heights.perm1 - heights.perm1] as const,
  };
}

describe("an upgrade by the plan", () => {
  let told: Followed;
  let broken: Awaited<ReturnType<typeof against>>;
  beforeAll(async () => {
    await start();
    told = await followed();
    broken = await against();
  }, 900_000);

  it("restarts each node once", () => {
    expect(told.order.flat().toSorted()).toEqual(NODES);
    expect(told.order.length).toBeLessThan(NODES.length);
  });

  it("keeps each quorum throughout: two of ten, 200 of 1060, one of seven are missing at the most", () => {
    expect(told.least).toEqual(close({ primary: 0.8, L1: 860 / 1060, "second L1": 6 / 7 }));
    const required = { primary: 0.8, L1: 0.8, "second L1": 0.8 };
    expect(told.required).toEqual([required, required]);
    expect(told.scraped).toBeGreaterThanOrEqual(LEAST_SCRAPED.running);
    for (const seconds of told.stood) expect(Math.abs(seconds)).toBeLessThan(5);
  });

  it("is silent", () => {
    const { pages, tickets } = told.outcome;
    // At this pace a tenth of a second of a busy machine is two seconds for which a block waits.
    expect([pages, tickets.filter((alert) => alert !== "AvaxChainExecutionBacklog")]).toEqual([[], []]);
  });

  it("against the plan an L1 loses its quorum, its chain stands, and that is a page", () => {
    expect(broken.plan.batches[0]?.nodes).toEqual(["fleet-6"]);
    expect(broken.plan.left).toContainEqual({
      node: "fleet-5",
      block: {
        reason: "quorum",
        why: "Without fleet-5 71.42 % of the weight of fleet second L1 is connected, and its chains' health checks require 80 %.",
      },
    });
    expect(broken.connected).toEqual(close({ primary: 0.8, L1: 860 / 1060, "second L1": 5 / 7 }));
    const id = network.subnets.find(({ name }) => name === "second L1")?.id;
    expect(broken.pages).toEqual([["AvaxSubnetQuorumLost", id]]);
    expect(broken.blocks[0]).toBeGreaterThan(60);
    expect(broken.blocks[1]).toBe(0);
  });
});
