import { sharedRecording } from "../define/recording.ts";
import { where } from "../define/selector.ts";
import { polling } from "../exporter/polling.ts";
import { hostedValidator } from "../hosted/validator.ts";
import { nodeLabels } from "../node/identity.ts";
import { validator } from "../validators/validator.ts";
import { rewardVerdict } from "../validators/reward-verdict.ts";

/** What the exporter learned and lost with a restart is taken from the samples of this time. */
export const REMEMBERED = "1d";

const configured = where(nodeLabels.metrics.configured, { network: "!=", node_id: "!=" });

/** For whoever restarts the exporter during an outage: a node that does not answer is still the same validator of the same network. */
export const nodeIds = sharedRecording({
  name: "node:avax_node_configured:known",
  about: "Configured nodes with their node ID, or with the last one of the day before where it is unknown now.",
  expr: `${configured} or on (job, instance, node) topk by (job, instance, node) (1, last_over_time(${configured}[${REMEMBERED}]))`,
  labels: ["node", "network", "node_id"],
});

/** For whoever is paged about a node that then dies: what was true of it is unknown, not over. */
export const stillPaged = sharedRecording({
  name: "node:avax_node_up:paged",
  about: "Pages about nodes that have stopped answering since they were sent, by the name of the alert.",
  expr: `max without (alertstate, severity) (ALERTS{alertstate="firing",severity="critical"}) and on (job, instance, node) ${polling.metrics.up} == 0`,
  labels: ["node", "network", "alertname"],
});

const { connected } = rewardVerdict.metrics;
const named = validator.metrics.info;
const onOne = (expr: string): string => `topk by (network, node_id) (1, ${expr})`;

export const validatorNames = sharedRecording({
  name: "validator:avax_validator_info:name",
  about: "Name of each validator and of the polled node that it is, as far as they are known; one series a validator.",
  expr: [
    onOne(where(named, { node: "!=" })),
    onOne(`last_over_time(${where(named, { node: "!=" })}[${REMEMBERED}])`),
    onOne(`last_over_time(${named}[${REMEMBERED}])`),
    // Neither depends on the reference node, which names the validators: no alert is lost in the join.
    `group by (network, node_id) (${connected} or ${hostedValidator.metrics.lastRewarded})`,
  ].join(" or on (network, node_id) "),
  labels: ["network", "node_id", "name", "node"],
});
