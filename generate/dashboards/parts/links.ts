import { RUNBOOKS } from "../../../src/topics/all/alerts.ts";

/** Links of table cells: to the dashboard of the cell's value, with the same jobs and time range. */
const KEPT = "${job:queryparam}&${__url_time_range}";

export const TO_NODE = `/d/avax-node?var-node=\${__value.raw}&${KEPT}`;
export const TO_VALIDATOR = `/d/avax-validator?var-validator=\${__value.raw}&${KEPT}`;
export const TO_L1 = `/d/avax-l1?var-subnet=\${__value.raw}&${KEPT}`;
export const TO_NETWORK = `/d/avax-network?var-network=\${__value.raw}&${KEPT}`;
export const TO_RUNBOOK = `${RUNBOOKS}/\${__value.raw}.md`;
