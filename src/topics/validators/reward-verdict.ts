import { Peers, Upgrades } from "../../api/node/info.ts";
import { PRIMARY, type Validator, Validators, WatchedValidators } from "../../api/node/platform.ts";
import type { Value } from "../../exposition/sample.ts";
import { type Context, gauges, type Metric } from "../define/metric.ts";
import { type Data, maybe } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { latestPast } from "../past.ts";
import { observationOf, uptimeByPeers } from "./observation.ts";
import { heliconOf, requirementOf, validatorRequirement } from "./validator-requirement.ts";
import { attainableUptime, downtimeBudget, isRewarded, periodOf, type Period, uptimeMargin } from "./verdict.ts";
import type { Alerts, Runbook } from "../define/alert.ts";
import { sharedRecording } from "../define/recording.ts";
import { endsWithin, validator } from "./validator.ts";
import { watched } from "./membership.ts";
import { threshold } from "../define/threshold.ts";

/** An uptime with a margin below this is near its requirement. */
export const NEAR_REQUIREMENT_RATIO = 0.02;
/** An outage of a day is plausible, such as a crash on a weekend. Seconds. */
export const LITTLE_BUDGET = 86_400;
/** A day is long in a short period: above this share of the whole budget, the remaining budget is not low. */
export const LITTLE_BUDGET_RATIO = 0.5;
/** A young stake quickly falls below the requirement: with more than this share of its budget left, it does not matter. */
export const INTACT_BUDGET_RATIO = 0.9;

const ending = threshold(
  "cycle-ending",
  "seconds",
  "when the cycle of an auto-renewed validator that will be removed ends within this time",
  { standard: 86_400, least: 3_600, most: 30 * 86_400 },
);

/** Also of the page for a node that is down. */
export const littleBudget = threshold(
  "downtime-budget",
  "seconds",
  "when less downtime than this, and than half of the whole budget, is left before the reward is lost",
  { standard: LITTLE_BUDGET, least: 3_600, most: 30 * 86_400 },
);

/** The reward by the downtime budget, as `AvaxRewardLost` and `AvaxDowntimeBudgetLow` judge it. */
export type RewardState = "safe" | "at_risk" | "lost";

/**
 * Judges the reward by a downtime budget and that of the whole period, in seconds. Without the latter, every budget below a day is
 * a risk.
 */
export function rewardStateOf(budget: number, wholeBudget: number | undefined): RewardState {
  if (!isRewarded(budget)) return "lost";
  const isLow = budget < LITTLE_BUDGET && budget < LITTLE_BUDGET_RATIO * (wholeBudget ?? Infinity);
  return isLow ? "at_risk" : "safe";
}

/**
 * Whether the alert `AvaxUptimeBelowRequirement` judges an uptime too low: the period would end without a reward now, and the stake
 * is not young. Unknown figures are no reason.
 */
export function isBelowRequirement(
  margin: number | undefined,
  budget: number,
  wholeBudget: number | undefined,
): boolean {
  if (margin === undefined || wholeBudget === undefined) return false;
  return margin < 0 && budget <= INTACT_BUDGET_RATIO * wholeBudget;
}

const USED_PERCENT = Math.round((1 - INTACT_BUDGET_RATIO) * 100);

type Verdict = Readonly<Record<"budget" | "margin", Metric<never, "subnet" | "node_id">>>;

/** The median of the observers: stake decides by majority, so a single bad observer does not count. */
export function medianOfObservers(metric: Metric<never, "subnet" | "node_id">): string {
  return `quantile without (node, instance, job) (0.5, ${metric})`;
}

