import { afterAll, beforeAll, expect, test } from "vitest";
import type { Api, Endpoint } from "../../src/api/endpoint.ts";
import { createClient } from "../../src/api/transport/client.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { defaultConfig, defaultNode } from "../../src/config/default-config.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { createExposition } from "../../src/exposition/exposition.ts";
import { requestBudgets } from "../../generate/request-budget.ts";
import { createPoller, type Poller } from "../../src/poller/poller.ts";
import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { createRequestsUnderWay } from "../support/requests-under-way.ts";

/** The budget of requests in the reference, counted at simulated nodes: the first one is the reference node. */

const NODES = 3;
/** Endpoints that are polled less often are not counted. */
const MINUTES = 10;

const quiet = () => undefined;
const clock = fakeClock({ start: 1_790_000_000 });
const catalogue = catalogueOf(TOPICS);
const exposition = createExposition(catalogue.families);
const budgets = requestBudgets(catalogue);
const { watched, answered } = createRequestsUnderWay();
/** Requests by node and endpoint. */
const sent = new Map<string, number>();
const isCounted = (id: string): boolean =>
  catalogue.endpoints.some((each) => each.id === id && each.every <= 60 * MINUTES);
const OF_NEW_BLOCKS = "evm.head of new blocks";
let counting = false;
let simulation: Simulation;
let poller: Poller;

/** An endpoint whose requests are counted. */
function counted(endpoint: Endpoint<unknown>): Endpoint<unknown> {
  return {
    ...endpoint,
    ask(api, key, facts, previous) {
      const count = (id = endpoint.id) => {
        const name = `${facts.node} ${id}`;
        if (counting) sent.set(name, (sent.get(name) ?? 0) + 1);
      };
      const counter: Api = {
        // Only the block at a common height is no batch of evm.head: like new P-Chain blocks it is no part of the budget.
        call: (...args) => (count(endpoint.id === "evm.head" ? OF_NEW_BLOCKS : undefined), api.call(...args)),
        batch: (...args) => (count(), api.batch(...args)),
        get: (...args) => (count(), api.get(...args)),
      };
      return endpoint.ask(counter, key, facts, previous);
    },
  };
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    poller.tick();
    await answered(clock);
    await clock.pass(1);
  }
}

/** Requests that a node has seen since the start: each has one path. */
const seen = (node: number) => simulation.requests().filter((request) => request.node === node).length;
const nameOf = (node: number) => simulation.nodes[node - 1]?.name ?? "";
let seenBefore: readonly number[] = [];

beforeAll(async () => {
  simulation = await simulate({ nodes: NODES, validators: NODES, now: () => clock.now() * 1000 });
  poller = createPoller({
    catalogue: {
      ...catalogue,
      endpoints: catalogue.endpoints.map((each) => (each.scope === "hosted" ? each : counted(each))),
    },
    exposition,
    clock,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    events: { polled: quiet, defect: quiet, duplicates: quiet },
    connect: (...given) => watched(createClient(...given)),
  });
  poller.apply({ ...defaultConfig(), nodes: simulation.nodes.map(({ name, url }) => defaultNode(name, url)) });
  // Until every poll keeps to its slots, and what is settled is requested less often.
  await pass(120);
  seenBefore = [1, 2, 3].map(seen);
  counting = true;
  await pass(60 * MINUTES);
  counting = false;
}, 120_000);

afterAll(async () => {
  await poller.close();
  await simulation.close();
});

/** Requests for new P-Chain blocks, which are no part of the budget. */
const newBlocks = () =>
  simulation
    .requests()
    .slice(seenBefore.reduce((sum, each) => sum + each, 0))
    .filter(({ rpc }) => rpc === "platform.getBlockByHeight").length;

const perMinute = (node: number) =>
  Object.fromEntries(
    [...sent]
      .filter(([name]) => name.startsWith(`${nameOf(node)} `) && !name.endsWith(OF_NEW_BLOCKS))
      .map(([name, requests]) => {
        const id = name.slice(name.indexOf(" ") + 1);
        const isFollower = id === "platform.getBlockByHeight";
        return [id, rounded((requests - (isFollower ? newBlocks() : 0)) / MINUTES)] as const;
      })
      .filter(([id]) => isCounted(id)),
  );

const budgetOf = (of: "node" | "reference" | "second") =>
  Object.fromEntries(
    budgets.filter(({ id, [of]: rate }) => rate > 0 && isCounted(id)).map((budget) => [budget.id, rounded(budget[of])]),
  );

function rounded(rate: number): number {
  return Math.round(rate * 1000) / 1000;
}

test("a node sees the requests of its budget, by endpoint", () => {
  expect(perMinute(2)).toEqual(budgetOf("second"));
  expect(perMinute(3)).toEqual(budgetOf("node"));
});

test("the reference node sees those of the network too", () => {
  expect(newBlocks()).toBeGreaterThan(0);
  expect(perMinute(1)).toEqual(budgetOf("reference"));
});

test("the nodes have seen what the endpoints sent, and nothing else", () => {
  const sentTo = (node: number) =>
    [...sent].filter(([name]) => name.startsWith(`${nameOf(node)} `)).reduce((sum, [, count]) => sum + count, 0);
  expect([1, 2, 3].map((node) => seen(node) - (seenBefore[node - 1] ?? 0))).toEqual([1, 2, 3].map(sentTo));
});

test("the budget of a node is at most 40 requests per minute, and of the reference node 55", () => {
  const sum = (of: "node" | "reference") => budgets.reduce((all, budget) => all + budget[of], 0);
  expect(sum("node")).toBeLessThanOrEqual(40);
  expect(sum("reference")).toBeLessThanOrEqual(55);
});
