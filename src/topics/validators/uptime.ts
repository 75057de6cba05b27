import { OwnUptime, SubnetUptime, type Uptime } from "../../api/node/info.ts";
import { gauge, gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { networkVerdict } from "./network-verdict.ts";
import { NETWORK_HALTED, NODE_OUT } from "../define/causes.ts";

/** With less rewarding stake than this, the vote about the reward can fail. */
export const LEAST_REWARDING_RATIO = 0.8;
/** Limit for panels without a requirement: just above the stricter of the two (0.9 since the Helicon upgrade). */
export const LOW_UPTIME_RATIO = 0.92;

/** The figures of an answer; `undefined` when the node is not a validator. */
function ofValidator(answer: Uptime | undefined): Exclude<Uptime, "not_a_validator"> | undefined {
  return answer === "not_a_validator" ? undefined : answer;
}

export const uptime = topic(
  {
    id: "uptime",
    about: "What uptime and rewarding stake does this node report for itself?",
    scope: "node",
    needs: { answer: OwnUptime },
  },
  {
    rewarding: gauge(
      "avax_node_uptime_rewarding_stake_ratio",
      "Rewarding stake that the node reports: share of stake that observed enough uptime, its own included; low for a minute after a restart; absent when it is not a validator (info.uptime, `rewardingStakePercentage`).",
      ({ answer }) => ofValidator(answer)?.rewardingStakePercentage,
    ),
    average: gauge(
      "avax_node_uptime_weighted_average_ratio",
      "Stake-weighted average of the uptimes that the network observed of this node; absent when it is not a validator (info.uptime, `weightedAveragePercentage`).",
      ({ answer }) => ofValidator(answer)?.weightedAveragePercentage,
    ),
    validator: gauge(
      "avax_node_is_validator",
      "1 when the node validates the Primary Network, 0 when it reports that it does not (info.uptime).",
      ({ answer }) => answer !== "not_a_validator",
    ),
  },
  () => ({
    AvaxUptimeRewardAtRisk: {
      severity: "warning",
      when: { of: networkVerdict.metrics.votes, below: LEAST_REWARDING_RATIO },
      for: "15m",
      explainedBy: [
        ...NODE_OUT,
        NETWORK_HALTED,
        ...(
          ["AvaxRewardLost", "AvaxDowntimeBudgetLow", "AvaxUptimeBelowRequirement", "AvaxValidatorRenewalLost"] as const
        ).map((alert) => ({
          alert,
          equal: ["network", "node"],
          why: "The uptime that the network observed is too low: the validator's own alert reports it.",
        })),
      ],
      summary: '{{ $labels.node }} has {{ $value | printf "%.1f" }} % of rewarding stake: reward at risk',
      over: "has enough rewarding stake again",
      description: "Stake that observed enough uptime decides at the end of the period.",
      meaning:
        "At the end of a staking period every validator votes on the reward by its own measurement of this node's uptime. Without a large majority of stake the reward is lost. A delegation is judged in the same way at its own end.",
      confirm:
        "`avax_node_reward_votes_ratio` (`info.uptime` if the validators' stake is unknown), `avax_node_observed_uptime_median_ratio`, and `avax_validator_uptime_ratio` of its node ID as other nodes observe it. Stake that is not connected is not rewarding stake: see `avax_node_observing_stake_ratio`.",
      commands: {
        "call <node> info.uptime":
          "`rewardingStakePercentage` is the rewarding stake, `weightedAveragePercentage` the average observed uptime.",
        "call <node> info.peers": "`observedUptime` of each peer is the uptime that it observed of this node.",
      },
      action:
        "Bring the node online and connected: every minute counts. Check why others do not reach it: TCP port 9651, public IP, peers.",
      falsePositives:
        "The node restarted a minute ago and its peers have not reported yet, so the alert waits 15 minutes. A young stake with hardly any of its downtime budget used is left out.",
    },
  }),
);

export const subnetUptime = topic(
  {
    id: "subnet-uptime",
    about: "What uptime and rewarding stake does this node report for each subnet?",
    scope: "node",
    needs: { answers: SubnetUptime },
  },
  {
    rewarding: gauges(
      "avax_subnet_uptime_rewarding_stake_ratio",
      "Rewarding stake in the subnet: share of its stake that observed enough uptime of this node; only from servers that follow the specification (info.uptime with subnetID, `rewardingStakePercentage`).",
      ["subnet"],
      ({ answers }) =>
        [...answers].map(([subnet, answer]) => [{ subnet }, ofValidator(answer)?.rewardingStakePercentage]),
    ),
    average: gauges(
      "avax_subnet_uptime_weighted_average_ratio",
      "Stake-weighted average of the uptimes that the subnet observed of this node; only from servers that follow the specification (info.uptime with subnetID, `weightedAveragePercentage`).",
      ["subnet"],
      ({ answers }) =>
        [...answers].map(([subnet, answer]) => [{ subnet }, ofValidator(answer)?.weightedAveragePercentage]),
    ),
  },
);
