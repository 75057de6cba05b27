import { OwnUptime, SubnetUptime } from "../api/info.ts";
import { gauge, gauges, topic } from "./metric.ts";

export const uptime = topic(
  { id: "uptime", about: "What uptime does the network grant this node?", scope: "node", needs: { answer: OwnUptime } },
  {
    rewarding: gauge(
      "avax_uptime_rewarding_stake_ratio",
      "Share of stake that considers this node above the uptime requirement, its own included; low for a minute after a restart; absent when it is no validator (info.uptime, `rewardingStakePercentage`).",
      ({ answer }) => (answer === "not_a_validator" ? undefined : answer.rewardingStakePercentage),
    ),
    average: gauge(
      "avax_uptime_weighted_average_ratio",
      "Stake-weighted average of the uptimes that the network observed of this node; absent when it is no validator (info.uptime, `weightedAveragePercentage`).",
      ({ answer }) => (answer === "not_a_validator" ? undefined : answer.weightedAveragePercentage),
    ),
    validator: gauge(
      "avax_node_is_validator",
      "1 when the node validates the Primary Network, 0 when it says that it does not (info.uptime).",
      ({ answer }) => answer !== "not_a_validator",
    ),
  },
  ({ rewarding, average, validator }) => [
    {
      name: "AvaxUptimeRewardAtRisk",
      severity: "critical",
      expr: `${rewarding} < 0.8`,
      for: "5m",
      summary: "Only {{ $value | humanizePercentage }} of stake would reward {{ $labels.node }}",
      description:
        "For 5 minutes only {{ $value | humanizePercentage }} of stake has considered {{ $labels.node }} above the uptime requirement. At the end of the staking period the stake decides about the reward.",
      runbook: {
        meaning:
          "At the end of a staking period every validator votes by its own measurement whether this node was up enough. When less than a large majority of stake says so, the reward is lost, the delegators' too.",
        confirm:
          "`info.uptime` of the node, `avax_validator_uptime_ratio` of its node ID as other nodes see it, and `avax_peers_by_observed_uptime`. The figure in percent of time is `avax_uptime_weighted_average_ratio`.",
        action:
          "Get the node up, healthy and connected now; every minute counts until the end of the period (`avax_validator_stake_end_timestamp_seconds`). Look for what keeps others from seeing it: port 9651, public IP, peers.",
        falseWhen:
          "The node restarted a minute ago (its peers have not spoken yet; that is why this waits 5 minutes), or its stake began minutes ago and every second offline still weighs much.",
      },
      fires: { series: { 'avax_uptime_rewarding_stake_ratio{node="a"}': "0.6x20" }, at: "7m", labels: { node: "a" } },
      silent: {
        series: { 'avax_uptime_rewarding_stake_ratio{node="a"}': "0.2 0.2 1x20" },
        at: "7m",
        why: "a restart: its peers had not spoken yet",
      },
    },
    {
      name: "AvaxUptimeNearRequirement",
      severity: "warning",
      expr: `${average} < 0.92`,
      for: "15m",
      summary: "Uptime of {{ $labels.node }} is {{ $value | humanizePercentage }}",
      description:
        "The network's average view of the uptime of {{ $labels.node }} has been {{ $value | humanizePercentage }} for 15 minutes: near the requirement of 80 %, or of 90 % for validators that started after the Helicon upgrade.",
      runbook: {
        meaning:
          "The stake-weighted average of what the validators observed is close to the requirement, below which the reward is lost.",
        confirm: "`avax_uptime_weighted_average_ratio` over the last days, beside the node's restarts and its health.",
        action: "Plan no downtime until the end of the staking period. Find out what the past downtime was.",
        falseWhen: "The stake began recently, so that a short interruption still weighs much.",
      },
      fires: {
        series: { 'avax_uptime_weighted_average_ratio{node="a"}': "0.85x30" },
        at: "20m",
        labels: { node: "a" },
      },
      silent: { series: { 'avax_uptime_weighted_average_ratio{node="a"}': "0.997x30" }, at: "20m", why: "99.7 %" },
    },
    {
      name: "AvaxNodeStoppedValidating",
      severity: "critical",
      expr: `${validator} == 0 and max_over_time(${validator}[1h]) == 1`,
      for: "0m",
      summary: "{{ $labels.node }} is no validator any more",
      description:
        "{{ $labels.node }} was a validator of the Primary Network within the last hour and says now that it is not.",
      runbook: {
        meaning: "The staking period ended, or the node runs with other keys than before.",
        confirm:
          "`avax_validator_stake_end_timestamp_seconds` of the node ID before the change; `info.getNodeID` against the ID that you staked.",
        action: "Stake again if the period ended; restore the staking keys if the ID changed.",
        falseWhen: "You expected the end of the period.",
      },
      fires: { series: { 'avax_node_is_validator{node="a"}': "1x10 0x10" }, at: "12m", labels: { node: "a" } },
      silent: { series: { 'avax_node_is_validator{node="a"}': "0x20" }, at: "12m", why: "it never was one" },
    },
  ],
);

export const subnetUptime = topic(
  {
    id: "subnet-uptime",
    about: "What uptime does each subnet grant this node?",
    scope: "node",
    needs: { answers: SubnetUptime },
  },
  {
    rewarding: gauges(
      "avax_subnet_uptime_rewarding_stake_ratio",
      "Share of the subnet's stake that considers this node above the requirement; servers of the specification only (info.uptime with subnetID, `rewardingStakePercentage`).",
      ["subnet"],
      ({ answers }) =>
        [...answers].map(([subnet, answer]) => [
          { subnet },
          answer === "not_a_validator" ? undefined : answer.rewardingStakePercentage,
        ]),
    ),
    average: gauges(
      "avax_subnet_uptime_weighted_average_ratio",
      "Stake-weighted average of the uptimes that the subnet observed of this node; servers of the specification only (info.uptime with subnetID, `weightedAveragePercentage`).",
      ["subnet"],
      ({ answers }) =>
        [...answers].map(([subnet, answer]) => [
          { subnet },
          answer === "not_a_validator" ? undefined : answer.weightedAveragePercentage,
        ]),
    ),
  },
);
