import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  restartFacts,
  keyOf,
  type RestartFacts,
  type RestartNode,
} from "../../../src/diagnosis/restart/restart-facts.ts";
import { planOf, USUAL_DOWN } from "../../../src/diagnosis/restart/restart-plan.ts";
import { samplesOf } from "../../../src/diagnosis/samples.ts";
import { readingsIn } from "../../support/readings.ts";
import { withVerdicts } from "../../support/verdict-series.ts";

const NOW = 1_800_000_000;
const [NET, PRIMARY, L1] = ['network="n"', 'subnet="primary"', 'subnet="L"'];
const of = (node: string, subnet = PRIMARY) => `${NET},${subnet},node_id="ID-${node}"`;

/** Three validators of an L1 with six members of equal weight. */
const FLEET: readonly string[] = [
  `avax_validators{${NET},${PRIMARY}} 100`,
  `avax_validators{${NET},${L1}} 6`,
  ...[PRIMARY, L1].map((subnet) => `avax_subnet_quorum_requirement_ratio{${NET},${subnet}} 0.8`),
  ...[PRIMARY, L1].map((subnet) => `avax_subnet_connected_weight_ratio{${NET},${subnet}} 1`),
  `avax_subnet_info{${NET},${L1},name="games"} 1`,
  `avax_upgrade_activation_timestamp_seconds{${NET},upgrade="old"} ${NOW - 5}`,
  `avax_upgrade_activation_timestamp_seconds{${NET},upgrade="helicon"} ${NOW + 2000}`,
  ...["a", "b", "c"].flatMap((node) => [
    `avax_node_configured{${NET},node="${node}",node_id="ID-${node}"} 1`,
    `avax_node_up{${NET},node="${node}"} 1`,
    `avax_node_info{${NET},node="${node}",node_id="ID-${node}",version="avalanchego/1.14.2"} 1`,
    `avax_validator_in_set{${of(node)}} 1`,
    `avax_validator_in_set{${of(node, L1)}} 1`,
    `avax_validator_active_weight_ratio{${of(node)}} 0.01`,
    `avax_validator_active_weight_ratio{${of(node, L1)}} ${1 / 6}`,
    `avax_validator_uptime_requirement_ratio{${of(node)}} 0.8`,
    `avax_validator_downtime_budget_remaining_seconds{node="x",${of(node)}} 3600`,
    `avax_validator_stake_start_timestamp_seconds{${of(node)}} ${NOW - 864_000}`,
    `avax_validator_stake_end_timestamp_seconds{${of(node)}} ${NOW + 864_000}`,
    `avax_l1_validator_active{${of(node, L1)},validation_id="${node}"} 1`,
    `avax_l1_validator_runway_seconds{${of(node, L1)},validation_id="${node}"} 864000`,
  ]),
];

type Changes = Readonly<Record<string, number | null>>;

/** The fleet with series that have another value, or none. */
function changed(changes: Changes): readonly string[] {
  const known = new Map(FLEET.map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" "))]));
  for (const [series, value] of Object.entries(changes))
    if (value === null) known.delete(series);
    else known.set(series, ` ${value}`);
  return [...known].map(([series, value]) => series + value);
}

const factsOf = (changes: Changes, isWhole = true) =>
  restartFacts(samplesOf(readingsIn(`${withVerdicts(changed(changes)).join("\n")}\n`), NOW), isWhole);
const plan = (changes: Changes, version?: string) => planOf(factsOf(changes), { down: USUAL_DOWN, version });
const budget = (observer: string) => `avax_validator_downtime_budget_remaining_seconds{node="${observer}",${of("a")}}`;
const BUDGET = budget("x");
const connected = (subnet: string) => `avax_subnet_connected_weight_ratio{${NET},${subnet}}`;
const up = (node: string) => `avax_node_up{${NET},node="${node}"}`;
const chainOf = (metric: string, node: string) => `avax_chain_${metric}{${NET},node="${node}",chain="C"}`;
const BEHIND = `avax_node_behind_seconds{${NET},node="c"}`;
const ends = (node: string) => `avax_validator_stake_end_timestamp_seconds{${of(node)}}`;
const L1_OF_A = `${of("a", L1)},validation_id="a"`;

it("names the nodes that can go down, one of the L1 at a time, and whether they fit before the upgrade", () => {
  expect(plan({})).toMatchObject({
    nodes: ["a", "b", "c"].map((node) => ({ node, state: "safe" })),
    batches: ["a", "b", "c"].map((node, index) => ({ from: NOW + index * USUAL_DOWN, nodes: [node] })),
    left: [],
    deadlines: [{ network: "n", upgrade: "helicon", at: NOW + 2000, fits: true }],
  });
  expect(planOf(factsOf({}), { down: 900 }).deadlines).toMatchObject([{ fits: false }]);
  expect(plan({}, "v1.14.2")).toMatchObject({
    nodes: [{ state: "done" }, { state: "done" }, { state: "done" }],
    batches: [],
  });
});

