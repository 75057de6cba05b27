import { describe, expect, it } from "vitest";
import { metricsOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { ALERTS } from "../../../src/topics/all/alerts.ts";
import { DASHBOARDS, expressions } from "../../generate/dashboards/dashboard.ts";
import { read } from "../../generate/vocabulary.ts";

/** Metrics that no panel and no rule uses, by the reason. */
const WITHOUT_PANEL: Readonly<Record<string, readonly string[]>> = {
  "Labels to join with other series and to look up; there is no value to draw.": [
    "avax_node_labels_info",
    "avax_validator_info",
    "avax_subnet_info",
    "avax_node_bls_info",
    "avax_vm_info",
    "avax_chain_info",
    "avax_evm_config_info",
    "avax_hosted_chain_info",
    "avax_acp_vote_info",
  ],
  "Looked up while another problem is examined; a panel of its own would mostly be empty.": [
    "avax_node_id_matches",
    "avax_node_clock_skew_seconds",
    "avax_node_id_changed_timestamp_seconds",
    "avax_chain_fork_stake_ratio",
    "avax_chain_usual_pause_seconds",
    "avax_validator_active_weight_ratio",
    "avax_validator_left_timestamp_seconds",
    "avax_validator_left_early",
    "avax_validator_downtime_budget_remaining_seconds",
    "avax_evm_proof_served",
    "avax_l1_validator_uptime_ratio",
    "avax_hosted_chain_feature_enabled",
    "avax_hosted_chains",
    "avax_node_outstanding_requests",
    "avax_node_longest_running_request_seconds",
    "avax_node_delegation_changes_total",
    "avax_node_delegation_changes_avax_total",
    "avax_l1_validator_min_nonce",
    "avax_l1_validator_fee_clock_timestamp_seconds",
    "avax_evm_blocks_skipped_total",
    "avax_platform_blocks_skipped_total",
    "avax_platform_counted_height",
    "avax_node_id_changes_total",
    "avax_node_bootstrapping_subnets",
  ],
  "Changes once in years, or never.": ["avax_tx_fee_avax", "avax_evm_fork_activation_timestamp_seconds"],
  "Another family has the same figure.": ["avax_hosted_chain_legacy_average_transaction_rate"],
  "Exists in elastic subnets alone, which few operators have.": ["avax_subnet_supply"],
  "Age or a flaw of a hosted answer; the exporter's dashboard shows its endpoint.": [
    "avax_hosted_answer_timestamp_seconds",
    "avax_hosted_answer_truncated",
    "avax_hosted_poll_rows_invalid_total",
    "avax_hosted_chain_legacy_timestamp_seconds",
    "avax_hosted_chain_legacy_last_run_timestamp_seconds",
  ],
  "The hosted Data API repeats a value of the P-Chain, which is nearer to the truth.": [
    "avax_hosted_validator_stake_avax",
    "avax_hosted_validator_delegated_stake_avax",
    "avax_hosted_validator_delegators",
    "avax_hosted_validator_delegation_fee_ratio",
    "avax_hosted_validator_start_timestamp_seconds",
    "avax_hosted_validator_end_timestamp_seconds",
    "avax_hosted_validator_next_start_timestamp_seconds",
    "avax_hosted_validator_last_removed_timestamp_seconds",
    "avax_hosted_validator_benched_ratio",
    "avax_hosted_proposed_transactions_total",
    "avax_hosted_proposed_bytes_total",
    "avax_hosted_last_proposed_block_height",
    "avax_hosted_node_reward_payments",
    "avax_hosted_node_last_reward_timestamp_seconds",
    "avax_hosted_node_next_reward_timestamp_seconds",
  ],
  "A detail of a watched address; the table of addresses shows the main values.": [
    "avax_hosted_address_rewards_fiat",
    "avax_hosted_address_last_reward_timestamp_seconds",
    "avax_hosted_address_utxos",
    "avax_hosted_address_other_asset_utxos",
    "avax_hosted_address_newest_utxo_timestamp_seconds",
    "avax_hosted_coin_price_fiat",
    "avax_hosted_address_erc721_collections",
    "avax_hosted_address_coins_total",
    "avax_hosted_address_fees_coins_total",
  ],
  "Tokens, contracts and collections differ by operator, who builds a dashboard for them.": [
    "avax_hosted_address_token_transfers_total",
    "avax_hosted_address_token_amount_total",
    "avax_hosted_address_last_token_transfer_timestamp_seconds",
    "avax_hosted_contract_info",
    "avax_hosted_contract_deployment_timestamp_seconds",
    "avax_hosted_contract_deployment_fee_coins",
    "avax_hosted_collection_tokens",
    "avax_hosted_collection_holders",
    "avax_hosted_collection_info",
    "avax_hosted_nft_info",
    "avax_hosted_nft_metadata_indexed",
    "avax_hosted_nft_metadata_timestamp_seconds",
  ],
};

describe("every metric", () => {
  const used = new Set(
    [...ALERTS.map(({ expr }) => expr), ...DASHBOARDS.flatMap(expressions).map(({ expr }) => expr)]
      .flatMap(read)
      .flatMap((name) => [name, name.replace(/_(bucket|sum|count)$/, "")]),
  );
  const all = TOPICS.flatMap(metricsOf).map(({ name }) => name);
  const excused = Object.values(WITHOUT_PANEL).flat();

  it("has a panel, a rule, or a reason for neither", () => {
    expect(all.filter((name) => !used.has(name) && !excused.includes(name))).toEqual([]);
  });

  it("and none with a reason has a panel or a rule", () => {
    expect(excused.filter((name) => used.has(name) || !all.includes(name))).toEqual([]);
  });
});
