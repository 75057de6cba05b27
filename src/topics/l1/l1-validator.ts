import { Validators, type Validator } from "../../api/node/platform.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import type { Value } from "../../exposition/sample.ts";
import type { ValidatorSets } from "../stake.ts";

/** Maximum number of members of one L1 with series: an L1's own manager decides how many there are. */
const MOST_MEMBERS = 500;
const SOURCE = "(platform.getCurrentValidators,";

export const l1Validator = topic(
  {
    id: "l1-validator",
    about: "Which validators of each configured L1 are active, and how much balance is left for their fee?",
    scope: "network",
    needs: { sets: Validators },
  },
  {
    balance: ofMembers(
      "avax_l1_validator_balance_avax",
      `Balance left for the continuous fee, as of the P-Chain's last block ${SOURCE} \`balance\`).`,
      ({ balance }) => balance,
    ),
    active: ofMembers(
      "avax_l1_validator_active",
      `1 while the validation has a balance left, 0 after it ran out: its weight then stays in the total but does not sign ${SOURCE} \`balance\`).`,
      ({ balance }) => (balance === undefined ? undefined : balance > 0),
    ),
    weight: ofMembers(
      "avax_l1_validator_weight",
      `Weight of the validation, in the L1's own unit ${SOURCE} \`weight\`).`,
      ({ weight }) => Number(weight),
    ),
    minNonce: ofMembers(
      "avax_l1_validator_min_nonce",
      `Smallest valid nonce of a weight change ${SOURCE} \`minNonce\`).`,
      ({ minNonce }) => minNonce,
    ),
    start: ofMembers(
      "avax_l1_validator_start_timestamp_seconds",
      `When the validation began ${SOURCE} \`startTime\`).`,
      ({ startTime }) => startTime,
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

/** A figure of each validation. */
function ofMembers(name: string, help: string, read: (validator: Validator) => Value) {
  return gauges(name, help, ["subnet", "node_id", "validation_id"], ({ sets }: { readonly sets: ValidatorSets }) =>
    l1Members(sets).map(([subnet, each]) => {
      const { nodeID, validationID = "" } = each;
      return [{ subnet, node_id: nodeID, validation_id: validationID }, read(each)] as const;
    }),
  );
}
