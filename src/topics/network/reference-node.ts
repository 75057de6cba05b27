import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { EXPORTER_BLIND } from "../define/causes.ts";

const OF_NETWORK = { equal: ["job", "instance", "network"] } as const;

export const referenceNode = topic(
  {
    id: "reference-node",
    about: "Which node provides the data of the whole network?",
    scope: "network",
    needs: {},
  },
  {
    node: gauges(
      "avax_network_reference_node",
      "1 for the reference node of the network: the first node that answers, is bootstrapped and keeps up; absent without a usable node (the exporter's own record).",
      ["node"],
      (_data, { node }) => [[{ node }, 1]],
    ),
  },
  ({ node }) => ({
    AvaxNetworkWithoutReferenceNode: {
      severity: "warning",
      expr: `count without (node) (count_over_time(${node}[1h])) unless ignoring (node) ${node}`,
      labels: ["network"],
      for: "10m",
      explainedBy: [
        EXPORTER_BLIND,
        { ...OF_NETWORK, alert: "AvaxNodeDown", why: "The last usable node of the network does not answer." },
        { ...OF_NETWORK, alert: "AvaxNodeDownBudgetLow", why: "The last usable node of the network does not answer." },
        { ...OF_NETWORK, alert: "AvaxNodeLeftBehind", why: "The last usable node of the network missed an upgrade." },
        {
          ...OF_NETWORK,
          alert: "AvaxNodeBootstrapping",
          why: "The last usable node of the network is bootstrapping.",
          outranked: "AvaxChainNotBootstrapped is a ticket after an hour.",
        },
      ],
      summary: "No usable node for {{ $labels.network }}",
      description: "No polled node answers, is bootstrapped and keeps up: sets, stake and rewards are not monitored.",
      meaning:
        "One reference node provides the data of the whole network: validator set, stake, rewards, upgrade schedule, L1 balances. No polled node is usable as reference node.",
      confirm:
        "`avax_node_up`, `avax_chain_bootstrapped` of chain P and `avax_chain_lag_blocks` of the nodes of this network.",
      commands: {
        [`call <any-node> info.isBootstrapped '{"chain": "P"}'`]:
          "`false` or an error on every polled node of the network.",
        "call <any-node> platform.getHeight":
          "A height below the network's real height, which an explorer shows: the node does not keep up.",
      },
      action:
        "Fix one of the nodes, or add a node of this network to the configuration; a public API node is sufficient.",
      falseWhen: "All nodes of the network were removed from the configuration within the last hour.",
    },
  }),
);