it.each<[what: string, changes: Changes, reason?: string, why?: string]>([
  ["a budget shorter than the outage", { [BUDGET]: 599 }, "budget", "a has 9 min 59 s of downtime left"],
  ["a budget of just the outage", { [BUDGET]: 600 }],
  ["a reward that is lost already", { [BUDGET]: -1 }],
  ["the middle of three observers", { [BUDGET]: 100, [budget("y")]: 700, [budget("z")]: 800 }],
  ["an unknown budget", { [BUDGET]: null }, "unknown", "How much downtime a has left is unknown"],
  [
    "a budget that only its own node's peers know, in whole percents",
    { [BUDGET]: null, [budget("a")]: 4000, [`avax_node_observed_uptime_median_ratio{${NET},node="a"}`]: 0.9 },
    "budget",
    "give or take 1 h 12 min",
  ],
  [
    "an L1 without reserve",
    { [connected(L1)]: 5 / 6 },
    "quorum",
    "Without a 66.66 % of the weight of games is connected, and its chains' health checks require 80 %",
  ],
  [
    "an L1 of which the share is unknown",
    { [`avax_validator_active_weight_ratio{${of("a", L1)}}`]: null },
    "unknown",
    "games",
  ],
  [
    "no balance, so no weight on the L1",
    {
      [`avax_validator_active_weight_ratio{${of("a", L1)}}`]: 0,
      [`avax_l1_validator_active{${L1_OF_A}}`]: 0,
      [connected(L1)]: 5 / 6,
    },
  ],
  [
    "a set that is unknown",
    { [`avax_validators{${NET},${L1}}`]: null },
    "unknown",
    "The validators of games are unknown",
  ],
  ["a network that is short of stake", { [connected(PRIMARY)]: 0.805 }, "network_stake", "Without a 79.5 %"],
  ["another node that is down", { [up("c")]: 0 }, "other_node", "c is down."],
  ["another node that bootstraps", { [chainOf("bootstrapped", "c")]: 0 }, "other_node", "c is bootstrapping C."],
  [
    "another node that is not connected again",
    { [`avax_validator_connected{${of("c")},node="b"}`]: 0 },
    "other_node",
    "c is not connected to b.",
  ],
  [
    "another node that is behind",
    { [BEHIND]: 90, [chainOf("behind_since_timestamp_seconds", "c")]: NOW - 90 },
    "other_node",
    "c is behind on C.",
  ],
  ["one of which the chain is not known", { [BEHIND]: 90 }, "other_node", "c is behind."],
  ["one that is behind by a moment", { [BEHIND]: 20, [chainOf("behind_since_timestamp_seconds", "c")]: NOW - 20 }],
  ["a chain behind that it bootstraps", { [chainOf("behind_since_timestamp_seconds", "c")]: NOW - 90 }],
  [
    "a node of another network",
    { 'avax_node_configured{network="m",node="z",node_id="ID-z"}': 1, 'avax_node_up{network="m",node="z"}': 0 },
  ],
  ["a stake that ends within the outage", { [ends("a")]: NOW + 300 }, "stake_end", "ends within the outage"],
  [
    "a balance that ends within the outage",
    { [`avax_l1_validator_runway_seconds{${L1_OF_A}}`]: 300 },
    "balance",
    "lasts 5 min: top it up first",
  ],
  [
    "a balance without a price",
    { [`avax_l1_validator_runway_seconds{${L1_OF_A}}`]: null },
    "unknown",
    "balance of a lasts is unknown",
  ],
  ["a node without an answer yet", { [up("a")]: null }, "unknown", "a was not polled yet"],
])("%s", (_what, changes, reason, why) => {
  const block = plan(changes).nodes.find(({ node }) => node === "a")?.block;
  expect(block?.reason).toBe(reason);
  expect(block?.why ?? "").toContain(why ?? "");
});

it("begins with a node that is down, whose weight is missing already", () => {
  const found = plan({
    [up("c")]: 0,
    [`avax_node_outage{${NET},node="c",node_id="ID-c",outage="unseen"}`]: 1,
    [connected(L1)]: 5 / 6,
  });
  expect(found.nodes.map(({ state }) => state)).toEqual(["wait", "wait", "safe"]);
  expect(found).toMatchObject({ away: [{ node: "c", why: "is down" }], batches: [{ nodes: ["c"] }] });
  expect(found.left.map(({ node, block }) => [node, block.reason])).toEqual([
    ["a", "quorum"],
    ["b", "quorum"],
  ]);
});

