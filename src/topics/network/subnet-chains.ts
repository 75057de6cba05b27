import { type Blockchain, Blockchains, BlockchainStatus } from "../../api/node/platform-state.ts";
import { chainLabel } from "../labels.ts";
import { OLD_PLUGIN } from "../define/alert-texts.ts";
import { NODE_OUT } from "../define/causes.ts";
import { selector } from "../define/selector.ts";
import { gauge, gauges, infos, states, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic, topic } from "../define/topic.ts";
import { Reaches } from "../reach.ts";

export const subnets = topic(
  {
    id: "subnets",
    about: "Which configured subnets does the network have, and what are their names?",
    scope: "network",
    needs: {},
  },
  {
    info: infos(
      "avax_subnet_info",
      "ID and configured name of each configured subnet that a node of the network serves; the name is the ID where none is configured (configuration, `subnets`).",
      ["subnet", "name"],
      (_data, context) => context.subnets.map(({ id, name }) => ({ subnet: id, name })),
    ),
  },
);

/** Maximum of blockchains with series per subnet: the owner of a subnet can create any number. */
const MOST_CHAINS = 20;
/** Characters of a name that are exported. */
const LONGEST_NAME = 64;

export const subnetChains = topic(
  {
    id: "subnet-chains",
    about: "Which blockchains does each configured subnet have?",
    scope: "network",
    needs: { answer: Blockchains },
  },
  {
    total: gauge(
      "avax_blockchains",
      "Blockchains of all subnets, the P-Chain not counted; requested only if a subnet is configured (platform.getBlockchains, number of `blockchains`).",
      ({ answer }) => answer.total,
    ),
    count: gauges(
      "avax_subnet_blockchains",
      "Blockchains of a configured subnet (platform.getBlockchains, number of `blockchains`).",
      ["subnet"],
      ({ answer }, { subnets }) =>
        subnets.map(({ id }) => [{ subnet: id }, answer.blockchains.filter(({ subnetID }) => subnetID === id).length]),
    ),
    chain: infos(
      "avax_subnet_blockchain_info",
      `A blockchain of a configured subnet; \`name\` is chosen by its creator and cut to ${LONGEST_NAME} characters, and only the first ${MOST_CHAINS} of a subnet are exported (platform.getBlockchains, \`id\`, \`name\`, \`vmID\`).`,
      ["subnet", "chain", "name", "vm_id"],
      ({ answer }, context) =>
        context.subnets.flatMap(({ id }) =>
          answer.blockchains
            .filter(({ subnetID }) => subnetID === id)
            .slice(0, MOST_CHAINS)
            .map((each) => ({
              subnet: id,
              chain: chainLabel(context, each.id),
              name: shortName(each),
              vm_id: each.vmID.slice(0, LONGEST_NAME),
            })),
        ),
    ),
  },
);

/** The name on one line, shortened. The exposition escapes quotes. */
function shortName({ name }: Blockchain): string {
  return [...name.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()].slice(0, LONGEST_NAME).join("");
}

/** States, in the spelling of the specification. */
const STATES = ["Validating", "Created", "Preferred", "Syncing", "Unknown"] as const;

