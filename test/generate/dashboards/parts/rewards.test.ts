import { describe, expect, it } from "vitest";
import { rewardState } from "../../../../generate/dashboards/parts/rewards.ts";
import {
  LITTLE_BUDGET,
  rewardStateOf,
  scarceDowntime,
  uptimeShortfall,
} from "../../../../src/topics/validators/reward-state.ts";
import { verdictLines } from "../../../support/verdict-series.ts";
import { evaluated } from "./evaluated.ts";

const OF = 'network="n",subnet="primary",node_id="NodeID-1",node="a"';
const DAY = 86_400;
const STATE = rewardState({ network: "n", subnet: "primary" });
const NAMES = ["lost", "at_risk", "safe"];

type Figures = { readonly left?: number; readonly whole?: number; readonly margin?: number };

const lines = (figures: Figures): readonly string[] => verdictLines(OF, figures);

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
    const shortfall = uptimeShortfall({ left, whole, margin });
    const state = rewardStateOf({ left, scarce: scarceDowntime(left, whole), shortfall }, LITTLE_BUDGET);
    expect(stateOf(lines(figures))).toBe(state === "below_requirement" ? "at_risk" : state);
  });

  it("is at risk where the network withholds its votes, and absent where the downtime left is unknown", () => {
    const NODE = 'node="a",network="n",instance="i",job="j"';
    const votes = (ratio: number): string => `avax_node_reward_votes_ratio{${NODE}} ${ratio}`;
    const sound = lines({ left: 40 * DAY, whole: 50 * DAY, margin: 0.1 });
    expect(stateOf([...sound, votes(0.6)])).toBe("at_risk");
    expect(stateOf([...sound, votes(0.9)])).toBe("safe");
    expect(stateOf(sound)).toBe("safe");
    expect(stateOf(lines({ whole: 50 * DAY, margin: -0.1 }))).toBeUndefined();
  });
});
