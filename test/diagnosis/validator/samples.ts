import { type ValidatorView, validatorViews } from "../../../src/diagnosis/validator/validator-views.ts";
import { samplesOf } from "../../../src/diagnosis/samples.ts";
import { readingsIn } from "../../support/readings.ts";
import { withVerdicts } from "../../support/verdict-series.ts";

/** Samples as on /metrics about validators, and the views of them. */

export const NOW = 1_800_000_000;
export const ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
const START = NOW - 9 * 86_400;
export const END = START + 10 * 86_400;

/** With what all observers together say. */
export function viewsOf(
  lines: readonly string[],
  now = NOW,
  settings?: ReadonlyMap<string, number>,
): readonly ValidatorView[] {
  const text = `${withVerdicts(lines).join("\n")}\n`;
  return validatorViews(samplesOf(readingsIn(text), now), settings);
}

/** `{network="fuji",subnet="primary",node_id="…"}` */
export const OF = `network="fuji",subnet="primary",node_id="${ID}"`;

/** A staker of ten days that began nine days ago with a requirement of 80 %; its node `own` is polled. */
export const STAKER: readonly string[] = [
  `avax_validators{network="fuji",subnet="primary"} 100`,
  `avax_validator_info{network="fuji",node_id="${ID}",name="Alpha",node="own"} 1`,
  `avax_validator_in_set{${OF}} 1`,
  `avax_validator_stake_start_timestamp_seconds{${OF}} ${START}`,
  `avax_validator_stake_end_timestamp_seconds{${OF}} ${END}`,
  `avax_validator_stake_avax{${OF}} 2000`,
  `avax_validator_delegated_stake_avax{${OF}} 75`,
  `avax_validator_delegators{${OF}} 3`,
  `avax_validator_delegation_capacity_avax{${OF}} 7925`,
  `avax_validator_delegation_fee_ratio{${OF}} 0.02`,
  `avax_validator_potential_reward_avax{${OF}} 4.5`,
  `avax_validator_uptime_requirement_ratio{${OF}} 0.8`,
  `avax_validator_downtime_budget_seconds{${OF}} 172800`,
  `avax_node_configured{node="own",network="fuji",node_id="${ID}"} 1`,
  `avax_node_up{node="own",network="fuji"} 1`,
];

const OWN = 'node="own",network="fuji"';

/** Delegations to the staker, as its node lists them: 100 AVAX leave within a week, 175 within a month. */
export const DELEGATED: readonly string[] = [
  `avax_node_delegations_ending_avax{${OWN},remaining="3-7d"} 100`,
  `avax_node_delegations_ending_avax{${OWN},remaining="14-30d"} 75`,
  `avax_node_delegations_ending_avax{${OWN},remaining="over 90d"} 500`,
  `avax_node_delegations_unrewarded_avax{${OWN}} 75`,
  `avax_node_delegations_unrewarded_reward_avax{${OWN}} 1.5`,
  `avax_node_uptime_recovery_timestamp_seconds{${OWN}} ${NOW + 43_200}`,
  `avax_node_delegations_potential_reward_avax{${OWN}} 12.5`,
  `avax_node_delegations_potential_fee_avax{${OWN}} 0.25`,
  `avax_node_large_delegation_end_timestamp_seconds{${OWN}} ${NOW + 43_200}`,
  `avax_node_large_delegation_weight_ratio{${OWN}} 0.1905`,
];

/** What a node observes of the staker. */
export function observed(node: string, uptime: number, connected = 1, requirement = 0.8): readonly string[] {
  const of = `node="${node}",${OF}`;
  const up = uptime * 9 * 86_400;
  return [
    `avax_validator_uptime_ratio{${of}} ${uptime}`,
    `avax_validator_connected{${of}} ${connected}`,
    `avax_validator_downtime_budget_remaining_seconds{${of}} ${Number((up + 86_400 - requirement * 864_000).toFixed(3))}`,
  ];
}
