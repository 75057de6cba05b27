import { OwnUptime, SubnetUptime, type Uptime } from "../../api/node/info.ts";
import { gauge, gauges } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";
import { networkVerdict } from "./network-verdict.ts";

/** With less stake than this behind a node's uptime, the vote about its reward may fail. */
export const LEAST_REWARDING_RATIO = 0.8;
/** Below this share of the allowed downtime the stake is young: even a low uptime can still recover. */
export const HARDLY_SPENT_RATIO = 0.1;
/** Limit for panels without a requirement: just above the stricter of the two (0.9 since the Helicon upgrade). */
export const LOW_UPTIME_RATIO = 0.92;

/** The figures of an answer; `undefined` when the node is not a validator. */
function ofValidator(answer: Uptime | undefined): Exclude<Uptime, "not_a_validator"> | undefined {
  return answer === "not_a_validator" ? undefined : answer;
}

export const uptime = topic(
  { id: "uptime", about: "What uptime does the network grant this node?", scope: "node", needs: { answer: OwnUptime } },
  {
    rewarding: gauge(
      "avax_node_uptime_rewarding_stake_ratio",
      "Share of stake that considers this node above the uptime requirement, its own included; low for a minute after a restart; absent when it is no validator (info.uptime, `rewardingStakePercentage`).",
      ({ answer }) => ofValidator(answer)?.rewardingStakePercentage,
    ),
    average: gauge(
      "avax_node_uptime_weighted_average_ratio",
      "Stake-weighted average of the uptimes that the network observed of this node; absent when it is no validator (info.uptime, `weightedAveragePercentage`).",
      ({ answer }) => ofValidator(answer)?.weightedAveragePercentage,
    ),
    validator: gauge(
      "avax_node_is_validator",
      "1 when the node validates the Primary Network, 0 when it says that it does not (info.uptime).",
      ({ answer }) => answer !== "not_a_validator",
    ),
  },
  ({ rewarding, validator }) => [
    {
      name: "AvaxUptimeRewardAtRisk",
      severity: "critical",
      expr: `(${networkVerdict.metrics.required} or ${rewarding}) < ${LEAST_REWARDING_RATIO} unless ${networkVerdict.metrics.spent} < ${HARDLY_SPENT_RATIO}`,
      for: "5m",
      summary: "Only {{ $value | humanizePercentage }} of stake would reward {{ $labels.node }}",
      description:
        "For 5 minutes only {{ $value | humanizePercentage }} of stake has observed the uptime of {{ $labels.node }} that its reward needs. At the end of the staking period it is this stake that decides about the reward.",
      runbook: {
        meaning:
          "At the end of a staking period every validator votes by its own measurement whether this node was up enough. When less than a large majority of stake says so, the reward is lost, the delegators' too.",
        confirm:
          "`avax_node_rewarding_stake_ratio` (where the validators' stake is not known, `info.uptime`), `avax_node_observed_uptime_median_ratio`, and `avax_validator_uptime_ratio` of its node ID as other nodes see it. Stake that is not connected grants nothing: see `avax_node_observing_stake_ratio`.",
        commands: [
          {
            run: "call <node> info.uptime",
            see: "`rewardingStakePercentage` is the stake that grants the reward, `weightedAveragePercentage` the uptime that it saw.",
          },
          {
            run: "call <node> info.peers",
            see: "`observedUptime` of each peer is what it saw of this node.",
          },
        ],
        action:
          "Get the node up, healthy and connected now; every minute counts until the end of the period (`avax_validator_stake_end_timestamp_seconds`). Look for what keeps others from seeing it: port 9651, public IP, peers.",
        falseWhen:
          "The node restarted a minute ago and its peers have not spoken yet; that is why this waits 5 minutes. A young stake, of which hardly any downtime is used up, is left out.",
      },
      fires: {
        series: {
          'avax_node_uptime_rewarding_stake_ratio{node="a"}': "1x20",
          'avax_node_rewarding_stake_ratio{node="a"}': "0.6x20",
          'avax_node_downtime_budget_used{node="a"}': "0.4x20",
        },
        at: "7m",
        labels: { node: "a" },
      },
      silent: {
        series: {
          'avax_node_uptime_rewarding_stake_ratio{node="a"}': "0.2 0.2 1x20",
          'avax_node_rewarding_stake_ratio{node="a"}': "0.2 0.2 1x20",
          'avax_node_uptime_rewarding_stake_ratio{node="young"}': "0.0612x20",
          'avax_node_rewarding_stake_ratio{node="young"}': "0.0612x20",
          'avax_node_downtime_budget_used{node="young"}': "0.008x20",
        },
        at: "7m",
        why: "one restarted and its peers had not spoken yet, the other's stake is minutes old",
      },
    },
    {
      name: "AvaxNodeStoppedValidating",
      severity: "critical",
      expr: `${validator} == 0 and max_over_time(${validator}[6h]) == 1`,
      for: "2m",
      summary: "{{ $labels.node }} is no validator any more",
      description:
        "{{ $labels.node }} was a validator of the Primary Network within the last 6 hours and has said for 2 minutes that it is not. The alert ends by itself 6 hours after the change.",
      runbook: {
        meaning: "The staking period ended, or the node runs with other keys than before.",
        confirm:
          "`avax_validator_stake_end_timestamp_seconds` of the node ID before the change; `info.getNodeID` against the ID that you staked.",
        commands: [
          {
            run: "call <node> info.uptime",
            see: "`node is not a validator`: it says so itself.",
          },
          {
            run: `call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<id-of-node>"]}'`,
            see: "An empty list: another node agrees.",
          },
        ],
        action: "Stake again if the period ended; restore the staking keys if the ID changed.",
        falseWhen: "You expected the end of the period.",
      },
      fires: { series: { 'avax_node_is_validator{node="a"}': "1x10 0x10" }, at: "14m", labels: { node: "a" } },
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
        [...answers].map(([subnet, answer]) => [{ subnet }, ofValidator(answer)?.rewardingStakePercentage]),
    ),
    average: gauges(
      "avax_subnet_uptime_weighted_average_ratio",
      "Stake-weighted average of the uptimes that the subnet observed of this node; servers of the specification only (info.uptime with subnetID, `weightedAveragePercentage`).",
      ["subnet"],
      ({ answers }) =>
        [...answers].map(([subnet, answer]) => [{ subnet }, ofValidator(answer)?.weightedAveragePercentage]),
    ),
  },
);
