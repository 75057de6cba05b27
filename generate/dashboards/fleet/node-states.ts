import { health } from "../../../src/topics/node/health.ts";
import { BEHIND_FOR, lag } from "../../../src/topics/chains/lag.ts";
import { polling } from "../../../src/topics/exporter/polling.ts";
import { LITTLE_BUDGET } from "../../../src/topics/validators/reward-state.ts";
import { reward } from "../../../src/topics/validators/reward.ts";
import { firing } from "../parts/alert-panels.ts";
import type { Mappings } from "../parts/format.ts";
import { NODE_DOWNTIME_LEFT } from "../parts/rewards.ts";
import { NODE, ofNode, ofPrimaryNode } from "../parts/selectors.ts";

/**
 * What can be the matter with a node, worst first: a condition that has a result for these nodes, and its text and colour. A
 * reward counts like an alert, because a node that is healthy today can have lost it, and the rules can be missing.
 */
const STATES = [
  [`${ofNode(polling.metrics.up)} == 0`, "no answer", "dark-red"],
  [firing({ ...NODE, severity: "critical" }), "critical alert", "red"],
  [`${ofNode(health.metrics.healthy)} == 0`, "unhealthy", "orange"],
  [`${ofNode(lag.metrics.behindFor)} > ${BEHIND_FOR}`, "behind", "blue"],
  [`${NODE_DOWNTIME_LEFT} < 0`, "reward lost", "purple"],
  [`${ofPrimaryNode(reward.metrics.scarce)} < ${LITTLE_BUDGET}`, "reward at risk", "super-light-purple"],
  [firing({ ...NODE, severity: "warning" }), "warning", "yellow"],
  [`${ofNode(polling.metrics.up)} unless on (node) ${ofNode(health.metrics.healthy)}`, "no health report", "text"],
  [ofNode(polling.metrics.up), "up", "green"],
] as const;

/** The worst that is the matter with each node, as a number, worst first. A node without a poll has no state. */
export const NODE_STATE = STATES.map(([condition], index) => `max by (node) (0 * (${condition}) + ${index})`).join(
  " or on (node) ",
);

export const NODE_STATES: Mappings = Object.fromEntries(STATES.map(([, text, color], index) => [index, [text, color]]));
