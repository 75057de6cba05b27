import type { AlertCases } from "./case.ts";

export const CHAINS_CASES: AlertCases = {
  AvaxChainForked: {
    fires: { 'avax_chain_fork_height{network="n",chain="C"}': "0 70x9" },
    silent: { 'avax_chain_fork_height{network="n",chain="C"}': "70 0x9" },
    why: "the nodes agreed within a minute",
  },
  AvaxChainNotBootstrapped: {
    fires: { 'avax_chain_bootstrapped{node="a",chain="C"}': "0x70" },
    silent: { 'avax_chain_bootstrapped{node="a",chain="C"}': "0x20 1x50" },
    why: "it was bootstrapped after 20 minutes",
  },
  AvaxChainBootstrapping: {
    fires: { 'avax_chain_bootstrapped{node="a",network="n",chain="l1one"}': "1 0x10" },
    silent: { 'avax_chain_bootstrapped{node="a",network="n",chain="C"}': "1x10" },
    why: "it is bootstrapped",
  },
  AvaxNodeBootstrapping: {
    fires: { 'avax_node_bootstrapping{node="a",network="n"}': "0 1x10" },
    silent: { 'avax_node_bootstrapping{node="a",network="n"}': "0x10" },
    why: "P, X and C are bootstrapped",
  },
  AvaxPlatformStalled: {
    at: "8m",
    fires: { 'avax_platform_last_block_timestamp_seconds{network="n"}': "-3600x20" },
    silent: { 'avax_platform_last_block_timestamp_seconds{network="n"}': "0+60x20" },
    why: "a block a minute",
  },
};
