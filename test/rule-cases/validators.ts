import type { AlertCases } from "./case.ts";

/** Series about one validator, as `node` observes it. */
const of = (node: string, name: string) =>
  `avax_validator_${name}{node="${node}",network="n",subnet="primary",node_id="NodeID-A"}`;
const A = 'network="n",subnet="primary",node_id="NodeID-A"';
/** A period of ten days that ends in one. */
const PERIOD = {
  [`avax_validator_stake_start_timestamp_seconds{${A}}`]: "-777600x30",
  [`avax_validator_stake_end_timestamp_seconds{${A}}`]: "86000x30",
};
const RENEWED = { ...PERIOD, [`avax_validator_next_period_seconds{${A}}`]: "864000x30" };

export const VALIDATORS_CASES: AlertCases = {
  AvaxUptimeRewardAtRisk: {
    fires: {
      'avax_node_rewarding_stake_ratio{node="a",network="n"}': "0.6x30",
      'avax_node_downtime_budget_used{node="a",network="n"}': "0.4x30",
    },
    silent: {
      'avax_node_rewarding_stake_ratio{node="survivor",network="n"}': "0.6x30",
      'avax_node_rewarding_stake_ratio{node="young",network="n"}': "0.0612x30",
      'avax_node_downtime_budget_used{node="young",network="n"}': "0.008x30",
    },
    why: "too little stake reports about one of them, and the stake of the other is minutes old",
  },
  AvaxDelegationsUnrewarded: {
    fires: { 'avax_node_delegations_unrewarded_avax{node="a",network="n"}': "25x30" },
    silent: { 'avax_node_delegations_unrewarded_avax{node="a",network="n"}': "0x30" },
    why: "all will be rewarded",
  },
  AvaxDelegationEndingSoon: {
    fires: {
      'avax_node_large_delegation_weight_ratio{node="a",network="n"}': "0.19x30",
      'avax_node_large_delegation_end_timestamp_seconds{node="a",network="n"}': "1209600x30",
    },
    silent: {
      'avax_node_large_delegation_weight_ratio{node="later",network="n"}': "0.19x30",
      'avax_node_large_delegation_end_timestamp_seconds{node="later",network="n"}': "1213200x30",
      'avax_node_large_delegation_weight_ratio{node="over",network="n"}': "0.19x30",
      'avax_node_large_delegation_end_timestamp_seconds{node="over",network="n"}': "60x30",
    },
    why: "one ends in more than 14 days, and one has ended",
  },
  AvaxValidatorGone: {
    at: "9m",
    fires: {
      'avax_validator_left_early{network="n",subnet="S",node_id="NodeID-A"}': "_x5 1x10",
      'avax_validator_left_timestamp_seconds{network="n",subnet="S",node_id="NodeID-A"}': "_x5 300x10",
    },
    silent: { [`avax_validator_left_early{${A}}`]: "0x20", [`avax_validator_left_timestamp_seconds{${A}}`]: "300x20" },
    why: "its period has ended",
  },
  AvaxValidatorNotInSet: {
    at: "13m",
    fires: { [`avax_validator_in_set{${A}}`]: "1x5 0x10" },
    silent: { [`avax_validator_in_set{${A}}`]: "1x20" },
    why: "it is in the set",
  },
  AvaxValidatorEndingSoon: {
    fires: { ...PERIOD },
    silent: {
      ...PERIOD,
      [`avax_validator_next_period_seconds{${A}}`]: "90000x30",
      'avax_validator_stake_start_timestamp_seconds{network="n",subnet="primary",node_id="NodeID-B"}': "-86400x30",
      'avax_validator_stake_end_timestamp_seconds{network="n",subnet="primary",node_id="NodeID-B"}': "86400x30",
    },
    why: "an auto-renewed validator continues, and a period of two days is half over",
  },
  AvaxValidatorRewardAddressChanged: {
    at: "8m",
    fires: { [`avax_validator_reward_address_matches{${A}}`]: "1x5 0x10" },
    silent: { [`avax_validator_reward_address_matches{${A}}`]: "1x20" },
    why: "every address is configured",
  },
  AvaxValidatorRenewalLost: {
    fires: { ...RENEWED, [of("a", "downtime_budget_remaining_seconds")]: "-3600x20" },
    silent: { ...RENEWED, [of("a", "downtime_budget_remaining_seconds")]: "3600x20" },
    why: "its uptime suffices",
  },
  AvaxRewardLost: {
    fires: {
      [of("a", "downtime_budget_remaining_seconds")]: "-3600x20",
      [of("b", "downtime_budget_remaining_seconds")]: "-7200x20",
      [of("c", "downtime_budget_remaining_seconds")]: "90000x20",
    },
    silent: {
      [of("a", "downtime_budget_remaining_seconds")]: "-3600x20",
      [of("b", "downtime_budget_remaining_seconds")]: "7200x20",
      [of("c", "downtime_budget_remaining_seconds")]: "90000x20",
    },
    why: "on two of three nodes it has downtime left",
  },
  AvaxDowntimeBudgetLow: {
    fires: {
      [of("a", "downtime_budget_remaining_seconds")]: "20000x20",
      [`avax_validator_downtime_budget_seconds{${A}}`]: "6307200x20",
    },
    silent: {
      [of("a", "downtime_budget_remaining_seconds")]: "34000x20",
      [`avax_validator_downtime_budget_seconds{${A}}`]: "34559.8x20",
    },
    why: "the whole budget of a two-day period is hardly more",
  },
  AvaxUptimeBelowRequirement: {
    fires: {
      [of("a", "uptime_margin")]: "-0.05x30",
      [of("a", "downtime_budget_remaining_seconds")]: "3000000x30",
      [`avax_validator_downtime_budget_seconds{${A}}`]: "6307200x30",
    },
    silent: {
      [of("a", "uptime_margin")]: "-0.07x30",
      [of("a", "downtime_budget_remaining_seconds")]: "34284x30",
      [`avax_validator_downtime_budget_seconds{${A}}`]: "34559.8x30",
    },
    why: "the stake is minutes old and has hours of downtime left",
  },
  AvaxValidatorViewsDisagree: {
    fires: { 'avax_validator_uptime_disagreement_ratio{network="n",node_id="NodeID-A"}': "0.3x30" },
    silent: { 'avax_validator_uptime_disagreement_ratio{network="n",node_id="NodeID-A"}': "0.002x30" },
    why: "the nodes were polled at slightly different times",
  },
};
