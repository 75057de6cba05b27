import { health } from "../../../src/topics/node/health.ts";
import { lag, LAGGING_BLOCKS } from "../../../src/topics/chains/lag.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { LITTLE_BUDGET, LITTLE_BUDGET_RATIO, rewardVerdict } from "../../../src/topics/validators/reward-verdict.ts";
import { validatorRequirement } from "../../../src/topics/validators/validator-requirement.ts";
import { firing } from "../parts/alert-panels.ts";
import type { Mappings } from "../parts/format.ts";
import { median, NODE, underNodeNames, ofNode, ofPrimary } from "../parts/selectors.ts";

/** Downtime that each chosen node has left before its reward is lost, in seconds; below 0 where it is lost. */
export const NODE_BUDGET = underNodeNames(median(ofPrimary(rewardVerdict.metrics.budget), "network, node_id"));

const WHOLE_BUDGET = underNodeNames(median(ofPrimary(validatorRequirement.metrics.wholeBudget), "network, node_id"));

/**
 * What can be the matter with a node, worst first: a condition that has a result for these nodes, and its text and colour. A
 * reward counts like an alert, because a node that is healthy today can have lost it, and the rules can be missing.
 */
const STATES = [
  [`${ofNode(polling.metrics.up)} == 0`, "no answer", "dark-red"],
  [firing({ ...NODE, severity: "critical" }), "critical alert", "red"],
  [`${ofNode(health.metrics.healthy)} == 0`, "unhealthy", "orange"],
  [`${ofNode(lag.metrics.blocks)} > ${LAGGING_BLOCKS}`, "behind", "blue"],
  [`${NODE_BUDGET} < 0`, "reward lost", "purple"],
  [
    `${NODE_BUDGET} < ${LITTLE_BUDGET} unless ${NODE_BUDGET} >= ${LITTLE_BUDGET_RATIO} * ${WHOLE_BUDGET}`,
    "reward at risk",
    "super-light-purple",
  ],
  [firing({ ...NODE, severity: "warning" }), "warning", "yellow"],
  [`${ofNode(polling.metrics.up)} unless on (node) ${ofNode(health.metrics.healthy)}`, "no health report", "text"],
  [ofNode(polling.metrics.up), "well", "green"],
] as const;

/** The worst that is the matter with each node, as a number, worst first. A node without a poll has no state. */
export const NODE_STATE = STATES.map(([condition], index) => `max by (node) (0 * (${condition}) + ${index})`).join(
  " or on (node) ",
);

export const NODE_STATES: Mappings = Object.fromEntries(STATES.map(([, text, color], index) => [index, [text, color]]));
