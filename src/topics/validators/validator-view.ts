import { WatchedValidators, type Validator } from "../../api/node/platform.ts";
import { gauges, type Context } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import type { ValidatorSets } from "../stake.ts";

const LABELS = ["subnet", "node_id"] as const;
const VIEW = "as observed by this node; its value for itself is not an observation";

export const validatorView = topic(
  {
    id: "validator-view",
    about: "What uptime and connection does each polled node observe of the watched validators?",
    scope: "observer",
    needs: { answers: WatchedValidators },
  },
  {
    uptime: gauges(
      "avax_validator_uptime_ratio",
      `Uptime of a watched validator since its stake began, ${VIEW} (platform.getCurrentValidators with nodeIDs, \`uptime\`).`,
      LABELS,
      ({ answers }, context) => rows(answers, context, ({ uptime }) => uptime),
    ),
    connected: gauges(
      "avax_validator_connected",
      `1 while a watched validator is connected, ${VIEW} (platform.getCurrentValidators with nodeIDs, \`connected\`).`,
      LABELS,
      ({ answers }, context) => rows(answers, context, ({ connected }) => connected),
    ),
  },
);

/** Only watched validators: a server can ignore `nodeIDs`, and the watch list can have changed since the answer. */
function rows<V>(answers: ValidatorSets, { watch }: Context, read: (validator: Validator) => V) {
  const watched = new Set(watch);
  return [...answers].flatMap(([subnet, { validators }]) =>
    validators
      .filter(({ nodeID, validationID }) => validationID === undefined && watched.has(nodeID))
      .map((each) => [{ subnet, node_id: each.nodeID }, read(each)] as const),
  );
}