const NAME = "{{ or $labels.name $labels.node_id }}";
const CALLS: Runbook["commands"] = {
  [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
    "`uptime` in percent as this node observes it, with `startTime` and `endTime`. Query several nodes: this alert uses their median, the reward depends on the stake.",
};
const CONFIRM =
  "Compare `avax_validator_downtime_budget_remaining_seconds` and `avax_validator_uptime_ratio` by observing node. The uptime requirement is `avax_validator_uptime_requirement_ratio`. If the validator itself is polled, `avax_node_stake_by_observed_uptime_ratio` shows the stake behind each uptime.";

const FALSE = "The observing nodes lost their connection to it and the other validators did not.";

const OF_VALIDATOR = ["network", "subnet", "node_id"] as const;

/** The figures of the verdict, aggregated over all observers. */
export function verdictRecordings({ budget }: Pick<Verdict, "budget">) {
  return {
    budget: sharedRecording({
      name: "validator:avax_validator_downtime_budget_remaining_seconds:median",
      about: "Downtime that a validator has left before its reward is lost: the median of the observing nodes.",
      expr: medianOfObservers(budget),
      labels: OF_VALIDATOR,
    }),
    wholeBudget: sharedRecording({
      name: "validator:avax_validator_downtime_budget_seconds:max",
      about: "Whole downtime budget of a validator, the same from every exporter.",
      expr: `max without (node, instance, job) (${validatorRequirement.metrics.wholeBudget})`,
      labels: OF_VALIDATOR,
    }),
  };
}

function rewardVerdictAlerts(verdict: Verdict): Alerts {
  const { budget, wholeBudget } = verdictRecordings(verdict);
  return {
    // The network will refuse to renew it at the end of its cycle.
    AvaxValidatorRenewalLost: {
      severity: "critical",
      expr: `${endsWithin(ending, validator.metrics)} and ${validator.metrics.nextPeriod} > 0 and on (network, subnet, node_id) ${budget} < 0`,
      labels: ["network", "subnet", "node_id"],
      for: "5m",
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
      falseWhen: FALSE,
    },
    AvaxRewardLost: {
      severity: "warning",
      expr: `-${budget} > 0`,
      labels: ["network", "subnet", "node_id"],
      for: "5m",
      explainedBy: [
        {
          alert: "AvaxValidatorRenewalLost",
          equal: OF_VALIDATOR,
          why: "The validator will be removed at the end of its cycle: it loses the reward too.",
        },
      ],
      summary: `${NAME} lost its reward: {{ $value | humanizeDuration }} too much downtime`,
      description:
        "Its uptime requirement is out of reach, even without more downtime ({{ $labels.subnet }}, {{ $labels.network }}).",
      meaning:
        "At the end of the period, validators will most likely vote against the reward. The stake itself is returned. A delegation is judged at its own end: those that end before the uptime suffices lose their reward too. An auto-renewed validator is removed instead of being renewed.",
      confirm: CONFIRM,
      commands: CALLS,
      action:
        "Inform the delegators. Keep it online: votes of validators that observed more uptime can save the reward. Find the cause of the downtime.",
      falseWhen:
        "All observing nodes lost their connection to it while the other validators did not. Query its uptime on other nodes.",
    },
    AvaxDowntimeBudgetLow: {
      severity: "critical",
      expr: `(${budget} < ${littleBudget} and ${budget} < ${LITTLE_BUDGET_RATIO} * ${wholeBudget}) >= 0`,
      labels: ["network", "subnet", "node_id"],
      for: "5m",
      loses: "The reward of the whole period, and that of delegations, with the next long outage.",
      summary: `${NAME} loses its reward after {{ $value | humanizeDuration }} of downtime`,
      description: "That is left until the end of the period ({{ $labels.subnet }}, {{ $labels.network }}).",
      meaning:
        "Most of the downtime budget of this period is used up. One more long outage costs the reward, and that of every delegation that ends while the uptime is too low.",
      confirm: CONFIRM,
      commands: CALLS,
      action:
        "Bring the validator online if it is not. Plan no downtime until `avax_validator_stake_end_timestamp_seconds`.",
      falseWhen: FALSE,
    },
    AvaxUptimeBelowRequirement: {
      severity: "warning",
      expr: `100 * (-${medianOfObservers(verdict.margin)} > 0 and on (network, subnet, node_id) ${budget} <= ${INTACT_BUDGET_RATIO} * ${wholeBudget})`,
      labels: ["network", "subnet", "node_id"],
      for: "15m",
      explainedBy: [
        { alert: "AvaxRewardLost", equal: OF_VALIDATOR, why: "The reward is lost already." },
        { alert: "AvaxDowntimeBudgetLow", equal: OF_VALIDATOR, why: "The downtime budget is nearly used up." },
      ],
      summary: `${NAME} is {{ $value | printf "%.1f" }} points below its uptime requirement`,
      description: `At least ${USED_PERCENT} % of the downtime budget is used ({{ $labels.subnet }}, {{ $labels.network }}).`,
      meaning:
        "If the period ended now, the reward would be lost. `avax_validator_downtime_budget_remaining_seconds` is the downtime left until the real end.",
      confirm: CONFIRM,
      commands: CALLS,
      action: "Bring the validator online, healthy and connected, and keep it so. Every hour online raises its uptime.",
      falseWhen: FALSE,
    },
  };
}

/** What each node reports of others. */
const VIEW = "as observed by this node; its value for itself is not an observation";
/** A node is always connected to itself, so its own uptime comes from its peers. */
const SEEN =
  "as observed by this node, for itself by the median of its peers' stake: up to half a point of uptime too high or too low, because peers report whole percents, and absent while less than half of all stake reports";

const needs = { answers: WatchedValidators, upgrades: maybe(Upgrades), sets: maybe(Validators), peers: maybe(Peers) };
type Answers = Data<typeof needs>;

const EXAMPLE_WORDS =
  "A period of 14 days from 1785250800 to 1786460400 with requirement 0.9, observed 10 days after its start with uptime 0.875:";

export const rewardVerdict = topic(
  {
    id: "reward-verdict",
    about:
      "What does each polled node observe of the watched validators: will they be rewarded, and how much downtime is left?",
    scope: "observer",
    needs,
    formulas: [
      {
        metric: "avax_validator_downtime_budget_remaining_seconds",
        formula: "uptime · (answer - start) + (end - answer) - requirement · (end - start)",
        example: `${EXAMPLE_WORDS} 0.875 · 864,000 + 345,600 - 0.9 · 1,209,600.`,
        result: 12_960,
      },
      {
        metric: "avax_validator_attainable_uptime_ratio",
        formula: "(uptime · (answer - start) + (end - answer)) / (end - start)",
        example: `${EXAMPLE_WORDS} (756,000 + 345,600) / 1,209,600.`,
        result: 0.910714285714,
      },
      {
        metric: "avax_validator_uptime_margin",
        formula: "uptime - requirement",
        example: `${EXAMPLE_WORDS} 0.875 - 0.9.`,
        result: -0.025,
      },
    ],
  },
  {
    uptime: ofRecords(
      "avax_validator_uptime_ratio",
      `Uptime of a watched validator since its stake began, ${VIEW} (platform.getCurrentValidators with nodeIDs, \`uptime\`).`,
      ({ uptime }) => uptime,
    ),
    connected: ofRecords(
      "avax_validator_connected",
      `1 while a watched validator is connected, ${VIEW} (platform.getCurrentValidators with nodeIDs, \`connected\`).`,
      ({ connected }) => connected,
    ),
    budget: ofPeriods(
      "avax_validator_downtime_budget_remaining_seconds",
      `Downtime that a watched validator has left before its reward is lost, at the time of the answer; negative when the reward is lost, ${SEEN} (platform.getCurrentValidators with nodeIDs, \`uptime\`, \`startTime\`, \`endTime\`; info.peers, \`observedUptime\`).`,
      (period, requirement) => (requirement === undefined ? undefined : downtimeBudget(period, requirement)),
    ),
    attainable: ofPeriods(
      "avax_validator_attainable_uptime_ratio",
      `Uptime of a watched validator at the end of its period if it has no more downtime, ${SEEN} (platform.getCurrentValidators with nodeIDs, \`uptime\`, \`startTime\`, \`endTime\`; info.peers, \`observedUptime\`).`,
      attainableUptime,
    ),
    margin: ofPeriods(
      "avax_validator_uptime_margin",
      `Uptime of a watched validator minus its requirement, negative below it, ${SEEN} (platform.getCurrentValidators with nodeIDs, \`uptime\`, \`startTime\`; info.upgrades, \`heliconTime\`; info.peers, \`observedUptime\`).`,
      ({ uptime }, requirement) => (requirement === undefined ? undefined : uptimeMargin(uptime, requirement)),
    ),
  },
  rewardVerdictAlerts,
);

/** A figure of the records; those of L1s have a topic of their own. */
function ofRecords(name: string, help: string, read: (validator: Validator) => Value) {
  return gauges(name, help, ["subnet", "node_id"], ({ answers }: Answers, { watch }: Context) =>
    watched(answers, watch)
      .filter(([, { validationID }]) => validationID === undefined)
      .map(([labels, each]) => [labels, read(each)] as const),
  );
}

/** A figure of the periods. */
function ofPeriods(
  name: string,
  help: string,
  read: (period: Period, requirement: number | undefined) => number | undefined,
) {
  return gauges(name, help, ["subnet", "node_id"], (data: Answers, context: Context) => {
    const { nodeId, subnets, watch } = context;
    // Without the node's ID its own record, which is not an observation, cannot be recognized.
    if (nodeId === undefined) return [];
    const helicon = heliconOf(data.upgrades);
    // A server can ignore `nodeIDs`, and the watch list can have changed since the answer.
    return watched(data.answers, watch).flatMap(([labels, each]) => {
      const { startTime: start, endTime: end } = each;
      const { subnet } = labels;
      const isOwn = each.nodeID === nodeId;
      const at = context.times[isOwn ? "peers" : "answers"] ?? context.time;
      const uptime = isOwn ? ownUptime(data, subnet, nodeId) : each.uptime;
      if (uptime === undefined || start === undefined || end === undefined || start > latestPast(at)) return [];
      const requirement = data.upgrades === undefined ? undefined : requirementOf(each, subnet, helicon, subnets);
      return [[labels, read(periodOf({ start, end, at, uptime }), requirement)] as const];
    });
  });
}

/**
 * The node's own uptime as the network observes it. The average of `info.uptime` is no substitute: it counts validators that
 * are not connected as 0, so it would blame a node for the outage of others.
 */
function ownUptime(data: Answers, subnet: string, nodeId: string): number | undefined {
  return subnet === PRIMARY ? uptimeByPeers(observationOf(data, nodeId)) : undefined;
}
