import type { AlertCases } from "./case.ts";

export const HOSTED_CASES: AlertCases = {
  AvaxHostedSeriesBehind: {
    fires: { 'avax_hosted_chain_newest_day_timestamp_seconds{evm_chain_id="43114"}': "-400000x90" },
    silent: { 'avax_hosted_chain_newest_day_timestamp_seconds{evm_chain_id="43114"}': "-172800x90" },
    why: "the last complete day began two days ago, which is normal just before midnight",
  },
  AvaxHostedChainUnavailable: {
    fires: { 'avax_hosted_chain_state{evm_chain_id="43114",state="UNAVAILABLE"}': "1x60" },
    silent: { 'avax_hosted_chain_state{evm_chain_id="43114",state="OK"}': "1x60" },
    why: "its status is OK",
  },
  AvaxStakingPeriodUnrewarded: {
    fires: { 'avax_hosted_validator_reward_denied{network="mainnet",node_id="NodeID-A"}': "1x180" },
    silent: { 'avax_hosted_validator_reward_denied{network="mainnet",node_id="NodeID-A"}': "0x180" },
    why: "the period was rewarded",
  },
};
