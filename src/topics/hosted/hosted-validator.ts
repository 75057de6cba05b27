import {
  DataValidators,
  VALIDATION_STATUSES,
  ValidatorDetails,
  type Validation,
  type Validations,
} from "../../api/hosted/data-validators.ts";
import { added } from "../../api/hosted/data-fields.ts";
import { byKnown, earliest, latest, networkRows, whole } from "./hosted-rows.ts";
import { perRow } from "../define/metric.ts";
import { hostedTopic } from "../define/topic.ts";
import type { Value } from "../../exposition/sample.ts";

const SOURCE = `${ValidatorDetails.name},`;
type Given = { readonly answers: ReadonlyMap<string, Validations> };

const rows = networkRows(["node_id"], ({ answers }: Given) => answers);
const { gauge, gauges } = perRow(rows);
const ofAll = perRow(whole(rows));

/** The node's running period on the Primary Network. */
const runningOf = ({ validations }: Validations) =>
  validations.find(({ status, primary }) => primary && status === "active");

/** One figure of the node's running period on the Primary Network. */
const active = (read: (validation: Validation) => Value) => (answer: Validations) => {
  const running = runningOf(answer);
  return running === undefined ? undefined : read(running);
};

/** A gauge of a figure of the running period, named as its field. */
function figure(name: string, about: string, field: Figure) {
  return gauge(
    name,
    `${about} (${SOURCE} \`${field}\`).`,
    active((running) => running[field]),
  );
}
type Figure =
  "amountStaked" | "amountDelegated" | "uptimePerformance" | DelegationFigure | `${"start" | "end"}Timestamp`;
type DelegationFigure = "delegatorCount" | "delegationCapacity" | "delegationFee";

/** The ended periods on the Primary Network. */
const completed = ({ validations }: Validations) =>
  validations.filter(({ status, primary }) => primary && status === "completed");

/** The one that ended last; `undefined` where the end of one is unknown. */
function lastCompleted(answer: Validations): Validation | undefined {
  const ended = completed(answer);
  const end = latest(ended.map(({ endTimestamp }) => endTimestamp));
  return end === undefined ? undefined : ended.find(({ endTimestamp }) => endTimestamp === end);
}

/** Rewards for the stake itself, and as the fee on delegations. */
const byKind = (read: (amount: "validationRewardAmount" | "delegationRewardAmount") => Value) =>
  (["validation", "delegation"] as const).map((kind) => [{ kind }, read(`${kind}RewardAmount`)] as const);

/** After two weeks a reward that was denied is no news. Seconds. */
const DENIED_FOR = 14 * 86_400;

/**
 * Whether a completed period was paid; `undefined` while the service does not report it. A cycle of an auto-renewed validator that the
 * next one follows in the same second was rewarded, else the validator would have been removed: what it stakes again is no payment.
 */
function wasRewarded({ validations }: Validations, period: Validation | undefined): Value {
  const reward = period?.rewards?.validationRewardAmount;
  const end = period?.endTimestamp;
  const isRenewed = end !== undefined && validations.some((each) => each.primary && each.startTimestamp === end);
  return isRenewed || (reward === undefined ? undefined : reward > 0);
}

