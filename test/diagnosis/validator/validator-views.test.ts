import { describe, expect, it } from "vitest";
import type { ValidatorView } from "../../../src/diagnosis/validator/validator-views.ts";
import { END, ID, NOW, observed, OF, STAKER, viewsOf } from "./samples.ts";

const viewOf = (lines: readonly string[]): ValidatorView => {
  const [view, ...others] = viewsOf(lines);
  if (view === undefined || others.length > 0) throw new Error(`${others.length + 1} views`);
  return view;
};
const verdictOf = (lines: readonly string[]) => {
  const { state, reason } = viewOf(lines).reward;
  return [state, reason];
};
const without = (lines: readonly string[], ...names: readonly string[]) =>
  lines.filter((line) => !names.some((name) => line.startsWith(`${name}{`)));

describe("the reward of a staker", () => {
  it("is judged by the median of its observers", () => {
    const view = viewOf([...STAKER, ...observed("a", 0.99), ...observed("b", 0.6), ...observed("c", 0.95)]);
    expect(view).toMatchObject({
      at: NOW,
      nodeId: ID,
      network: "fuji",
      name: "Alpha",
      reward: { state: "safe", reason: "budget" },
      nodes: [{ node: "own", up: true }],
      l1: [],
    });
    expect(view.stakes).toMatchObject([
      {
        subnet: "primary",
        left: undefined,
        end: END,
        own: 2000,
        delegated: 75,
        delegators: 3,
        capacity: 7925,
        fee: 0.02,
        potentialReward: 4.5,
        accruedFees: undefined,
        requirement: 0.8,
        wholeBudget: 172_800,
        uptime: 0.95,
        // 0.95 · 777,600 + 86,400 - 691,200
        budget: 133_920,
        tolerance: undefined,
        observers: [
          { node: "b", uptime: 0.6, connected: true, budget: -138_240, isSelf: false },
          { node: "c", uptime: 0.95, budget: 133_920 },
          { node: "a", uptime: 0.99, budget: 165_024 },
        ],
      },
    ]);
  });

  it.each([
    [0.66, "lost", "budget"],
    [0.78, "at_risk", "budget"],
    [0.799, "at_risk", "budget"],
    [0.95, "safe", "budget"],
  ])("is with an uptime of %s after nine of ten days: %s", (uptime, state, reason) => {
    expect(verdictOf([...STAKER, ...observed("a", uptime)])).toEqual([state, reason]);
  });

  it("is at risk while the uptime is below the requirement, although enough time is left", () => {
    const long = STAKER.map((line) =>
      line.startsWith("avax_validator_downtime_budget_seconds")
        ? `avax_validator_downtime_budget_seconds{${OF}} 6307200`
        : line,
    );
    const budget = `avax_validator_downtime_budget_remaining_seconds{node="a",${OF}} 3000000`;
    const uptime = (value: number) => `avax_validator_uptime_ratio{node="a",${OF}} ${value}`;
    expect(verdictOf([...long, budget, uptime(0.78)])).toEqual(["at_risk", "below_requirement"]);
    expect(verdictOf([...long, budget, uptime(0.81)])).toEqual(["safe", "budget"]);
  });

  it("is at risk below the limit of the alert that is set", () => {
    // 37.2 h are left.
    const lines = [...STAKER.map((line) => line.replace(" 172800", " 864000")), ...observed("a", 0.95)];
    const states = [[], [["downtime-budget", 3 * 86_400]] as const].map((settings) => {
      const [view] = viewsOf(lines, NOW, new Map(settings));
      return [view?.reward.state, view?.stakes[0]?.atRiskBelow];
    });
    expect(states).toEqual([
      ["safe", 86_400],
      ["at_risk", 259_200],
    ]);
  });

  it("is at risk while too little stake would reward its node", () => {
    const lines = [...STAKER, ...observed("a", 0.95)];
    const votes = (ratio: number) => `avax_node_reward_votes_ratio{node="own",network="fuji"} ${ratio}`;
    expect(verdictOf([...lines, votes(0.6)])).toEqual(["at_risk", "rewarding_stake"]);
    expect(verdictOf([...lines, votes(0.9)])).toEqual(["safe", "budget"]);
    // Of a young stake.
    expect(verdictOf([...lines, `avax_node_rewarding_stake_ratio{node="own",network="fuji"} 0.6`])).toEqual([
      "safe",
      "budget",
    ]);
  });

  it("is unknown without an observer, without the requirement and while its peers are silent", () => {
    expect(verdictOf(STAKER)).toEqual(["unknown", "no_observer"]);
    const uptime = (node: string) => `avax_validator_uptime_ratio{node="${node}",${OF}} 1`;
    expect(verdictOf([...STAKER, uptime("own")])).toEqual(["unknown", "silent_peers"]);
    const unscheduled = without(
      STAKER,
      "avax_validator_uptime_requirement_ratio",
      "avax_validator_downtime_budget_seconds",
    );
    expect(verdictOf([...unscheduled, uptime("a")])).toEqual(["unknown", "no_requirement"]);
    expect(viewOf(STAKER).stakes[0]?.budget).toBeUndefined();
  });

  it("has the error of whole percents when only its own peers are known", () => {
    const own = observed("own", 0.905);
    const median = (value: number) => `avax_node_observed_uptime_median_ratio{node="own",network="fuji"} ${value}`;
    const [stake] = viewOf([...STAKER, ...own, median(0.9)]).stakes;
    // Half a point of nine days.
    expect(stake).toMatchObject({ uptime: 0.905, budget: 98_928, tolerance: 3_888 });
    expect(stake?.observers).toEqual([
      { node: "own", isSelf: true, uptime: 0.905, connected: undefined, budget: 98_928 },
    ]);
    expect(viewOf([...STAKER, ...own, median(0.9), ...observed("a", 0.9)]).stakes[0]?.tolerance).toBeUndefined();
    expect(viewOf([...STAKER, ...observed("own", 1), median(1)]).stakes[0]?.tolerance).toBeUndefined();
  });

  it("is none in a permissioned subnet", () => {
    const subnet = `network="fuji",subnet="S",node_id="${ID}"`;
    const view = viewOf([
      ...STAKER,
      ...observed("a", 0.95),
      `avax_validator_in_set{${subnet}} 1`,
      `avax_validator_subnet_weight{${subnet}} 20`,
      `avax_subnet_info{network="fuji",subnet="S",name="games"} 1`,
    ]);
    expect(view.reward.state).toBe("safe");
    expect(view.stakes[1]).toMatchObject({
      subnet: "S",
      subnetName: "games",
      weight: 20,
      reward: { state: "none", reason: "no_reward" },
    });
  });
});

