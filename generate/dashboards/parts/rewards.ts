import { where } from "../../../src/topics/define/selector.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/runway-alerts.ts";
import { networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { reward } from "../../../src/topics/validators/reward.ts";
import { LITTLE_BUDGET } from "../../../src/topics/validators/reward-state.ts";
import { LEAST_REWARDING_RATIO } from "../../../src/topics/validators/uptime.ts";
import { validator } from "../../../src/topics/validators/validator.ts";
import { redOrangeBelow, type Mappings } from "./format.ts";
import { BY_VALIDATOR, PRIMARY_NODE } from "./selectors.ts";

type Matchers = {
  readonly network: string;
  readonly subnet: "primary";
  readonly node_id?: string;
  readonly node?: string;
};

/** Downtime left of each validator. Seconds; negative once the reward is lost. */
export function downtimeLeft(matchers: Matchers): string {
  return `min by (${BY_VALIDATOR}) (${where(reward.metrics.left, matchers)})`;
}

/** The same of the validator that each chosen node is, by node. */
export const NODE_DOWNTIME_LEFT = `min by (node) (${where(reward.metrics.left, PRIMARY_NODE)})`;

/** Reward at the end of each validator's period, 0 where it is lost. An unknown budget is no lost reward. AVAX. */
export function rewardAtEnd(matchers: Matchers): string {
  const granted = where(validator.metrics.reward, matchers);
  return `${granted} * on (network, node_id) group_left () (${downtimeLeft(matchers)} >= bool 0) or ${granted}`;
}

/**
 * State of the reward of each validator, by network and node ID, as the alerts and the validator's page judge it. 0: lost; 1: at
 * risk, that is, hardly any downtime left, or below the requirement with a budget that is no longer intact, or too little stake
 * that would reward it; 2: on track. Absent while the downtime left is unknown.
 */
export function rewardState(matchers: Matchers): string {
  const { left, scarce, shortfall } = reward.metrics;
  const risks = [
    `${where(scarce, matchers)} < ${LITTLE_BUDGET}`,
    `${where(shortfall, matchers)} > 0`,
    `${where(left, matchers)} and on (network, node) ${where(networkVerdict.metrics.votes, { network: matchers.network })} < ${LEAST_REWARDING_RATIO}`,
  ].map((risk) => `1 + 0 * (${risk})`);
  const states = [`0 * (${where(left, matchers)} < 0)`, ...risks, `2 + 0 * ${where(left, matchers)}`];
  return `(${states.map((state) => `max by (network, node_id) (${state})`).join(" or ")})`;
}

export const LOST: Mappings = { 0: ["lost", "red"] };

const RUN_OUT: Mappings = { 0: ["run out", "red"] };
/** The runway of a balance. */
export const RUNWAY = { mappings: RUN_OUT, thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY) } as const;
