import { OwnUptime, Peers, Upgrades } from "../../api/node/info.ts";
import { PRIMARY, Validators } from "../../api/node/platform.ts";
import { gauge, gauges, type Context } from "../define/metric.ts";
import { optional, type Data } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { observationOf, uptimeByPeers } from "./observation.ts";
import { heliconOf, requirementOf } from "./validator-requirement.ts";
import { recordsOf } from "../stakes.ts";
import { budgetUsed, periodOf } from "./staking-period.ts";

/** Possible uptime requirements for a reward. */
const THRESHOLDS = ["0.8", "0.9"] as const;
/** With less of the downtime budget used than this, the stake is young: even a low uptime can still recover. */
const HARDLY_SPENT_RATIO = 0.1;
/** Two answers from different times differ slightly; beyond this share of stake they contradict each other. */
export const CLAIM_TOLERANCE_RATIO = 0.05;

const SOURCE = "(info.peers, `observedUptime`; platform.getCurrentValidators, `weight`, `delegatorWeight`).";
const SPOKEN = "0 % means not reported yet and is left out";

const needs = { peers: Peers, sets: Validators, upgrades: optional(Upgrades), own: optional(OwnUptime) };
type Answers = Data<typeof needs>;

export const networkVerdict = topic(
  {
    id: "network-verdict",
    about: "What uptime did the peers observe of this node, and how much stake would reward it?",
    scope: "node",
    needs,
    formulas: [
      {
        metric: "avax_node_stake_by_observed_uptime_ratio",
        formula: "(own stake + stake of the peers whose observedUptime is at least the threshold) / all stake",
        example:
          "Own stake 2,625; peers of 2,000,000 each observe 71, 72, 73, 74 and 76 %, one of 3,500 observes 99 %; all stake is 10,006,125. At 0.8: (2,625 + 3,500) / 10,006,125.",
        result: 0.000612125073,
      },
      {
        metric: "avax_node_downtime_budget_used",
        formula:
          "(1 - uptime) · (answer - start) / ((1 - requirement) · (end - start)); uptime is the observed median plus half a point, or 1 where the median is 1",
        example:
          "1,027 s into a period of 172,799 s with requirement 0.8, median 0.73: (1 - 0.735) · 1,027 / 34,559.8.",
        result: 0.007874900896,
      },
    ],
  },
  {
    stakeAbove: gauges(
      "avax_node_stake_by_observed_uptime_ratio",
      `Share of all stake that observed at least this uptime of the node; its own stake counts, stake that is not connected or has not reported an uptime does not; absent when it is not a validator ${SOURCE}`,
      ["threshold"],
      (data, context) => {
        const observation = observationOf(data, context.nodeId);
        return THRESHOLDS.map((threshold) => [{ threshold }, observation?.stakeAbove(Number(threshold))]);
      },
    ),
    required: gauge(
      "avax_node_rewarding_stake_ratio",
      `Rewarding stake: share of all stake that observed at least the uptime requirement of this node, its own stake included; stake that is not connected or has not reported an uptime does not count, see avax_node_observing_stake_ratio; absent when it is not a validator (info.peers, \`observedUptime\`; platform.getCurrentValidators, \`weight\`, \`startTime\`; info.upgrades, \`heliconTime\`).`,
      rewardingStake,
    ),
    votes: gauge(
      "avax_node_reward_votes_ratio",
      `Rewarding stake of a node whose stake is not young, as in avax_node_rewarding_stake_ratio; absent while less than ${HARDLY_SPENT_RATIO * 100} % of its downtime budget is used, and while that is unknown (info.peers, \`observedUptime\`; platform.getCurrentValidators, \`weight\`, \`startTime\`, \`endTime\`; info.upgrades, \`heliconTime\`).`,
      (data, context) =>
        (budgetSpent(data, context) ?? 0) >= HARDLY_SPENT_RATIO ? rewardingStake(data, context) : undefined,
    ),
    overstatement: gauge(
      "avax_node_rewarding_stake_overstatement",
      "Share of rewarding stake that the node reports, minus the share that its peers report: some releases compare with 80 % where 90 % is required (info.uptime, `rewardingStakePercentage`; info.peers, `observedUptime`).",
      (data, context) => {
        const stakeAbove = rewardingStake(data, context);
        return stakeAbove === undefined || data.own === undefined || data.own === "not_a_validator"
          ? undefined
          : Number((data.own.rewardingStakePercentage - stakeAbove).toFixed(6));
      },
    ),
    observing: gauge(
      "avax_node_observing_stake_ratio",
      `Share of all stake, the node's own left out, that reported an observed uptime of the node; ${SPOKEN} ${SOURCE}`,
      (data, context) => observationOf(data, context.nodeId)?.observing,
    ),
    least: gauge(
      "avax_node_observed_uptime_min_ratio",
      `Lowest uptime that a validator observed of this node, a ratio in whole percent; ${SPOKEN} ${SOURCE}`,
      (data, context) => observationOf(data, context.nodeId)?.least,
    ),
    median: gauge(
      "avax_node_observed_uptime_median_ratio",
      `Median by stake of the uptimes that validators observed of this node, a ratio in whole percent; ${SPOKEN} ${SOURCE}`,
      (data, context) => observationOf(data, context.nodeId)?.median,
    ),
    most: gauge(
      "avax_node_observed_uptime_max_ratio",
      `Highest uptime that a validator observed of this node, a ratio in whole percent; ${SPOKEN} ${SOURCE}`,
      (data, context) => observationOf(data, context.nodeId)?.most,
    ),
    spent: gauge(
      "avax_node_downtime_budget_used",
      "Used share of this validator's downtime budget, by the median of its peers; above 1 the reward is lost. Peers report whole percents, so it is up to half a point of the elapsed time too high or too low, and exact at 100 %; absent while less than half of all stake reports an uptime (info.peers, `observedUptime`; platform.getCurrentValidators, `startTime`, `endTime`; info.upgrades, `heliconTime`).",
      budgetSpent,
    ),
  },
);

function ownRecord({ sets }: Answers, { nodeId }: Context) {
  const set = sets.get(PRIMARY);
  return set === undefined || nodeId === undefined ? undefined : recordsOf(set).get(nodeId);
}

function ownRequirement(data: Answers, context: Context): number | undefined {
  const record = ownRecord(data, context);
  return record === undefined || data.upgrades === undefined
    ? undefined
    : requirementOf(record, PRIMARY, heliconOf(data.upgrades), []);
}

function budgetSpent(data: Answers, context: Context): number | undefined {
  const uptime = uptimeByPeers(observationOf(data, context.nodeId));
  const requirement = ownRequirement(data, context);
  const { startTime: start, endTime: end } = ownRecord(data, context) ?? {};
  if (uptime === undefined || requirement === undefined || start === undefined || end === undefined) return undefined;
  return budgetUsed(periodOf({ start, end, uptime, at: context.times["peers"] ?? context.time }), requirement);
}

function rewardingStake(data: Answers, context: Context): number | undefined {
  const requirement = ownRequirement(data, context);
  return requirement === undefined ? undefined : observationOf(data, context.nodeId)?.stakeAbove(requirement);
}
