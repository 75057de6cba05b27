import type { Alerts } from "../define/alert.ts";
import type { Recording } from "../define/recording.ts";
import { threshold } from "../define/threshold.ts";
import { endsWithin } from "./period-end.ts";
import { validator } from "./validator.ts";

const ending = threshold(
  "cycle-ending",
  "seconds",
  "when the cycle of an auto-renewed validator that will be removed ends within this time",
  { standard: 86_400, least: 3_600, most: 30 * 86_400 },
);

const NAME = "{{ or $labels.name $labels.node_id }}";

/** A validator whose renewal the network will refuse at the end of its cycle. @param budget the downtime that it has left */
export function renewalAlert(budget: Recording<"network" | "subnet" | "node_id">): Alerts {
  const { nextPeriod } = validator.metrics;
  return {
    AvaxValidatorRenewalLost: {
      severity: "critical",
      expr: `${endsWithin(ending, validator.metrics)} and ${nextPeriod} > 0 and on (network, subnet, node_id) ${budget} < 0`,
      records: [budget],
      labels: ["network", "subnet", "node_id"],
      for: "5m",
      thresholds: [ending],
      loses: "The validator's place: from the end of its cycle it earns nothing until it is staked again.",
      summary: `${NAME} will be removed in {{ $value | humanizeDuration }}: uptime too low`,
      description:
        "No downtime is left in the cycle ({{ $labels.subnet }}, {{ $labels.network }}). At its end the validator is removed instead of renewed.",
      meaning:
        "At the end of a cycle the network renews an auto-renewed validator only if its uptime suffices. Below the requirement it is removed: its stake and earlier rewards are returned, and the reward of this cycle is lost.",
      confirm:
        "`avax_validator_downtime_budget_remaining_seconds` is negative on most observing nodes. `avax_validator_stake_end_timestamp_seconds` is the end of the cycle.",
      commands: {
        [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
          "`uptime` in percent as this node observes it, `endTime` of the cycle, and `nextPeriod` above 0.",
      },
      action:
        "Prepare to stake it again, and tell the delegators. Keep it online: votes of validators that observed more uptime can save it.",
      falseWhen: "The observing nodes lost their connection to it and the other validators did not.",
    },
  };
}
