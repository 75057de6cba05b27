import type { Alert } from "../../catalogue/alert.ts";
import type { Metric } from "../../catalogue/metric.ts";
import { recording } from "../../catalogue/recording.ts";
import { validatorRequirement } from "./validator-requirement.ts";

/** An uptime less than this above the requirement is near it. */
export const NEAR_REQUIREMENT_RATIO = 0.02;
/** An outage of a day is plausible, such as a crash on a weekend. Seconds. */
export const LITTLE_BUDGET = 86_400;
/** In a short period a day is long: a budget above this share of the allowance is not low. */
export const LITTLE_BUDGET_RATIO = 0.5;
/** A young stake is quickly below the requirement; above this share of the allowance it does not matter. */
export const INTACT_BUDGET_RATIO = 0.9;

type Verdict = Readonly<Record<"budget" | "margin", Metric<never, "subnet" | "node_id">>>;

const LABELS = 'network="n",subnet="primary",node_id="NodeID-A"';
const FIRED = { network: "n", subnet: "primary", node_id: "NodeID-A" };
const budgetOf = (node: string) => `avax_validator_downtime_budget_remaining_seconds{node="${node}",${LABELS}}`;
const marginOf = (node: string) => `avax_validator_uptime_margin{node="${node}",${LABELS}}`;
const ALLOWANCE = `avax_validator_downtime_budget_seconds{${LABELS}}`;

/** The median of the observers: the stake decides by majority, so a single bad observer does not count. */
function median(metric: Metric<never, "subnet" | "node_id">): string {
  return `quantile without (node, instance, job) (0.5, ${metric})`;
}

const WHO = "{{ $labels.node_id }} ({{ $labels.subnet }}, {{ $labels.network }})";
const CALLS: Alert["runbook"]["commands"] = [
  {
    run: `call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`,
    see: "`uptime` in per cent as this node sees it, with `startTime` and `endTime`. Ask several nodes: half of them decide here, the stake decides about the reward.",
  },
];
const CONFIRM =
  "`avax_validator_downtime_budget_remaining_seconds` and `avax_validator_uptime_ratio` per node that looks, the requirement in `avax_validator_uptime_requirement_ratio`, the stake behind it in `avax_node_stake_by_observed_uptime_ratio` when the validator is polled itself.";

const OF_VALIDATOR = ["network", "subnet", "node_id"] as const;

/** The three figures of the verdict, aggregated over all observers. */
function recordings({ budget, margin }: Verdict) {
  return {
    budget: recording({
      name: "validator:avax_validator_downtime_budget_remaining_seconds:median",
      about: "How long a validator may still be offline and be paid, as half of the nodes see it or better.",
      expr: median(budget),
      labels: OF_VALIDATOR,
      proof: {
        series: { [budgetOf("a")]: "-3600x5", [budgetOf("b")]: "7200x5", [budgetOf("c")]: "90000x5" },
        at: "3m",
        samples: { [`{${LABELS}}`]: 7200 },
      },
    }),
    margin: recording({
      name: "validator:avax_validator_uptime_margin:median",
      about: "Uptime of a validator above what its reward needs, as half of the nodes see it or better.",
      expr: median(margin),
      labels: OF_VALIDATOR,
      proof: {
        series: { [marginOf("a")]: "-0.25x5", [marginOf("b")]: "0.125x5" },
        at: "3m",
        samples: { [`{${LABELS}}`]: -0.0625 },
      },
    }),
    allowance: recording({
      name: "validator:avax_validator_downtime_budget_seconds:max",
      about: "How long a validator may be offline in its whole period, whichever exporter says it.",
      expr: `max without (instance, job) (${validatorRequirement.metrics.allowance})`,
      labels: OF_VALIDATOR,
      proof: { series: { [ALLOWANCE]: "6307200x5" }, at: "3m", samples: { [`{${LABELS}}`]: 6307200 } },
    }),
  };
}

