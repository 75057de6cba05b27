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

/** 1 where a node keeps up with the others on all of its chains. With nobody to compare, nobody is behind. */
const keepsUp = `(max by (instance, job, node) (${lagging}) <= bool ${LAGGING_BLOCKS} or ${ON} ${healthy} ^ 0)`;

/** The state of each node as a number, the worst first. One that answers and says nothing of its health is 2. */
export const NODE_STATE = `${up} * ${ON} (1 + ${healthy} * ${ON} (2 + ${keepsUp})) or ${ON} 2 * ${up}`;

export const NODE_STATES: Mappings = {
  0: ["no answer", "red"],
  1: ["unhealthy", "orange"],
  2: ["does not say", "blue"],
  3: ["healthy, but behind", "yellow"],
  4: ["well", "green"],
};