it("two that are away do not wait for each other", () => {
  const found = plan({ [chainOf("bootstrapped", "a")]: 0, [chainOf("bootstrapped", "c")]: 0 });
  expect(found.nodes.map(({ state }) => state)).toEqual(["safe", "wait", "safe"]);
  expect(found.batches.map(({ nodes }) => nodes)).toEqual([["a"], ["c"], ["b"]]);
});

it("plans a node after the end of its stake", () => {
  const end = NOW + 5 * USUAL_DOWN;
  const found = plan(Object.fromEntries(["a", "b", "c"].map((node) => [ends(node), node === "c" ? end : NOW + 300])));
  expect(found.batches.map(({ nodes }) => nodes)).toEqual([["c"], ["a"], ["b"]]);
});

it("knows nothing safe as one shard of several", () => {
  expect(planOf(factsOf({}, false), { down: USUAL_DOWN }).nodes.map(({ block }) => block?.reason)).toEqual([
    "unknown",
    "unknown",
    "unknown",
  ]);
});

describe("any fleet", () => {
  /** Mostly what is known and holds nothing up, so that batches have several nodes. */
  const mostly = <T, U>(usual: T, other: fc.Arbitrary<U>) =>
    fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
  const stake = (subnet: string) =>
    fc.record({
      subnet: fc.constant(subnet),
      share: fc.oneof({ weight: 12, arbitrary: fc.double({ min: 0, max: 0.15, noNaN: true }) }, fc.constant(undefined)),
      budget: mostly("none" as const, fc.option(fc.integer({ min: -100, max: 3000 }), { nil: undefined })),
      tolerance: fc.constantFrom(0, 50),
      end: mostly(NOW + 1_000_000, fc.integer({ min: NOW + 1, max: NOW + 5000 })),
      runway: mostly("none" as const, fc.option(fc.nat(9000), { nil: undefined })),
    });
  const node = fc.record({
    network: fc.constant("n"),
    state: fc.constantFrom("up", "up", "up", "bootstrapping", "down"),
    version: fc.constantFrom("avalanchego/1", "avalanchego/2"),
    stakes: fc.tuple(stake("primary"), stake("L"), stake("M")).chain((all) => fc.subarray(all)),
  });
  const fleet: fc.Arbitrary<RestartFacts> = fc
    .tuple(
      fc.array(node, { maxLength: 12 }),
      fc.tuple(
        ...["primary", "L", "M"].map((subnet) =>
          fc.record({ subnet: fc.constant(subnet), connected: fc.double({ min: 0.75, max: 1, noNaN: true }) }),
        ),
      ),
      fc.integer({ min: NOW + 1, max: NOW + 9000 }),
    )
    .map(([nodes, quorums, activation]) => ({
      at: NOW,
      isWhole: true,
      nodes: nodes.map(({ state, ...each }, index): RestartNode => ({
        ...each,
        node: `n${index}`,
        nodeId: `ID-${index}`,
        up: state !== "down",
        away: state === "up" ? undefined : `is ${state}`,
        isCutOff: state === "down",
      })),
      quorums: new Map(
        quorums.map((each) => [
          keyOf("n", each.subnet),
          { ...each, network: "n", name: each.subnet, required: 0.8, isKnown: true },
        ]),
      ),
      upgrades: new Map([["n", { at: activation, name: "helicon" }]]),
    }));

  /** The weight of a subnet that some nodes bring back, or take away. */
  const weightOf = (nodes: readonly RestartNode[], subnet: string): number =>
    nodes
      .flatMap(({ stakes }) => stakes)
      .filter((each) => each.subnet === subnet)
      .reduce((sum, { share = NaN }) => sum + share, 0);

  it("followed in the order of its plan keeps each quorum throughout and each budget, and forgets no node", () => {
    fc.assert(
      fc.property(fleet, fc.integer({ min: 60, max: 2000 }), (facts, down) => {
        const { batches, left, nodes, away, deadlines } = planOf(facts, { down, version: "2" });
        const byName = new Map(facts.nodes.map((each) => [each.node, each]));
        const planned = [...batches.flatMap((batch) => batch.nodes), ...left.map((each) => each.node)];
        const old = facts.nodes.flatMap((each) => (each.version === "avalanchego/1" ? each.node : []));
        expect(planned.toSorted()).toEqual(old.toSorted());

        const back = new Set<RestartNode>();
        let ended = NOW;
        for (const batch of batches) {
          expect(batch.from).toBeGreaterThanOrEqual(ended);
          ended = batch.from + down;
          const members = batch.nodes.flatMap((name) => byName.get(name) ?? []);
          const falls = members.filter(({ isCutOff }) => !isCutOff);
          for (const { subnet, connected = NaN } of facts.quorums.values()) {
            if (!falls.some(({ stakes }) => stakes.some((each) => each.subnet === subnet && each.share !== 0)))
              continue;
            // What comes back with an unknown weight counts as none.
            const before = connected + (weightOf([...back], subnet) || 0);
            expect(before - weightOf(falls, subnet)).toBeGreaterThanOrEqual(0.8 - 1e-6);
          }
          for (const each of members) if (each.isCutOff) back.add(each);
          for (const { budget = NaN, tolerance, end = NaN, runway = NaN } of members.flatMap(({ stakes }) => stakes)) {
            if (budget !== "none")
              expect(
                budget + tolerance < 0 || budget - tolerance >= Math.min(down, end - batch.from) || end < batch.from,
              ).toBe(true);
            expect(end < batch.from || end > batch.from + down).toBe(true);
            if (runway !== "none") expect(runway).toBeGreaterThan(batch.from + down - NOW);
          }
        }
        expect(deadlines).toEqual([
          {
            network: "n",
            upgrade: "helicon",
            at: facts.upgrades.get("n")?.at,
            fits: left.length === 0 && (batches.length === 0 || ended <= (facts.upgrades.get("n")?.at ?? NaN)),
          },
        ]);
        // What is safe alone is so while nobody else is away, or is away itself.
        for (const { node: name, state } of nodes)
          if (state === "safe" && away.length > 0) expect(away.map((each) => each.node)).toContain(name);
      }),
      { numRuns: 500 },
    );
  });
});

