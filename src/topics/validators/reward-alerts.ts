import type { Alerts, Runbook } from "../define/alert.ts";
import type { Named } from "../define/selector.ts";
import { threshold } from "../define/threshold.ts";
import { INTACT_BUDGET_RATIO, littleBudget } from "./reward-state.ts";

const ending = threshold(
  "cycle-ending",
  "seconds",
  "when the cycle of an auto-renewed validator that will be removed ends within this time",
  { standard: 86_400, least: 3_600, most: 30 * 86_400 },
);

const USED_PERCENT = Math.round((1 - INTACT_BUDGET_RATIO) * 100);

const NAME = "{{ or $labels.name $labels.node_id }}";
const SUBNET = "{{ or $labels.subnet_name $labels.subnet }}, {{ $labels.network }}";
const CALLS: Runbook["commands"] = {
  [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
    "`uptime` in percent as this node observes it, with `startTime` and `endTime`. Query several nodes: this alert uses their median, the reward depends on the stake.",
};
const CONFIRM =
  "Compare `avax_validator_downtime_budget_remaining_seconds` and `avax_validator_uptime_ratio` by observing node. The uptime requirement is `avax_validator_uptime_requirement_ratio`. If the validator itself is polled, `avax_node_stake_by_observed_uptime_ratio` shows the stake behind each uptime.";

const FALSE = "The observing nodes lost their connection to it and the other validators did not.";

const OF_VALIDATOR = ["network", "subnet", "node_id"] as const;

type Metrics = Readonly<Record<"scarce" | "excess" | "shortfall" | "removal", Named<string>>>;

/** Alerts about the reward of a watched validator. */
export const rewardAlerts = ({ scarce, excess, shortfall, removal }: Metrics): Alerts => ({
  ...lostAlerts(removal, excess),
  ...endangeredAlerts(scarce, shortfall),
});

/** The reward is out of reach. */
const lostAlerts = (removal: Named<string>, excess: Named<string>): Alerts => ({
  AvaxValidatorRenewalLost: {
    severity: "critical",
    when: { of: removal, within: ending },
    labels: OF_VALIDATOR,
    for: "5m",
    impact: "The validator's place: from the end of its cycle it earns nothing until it is staked again.",
    summary: `${NAME} will be removed in {{ $value | humanizeDuration }}: uptime too low`,
    over: "has enough uptime again, or its cycle ended",
    description: `No downtime is left in its cycle (${SUBNET}).`,
    meaning:
      "At the end of a cycle the network renews an auto-renewed validator only if its uptime suffices. Below the requirement it is removed: its stake and earlier rewards are returned, and the reward of this cycle is lost.",
    confirm:
      "`avax_validator_downtime_budget_remaining_seconds` is negative on most observing nodes. `avax_validator_removal_timestamp_seconds` is the end of the cycle.",
    commands: {
      [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
        "`uptime` in percent as this node observes it, `endTime` of the cycle, and `nextPeriod` above 0.",
    },
    action:
      "Keep it online: votes of validators that observed more uptime can save it. Prepare to stake it again, and tell the delegators.",
    falsePositives: FALSE,
  },
  AvaxRewardLost: {
    severity: "warning",
    when: { of: excess, above: 0 },
    labels: OF_VALIDATOR,
    for: "5m",
    explainedBy: [
      {
        alert: "AvaxValidatorRenewalLost",
        equal: OF_VALIDATOR,
        why: "The validator will be removed at the end of its cycle: it loses the reward too.",
      },
    ],
    summary: `${NAME} lost its reward: {{ $value | humanizeDuration }} too much downtime`,
    over: "has downtime left again, or its period ended",
    description: `Its uptime requirement is out of reach (${SUBNET}).`,
    meaning:
      "At the end of the period, validators will most likely vote against the reward. The stake itself is returned. A delegation is judged at its own end: those that end before the uptime suffices lose their reward too. An auto-renewed validator is removed instead of being renewed.",
    confirm: CONFIRM,
    commands: CALLS,
    action:
      "Keep it online: votes of others that observed more uptime can save the reward. Inform the delegators. Find the cause of the downtime.",
    falsePositives:
      "All observing nodes lost their connection to it while the other validators did not. Query its uptime on other nodes.",
  },
});

/** The reward can still be had. */
const endangeredAlerts = (scarce: Named<string>, shortfall: Named<string>): Alerts => ({
  AvaxDowntimeBudgetLow: {
    severity: "critical",
    when: { of: scarce, below: littleBudget },
    labels: OF_VALIDATOR,
    for: "5m",
    impact: "The reward of the whole period, and that of delegations, with the next long outage.",
    summary: `${NAME} loses its reward after {{ $value | humanizeDuration }} of downtime`,
    over: "is no longer low on downtime",
    description: `That is left until the period ends (${SUBNET}).`,
    meaning:
      "Most of the downtime budget of this period is used up. One more long outage costs the reward, and that of every delegation that ends while the uptime is too low.",
    confirm: CONFIRM,
    commands: CALLS,
    action:
      "Bring it online if it is not. Plan no downtime until its period ends. `/validator/<name>` of the exporter has the date.",
    falsePositives: FALSE,
  },
  AvaxUptimeBelowRequirement: {
    severity: "warning",
    when: { of: shortfall, above: 0 },
    labels: OF_VALIDATOR,
    for: "15m",
    explainedBy: [
      { alert: "AvaxRewardLost", equal: OF_VALIDATOR, why: "The reward is lost already." },
      { alert: "AvaxDowntimeBudgetLow", equal: OF_VALIDATOR, why: "The downtime budget is nearly used up." },
    ],
    summary: `${NAME} is {{ $value | printf "%.1f" }} points below its uptime requirement`,
    over: "has the uptime that it needs again",
    description: `At least ${USED_PERCENT} % of the downtime budget is used (${SUBNET}).`,
    meaning:
      "If the period ended now, the reward would be lost. `avax_validator_downtime_left_seconds` is the downtime left until the real end.",
    confirm: CONFIRM,
    commands: CALLS,
    action: "Bring the validator online, healthy and connected, and keep it so. Every hour online raises its uptime.",
    falsePositives: FALSE,
  },
});
