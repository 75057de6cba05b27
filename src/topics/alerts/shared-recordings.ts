import { sharedRecording } from "../define/recording.ts";
import { where } from "../define/selector.ts";
import { chains } from "../chains/chains.ts";
import { polling } from "../exporter/polling.ts";
import { hostedValidator } from "../hosted/validator.ts";
import { l1Offline } from "../l1/l1-offline.ts";
import { nodeLabels } from "../node/identity.ts";
import { validator } from "../validators/validator.ts";
import { rewardVerdict } from "../validators/reward-verdict.ts";

/** A node that restarts answers again within this time, bootstrapping included. */
export const RESTART = "10m";

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

export const validating = sharedRecording({
  name: "node:avax_node_configured:validating",
  about: "Configured nodes whose node ID is in a validator set of their network.",
  expr: `${nodeIds} and on (network, node_id) last_over_time(${validator.metrics.active}[${REMEMBERED}]) == 1`,
  labels: ["node", "network", "node_id"],
});

/** With less of the stake connected a node is cut off: a network that has lost less still has most of its nodes. */
export const CUT_OFF_RATIO = 0.5;

/** The stake that a node is connected to, with the label `chain` of the P-Chain. */
export const CONNECTED_STAKE = where(chains.metrics.connected, { chain: "P" });
/** The same, where the node is cut off. */
export const CUT_OFF_STAKE = `${CONNECTED_STAKE} < ${CUT_OFF_RATIO}`;

const { connected } = rewardVerdict.metrics;
/** No node is a witness of itself, and a node that is cut off sees all others as disconnected. */
const WITNESSED = `(${connected} unless on (job, instance, node, node_id) ${nodeIds} unless on (job, instance, node) ${CUT_OFF_STAKE})`;
const OF_VALIDATOR = ["network", "subnet", "node_id"] as const;

export const observers = sharedRecording({
  name: "validator:avax_validator_connected:count",
  about: "Nodes that watch a validator, the validator itself and nodes that are cut off left out.",
  expr: `count without (node, instance, job) ${WITNESSED}`,
  labels: OF_VALIDATOR,
});

export const connectedToAny = sharedRecording({
  name: "validator:avax_validator_connected:max",
  about:
    "1 while a node that watches a validator is connected to it, the validator itself and nodes that are cut off left out.",
  expr: `max without (node, instance, job) ${WITNESSED}`,
  labels: OF_VALIDATOR,
});

/** For whoever is paged: a validator that others are connected to loses nothing when its API is down. */
export const seen = sharedRecording({
  name: "node:avax_validator_connected:seen",
  about: "Configured nodes that another polled node is connected to as a validator of the Primary Network or of an L1.",
  expr: `${nodeIds} and on (network, node_id) (${connectedToAny} == 1 or ${l1Offline.metrics.offline} == 0)`,
  labels: ["node", "network", "node_id"],
});

/** For whoever is paged about a node that then dies: what was true of it is unknown, not over. */
export const stillPaged = sharedRecording({
  name: "node:avax_node_up:paged",
  about: "Pages about nodes that have stopped answering since they were sent, by the name of the alert.",
  expr: `max without (alertstate, severity) (ALERTS{alertstate="firing",severity="critical"}) and on (job, instance, node) ${polling.metrics.up} == 0`,
  labels: ["node", "network", "alertname"],
});

export const restarting = sharedRecording({
  name: "node:avax_node_up:restarting",
  about: `Nodes that are down, or were within ${RESTART}, with their node ID.`,
  expr: `${nodeIds} and on (job, instance, node) min_over_time(${polling.metrics.up}[${RESTART}]) == 0`,
  labels: ["node", "network", "node_id"],
});

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