describe("a validator that left", () => {
  const left = (early: number, at: number) => [
    ...without(STAKER, "avax_validator_in_set", "avax_validator_stake_start_timestamp_seconds"),
    `avax_validator_in_set{${OF}} 0`,
    `avax_validator_left_timestamp_seconds{${OF}} ${at}`,
    `avax_validator_left_early{${OF}} ${early}`,
    // What the observers answered before.
    ...observed("a", 0.95),
  ];
  const indexed = (completed: number, rewarded: number) => [
    `avax_hosted_validator_last_completed_timestamp_seconds{network="fuji",node_id="${ID}"} ${completed}`,
    `avax_hosted_validator_last_completed_rewarded{network="fuji",node_id="${ID}"} ${rewarded}`,
  ];

  it("early has lost its reward", () => {
    expect(verdictOf(left(1, NOW - 60))).toEqual(["lost", "left_early"]);
  });
  it("at its end has none to wait for, and the Data API reports whether it was paid", () => {
    const ended = left(0, NOW - 7_200);
    expect(verdictOf(ended)).toEqual(["none", "ended"]);
    expect(verdictOf([...ended, ...indexed(NOW - 7_200, 1)])).toEqual(["safe", "paid"]);
    expect(verdictOf([...ended, ...indexed(NOW - 7_200, 0)])).toEqual(["lost", "denied"]);
    // The period before.
    expect(verdictOf([...ended, ...indexed(NOW - 900_000, 1)])).toEqual(["none", "ended"]);
    expect(viewOf(ended).stakes[0]).toMatchObject({
      left: { at: NOW - 7_200, early: false },
      budget: undefined,
      observers: [],
    });
  });
  it("or was configured and never found is not validating", () => {
    const view = viewOf([`avax_validator_in_set{${OF}} 0`, `avax_validator_info{network="fuji",node_id="${ID}"} 1`]);
    expect([view.reward, view.stakes]).toEqual([{ state: "none", reason: "not_in_set" }, []]);
  });
});

