import { recording } from "../define/recording.ts";
import { where } from "../define/selector.ts";
import { polling } from "../exporter/polling.ts";
import { hostedValidator } from "../hosted/validator.ts";
import { l1Offline } from "../l1/l1-offline.ts";
import { l1Runway } from "../l1/l1-runway.ts";
import { l1Validator } from "../l1/l1-validator.ts";
import { nodeLabels } from "../node/identity.ts";
import { nodeIdShared } from "../node/node-id-shared.ts";
import { disagreement } from "../validators/disagreement.ts";
import { rewardAddress } from "../validators/reward-address.ts";
import { rewardVerdict } from "../validators/reward-verdict.ts";
import { validatorView } from "../validators/validator-view.ts";
import { validator } from "../validators/validator.ts";

/** A node that restarts answers again within this time, bootstrapping included. */
export const RESTART = "10m";

/** What the exporter learned and lost with a restart is taken from the samples of this time. */
export const REMEMBERED = "1d";

const configured = where(nodeLabels.metrics.configured, { node_id: "!=" });

/** For whoever restarts the exporter during an outage: a node that does not answer is still the same validator. */
export const nodeIds = recording({
  name: "node:avax_node_configured:known",
  about: "Configured nodes with their node ID, or with the last one of the day before where it is unknown now.",
  expr: `${configured} or on (job, instance, node) topk by (job, instance, node) (1, last_over_time(${configured}[${REMEMBERED}]))`,
  labels: ["node", "network", "node_id"],
  shared: true,
});

export const validating = recording({
  name: "node:avax_node_configured:validating",
  about: "Configured nodes whose node ID is in a validator set of their network.",
  expr: `${nodeIds} and on (network, node_id) last_over_time(${validator.metrics.active}[${REMEMBERED}]) == 1`,
  labels: ["node", "network", "node_id"],
  shared: true,
  reads: [nodeIds],
});

export const restarting = recording({
  name: "node:avax_node_up:restarting",
  about: `Nodes that are down, or were within ${RESTART}, with their node ID.`,
  expr: `${nodeIds} and on (job, instance, node) min_over_time(${polling.metrics.up}[${RESTART}]) == 0`,
  labels: ["node", "network", "node_id"],
  shared: true,
  reads: [nodeIds],
});

/** What alerts about validators are about: each has a name, or an empty one, so that no alert is lost in a join. */
const judged = [
  ...[validatorView.metrics.connected, rewardVerdict.metrics.budget, rewardVerdict.metrics.margin],
  ...[validator.metrics.active, validator.metrics.leftEarly, validator.metrics.end, rewardAddress.metrics.matches],
  ...[l1Validator.metrics.active, l1Runway.metrics.runway, l1Offline.metrics.offline],
  ...[disagreement.metrics.uptime, nodeIdShared.metrics.addresses, hostedValidator.metrics.lastRewarded],
];
const named = validator.metrics.info;
const onOne = (expr: string): string => `topk by (network, node_id) (1, ${expr})`;

export const validatorNames = recording({
  name: "validator:avax_validator_info:name",
  about: "Name of each validator and of the polled node that it is, as far as they are known; one series a validator.",
  expr: [
    onOne(where(named, { node: "!=" })),
    onOne(`last_over_time(${where(named, { node: "!=" })}[${REMEMBERED}])`),
    onOne(`${named}`),
    `group by (network, node_id) (${judged.join(" or ")})`,
  ].join(" or on (network, node_id) "),
  labels: ["network", "node_id", "name", "node"],
  shared: true,
});
