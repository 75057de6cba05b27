import { health } from "../../../topics/node/health.ts";
import { lag, LAGGING_BLOCKS } from "../../../topics/chains/lag.ts";
import { polling } from "../../../self/polling.ts";
import { where } from "../../../catalogue/selector.ts";
import type { Mappings } from "../parts/mappings.ts";
import { NODE } from "../parts/selectors.ts";

const ON = "on (instance, job, node)";
const up = where(polling.metrics.up, NODE);
const healthy = where(health.metrics.healthy, NODE);
const lagging = where(lag.metrics.blocks, NODE);

/** 1 where a node is not behind on any of its chains, or where there is no other node to compare it with. */
const keepsUp = `(max by (instance, job, node) (${lagging}) <= bool ${LAGGING_BLOCKS} or ${ON} ${healthy} ^ 0)`;

/** The state of each node as a number, worst first. A node that answers and reports no health is 2. */
export const NODE_STATE = `${up} * ${ON} (1 + ${healthy} * ${ON} (2 + ${keepsUp})) or ${ON} 2 * ${up}`;

export const NODE_STATES: Mappings = {
  0: ["no answer", "red"],
  1: ["unhealthy", "orange"],
  2: ["no health report", "blue"],
  3: ["healthy but behind", "yellow"],
  4: ["healthy", "green"],
};
