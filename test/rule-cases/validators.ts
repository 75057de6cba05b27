import type { AlertCases } from "./case.ts";

const A = 'network="n",subnet="primary",node_id="NodeID-A",name="one"';
const of = (name: string) => `avax_validator_${name}{${A}}`;

export const VALIDATORS_CASES: AlertCases = {
  AvaxUptimeRewardAtRisk: {
    fires: { 'avax_node_reward_votes_ratio{node="a",network="n"}': "0.6x30" },
    silent: {
      'avax_node_reward_votes_ratio{node="a",network="n"}': "0.8x30",
      'avax_node_rewarding_stake_ratio{node="young",network="n"}': "0.0612x30",
    },
    why: "enough stake votes for one of them, and the stake of the other is minutes old",
  },
  AvaxDelegationsUnrewarded: {
    fires: { 'avax_node_delegations_unrewarded_avax{node="a",network="n"}': "25x30" },
    silent: { 'avax_node_delegations_unrewarded_avax{node="a",network="n"}': "0x30" },
    why: "all will be rewarded",
  },
  AvaxDelegationEndingSoon: {
    fires: { 'avax_node_large_delegation_end_timestamp_seconds{node="a",network="n"}': "1209600x30" },
    silent: { 'avax_node_large_delegation_end_timestamp_seconds{node="later",network="n"}': "1213200x30" },
    why: "it ends in more than 14 days",
  },
  AvaxValidatorGone: {
    at: "9m",
    fires: { 'avax_validator_gone{network="n",subnet="S",subnet_name="one",node_id="NodeID-A"}': "0x5 1x10" },
    silent: { 'avax_validator_gone{network="n",subnet="S",subnet_name="one",node_id="NodeID-A"}': "1x4 0x20" },
    why: "it is in the set again",
  },
  AvaxValidatorNotInSet: {
    at: "13m",
    fires: { [of("in_set")]: "1x5 0x10" },
    silent: { [of("in_set")]: "1x20" },
    why: "it is in the set",
  },
  AvaxValidatorEndingSoon: {
    fires: { [of("ending_timestamp_seconds")]: "86000x30" },
    silent: { [of("ending_timestamp_seconds")]: "300000x30" },
    why: "it ends in more than three days",
  },
  AvaxValidatorRewardAddressChanged: {
    at: "8m",
    fires: { [of("reward_address_matches")]: "1x5 0x10" },
    silent: { [of("reward_address_matches")]: "1x20" },
    why: "every address is configured",
  },
  AvaxValidatorRenewalLost: {
    fires: { [of("removal_timestamp_seconds")]: "86000x20" },
    silent: { [of("removal_timestamp_seconds")]: "86000x4 +Inf" },
    why: "its uptime suffices again",
  },
  AvaxRewardLost: {
    fires: { [of("downtime_excess_seconds")]: "3600x20" },
    silent: { [of("downtime_excess_seconds")]: "0x20" },
    why: "its reward is not lost",
  },
  AvaxDowntimeBudgetLow: {
    fires: { [of("downtime_scarce_seconds")]: "20000x20" },
    silent: { [of("downtime_scarce_seconds")]: "20000x4 +Inf" },
    why: "its next period has begun",
  },
  AvaxUptimeBelowRequirement: {
    fires: { [of("uptime_shortfall_ratio")]: "0.05x30" },
    silent: { [of("uptime_shortfall_ratio")]: "0x30" },
    why: "its uptime suffices, or its stake is young",
  },
  AvaxValidatorViewsDisagree: {
    fires: { 'avax_validator_uptime_spread_ratio{network="n",node_id="NodeID-A"}': "0.3x30" },
    silent: { 'avax_validator_uptime_spread_ratio{network="n",node_id="NodeID-A"}': "0.002x30" },
    why: "the nodes were polled at slightly different times",
  },
};