export const hostedValidator = hostedTopic(
  {
    id: "hosted-validator",
    about: "What does the Data API report about the past and running staking periods of each watched validator?",
    needs: { answers: DataValidators },
  },
  {
    periods: ofAll.gauges(
      "avax_hosted_validator_periods",
      `Staking periods by status, on the Primary Network or on any other subnet (${SOURCE} \`validationStatus\`).`,
      ["subnet", "state"],
      ({ validations }) =>
        (["primary", "other"] as const).flatMap((subnet) => {
          const periods = validations.filter(({ primary }) => primary === (subnet === "primary"));
          return byKnown(VALIDATION_STATUSES, periods, ({ status }) => status).map(
            ([state, those]) => [{ subnet, state }, those.length] as const,
          );
        }),
    ),
    uptime: figure(
      "avax_hosted_validator_uptime_ratio",
      "Uptime of the running period as measured by the service",
      "uptimePerformance",
    ),
    stake: figure("avax_hosted_validator_stake_avax", "Own stake of the running period", "amountStaked"),
    delegated: figure(
      "avax_hosted_validator_delegated_stake_avax",
      "Stake delegated by others in the running period",
      "amountDelegated",
    ),
    delegators: figure("avax_hosted_validator_delegators", "Delegations of the running period", "delegatorCount"),
    capacity: figure(
      "avax_hosted_validator_delegation_capacity_avax",
      "Stake that can still be delegated in the running period",
      "delegationCapacity",
    ),
    fee: figure(
      "avax_hosted_validator_delegation_fee_ratio",
      "Share of delegators' rewards that the validator keeps",
      "delegationFee",
    ),
    start: figure("avax_hosted_validator_start_timestamp_seconds", "When the running period began", "startTimestamp"),
    end: figure("avax_hosted_validator_end_timestamp_seconds", "When the running period ends", "endTimestamp"),
    nextStart: ofAll.gauge(
      "avax_hosted_validator_next_start_timestamp_seconds",
      `When the next pending period begins (${SOURCE} \`startTimestamp\` of a pending record).`,
      ({ validations }) => {
        const pending = validations.filter(({ status, primary }) => primary && status === "pending");
        return earliest(pending.map(({ startTimestamp }) => startTimestamp));
      },
    ),
    removed: ofAll.gauge(
      "avax_hosted_validator_last_removed_timestamp_seconds",
      `When a subnet last removed this validator before the end of its period (${SOURCE} \`removeTimestamp\`).`,
      ({ validations }) =>
        latest(validations.flatMap(({ status, removeTimestamp }) => (status === "removed" ? [removeTimestamp] : []))),
    ),
    potential: gauges(
      "avax_hosted_validator_potential_reward_avax",
      `Reward of the running period if its uptime is sufficient, for the stake itself and as the fee on delegations (${SOURCE} \`potentialRewards\`).`,
      ["kind"],
      (answer) => byKind((amount) => runningOf(answer)?.potentialRewards?.[amount]),
    ),
    earned: ofAll.gauges(
      "avax_hosted_validator_earned_reward_avax",
      `Rewards of all completed periods on the Primary Network, for the stake itself and as the fee on delegations (${SOURCE} \`rewards\`).`,
      ["kind"],
      (answer) => byKind((amount) => added(0, completed(answer), ({ rewards }) => rewards?.[amount])),
    ),
    unrewarded: ofAll.gauge(
      "avax_hosted_validator_unrewarded_periods",
      `Completed periods on the Primary Network that paid nothing for the stake itself; cycles that were renewed are none (${SOURCE} \`rewards.validationRewardAmount\`, \`startTimestamp\`, \`endTimestamp\`).`,
      (answer) => {
        const paid = completed(answer).map((period) => wasRewarded(answer, period));
        return paid.includes(undefined) ? undefined : paid.filter((was) => was === false).length;
      },
    ),
    lastCompleted: ofAll.gauge(
      "avax_hosted_validator_last_completed_timestamp_seconds",
      `When the last completed period on the Primary Network ended (${SOURCE} \`endTimestamp\`).`,
      (answer) => lastCompleted(answer)?.endTimestamp,
    ),
    lastRewarded: ofAll.gauge(
      "avax_hosted_validator_last_completed_rewarded",
      `1 when the last completed period on the Primary Network was paid or renewed, 0 when its reward was denied (${SOURCE} \`rewards.validationRewardAmount\`).`,
      (answer) => wasRewarded(answer, lastCompleted(answer)),
    ),
    denied: ofAll.gauge(
      "avax_hosted_validator_reward_denied",
      `1 for two weeks after the end of a period on the Primary Network whose reward was denied, if it was the last one; else 0 (${SOURCE} \`endTimestamp\`, \`rewards.validationRewardAmount\`).`,
      (answer) => {
        const last = lastCompleted(answer);
        const isPaid = wasRewarded(answer, last);
        if (isPaid === undefined || last?.endTimestamp === undefined) return undefined;
        return isPaid === false && answer.at - last.endTimestamp < DENIED_FOR;
      },
    ),
    reachability: gauge(
      "avax_hosted_validator_reachability_ratio",
      `Share of the service's attempts that reached the validator (${SOURCE} \`validatorHealth.reachabilityPercent\`).`,
      active(({ validatorHealth }) => validatorHealth?.reachabilityPercent),
    ),
    benched: gauges(
      "avax_hosted_validator_benched_ratio",
      `Share of requests for a chain that were not sent because the validator was benched (${SOURCE} \`validatorHealth\`).`,
      ["chain"],
      (answer) => {
        const health = runningOf(answer)?.validatorHealth;
        return [
          [{ chain: "P" }, health?.benchedPChainRequestsPercent] as const,
          [{ chain: "X" }, health?.benchedXChainRequestsPercent] as const,
          [{ chain: "C" }, health?.benchedCChainRequestsPercent] as const,
        ];
      },
    ),
  },
  ({ denied }) => ({
    AvaxStakingPeriodUnrewarded: {
      severity: "warning",
      when: { of: denied, equals: 1 },
      labels: ["network", "node_id"],
      for: "1h",
      summary: "{{ or $labels.name $labels.node_id }} got no reward for its last period",
      over: "was rewarded, or its period is two weeks old",
      description: "It ended within 14 days, on the Primary Network of {{ $labels.network }}.",
      meaning:
        "The staking period is over and its reward transaction paid nothing: the network voted that the validator was online for less than required. Delegators were not paid either.",
      confirm:
        "Look up the node in an explorer: the reward transaction of its last period was aborted. Compare the recorded uptime of the period: `avax_validator_uptime_ratio`, `avax_hosted_validator_uptime_ratio`.",
      commands: {
        [`call data-api '/v1/networks/{network}/validators/{nodeId}' '{"network": "<network>", "nodeId": "<node_id>", "validationStatus": "completed"}'`]:
          "`rewards` of the period that ended last: `validationRewardAmount` is 0.",
      },
      action: "Find out when it was offline, and fix the cause. Inform the delegators.",
      falsePositives:
        "The service has indexed the end of the period but not its reward transaction yet. An hour is usually enough for that.",
    },
  }),
);