/** A fleet of nodes that share one L1 with others, each a hundredth of the network and so much of the L1. */
function fleet(size: number, l1Share: number, connectedL1: number, away: readonly number[]): RestartFacts {
  const nodes = Array.from({ length: size }, (_, index): RestartNode => {
    const node = `node-${index + 1}`;
    const stake = { budget: 864_000, tolerance: 0, end: NOW + 8_640_000, runway: "none" } as const;
    return {
      ...{ node, network: "n", nodeId: `ID-${node}`, version: "1.15.0", up: true, isCutOff: false },
      away: away.includes(index + 1) ? "is behind on C" : undefined,
      stakes: [
        { ...stake, subnet: "primary", share: 0.002 },
        { ...stake, subnet: "L", share: l1Share, budget: "none" },
      ],
    };
  });
  const quorum = (subnet: string, name: string, share: number) =>
    [keyOf("n", subnet), { network: "n", subnet, name, connected: share, required: 0.8, isKnown: true }] as const;
  return {
    ...{ at: NOW, isWhole: true, nodes, upgrades: new Map() },
    quorums: new Map([quorum("primary", "the Primary Network", 0.95), quorum("L", "games", connectedL1)]),
  };
}

describe("a fleet of forty", () => {
  const states = (facts: RestartFacts) => planOf(facts, { down: USUAL_DOWN }).nodes.map(({ state }) => state);
  const count = (facts: RestartFacts, state: string) => states(facts).filter((each) => each === state).length;

  it("goes on while a tenth of it is away", () => {
    expect(count(fleet(40, 0.01, 1, [7]), "safe")).toBe(40);
    expect(count(fleet(40, 0.01, 1, [1, 2, 3]), "safe")).toBe(40);
    const full = planOf(fleet(40, 0.01, 1, [1, 2, 3, 4]), { down: USUAL_DOWN });
    expect(full.nodes.filter(({ state }) => state === "wait")).toHaveLength(36);
    expect(full.nodes.at(-1)?.block).toMatchObject({
      reason: "other_node",
      why: "node-1 is behind on C, and 3 more are not back.",
    });
    // One of few stops them all, as ever.
    expect(count(fleet(10, 0.01, 1, [7]), "wait")).toBe(9);
  });

  it("keeps the quorum of its L1 without those that are away", () => {
    expect(count(fleet(40, 0.02, 0.83, []), "safe")).toBe(40);
    const facts = fleet(40, 0.02, 0.83, [7]);
    expect(count(facts, "wait")).toBe(39);
    expect(planOf(facts, { down: USUAL_DOWN }).nodes[0]?.block).toMatchObject({ reason: "quorum" });
  });

  it("is listed as people count", () => {
    const names = planOf(fleet(12, 0.01, 1, []), { down: USUAL_DOWN }).nodes.map(({ node }) => node);
    expect(names).toEqual(Array.from({ length: 12 }, (_, index) => `node-${index + 1}`));
  });
});
