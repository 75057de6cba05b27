import { afterEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config/default-config.ts";
import { createExposition } from "../../src/exposition/exposition.ts";
import { BENCHED_BY, BENCHED_RATIO, BENCHING_RATIO } from "../../src/topics/node/benched.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { DISAGREEMENT_RATIO } from "../../src/topics/validators/disagreement.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../src/topics/l1/l1-runway-alerts.ts";
import { CLAIM_TOLERANCE_RATIO } from "../../src/topics/validators/network-verdict.ts";
import { SIGNATURE_RATIO } from "../../src/topics/l1/quorum.ts";
import {
  INTACT_BUDGET_RATIO,
  LITTLE_BUDGET,
  LITTLE_BUDGET_RATIO,
  NEAR_REQUIREMENT_RATIO,
} from "../../src/topics/validators/reward-verdict-alerts.ts";
import { UPGRADE_IMMINENT } from "../../src/topics/network/upgrade-readiness-alerts.ts";
import { HARDLY_SPENT_RATIO, LEAST_REWARDING_RATIO } from "../../src/topics/validators/uptime.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { createPoller, type Poller } from "../../src/poller/poller.ts";
import { simulate, type Simulation, type SimulatorOptions } from "../../simulator/simulate.ts";
import { nodeConfig } from "../support/engines.ts";

/** Each alert about a derived figure has a scenario of the simulated network in which its condition holds. */

const ASKED = /^(health$|info\.|platform\.(getHeight|getCurrentValidators|getValidatorFeeState))/;

let simulation: Simulation | undefined;
let engine: Poller | undefined;
afterEach(async () => {
  await engine?.close();
  await simulation?.close();
  [engine, simulation] = [undefined, undefined];
});

type Scraped = ReadonlyMap<string, number>;

/** Polls a simulated network of five nodes and twelve validators once. */
async function poll(options: SimulatorOptions): Promise<{ readonly series: Scraped; readonly network: Simulation }> {
  const network = await simulate({ nodes: 5, ...options });
  simulation = network;
  const all = catalogueOf(TOPICS);
  const catalogue = { ...all, endpoints: all.endpoints.filter(({ id }) => ASKED.test(id)) };
  const exposition = createExposition(catalogue.families);
  const nothing = () => undefined;
  const failed: string[] = [];
  engine = createPoller({
    catalogue,
    exposition,
    clock: systemClock,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    events: { polled: nothing, defect: (_place, topic) => void failed.push(topic), duplicates: nothing },
  });
  const base = defaultConfig();
  const subnets = network.subnets.map(({ id, name, chainId, chainName }) => ({
    id,
    name,
    chains: [{ id: chainId, name: chainName, evm: true }],
  }));
  engine.apply({
    ...base,
    subnets,
    watch: { ...base.watch, validators: network.nodes.map(({ nodeId }) => nodeId) },
    nodes: network.nodes.map(({ name, url }) => nodeConfig(name, { url, subnets: subnets.map(({ id }) => id) })),
  });
  // Endpoints that depend on a first answer are polled at the next tick.
  const { tick } = engine;
  tick();
  const ticking = setInterval(tick, 100);
  await engine.firstRound().finally(() => clearInterval(ticking));
  tick();
  const { chunks } = await exposition.scrape({ format: "text", gzip: false });
  const lines = Buffer.concat([...chunks])
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(failed).toEqual([]);
  const series = new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))] as const),
  );
  return { series, network };
}

/** Values of a family whose labels contain all words. */
const values = (series: Scraped, family: string, ...words: readonly string[]): readonly number[] =>
  [...series]
    .filter(([name]) => name.startsWith(`${family}{`) && words.every((word) => name.includes(word)))
    .map(([, value]) => value);
const value = (series: Scraped, family: string, ...words: readonly string[]): number => {
  const found = values(series, family, ...words);
  if (found.length !== 1) throw new Error(`${found.length} series of ${family} with ${words.join(" ")}`);
  return found[0] ?? NaN;
};
/** The median over the nodes. */
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

const SECOND = 'node="sim-2"';
const budgets = (series: Scraped, id: string) =>
  median(values(series, "avax_validator_downtime_budget_remaining_seconds", id));
