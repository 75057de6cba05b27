import { EvmIdentity } from "../../api/node/evm-facts.ts";
import { chainLabel, chainRows } from "../labels.ts";
import { gauges, infos } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";

/** Most forks of one chain with series: the chain's own configuration chooses their names. */
const MOST_FORKS = 40;

export const evmIdentity = topic(
  {
    id: "evm-identity",
    about: "Is it the right EVM chain that answers, and with what software?",
    scope: "node",
    needs: { answers: EvmIdentity },
  },
  {
    chain: infos(
      "avax_evm_chain_info",
      "The EVM chain as this node serves it: chain ID, network ID and software (eth_chainId, net_version and web3_clientVersion, `result`).",
      ["chain", "evm_chain_id", "evm_network_id", "client_version"],
      ({ answers }, context) =>
        [...answers].map(([id, { chainId, networkId, clientVersion }]) => ({
          chain: chainLabel(context, id),
          evm_chain_id: String(chainId),
          evm_network_id: (networkId ?? "").slice(0, 32),
          client_version: (clientVersion ?? "").slice(0, 120),
        })),
    ),
    matches: gauges(
      "avax_evm_chain_matches",
      "1 when the chain has the chain ID that the configuration or the network demands, 0 when another chain answers; absent where none is demanded (eth_chainId, `result`).",
      ["chain"],
      ({ answers }, context) =>
        chainRows(answers, context, ({ chainId }, chain) => {
          const expected = context.evmChains.find(({ id }) => id === chain)?.chainId;
          return expected === undefined ? undefined : chainId === expected;
        }),
    ),
    peers: gauges(
      "avax_evm_peers",
      "Peers as the EVM counts them; absent when it says 0, as it always does before Helicon: `avax_node_peers` knows then (net_peerCount, `result`).",
      ["chain"],
      ({ answers }, context) => chainRows(answers, context, ({ peers }) => (peers === 0 ? undefined : peers)),
    ),
  },
  ({ matches }) => [
    {
      name: "AvaxEvmWrongChain",
      severity: "critical",
      expr: `${matches} == 0`,
      for: "0m",
      summary: "{{ $labels.node }} serves another EVM chain as {{ $labels.chain }}",
      description:
        "The EVM chain ID that {{ $labels.node }} gives for {{ $labels.chain }} is not the expected one (43114 on the main network, 43113 on Fuji): it is a node of another network, or the configuration is wrong.",
      runbook: {
        meaning:
          "Everything shown about this chain on this node is about another chain; transactions signed for the expected chain are refused there.",
        confirm: "`avax_evm_chain_info` of the node: `evm_chain_id`, beside that of the other nodes.",
        commands: [
          {
            run: "call <node> eth_chainId --chain=<chain>",
            see: "0xa86a is the main network's C-Chain (43114), 0xa869 Fuji's (43113), 0xa868 a local one's (43112).",
          },
        ],
        action:
          "Wrong address: correct the node's `url`. Wrong expectation: correct `evm_chain_id` of the chain, `evm.c_chain_id`, or the node's `network`.",
        falseWhen: "The node's `network` label is a name of your own that happens to be a public network's.",
      },
      fires: {
        series: { 'avax_evm_chain_matches{node="a",chain="C"}': "0x5" },
        at: "2m",
        labels: { node: "a", chain: "C" },
      },
      silent: {
        series: { 'avax_evm_chain_matches{node="a",chain="C"}': "1x5" },
        at: "2m",
        why: "the right chain answers",
      },
    },
  ],
);

export const evmForks = topic(
  {
    id: "evm-forks",
    about: "When does each EVM chain change its rules?",
    scope: "network",
    needs: { answers: EvmIdentity },
  },
  {
    forks: gauges(
      "avax_evm_fork_activation_timestamp_seconds",
      "When a fork of the EVM chain activates or did, as the network's reference node has it; absent while it is not scheduled (eth_getChainConfig, keys that end in `Time` or `Timestamp`).",
      ["chain", "fork"],
      ({ answers }, context) =>
        [...answers].flatMap(([id, { forks }]) =>
          [...forks]
            .sort(([, a], [, b]) => b - a)
            .slice(0, MOST_FORKS)
            .map(([fork, time]) => [{ chain: chainLabel(context, id), fork }, time] as const),
        ),
    ),
  },
);
