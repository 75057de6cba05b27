import { EvmIdentity, EvmProof } from "../../api/node/evm-facts.ts";
import { chainRows, perChain } from "../labels.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { NODE_AWAY } from "../define/causes.ts";

/** Maximum number of forks of one chain with series: the chain's own configuration chooses their names. */
const MOST_FORKS = 40;

const ofChain = perChain("answers", EvmIdentity);

export const evmIdentity = topic(
  {
    id: "evm-identity",
    about: "Does the node serve the right EVM chain, and with which software?",
    scope: "node",
    needs: { answers: EvmIdentity },
  },
  {
    chain: ofChain.infos(
      "avax_evm_chain_info",
      "EVM chain that this node serves: chain ID, network ID and software (eth_chainId, net_version and web3_clientVersion, `result`).",
      ["evm_chain_id", "evm_network_id", "client_version"],
      ({ chainId, networkId = "", clientVersion = "" }) => [
        {
          evm_chain_id: String(chainId),
          evm_network_id: networkId.slice(0, 32),
          client_version: clientVersion.slice(0, 120),
        },
      ],
    ),
    matches: gauges(
      "avax_evm_chain_matches",
      "1 when the chain ID is the one that the configuration or the network requires, 0 when another chain answers; absent where none is required (eth_chainId, `result`).",
      ["chain"],
      ({ answers }, context) =>
        chainRows(answers, context, ({ chainId }, chain) => {
          const expected = context.evmChains.find(({ id }) => id === chain)?.chainId;
          return expected === undefined ? undefined : chainId === expected;
        }),
    ),
    peers: ofChain.gauge(
      "avax_evm_peers",
      "Peers as counted by the EVM; absent when it reports 0, as it always does before Helicon (use `avax_node_peers` there) (net_peerCount, `result`).",
      ({ peers }) => (peers === 0 ? undefined : peers),
    ),
  },
  ({ matches }) => ({
    AvaxEvmWrongChain: {
      severity: "warning",
      when: { of: matches, equals: 0 },
      labels: ["node", "network", "chain"],
      explainedBy: [...NODE_AWAY],
      summary: "{{ $labels.node }} serves the wrong EVM chain as {{ $labels.chain }}",
      over: "serves the right chain as {{ $labels.chain }}",
      meaning:
        "All metrics of this chain on this node describe another chain: C has the ID 43114 on the main network, 43113 on Fuji. Transactions signed for the expected chain are rejected there.",
      confirm:
        "Compare `evm_chain_id` in `avax_evm_chain_info` with that of the other nodes. Since Helicon `client_version` of the C-Chain begins with `avalanchego`: this is no other chain.",
      commands: {
        "call <node> eth_chainId --chain=<chain>":
          "0xa86a is the main network's C-Chain (43114), 0xa869 Fuji's (43113), 0xa868 a local one's (43112).",
      },
      action: "Correct `url`, or what is expected: `evm_chain_id`, `evm.c_chain_id`.",
      falsePositives: "No known false positives.",
    },
  }),
);

export const evmForks = topic(
  {
    id: "evm-forks",
    about: "When do the forks of each EVM chain activate?",
    scope: "network",
    needs: { answers: EvmIdentity },
  },
  {
    forks: ofChain.gauges(
      "avax_evm_fork_activation_timestamp_seconds",
      "When a fork of the EVM chain activates or activated, from the network's reference node; 0 when it is active since genesis, absent while it is not scheduled (eth_getChainConfig, keys that end in `Time` or `Timestamp`).",
      ["fork"],
      ({ forks }) =>
        [...forks]
          .sort(([, a], [, b]) => b - a)
          .slice(0, MOST_FORKS)
          .map(([fork, time]) => [{ fork }, time]),
    ),
  },
);

const ofProofs = perChain("windows", EvmProof);

export const evmProof = topic(
  {
    id: "evm-proof",
    about: "For which blocks does the node serve account proofs?",
    scope: "node",
    needs: { windows: EvmProof },
  },
  {
    served: ofProofs.gauges(
      "avax_evm_proof_served",
      "1 when eth_getProof succeeds 24 blocks before the head, within the 32 that the specification guarantees (`recent`), and at block 1 (`first`); absent where the probe is not configured (eth_getProof, `accountProof`).",
      ["block"],
      (proofs) => (["recent", "first"] as const).map((block) => [{ block }, proofs[block]]),
    ),
    window: ofProofs.gauge(
      "avax_evm_proof_window_blocks",
      "Blocks before the head for which the node reports that it serves proofs; absent while it rejects no request (eth_getProof, `error`).",
      ({ window }) => window,
    ),
  },
);
