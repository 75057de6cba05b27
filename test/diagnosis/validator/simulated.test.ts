import { beforeAll, describe, expect, it } from "vitest";
import { createDaemon } from "../../../src/daemon/daemon.ts";
import { createLogger } from "../../../src/daemon/logger.ts";
import { demoConfig } from "../../../src/cli/demo.ts";
import type { StakeView } from "../../../src/diagnosis/validator/stakes.ts";
import type { ValidatorView } from "../../../src/diagnosis/validator/validator-views.ts";
import { readSamples } from "../../../src/diagnosis/promql/sample.ts";
import { simulate } from "../../../simulator/simulate.ts";

/** The views of a simulated network's validators, by name of their nodes, and its samples by series. */
async function polled(options: Parameters<typeof simulate>[0], onlyOf?: readonly string[]) {
  const simulation = await simulate({ port: 0, ...options });
  const whole = demoConfig(simulation);
  const config = { ...whole, nodes: whole.nodes.filter(({ name }) => onlyOf?.includes(name) ?? true) };
  const log = createLogger("error", "logfmt", () => undefined);
  const daemon = createDaemon({ config, log, version: "1", revision: "r", nodeVersion: "v", exporterMetrics: false });
  daemon.poller.tick();
  await daemon.poller.firstRound();
  const views = await daemon.validators();
  await daemon.poller.close();
  await simulation.close();
  const value = (series: string): number | undefined => {
    const name = series.slice(0, series.indexOf("{"));
    const found = daemon.exposition.lines(name).flatMap((text) => readSamples(text));
    return found.find((sample) => `${name}{${sample.series.text}}` === series)?.value;
  };
  return { views: new Map(views.map((view) => [view.name ?? "", view])), value };
}

type Polled = Awaited<ReturnType<typeof polled>>;

function viewOf({ views }: Polled, name: string): ValidatorView {
  const view = views.get(name);
  if (view === undefined) throw new Error(`there is no ${name}`);
  return view;
}

function stakeOf(all: Polled, name: string): StakeView {
  const [stake] = viewOf(all, name).stakes;
  if (stake === undefined) throw new Error(`${name} has no stake`);
  return stake;
}

describe("the validators of a simulated network", () => {
  let all: Polled;
  beforeAll(async () => {
    all = await polled({
      nodes: 7,
      scenario: [
        { node: 2, name: "low-uptime" },
        { node: 2, name: "stake-ending" },
        { node: 3, name: "edge-uptime" },
        { node: 3, name: "stake-ending" },
        { node: 4, name: "not-a-validator" },
        { node: 5, name: "no-peers" },
        { node: 6, name: "l1-running-dry" },
        { node: 7, name: "low-uptime" },
      ],
    });
  });

  it.each([
    ["sim-1", "safe", "budget"],
    ["sim-2", "lost", "budget"],
    ["sim-3", "at_risk", "budget"],
    ["sim-4", "none", "only_l1"],
    ["sim-6", "safe", "budget"],
    ["sim-7", "at_risk", "below_requirement"],
  ])("%s: %s by %s", (name, state, reason) => {
    expect(viewOf(all, name).reward).toEqual({ state, reason });
  });

  it("have the figures of /metrics", () => {
    const { nodeId = "" } = viewOf(all, "sim-3");
    const stake = stakeOf(all, "sim-3");
    const of = (node: string) => `{node="${node}",network="local",subnet="primary",node_id="${nodeId}"}`;
    const ofNetwork = `{network="local",subnet="primary",node_id="${nodeId}"}`;
    expect(stake.observers.length).toBeGreaterThan(1);
    for (const { node, budget } of stake.observers)
      expect(budget).toBe(all.value(`avax_validator_downtime_budget_remaining_seconds${of(node)}`));
    const others = stake.observers.filter(({ isSelf }) => !isSelf);
    for (const { node, uptime } of others) expect(uptime).toBe(all.value(`avax_validator_uptime_ratio${of(node)}`));
    expect(stake).toMatchObject({
      own: all.value(`avax_validator_stake_avax${ofNetwork}`),
      end: all.value(`avax_validator_stake_end_timestamp_seconds${ofNetwork}`),
      wholeBudget: all.value(`avax_validator_downtime_budget_seconds${ofNetwork}`),
      requirement: 0.8,
    });
    expect(stake.uptime).toBeCloseTo(0.81, 2);
  });
});

it("of a single polled node its peers' whole percents are known, with their error", async () => {
  const all = await polled({ nodes: 5, scenario: [{ node: 3, name: "edge-uptime" }] }, ["sim-3"]);
  const stake = stakeOf(all, "sim-3");
  // The peers observe a little less than 81 %, so they report 80 %.
  expect(stake.observers).toMatchObject([{ node: "sim-3", isSelf: true, uptime: 0.805, connected: undefined }]);
  const { at, nodes } = viewOf(all, "sim-3");
  expect(nodes[0]).toMatchObject({ least: 0.8, median: 0.8, most: 0.8 });
  expect(stake.tolerance).toBeCloseTo(0.005 * (at - (stake.start ?? NaN)), 3);
});

it("of a node that does not answer the reward is unknown", async () => {
  const all = await polled({ nodes: 2, scenario: [{ node: 1, name: "offline-validator" }] }, ["sim-1"]);
  expect(viewOf(all, "sim-1")).toMatchObject({
    nodeId: undefined,
    reward: { state: "unknown", reason: "no_node_id" },
    nodes: [{ node: "sim-1", up: false }],
    stakes: [],
  });
});
