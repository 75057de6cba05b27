import type { Alerts, Runbook } from "../define/alert.ts";
import { SUBNET_NAME } from "../define/alert-texts.ts";
import type { Metric } from "../define/metric.ts";
import { threshold } from "../define/threshold.ts";

/** A week leaves time to arrange a payment. Seconds. */
export const SHORT_RUNWAY = 7 * 86_400;
/** With less than a day left the balance must be increased now. Seconds. */
export const LAST_RUNWAY = 86_400;

const last = threshold("l1-runway-last", "seconds", "when the balance of an L1 validator lasts for less than this", {
  standard: LAST_RUNWAY,
  least: 3_600,
  most: 90 * 86_400,
  below: "l1-runway-short",
});

export const shortRunway = threshold(
  "l1-runway-short",
  "seconds",
  "when the balance of an L1 validator lasts for less than this",
  { standard: SHORT_RUNWAY, least: 3_600, most: 365 * 86_400 },
);

const CALLS: Runbook["commands"] = {
  [`call <any-node> platform.getL1Validator '{"validationID": "<validation_id>"}'`]: "`balance`, in nAVAX.",
  "call <any-node> platform.getValidatorFeeState":
    "`price` is each validator's fee per second, in nAVAX; `timestamp` is the clock that fees are counted by.",
};
const TOP_UP = {
  "avalanche validator increaseBalance --<network> --validation-id <validation_id> --balance <top-up>":
    "Pays 30 days of the fee from a key of the Avalanche CLI.",
};
export const RUNWAY_CONFIRM =
  "Check `avax_l1_validator_runway_seconds`, `avax_l1_validator_balance_avax`, `avax_l1_validator_fee_avax_per_second`, and the age of the P-Chain's clock in `avax_l1_validator_fee_clock_timestamp_seconds`. Call `platform.getL1Validator` with the validation ID.";
const FALSE =
  "The validation is meant to end. An observed price (`avax_l1_validator_fee_source_info`) can be some percent off.";
const LABELS = ["network", "subnet", "node_id", "validation_id"] as const;
const OVER = `has balance in ${SUBNET_NAME} again`;

/** Alerts about the balances of watched validators. */
export function runwayAlerts(runway: Metric<never, "subnet" | "node_id" | "validation_id">): Alerts {
  return {
    AvaxL1RunwayShort: {
      severity: "warning",
      when: { of: runway, below: shortRunway },
      labels: LABELS,
      for: "10m",
      explainedBy: [
        {
          alert: "AvaxL1RunwayCritical",
          equal: ["job", ...LABELS],
          why: "The balance is nearly used up, or is used up.",
        },
      ],
      summary: "{{ or $labels.name $labels.node_id }}: L1 balance lasts {{ $value | humanizeDuration }}",
      over: OVER,
      description: `It is validation {{ $labels.validation_id }} of ${SUBNET_NAME}.`,
      meaning:
        "An L1 validator pays a fee per second from its balance on the P-Chain. Without balance it is inactive: its votes and signatures do not count, but its weight stays in the L1's total.",
      confirm: RUNWAY_CONFIRM,
      commands: CALLS,
      fix: TOP_UP,
      action: "Increase the balance (IncreaseL1ValidatorBalanceTx); any account can pay.",
      falsePositives: FALSE,
    },
    AvaxL1RunwayCritical: {
      severity: "critical",
      when: { of: runway, below: last },
      labels: LABELS,
      for: "5m",
      impact:
        "Without balance the validator neither votes nor signs, and its weight counts against the quorum of the L1.",
      summary:
        "{{ or $labels.name $labels.node_id }} {{ if gt $value 0.0 }}turns inactive in {{ $value | humanizeDuration }}{{ else }}is inactive{{ end }}: L1 balance too low",
      over: OVER,
      description: `It is validation {{ $labels.validation_id }} of ${SUBNET_NAME}.`,
      meaning: (words) =>
        `The validator turns inactive within ${words(last)}, or is inactive already. Its weight stays in the L1's total, like that of a permanently offline validator. When too much weight of an L1 is inactive, the L1 stops making blocks.`,
      confirm: RUNWAY_CONFIRM,
      commands: CALLS,
      fix: TOP_UP,
      action:
        "Increase the balance now (IncreaseL1ValidatorBalanceTx); any account can pay. Or let the L1's validator manager remove it.",
      falsePositives: FALSE,
    },
  };
}
