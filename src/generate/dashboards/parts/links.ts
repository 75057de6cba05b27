import { RUNBOOKS } from "../../../definitions/alerts.ts";

/** Where cells of tables lead: the dashboards of what they name, in the same time. */
const TIME = "${__url_time_range}";

/** The dashboard of the node in the cell. */
export const TO_NODE = `/d/avax-node?var-node=\${__value.raw}&${TIME}`;
/** The dashboard of the validator in the cell. */
export const TO_VALIDATOR = `/d/avax-validator?var-validator=\${__value.raw}&${TIME}`;
/** The dashboard of the subnet in the cell. */
export const TO_L1 = `/d/avax-l1?var-subnet=\${__value.raw}&${TIME}`;
/** The dashboard of the network in the cell. */
export const TO_NETWORK = `/d/avax-network?var-network=\${__value.raw}&${TIME}`;
/** The runbook of the alert in the cell. */
export const TO_RUNBOOK = `${RUNBOOKS}/\${__value.raw}.md`;
