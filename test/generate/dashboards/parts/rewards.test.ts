import { describe, expect, it } from "vitest";
import { rewardState } from "../../../../generate/dashboards/parts/rewards.ts";
import { isBelowRequirement, rewardStateOf } from "../../../../src/topics/validators/reward-verdict.ts";
import { evaluated } from "./evaluated.ts";

const OF = 'network="n",subnet="primary",node_id="NodeID-1"';
const DAY = 86_400;
const STATE = rewardState({ network: "n", subnet: "primary" });
const NAMES = ["lost", "at_risk", "safe"];

type Figures = { readonly left?: number; readonly whole?: number; readonly margin?: number };

function lines({ left, whole, margin }: Figures): readonly string[] {
  const line = (name: string, value: number | undefined) => (value === undefined ? [] : [`${name} ${value}`]);
  return [
    ...line(`avax_validator_downtime_budget_remaining_seconds{${OF},node="a"}`, left),
    ...line(`avax_validator_downtime_budget_seconds{${OF}}`, whole),
    ...line(`avax_validator_uptime_margin{${OF},node="a"}`, margin),
  ];
}

function stateOf(samples: readonly string[]): string | undefined {
  const [found, ...others] = evaluated(STATE, samples);
  expect(others).toEqual([]);
  return found === undefined ? undefined : NAMES[found.value];
}

describe("the state of a reward on the dashboards", () => {
  it.each<Figures & { readonly left: number }>([
    { left: -1, whole: 50 * DAY, margin: -0.2 },
    { left: DAY - 1, whole: 50 * DAY, margin: 0.1 },
    { left: DAY, whole: 50 * DAY, margin: 0.1 },
    { left: 19 * DAY, whole: 50 * DAY, margin: -0.18 },
    { left: 49 * DAY, whole: 50 * DAY, margin: -0.5 },
    { left: 0.4 * DAY, whole: 0.5 * DAY, margin: 0.1 },
    { left: 0.2 * DAY, whole: 0.5 * DAY, margin: 0.1 },
    { left: 100 },
    { left: 2 * DAY },
  ])("is that of the alerts and of the validator's page for %j", (figures) => {
    const { left, whole, margin } = figures;
    const state = rewardStateOf(left, whole);
    const expected = state === "safe" && isBelowRequirement(margin, left, whole) ? "at_risk" : state;
    expect(stateOf(lines(figures))).toBe(expected);
  });

  it("is at risk where the network withholds its votes, and absent where the downtime left is unknown", () => {
    const NODE = 'node="a",network="n",instance="i",job="j"';
    const votes = (rewarding: number, used: number): readonly string[] => [
      `avax_node_info{${NODE},node_id="NodeID-1"} 1`,
      `avax_node_rewarding_stake_ratio{${NODE}} ${rewarding}`,
      `avax_node_downtime_budget_used{${NODE}} ${used}`,
    ];
    const sound = lines({ left: 40 * DAY, whole: 50 * DAY, margin: 0.1 });
    expect(stateOf([...sound, ...votes(0.6, 0.2)])).toBe("at_risk");
    expect(stateOf([...sound, ...votes(0.6, 0.05)])).toBe("safe");
    expect(stateOf([...sound, ...votes(0.9, 0.2)])).toBe("safe");
    expect(stateOf(lines({ whole: 50 * DAY, margin: -0.1 }))).toBeUndefined();
  });
});
