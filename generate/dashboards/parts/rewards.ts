import { where } from "../../../src/topics/define/selector.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../src/topics/l1/runway-alerts.ts";
import { identity } from "../../../src/topics/node/identity.ts";
import { networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import {
  INTACT_BUDGET_RATIO,
  LITTLE_BUDGET,
  LITTLE_BUDGET_RATIO,
  rewardVerdict,
} from "../../../src/topics/validators/reward-verdict.ts";
import { HARDLY_SPENT_RATIO, LEAST_REWARDING_RATIO } from "../../../src/topics/validators/uptime.ts";
import { validatorRequirement } from "../../../src/topics/validators/validator-requirement.ts";
import { validator } from "../../../src/topics/validators/validator.ts";
import { redOrangeBelow, type Mappings } from "./format.ts";
import { median } from "./selectors.ts";

type Matchers = { readonly network: string; readonly subnet: "primary"; readonly node_id?: string };

/** Downtime left of each validator, by network and node ID. Seconds; negative once the reward is lost. */
export function downtimeLeft(matchers: Matchers): string {
  return median(where(rewardVerdict.metrics.budget, matchers), "network, node_id");
}

/** Reward at the end of each validator's period, 0 where it is lost. An unknown budget is no lost reward. AVAX. */
export function rewardAtEnd(matchers: Matchers): string {
  const reward = where(validator.metrics.reward, matchers);
  return `${reward} * on (network, node_id) group_left () (${downtimeLeft(matchers)} >= bool 0) or ${reward}`;
}

/**
 * State of the reward of each validator, by network and node ID, as the alerts and the validator's page judge it. 0: lost; 1: at
 * risk, that is, hardly any downtime left, or below the requirement with a budget that is no longer intact, or too little stake
 * that would reward it; 2: on track. Absent while the downtime left is unknown.
 */
export function rewardState(matchers: Matchers): string {
  const left = downtimeLeft(matchers);
  const whole = median(where(validatorRequirement.metrics.wholeBudget, matchers), "network, node_id");
  const margin = median(where(rewardVerdict.metrics.margin, matchers), "network, node_id");
  const few = `${left} < ${LITTLE_BUDGET} unless ${left} >= ${LITTLE_BUDGET_RATIO} * ${whole}`;
  const below = `${left} <= ${INTACT_BUDGET_RATIO} * ${whole} and ${margin} < 0`;
  const chosen = { network: matchers.network };
  const { required, spent } = networkVerdict.metrics;
  const voted = `${where(required, chosen)} < ${LEAST_REWARDING_RATIO} and ${where(spent, chosen)} >= ${HARDLY_SPENT_RATIO}`;
  const outvoted = `${left} and on (network, node_id) (${where(identity.metrics.node, chosen)} and on (instance, job, node) (${voted}))`;
  return `(0 * (${left} < 0) or 1 + 0 * (${few}) or 1 + 0 * (${below}) or 1 + 0 * (${outvoted}) or 2 + 0 * ${left})`;
}

export const LOST: Mappings = { 0: ["lost", "red"] };

const RUN_OUT: Mappings = { 0: ["run out", "red"] };
/** The runway of a balance. */
export const RUNWAY = { mappings: RUN_OUT, thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY) } as const;