export function rewardVerdictAlerts(verdict: Verdict): readonly Alert[] {
  const { budget, margin, allowance } = recordings(verdict);
  const wornOut = `${budget} <= ${INTACT_BUDGET_RATIO} * ${allowance}`;
  return [
    {
      name: "AvaxRewardLost",
      severity: "critical",
      expr: `-${budget} > 0`,
      records: [budget],
      for: "5m",
      summary: "The reward of {{ $labels.node_id }} is lost",
      description: `Even if it is never offline again, ${WHO} cannot reach the uptime that its reward needs: it was offline {{ $value | humanizeDuration }} too long.`,
      runbook: {
        meaning:
          "At the end of the period the validators will most likely vote against the reward, the delegators' included. The stake itself comes back.",
        confirm: CONFIRM,
        commands: CALLS,
        action:
          "Tell the delegators. Nothing but the votes of validators that saw it better can save the reward: keep it up to the end. Find out what kept it offline before the next period begins.",
        falseWhen:
          "All nodes that look at it were cut off from it while the other validators were not. Ask other nodes about its uptime.",
      },
      fires: {
        series: { [budgetOf("a")]: "-3600x20", [budgetOf("b")]: "-7200x20", [budgetOf("c")]: "90000x20" },
        at: "7m",
        labels: FIRED,
      },
      silent: {
        series: { [budgetOf("a")]: "-3600x20", [budgetOf("b")]: "7200x20", [budgetOf("c")]: "90000x20" },
        at: "7m",
        why: "two of three nodes see it well",
      },
    },
    {
      name: "AvaxDowntimeBudgetLow",
      severity: "critical",
      expr: `(${budget} >= 0) < ${LITTLE_BUDGET} and ${budget} < ${LITTLE_BUDGET_RATIO} * ${allowance}`,
      records: [budget, allowance],
      for: "5m",
      summary: "{{ $labels.node_id }} may be offline for {{ $value | humanizeDuration }} more",
      description: `${WHO} may be offline for {{ $value | humanizeDuration }} more until its period ends; after that its reward is lost.`,
      runbook: {
        meaning:
          "Most of the time that the validator may be offline in this period is used up. One long outage more, and the reward is lost, the delegators' too.",
        confirm: CONFIRM,
        commands: CALLS,
        action:
          "Plan no downtime until the end of the period (`avax_validator_stake_end_timestamp_seconds`), not even for an upgrade that can wait. If it is offline now, nothing is more urgent.",
        falseWhen: "The nodes that look at it had lost their connection to it and other validators had not.",
      },
      fires: {
        series: { [budgetOf("a")]: "20000x20", [ALLOWANCE]: "6307200x20" },
        at: "7m",
        labels: FIRED,
      },
      silent: {
        series: { [budgetOf("a")]: "34000x20", [ALLOWANCE]: "34559.8x20" },
        at: "7m",
        why: "a period of two days never allowed more",
      },
    },
    {
      name: "AvaxUptimeBelowRequirement",
      severity: "critical",
      expr: `-${margin} > 0 and ${wornOut}`,
      records: [budget, margin, allowance],
      for: "15m",
      summary: "Uptime of {{ $labels.node_id }} is {{ $value | humanizePercentage }} below its requirement",
      description: `${WHO} has been below the uptime that its reward needs for 15 minutes, by {{ $value | humanizePercentage }}, and has used up a good part of the time that it may be offline.`,
      runbook: {
        meaning:
          "If the period ended now, the reward would be lost. How long it may still be offline until the real end is `avax_validator_downtime_budget_remaining_seconds`.",
        confirm: CONFIRM,
        commands: CALLS,
        action: "Get the validator up, healthy and connected, and keep it so. Every hour online raises its uptime.",
        falseWhen: "The nodes that look at it had lost their connection to it and other validators had not.",
      },
      fires: {
        series: { [marginOf("a")]: "-0.05x30", [budgetOf("a")]: "3000000x30", [ALLOWANCE]: "6307200x30" },
        at: "20m",
        labels: FIRED,
      },
      silent: {
        series: { [marginOf("a")]: "-0.07x30", [budgetOf("a")]: "34284x30", [ALLOWANCE]: "34559.8x30" },
        at: "20m",
        why: "the stake is minutes old and has hours of downtime left",
      },
    },
    {
      name: "AvaxUptimeNearRequirement",
      severity: "warning",
      expr: `(${margin} >= 0) < ${NEAR_REQUIREMENT_RATIO} and ${wornOut}`,
      records: [budget, margin, allowance],
      for: "15m",
      summary: "Uptime of {{ $labels.node_id }} is {{ $value | humanizePercentage }} above its requirement",
      description: `The uptime of ${WHO} has been close above what its reward needs for 15 minutes, by {{ $value | humanizePercentage }}, and it has used up a good part of the time that it may be offline.`,
      runbook: {
        meaning: "The validator is about to fall below the uptime that its reward needs.",
        confirm: CONFIRM,
        commands: CALLS,
        action: "Plan no downtime until the end of the period. Find out what the past downtime was.",
        falseWhen: "The nodes that look at it had lost their connection to it and other validators had not.",
      },
      fires: {
        series: { [marginOf("a")]: "0.01x30", [budgetOf("a")]: "3000000x30", [ALLOWANCE]: "6307200x30" },
        at: "20m",
        labels: FIRED,
      },
      silent: {
        series: { [marginOf("a")]: "0.19x30", [budgetOf("a")]: "6000000x30", [ALLOWANCE]: "6307200x30" },
        at: "20m",
        why: "99 % where 80 % are needed",
      },
    },
  ];
}
