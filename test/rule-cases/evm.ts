import type { AlertCases } from "./case.ts";

export const EVM_CASES: AlertCases = {
  AvaxPublicChainStalled: {
    at: "10m",
    fires: {
      'avax_chain_head_timestamp_seconds{node="a",network="mainnet",chain="C"}': "0x20",
      'avax_chain_head_timestamp_seconds{node="b",network="mainnet",chain="C"}': "60x20",
    },
    labels: { network: "mainnet", chain: "C" },
    silent: {
      'avax_chain_head_timestamp_seconds{node="a",network="mainnet",chain="C"}': "0x20",
      'avax_chain_head_timestamp_seconds{node="b",network="mainnet",chain="C"}': "0+60x20",
      'avax_chain_head_timestamp_seconds{node="c",network="local",chain="C"}': "0x20",
    },
    why: "another node of the network has new blocks, and a private network can be quiet",
  },
  AvaxEvmChainStalled: {
    at: "85m",
    fires: { 'avax_chain_head_timestamp_seconds{node="a",network="fuji",chain="l1"}': "0+60x70 4200x20" },
    labels: { network: "fuji", chain: "l1" },
    silent: {
      'avax_chain_head_timestamp_seconds{node="a",network="fuji",chain="l1"}': "0x30 1800x60",
      'avax_chain_head_timestamp_seconds{node="b",network="fuji",chain="l2"}': "0+60x70 4200x20",
      'avax_chain_head_timestamp_seconds{node="c",network="fuji",chain="l2"}': "0+60x90",
    },
    why: "one chain has always been quiet, the other is stalled on one node only",
  },
  AvaxEvmWrongChain: {
    at: "2m",
    fires: { 'avax_evm_chain_matches{node="a",chain="C"}': "0x5" },
    labels: { node: "a", chain: "C" },
    silent: { 'avax_evm_chain_matches{node="a",chain="C"}': "1x5" },
    why: "the right chain answers",
  },
  AvaxEvmBlocksSkipped: {
    at: "12m",
    fires: { 'avax_evm_blocks_skipped_total{network="n",chain="C"}': "0x10 120x10" },
    labels: { network: "n", chain: "C" },
    silentAt: "30m",
    silent: { 'avax_evm_blocks_skipped_total{network="n",chain="C"}': "120x40" },
    why: "the gap was long ago",
  },
  AvaxEvmHistoryChanged: {
    at: "12m",
    fires: { 'avax_evm_history_changes_total{network="n",chain="C"}': "0x10 1x10" },
    labels: { network: "n", chain: "C" },
    silentAt: "30m",
    silent: { 'avax_evm_history_changes_total{network="n",chain="C"}': "1x40" },
    why: "the reset was long ago",
  },
  AvaxEvmConfigChanged: {
    at: "15m",
    fires: { 'avax_evm_config_changes_total{node="a",chain="C"}': "0x10 1x30" },
    labels: { node: "a", chain: "C" },
    silent: { 'avax_evm_config_changes_total{node="a",chain="C"}': "0x40" },
    why: "the settings did not change",
  },
};
