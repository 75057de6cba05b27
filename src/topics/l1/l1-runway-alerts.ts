import type { Alert } from "../../catalogue/alert.ts";
import { l1Validator } from "./l1-validator.ts";
import type { Metric } from "../../catalogue/metric.ts";

/** A week leaves time to arrange a payment. Seconds. */
export const SHORT_RUNWAY = 7 * 86_400;
/** With less than a day left the balance must be increased now. Seconds. */
export const LAST_RUNWAY = 86_400;

type Label = "subnet" | "node_id" | "validation_id";
type Runway = Readonly<Record<"runway", Metric<never, Label>>>;

const LABELS = 'network="n",subnet="S",node_id="NodeID-A",validation_id="V"';
const FIRED = { network: "n", subnet: "S", node_id: "NodeID-A", validation_id: "V" };
const RUNWAY = `avax_l1_validator_runway_seconds{${LABELS}}`;
const ACTIVE = `avax_l1_validator_active{${LABELS}}`;
const WHO = "{{ $labels.node_id }} (validation {{ $labels.validation_id }} of {{ $labels.subnet }})";
const CALLS: Alert["runbook"]["commands"] = [
  {
    run: `call <any-node> platform.getL1Validator '{"validationID": "<validation_id>"}'`,
    see: "`balance`, in nAVAX.",
  },
  {
    run: "call <any-node> platform.getValidatorFeeState",
    see: "`price` is each validator's fee per second, in nAVAX; `time` is the clock that fees are counted by.",
  },
];
const CONFIRM =
  "Check `avax_l1_validator_balance_avax`, `avax_l1_validator_fee_avax_per_second`, and the age of the P-Chain's clock in `avax_l1_validator_fee_clock_timestamp_seconds`. Call `platform.getL1Validator` with the validation ID.";
const FALSE =
  "The validation is meant to end. An observed price (`avax_l1_validator_fee_source_info`) can be some percent off.";

export function l1RunwayAlerts({ runway }: Runway): readonly Alert[] {
  const { active } = l1Validator.metrics;
  return [
    {
      name: "AvaxL1RunwayShort",
      severity: "warning",
      expr: `(${runway} >= ${LAST_RUNWAY}) < ${SHORT_RUNWAY} unless ${active} == 0`,
      for: "10m",
      summary: "{{ $labels.node_id }}: L1 balance lasts {{ $value | humanizeDuration }}",
      description: `At the current price the balance of ${WHO} is used up in {{ $value | humanizeDuration }}. It is inactive from then on.`,
      runbook: {
        meaning:
          "An L1 validator pays a fee per second from its balance on the P-Chain. Without balance it is inactive: its votes and signatures do not count, but its weight stays in the L1's total.",
        confirm: CONFIRM,
        commands: CALLS,
        action: "Increase the balance (IncreaseL1ValidatorBalanceTx); any account can pay.",
        falseWhen: FALSE,
      },
      fires: { series: { [RUNWAY]: "259200x20", [ACTIVE]: "1x20" }, at: "12m", labels: FIRED },
      silent: { series: { [RUNWAY]: "2592000x20", [ACTIVE]: "1x20" }, at: "12m", why: "the balance lasts thirty days" },
    },
    {
      name: "AvaxL1RunwayCritical",
      severity: "critical",
      expr: `${runway} < ${LAST_RUNWAY} unless ${active} == 0`,
      for: "5m",
      summary: "{{ $labels.node_id }}: L1 balance lasts only {{ $value | humanizeDuration }}",
      description: `At the current price the balance of ${WHO} is used up in {{ $value | humanizeDuration }}. It is inactive from then on.`,
      runbook: {
        meaning:
          "The validator turns inactive within a day. When too much weight of an L1 is inactive, the L1 stops making blocks.",
        confirm: CONFIRM,
        commands: CALLS,
        action: "Increase the balance now (IncreaseL1ValidatorBalanceTx); any account can pay.",
        falseWhen: FALSE,
      },
      fires: { series: { [RUNWAY]: "570x20", [ACTIVE]: "1x20" }, at: "7m", labels: FIRED },
      silent: { series: { [RUNWAY]: "0x20", [ACTIVE]: "0x20" }, at: "7m", why: "the validator is already inactive" },
    },
    {
      name: "AvaxL1ValidatorInactive",
      severity: "warning",
      expr: `${active} == 0`,
      for: "5m",
      summary: "{{ $labels.node_id }} is inactive in {{ $labels.subnet }}",
      description: `${WHO} has had no balance for 5 minutes. It does not vote or sign, and its weight counts as missing.`,
      runbook: {
        meaning:
          "The balance for the validator's fee ran out, or never existed. Its weight stays in the L1's total, like that of a permanently offline validator.",
        confirm:
          "`avax_l1_validator_balance_avax` is 0. `avax_subnet_active_weight_ratio` shows the active share of the L1's weight.",
        commands: [
          {
            run: `call <any-node> platform.getL1Validator '{"validationID": "<validation_id>"}'`,
            see: "`balance` is 0, in nAVAX.",
          },
        ],
        action:
          "Increase the balance (IncreaseL1ValidatorBalanceTx) if the node should validate. If not, let the L1's validator manager remove it, so that its weight does not count against the quorum.",
        falseWhen: "The L1's manager deactivated it on purpose and is about to remove it.",
      },
      fires: { series: { [ACTIVE]: "1x5 0x20" }, at: "12m", labels: FIRED },
      silent: { series: { [ACTIVE]: "1x20" }, at: "12m", why: "it has a balance" },
    },
  ];
}
