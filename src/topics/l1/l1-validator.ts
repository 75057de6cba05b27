import { Validators, type Validator } from "../../api/node/platform.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import type { ValidatorSets } from "../stake.ts";

/** Maximum number of members of one L1 with series: an L1's own manager decides how many there are. */
const MOST_MEMBERS = 500;
const SOURCE = "(platform.getCurrentValidators,";
const LABELS = ["subnet", "node_id", "validation_id"] as const;

export const l1Validator = topic(
  {
    id: "l1-validator",
    about: "Which validators of each configured L1 are active, and how much balance is left for their fee?",
    scope: "network",
    needs: { sets: Validators },
  },
  {
    balance: gauges(
      "avax_l1_validator_balance_avax",
      `Balance left for the continuous fee, as of the P-Chain's last block ${SOURCE} \`balance\`).`,
      LABELS,
      ({ sets }) => rows(sets, ({ balance }) => balance),
    ),
    active: gauges(
      "avax_l1_validator_active",
      `1 while the validation has a balance left, 0 after it ran out: its weight then stays in the total but does not sign ${SOURCE} \`balance\`).`,
      LABELS,
      ({ sets }) => rows(sets, ({ balance }) => (balance === undefined ? undefined : balance > 0)),
    ),
    weight: gauges(
      "avax_l1_validator_weight",
      `Weight of the validation, in the L1's own unit ${SOURCE} \`weight\`).`,
      LABELS,
      ({ sets }) => rows(sets, ({ weight }) => Number(weight)),
    ),
    minNonce: gauges(
      "avax_l1_validator_min_nonce",
      `Smallest valid nonce of a weight change ${SOURCE} \`minNonce\`).`,
      LABELS,
      ({ sets }) => rows(sets, ({ minNonce }) => minNonce),
    ),
    start: gauges(
      "avax_l1_validator_start_timestamp_seconds",
      `When the validation began ${SOURCE} \`startTime\`).`,
      LABELS,
      ({ sets }) => rows(sets, ({ startTime }) => startTime),
    ),
  },
);

/** The validations of each L1. A node ID can have several in the same L1. */
export function l1Members(sets: ValidatorSets): ReadonlyArray<readonly [subnet: string, validator: Validator]> {
  return [...sets].flatMap(([subnet, { validators }]) =>
    validators
      .filter(({ validationID }) => validationID !== undefined)
      .slice(0, MOST_MEMBERS)
      .map((each) => [subnet, each] as const),
  );
}

function rows<V>(sets: ValidatorSets, read: (validator: Validator) => V) {
  return l1Members(sets).map(
    ([subnet, each]) => [{ subnet, node_id: each.nodeID, validation_id: each.validationID ?? "" }, read(each)] as const,
  );
}
