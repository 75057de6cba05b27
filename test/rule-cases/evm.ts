import type { AlertCases } from "./case.ts";

export const EVM_CASES: AlertCases = {
  AvaxPublicChainStalled: {
    at: "10m",
    // Two shards with nodes of one network.
    fires: {
      'avax_chain_newest_block_timestamp_seconds{network="mainnet",instance="0"}': "0x20",
      'avax_chain_newest_block_timestamp_seconds{network="mainnet",instance="1"}': "60x20",
    },
    labels: { network: "mainnet" },
    silent: {
      'avax_chain_newest_block_timestamp_seconds{network="mainnet",instance="0"}': "0x20",
      'avax_chain_newest_block_timestamp_seconds{network="mainnet",instance="1"}': "0+60x20",
    },
    why: "a node of another shard has new blocks",
  },
  AvaxEvmChainStalled: {
    at: "9m",
    // The exporter restarts in minute 5.
    fires: { 'avax_chain_stalled_seconds{network="fuji",chain="l1",subnet="S"}': "25200+60x5 stale _x2 25680+60x9" },
    silent: {
      'avax_chain_stalled_seconds{network="fuji",chain="quiet",subnet="S"}': "300x20",
      'avax_chain_stalled_seconds{network="fuji",chain="again",subnet="S"}': "25200x5 0x20",
      'avax_chain_stalled_seconds{network="fuji",chain="l2",subnet="S",instance="0"}': "3600x20",
      'avax_chain_stalled_seconds{network="fuji",chain="l2",subnet="S",instance="1"}': "0x20",
    },
    why: "five minutes are short, the second makes blocks again, and the third does so on nodes of another shard",
  },
  AvaxChainExecutionStalled: {
    fires: { 'avax_chain_execution_wait_seconds{node="a",chain="C"}': "301+60x9" },
    silent: { 'avax_chain_execution_wait_seconds{node="a",chain="C"}': "240+60x3 0x5" },
    why: "it executes again",
  },
  AvaxChainExecutionBacklog: {
    // What an executor with 5 s a block looks like.
    fires: { 'avax_chain_execution_wait_seconds{node="a",chain="C"}': "9 5 12 9 7 9 5 12" },
    silent: { 'avax_chain_execution_wait_seconds{node="a",chain="C"}': "3 0 8 1 0 3 3 1" },
    why: "a block or two wait for a moment",
  },
  AvaxEvmTraceOpen: {
    fires: { 'avax_evm_trace_open{node="a",network="n",chain="C"}': "1x30" },
    silent: { 'avax_evm_trace_open{node="a",network="n",chain="C"}': "0x30" },
    why: "the node refuses traces",
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