const margins = (series: Scraped, id: string) => median(values(series, "avax_validator_uptime_margin", id));
const allowance = (series: Scraped, id: string) => value(series, "avax_validator_downtime_budget_seconds", id);
const idOf = ({ nodes }: Simulation, index: number): string => nodes[index]?.nodeId ?? "";

describe("rewards", () => {
  it("low-uptime: AvaxUptimeRewardAtRisk, AvaxUptimeBelowRequirement", async () => {
    const { series, network } = await poll({ scenario: [{ node: 2, name: "low-uptime" }] });
    const id = idOf(network, 1);
    expect(value(series, "avax_node_rewarding_stake_ratio", SECOND)).toBeLessThan(LEAST_REWARDING_RATIO);
    expect(value(series, "avax_node_downtime_budget_used", SECOND)).toBeGreaterThan(HARDLY_SPENT_RATIO);
    expect(margins(series, id)).toBeLessThan(0);
    expect(budgets(series, id)).toBeLessThanOrEqual(INTACT_BUDGET_RATIO * allowance(series, id));
    expect(budgets(series, id)).toBeGreaterThan(0);
    // Its own uptime is that of its peers, 61.5 % (they report 61), not the 100 % of its record.
    expect(value(series, "avax_validator_uptime_margin", SECOND, id)).toBeCloseTo(-0.185, 3);
  });

  it("low-uptime and stake-ending: AvaxRewardLost", async () => {
    const { series, network } = await poll({
      scenario: [
        { node: 2, name: "low-uptime" },
        { node: 2, name: "stake-ending" },
      ],
    });
    expect(budgets(series, idOf(network, 1))).toBeLessThan(0);
  });

  it("edge-uptime and stake-ending: AvaxDowntimeBudgetLow, AvaxUptimeNearRequirement", async () => {
    const { series, network } = await poll({
      scenario: [
        { node: 2, name: "edge-uptime" },
        { node: 2, name: "stake-ending" },
      ],
    });
    const id = idOf(network, 1);
    expect(budgets(series, id)).toBeGreaterThanOrEqual(0);
    expect(budgets(series, id)).toBeLessThan(LITTLE_BUDGET);
    expect(budgets(series, id)).toBeLessThan(LITTLE_BUDGET_RATIO * allowance(series, id));
    expect(margins(series, id)).toBeGreaterThanOrEqual(0);
    expect(margins(series, id)).toBeLessThan(NEAR_REQUIREMENT_RATIO);
  });

  it("edge-uptime under the rule of 90 %: AvaxRewardingStakeOverstated", async () => {
    const helicon = Math.floor(Date.now() / 1000) - 40 * 86_400;
    const { series, network } = await poll({ heliconTime: helicon, scenario: [{ node: 2, name: "edge-uptime" }] });
    expect(value(series, "avax_validator_uptime_requirement_ratio", idOf(network, 1))).toBe(0.9);
    expect(value(series, "avax_node_rewarding_stake_overstatement", SECOND)).toBeGreaterThan(CLAIM_TOLERANCE_RATIO);
  });

  it("near-sighted: AvaxValidatorViewsDisagree, and no verdict by one bad observer", async () => {
    const { series, network } = await poll({ scenario: [{ node: 3, name: "near-sighted" }] });
    const id = idOf(network, 1);
    expect(value(series, "avax_validator_uptime_disagreement_ratio", id)).toBeGreaterThan(DISAGREEMENT_RATIO);
    expect(margins(series, id)).toBeGreaterThan(NEAR_REQUIREMENT_RATIO);
  });
});

