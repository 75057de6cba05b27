import { beforeAll, describe, expect, it } from "vitest";
import { createDaemon } from "../../../src/daemon/daemon.ts";
import { createLogger } from "../../../src/daemon/create-logger.ts";
import { demoConfig } from "../../../src/cli/demo.ts";
import type { ValidatorView } from "../../../src/diagnosis/validator/validator-views.ts";
import { simulate } from "../../../simulator/simulate.ts";

/** The views of a simulated network's validators, by name of their nodes, and its samples by series. */
async function polled(options: Parameters<typeof simulate>[0]) {
  const simulation = await simulate({ port: 0, ...options });
  const config = demoConfig(simulation);
  const log = createLogger("error", "logfmt", () => undefined);
  const daemon = createDaemon({ config, log, version: "1", revision: "r", nodeVersion: "v", exporterMetrics: false });
  daemon.poller.tick();
  await daemon.poller.firstRound();
  const views = await daemon.validators();
  const calendar = await daemon.calendar();
  const state = simulation.state();
  await daemon.poller.close();
  await simulation.close();
  const value = (series: string): number | undefined => {
    const name = series.slice(0, series.indexOf("{"));
    const wanted = [...series.matchAll(/(\w+)="([^"]*)"/g)];
    const found = daemon.exposition.readings(name);
    return found.find(({ labels }) => wanted.every(([, label = "", text]) => labels[label] === text))?.value;
  };
  return { calendar, state, views: new Map(views.map((view) => [view.name ?? "", view])), value };
}

type Polled = Awaited<ReturnType<typeof polled>>;

function viewOf({ views }: Polled, name: string): ValidatorView {
  const view = views.get(name);
  if (view === undefined) throw new Error(`there is no ${name}`);
  return view;
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
    const {
      nodeId = "",
      stakes: [stake],
    } = viewOf(all, "sim-3");
    const of = (node: string) => `{node="${node}",network="local",subnet="primary",node_id="${nodeId}"}`;
    const ofNetwork = `{network="local",subnet="primary",node_id="${nodeId}"}`;
    expect(stake?.observers.length).toBeGreaterThan(1);
    for (const { node, budget } of stake?.observers ?? [])
      expect(budget).toBe(all.value(`avax_validator_downtime_budget_remaining_seconds${of(node)}`));
    const others = stake?.observers.filter(({ isSelf }) => !isSelf);
    for (const { node, uptime } of others ?? [])
      expect(uptime).toBe(all.value(`avax_validator_uptime_ratio${of(node)}`));
    expect(stake).toMatchObject({
      own: all.value(`avax_validator_stake_avax${ofNetwork}`),
      end: all.value(`avax_validator_stake_end_timestamp_seconds${ofNetwork}`),
      wholeBudget: all.value(`avax_validator_downtime_budget_seconds${ofNetwork}`),
      requirement: 0.8,
    });
    expect(stake?.uptime).toBeCloseTo(0.81, 2);
  });
});

it("has each kind of date in the calendar, with the network's own times", async () => {
  const { calendar, state } = await polled({
    nodes: 6,
    scenario: [
      { node: 1, name: "upgrade-ahead" },
      { node: 2, name: "upgrade-unknown" },
      { node: 3, name: "stake-ending" },
      { node: 5, name: "delegation-ending" },
      { node: 6, name: "l1-balance-short" },
    ],
  });
  const idOf = (name: string) => state.nodes.find((node) => node.name === name)?.nodeId ?? "";
  const endOf = (name: string) => state.validators.find(({ nodeId }) => nodeId === idOf(name))?.endTime ?? NaN;
  const now = state.nodes[0]?.since ?? NaN;
  const { weight = 0n, delegatorWeight = 0n } = state.validators.find(({ nodeId }) => nodeId === idOf("sim-5")) ?? {};
  const share = Number((150_000e11 / Number(weight + delegatorWeight)).toFixed(1));
  const dates = new Map(calendar.map(({ title, at, id }) => [title, { at, id }]));
  for (const [title, at, id] of [
    ["local: helicon activates, 1 of your nodes without it", now + 3_600, "upgrade/local/helicon"],
    ["sim-3: stake ends", endOf("sim-3"), `end/local/primary/${idOf("sim-3")}`],
    ["sim-1: stake ends", endOf("sim-1"), `end/local/primary/${idOf("sim-1")}`],
    [
      "sim-1: last day on which a delegation can begin",
      endOf("sim-1") - 86_400,
      `delegation/local/primary/${idOf("sim-1")}`,
    ],
    [
      `sim-5: a delegation of ${share} % of its weight ends`,
      now + 9 * 86_400,
      `large-delegation/local/${idOf("sim-5")}`,
    ],
  ] as const)
    expect([title, dates.get(title)]).toEqual([title, { at, id }]);
  expect(endOf("sim-3")).toBe(now + 20 * 3_600);
  const [validation] = state.l1.filter(({ nodeId }) => nodeId === idOf("sim-6"));
  const balance = dates.get("sim-6: balance on L1 runs out");
  expect(balance?.id).toBe(`balance/local/${validation?.validationId}`);
  expect(Math.abs((balance?.at ?? NaN) - now - 6 * 3_600)).toBeLessThan(60);
});
