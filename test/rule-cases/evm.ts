import type { AlertCases } from "./case.ts";

export const EVM_CASES: AlertCases = {
  AvaxPublicChainStalled: {
    at: "10m",
    fires: {
      'avax_chain_head_timestamp_seconds{node="a",network="mainnet",chain="C"}': "0x20",
      'avax_chain_head_timestamp_seconds{node="b",network="mainnet",chain="C"}': "60x20",
    },
    silent: {
      'avax_chain_head_timestamp_seconds{node="a",network="mainnet",chain="C"}': "0x20",
      'avax_chain_head_timestamp_seconds{node="b",network="mainnet",chain="C"}': "0+60x20",
      'avax_chain_head_timestamp_seconds{node="c",network="local",chain="C"}': "0x20",
    },
    why: "another node of the network has new blocks, and a private network can be quiet",
  },
  AvaxEvmChainStalled: {
    at: "5m",
    fires: {
      'avax_chain_head_timestamp_seconds{node="a",network="fuji",chain="l1"}': "-25200x10",
      'avax_chain_usual_pause_seconds{network="fuji",chain="l1",subnet="S"}': "70x10",
    },
    labels: { network: "fuji", chain: "l1", subnet: "S" },
    silentAt: "10m",
    silent: {
      'avax_chain_head_timestamp_seconds{node="a",network="fuji",chain="slow"}': "-9000x20",
      'avax_chain_usual_pause_seconds{network="fuji",chain="slow",subnet="S"}': "20000x20",
      'avax_chain_head_timestamp_seconds{node="b",network="fuji",chain="l2"}': "-3600x20",
      'avax_chain_head_timestamp_seconds{node="c",network="fuji",chain="l2"}': "0+60x20",
      'avax_chain_usual_pause_seconds{network="fuji",chain="l2",subnet="S"}': "70x20",
      'avax_chain_head_timestamp_seconds{node="b",network="fuji",chain="new"}': "-9000x20",
    },
    why: "the first often rests for six hours, the second is stalled on one node only, the third is not known yet",
  },
  AvaxChainExecutionBacklog: {
    fires: { 'avax_chain_execution_backlog_blocks{node="a",chain="C"}': "60x9" },
    silent: { 'avax_chain_execution_backlog_blocks{node="a",chain="C"}': "60x4 3x5" },
    why: "it has caught up",
  },
  AvaxEvmWrongChain: {
    fires: { 'avax_evm_chain_matches{node="a",chain="C"}': "0x5" },
    silent: { 'avax_evm_chain_matches{node="a",chain="C"}': "1x5" },
    why: "the right chain answers",
  },
  AvaxEvmHistoryChanged: {
    at: "5m",
    fires: { 'avax_evm_history_changes_total{network="n",chain="C"}': "0x3 1x10" },
    silentAt: "17m",
    silent: { 'avax_evm_history_changes_total{network="n",chain="C"}': "1x40" },
    why: "the reset was long ago",
  },
  AvaxEvmConfigChanged: {
    at: "15m",
    fires: { 'avax_evm_config_changes_total{node="a",chain="C"}': "0x10 1x30" },
    silent: { 'avax_evm_config_changes_total{node="a",chain="C"}': "0x40" },
    why: "the settings did not change",
  },
};