describe("L1s", () => {
  it("healthy: one member without balance (AvaxL1ValidatorInactive), one with days (AvaxL1RunwayShort)", async () => {
    const { series } = await poll({});
    const runways = values(series, "avax_l1_validator_runway_seconds");
    expect(runways.filter((seconds) => seconds >= LAST_RUNWAY && seconds < SHORT_RUNWAY).length).toBeGreaterThan(0);
    expect(values(series, "avax_l1_validator_active").filter((active) => active === 0).length).toBe(1);
    for (const ratio of values(series, "avax_subnet_connected_weight_ratio")) expect(ratio).toBeGreaterThan(0.99);
    // Of the Primary Network and both subnets; the peers are those of the reference node.
    expect(values(series, "avax_subnet_quorum_requirement_ratio")).toEqual([0.8, 0.8, 0.8]);
    expect(values(series, "avax_subnet_quorum_spare_validators")).toHaveLength(3);
  });

  it("l1-balance-short: AvaxL1RunwayCritical", async () => {
    const { series, network } = await poll({ scenario: [{ node: 3, name: "l1-balance-short" }] });
    const left = value(series, "avax_l1_validator_runway_seconds", idOf(network, 2));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(21_600);
    expect(value(series, "avax_l1_validator_active", idOf(network, 2))).toBe(1);
  });

  it("drained-l1 on every node: AvaxSubnetQuorumAtRisk", async () => {
    const { series, network } = await poll({ scenario: [{ node: "all", name: "drained-l1" }] });
    expect(value(series, "avax_subnet_connected_weight_ratio", network.subnets[1]?.id ?? "")).toBeLessThan(
      SIGNATURE_RATIO,
    );
  });
});

describe("upgrades", () => {
  const left = (series: Scraped) =>
    value(series, "avax_node_upgrade_mismatch_timestamp_seconds", SECOND) - Date.now() / 1000;

  it("upgrade-unknown and upgrade-alone: AvaxNodeUpgradeNotReady", async () => {
    for (const name of ["upgrade-unknown", "upgrade-alone"] as const) {
      const { series } = await poll({ scenario: [{ node: 2, name }] });
      expect(values(series, "avax_node_upgrade_ready")).toEqual([1, 0, 1, 1, 1]);
      expect(left(series)).toBeGreaterThan(0);
      expect(left(series)).toBeLessThan(UPGRADE_IMMINENT);
      expect(value(series, "avax_node_healthy", SECOND)).toBe(1);
      await engine?.close();
      await simulation?.close();
    }
  });

  it("upgrade-ahead: all are ready except a validator that is not polled", async () => {
    const { series } = await poll({ scenario: [{ node: "all", name: "upgrade-ahead" }] });
    expect(values(series, "avax_node_upgrade_ready")).toEqual([1, 1, 1, 1, 1]);
    const ratio = value(series, "avax_network_upgrade_ready_stake_ratio");
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(1);
  });

  it("after the upgrade: AvaxNodeLeftBehind", async () => {
    const { series } = await poll({
      heliconTime: Math.floor(Date.now() / 1000) - 60,
      scenario: [
        { node: 2, name: "upgrade-unknown" },
        { node: 2, name: "lagging" },
      ],
    });
    expect(value(series, "avax_node_upgrade_ready", SECOND)).toBe(0);
    expect(left(series)).toBeLessThan(0);
    expect(value(series, "avax_node_healthy", SECOND)).toBe(1);
  });
});

describe("benches", () => {
  it("benched: AvaxNodeBenched", async () => {
    const { series } = await poll({ scenario: [{ node: 2, name: "benched" }] });
    expect(value(series, "avax_node_benched_stake_ratio", SECOND, 'chain="C"')).toBeGreaterThan(BENCHED_RATIO);
    expect(value(series, "avax_node_benched_by_nodes", SECOND, 'chain="C"')).toBeGreaterThanOrEqual(BENCHED_BY);
    expect(value(series, "avax_node_benched_observed_ratio", SECOND, 'chain="C"')).toBe(1);
    expect(value(series, "avax_node_benched_stake_ratio", SECOND, 'chain="X"')).toBe(0);
    expect(value(series, "avax_node_benched_stake_ratio", 'node="sim-1"', 'chain="C"')).toBe(0);
  });

  it("benched on every node: AvaxNodeBenchesStake", async () => {
    const { series } = await poll({ scenario: [{ node: "all", name: "benched" }] });
    for (const ratio of values(series, "avax_node_benching_stake_ratio", 'chain="C"'))
      expect(ratio).toBeGreaterThan(BENCHING_RATIO);
  });
});