export const chainStatus = topic(
  {
    id: "chain-status",
    about: "Does this node validate each chain, follow it, or not run it?",
    scope: "node",
    needs: { statuses: BlockchainStatus },
  },
  {
    status: states(
      "avax_chain_state",
      "State of the chain on this node: Validating, Syncing when run without validating and always for the P-Chain, Created when not run, Preferred, or Unknown (platform.getBlockchainStatus, `status`).",
      ["chain", "subnet", "state"],
      STATES,
      ({ statuses }, context) =>
        [...statuses].map(([id, { status }]) => {
          const chain = context.chains.find((each) => each.id === id);
          return [{ chain: chain?.label ?? id, subnet: chain?.subnet ?? "" }, status] as const;
        }),
    ),
  },
  ({ status }) => ({
    AvaxChainNotRun: {
      severity: "warning",
      when: { of: selector(status, { state: "=~Created|Unknown" }), equals: 1 },
      labels: ["node", "network", "chain", "subnet", "state"],
      for: "5m",
      explainedBy: [...NODE_OUT],
      summary: "{{ $labels.node }} does not run {{ $labels.chain }}",
      over: "runs {{ $labels.chain }}",
      description: "Its state is {{ $labels.state }}.",
      meaning:
        "Created: the chain exists, but this node does not track its subnet or its VM plugin did not start. Unknown: this network has no such chain, or its creation was not accepted.",
      confirm: "`avax_chain_state` of the other nodes: if one of them validates the chain, it exists on the network.",
      commands: {
        [`call <node> platform.getBlockchainStatus '{"blockchainID": "<chain>"}'`]:
          "`Created`: the node does not run it. `Unknown`: no such ID on this network. For a chain with a configured name, use its blockchain ID.",
        "call <node> /ext/health": `A check with the chain's ID fails: the plugin did not start, and its text shows the cause. ${OLD_PLUGIN}`,
      },
      action: "Created: track its subnet or install its plugin, restart. Unknown: correct `subnets`.",
      falsePositives:
        "The node is not meant to run the chain: set `subnets` of that node in the configuration to the subnets that it serves.",
    },
  }),
);

/** Whether a network is without a reference node; `undefined` while none of its nodes answers. */
type Usable = { readonly without: boolean | undefined };

const OF_NETWORK = { equal: ["job", "network"] } as const;

export const referenceNode = topic(
  { id: "reference-node", about: "Which node provides the data of the whole network?", scope: "network", needs: {} },
  {
    node: gauges(
      "avax_network_reference_node",
      "1 for the reference node of the network: the first node that answers, is bootstrapped and keeps up; absent without a usable node (the exporter's own record).",
      ["node"],
      (_data, { node }) => [[{ node }, 1]],
    ),
  },
);

const reached = { reach: Reaches };

/** For the operator of an API node that answers and follows no chain: nothing else says that the facts of the network are old. */
export const usableNodes = comparingTopic(
  {
    id: "usable-nodes",
    about: "Can any of the nodes that answer provide the data of the whole network?",
    needs: reached,
    start: () => ({ without: undefined }),
    compare: (_state: Usable, { members }: ComparedData<typeof reached>, { reference }: Context): Usable => ({
      without: members.some(({ answers }) => answers.reach?.value.up === true) ? reference === undefined : undefined,
    }),
  },
  {
    without: gauge(
      "avax_network_without_reference_node",
      "1 while nodes of the network answer and none of them is bootstrapped, so that none can be its reference node; 0 while there is one; absent while no node answers (the exporter's own record).",
      ({ state }) => state.without,
    ),
  },
  ({ without }) => ({
    AvaxNetworkWithoutReferenceNode: {
      severity: "warning",
      when: { of: without, equals: 1 },
      labels: ["network"],
      for: "10m",
      explainedBy: [
        { ...OF_NETWORK, alert: "AvaxNodeDown", why: "A node that could be it does not answer." },
        { ...OF_NETWORK, alert: "AvaxNodeDownBudgetLow", why: "A node that could be it does not answer." },
        { ...OF_NETWORK, alert: "AvaxNodeLeftBehind", why: "The last usable node of the network missed an upgrade." },
        {
          ...OF_NETWORK,
          alert: "AvaxNodeBootstrapping",
          why: "The last usable node of the network is bootstrapping.",
          outranked: "AvaxChainNotBootstrapped is a ticket after an hour.",
        },
      ],
      summary: "No usable node for {{ $labels.network }}",
      over: "has a usable node again",
      description: "Sets, stake and rewards are unwatched.",
      meaning:
        "One reference node provides the data of the whole network: validator set, stake, rewards, upgrade schedule, L1 balances. No polled node is usable as reference node: none that answers is bootstrapped.",
      confirm:
        "`avax_network_without_reference_node` is 1. `avax_node_up` and `avax_chain_bootstrapped` of chain P of its nodes say which one answers and is not bootstrapped.",
      commands: {
        [`call <any-node> info.isBootstrapped '{"chain": "P"}'`]:
          "`false` or an error on every polled node of the network.",
      },
      action: "Fix a node, or configure another of this network; a public one suffices.",
      falsePositives: "No known false positives.",
    },
  }),
);
