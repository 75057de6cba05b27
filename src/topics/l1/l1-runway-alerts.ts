import type { Alerts, Runbook } from "../define/alert.ts";
import { l1Validator } from "./l1-validator.ts";
import type { Metric } from "../define/metric.ts";
import { SUBNET } from "../define/alert-texts.ts";
import { threshold } from "../define/threshold.ts";
import { validator } from "../validators/validator.ts";

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

const short = threshold("l1-runway-short", "seconds", "when the balance of an L1 validator lasts for less than this", {
  standard: SHORT_RUNWAY,
  least: 3_600,
  most: 365 * 86_400,
});

type Label = "subnet" | "node_id" | "validation_id";
type Runway = Readonly<Record<"runway", Metric<never, Label>>>;

const CALLS: Runbook["commands"] = {
  [`call <any-node> platform.getL1Validator '{"validationID": "<validation_id>"}'`]: "`balance`, in nAVAX.",
  "call <any-node> platform.getValidatorFeeState":
    "`price` is each validator's fee per second, in nAVAX; `time` is the clock that fees are counted by.",
};
const CONFIRM =
  "Check `avax_l1_validator_balance_avax`, `avax_l1_validator_fee_avax_per_second`, and the age of the P-Chain's clock in `avax_l1_validator_fee_clock_timestamp_seconds`. Call `platform.getL1Validator` with the validation ID.";
const FALSE =
  "The validation is meant to end. An observed price (`avax_l1_validator_fee_source_info`) can be some percent off.";

export function l1RunwayAlerts({ runway }: Runway): Alerts {
  const { active } = l1Validator.metrics;
  const watched = `on (network, subnet, node_id) ${validator.metrics.active}`;
  return {
    AvaxL1RunwayShort: {
      severity: "warning",
      expr: `(${runway} >= ${last}) < ${short} unless ${active} == 0 and ${watched}`,
      labels: ["network", "subnet", "node_id", "validation_id"],
      for: "10m",
      thresholds: [short],
      summary: "{{ or $labels.name $labels.node_id }}: L1 balance lasts {{ $value | humanizeDuration }}",
      description:
        "It is the balance of validation {{ $labels.validation_id }} of {{ $labels.subnet }}. Without balance it is inactive.",
      meaning:
        "An L1 validator pays a fee per second from its balance on the P-Chain. Without balance it is inactive: its votes and signatures do not count, but its weight stays in the L1's total.",
      confirm: CONFIRM,
      commands: CALLS,
      action: "Increase the balance (IncreaseL1ValidatorBalanceTx); any account can pay.",
      falseWhen: FALSE,
    },
    AvaxL1RunwayCritical: {
      severity: "critical",
      expr: `(${runway} < ${last} or ${active} == 0) and ${watched}`,
      labels: ["network", "subnet", "node_id", "validation_id"],
      for: "5m",
      thresholds: [last],
      loses:
        "Without balance the validator neither votes nor signs, and its weight counts against the quorum of the L1.",
      summary:
        "{{ or $labels.name $labels.node_id }} {{ if gt $value 0.0 }}turns inactive in {{ $value | humanizeDuration }}: L1 balance low{{ else }}is inactive: its L1 balance has run out{{ end }}",
      description:
        "It is the balance of validation {{ $labels.validation_id }} of {{ $labels.subnet }}. Without balance it neither votes nor signs.",
      meaning: `The validator turns inactive within ${last.words}, or is inactive already. Its weight stays in the L1's total, like that of a permanently offline validator. When too much weight of an L1 is inactive, the L1 stops making blocks.`,
      confirm: CONFIRM,
      commands: CALLS,
      action:
        "Increase the balance now (IncreaseL1ValidatorBalanceTx); any account can pay. Or let the L1's validator manager remove it.",
      falseWhen: FALSE,
    },
    AvaxL1BalancesShort: {
      severity: "warning",
      expr: `count without (node_id, validation_id) ((${runway} < ${short} or ${active} == 0) unless ${watched})`,
      labels: ["network", "subnet"],
      for: "10m",
      thresholds: [short],
      noPage: "The validators belong to others; AvaxSubnetQuorumLost pages when too much weight is inactive.",
      summary: `${SUBNET} has little balance left for {{ $value }} of its validators`,
      description: `They are not yours, and have a balance for less than ${short.words}, or none ({{ $labels.network }}).`,
      meaning:
        "Members of the L1 are inactive or will be: they neither vote nor sign, and their weight counts against the quorum of the L1.",
      confirm: `${CONFIRM} \`avax_subnet_active_weight_ratio\` is the share of the weight that has a balance.`,
      commands: {
        [`call <any-node> platform.getCurrentValidators '{"subnetID": "<subnet>"}'`]:
          "`balance` of each validator, in nAVAX.",
      },
      action:
        "Inform the operators of these validators, increase their balances, or let the L1's validator manager remove them.",
      falseWhen: "The validators were given up, and the L1's quorum does not need their weight: silence the alert.",
    },
  };
}