describe("a polled node", () => {
  const configured = (more: string) => [`avax_node_configured{node="own"${more}} 1`];
  it("without a known ID, and one of an unobserved network, is unknown", () => {
    expect(viewOf(configured(""))).toMatchObject({
      nodeId: undefined,
      name: "own",
      reward: { state: "unknown", reason: "no_node_id" },
      upgrade: { ready: undefined },
    });
    expect(viewOf(configured(`,network="fuji",node_id="${ID}"`)).reward).toEqual({
      state: "unknown",
      reason: "no_set",
    });
  });
  it("that does not validate has no reward", () => {
    const lines = configured(`,network="fuji",node_id="${ID}"`);
    expect(verdictOf([...lines, `avax_node_is_validator{node="own",network="fuji"} 0`])).toEqual([
      "none",
      "not_a_validator",
    ]);
    expect(verdictOf([...lines, `avax_validators{network="fuji",subnet="primary"} 100`])).toEqual([
      "none",
      "not_a_validator",
    ]);
  });
  it("of an unknown network belongs to the validator with its ID, and two nodes can have one ID", () => {
    const spare = `avax_node_configured{node="spare",node_id="${ID}"} 1`;
    expect(viewOf([...STAKER, ...observed("a", 0.95), spare]).nodes.map(({ node }) => node)).toEqual(["own", "spare"]);
    const unnamed = STAKER.map((line) => line.replace('name="Alpha",', ""));
    expect([viewOf(unnamed).name, viewOf([...unnamed, spare]).name]).toEqual(["own", "own and spare"]);
  });
  it("has the readiness of the next upgrade", () => {
    const view = viewOf([
      ...STAKER,
      `avax_network_upgrade_timestamp_seconds{network="fuji"} ${NOW + 3_600}`,
      `avax_network_upgrade_ready_stake_ratio{network="fuji"} 0.8`,
      `avax_upgrade_activation_timestamp_seconds{network="fuji",upgrade="helicon"} ${NOW + 3_600}`,
      `avax_upgrade_activation_timestamp_seconds{network="fuji",upgrade="granite"} ${NOW - 3_600}`,
      `avax_node_upgrade_ready{network="fuji",node="own"} 0`,
      `avax_node_fork_timestamp_seconds{network="fuji",node="own"} ${NOW + 3_600}`,
    ]);
    expect(view.upgrade).toEqual({ time: NOW + 3_600, name: "helicon", readyStake: 0.8, ready: false });
    expect(view.nodes[0]?.forksOffAt).toBe(NOW + 3_600);
  });
});

it("an L1 validator has balance, runway and the view of the L1's chain", () => {
  const of = (validation: string) => `network="fuji",subnet="L",node_id="${ID}",validation_id="${validation}"`;
  const view = viewOf([
    `avax_node_configured{node="own",network="fuji",node_id="${ID}"} 1`,
    `avax_validator_in_set{network="fuji",subnet="L",node_id="${ID}"} 1`,
    `avax_l1_validator_weight{${of("v1")}} 100`,
    `avax_l1_validator_weight{${of("v2")}} 50`,
    `avax_l1_validator_active{${of("v2")}} 0`,
    `avax_l1_validator_balance_avax{${of("v2")}} 0`,
    `avax_l1_validator_runway_seconds{${of("v2")}} 0`,
    `avax_l1_validator_balance_avax{${of("v1")}} 0.5`,
    `avax_l1_validator_active{${of("v1")}} 1`,
    `avax_l1_validator_runway_seconds{${of("v1")}} 1500`,
    `avax_l1_validator_uptime_ratio{node="a",${of("v1")}} 0.75`,
    `avax_l1_validator_connected{node="a",${of("v1")}} 0`,
    `avax_l1_validator_uptime_ratio{node="own",${of("v1")}} 1`,
  ]);
  expect([view.reward, view.stakes]).toEqual([{ state: "none", reason: "only_l1" }, []]);
  expect(view.l1).toMatchObject([
    { validationId: "v2", active: false, balance: 0, runway: 0, observers: [] },
    {
      validationId: "v1",
      active: true,
      balance: 0.5,
      runway: 1500,
      weight: 100,
      observers: [{ node: "a", uptime: 0.75, connected: false }],
    },
  ]);
});

it("one node ID in two networks is two validators, and those that need attention come first", () => {
  const mainnet = [...STAKER, ...observed("m", 0.5)].map((line) => line.replaceAll("fuji", "mainnet"));
  const views = viewsOf([...STAKER, ...observed("a", 0.95), ...mainnet]);
  expect(views.map(({ network, reward }) => [network, reward.state])).toEqual([
    ["mainnet", "lost"],
    ["fuji", "safe"],
  ]);
});
