import { EvmHead } from "../../api/node/evm-head.ts";
import { Health } from "../../api/node/health.ts";
import { IsBootstrapped } from "../../api/node/info.ts";
import { PlatformHeight } from "../../api/node/platform.ts";
import { chainIds } from "../chain-ids.ts";
import { labelledChains } from "../node/health-messages.ts";
import { OLD_PLUGIN } from "../define/alert-texts.ts";
import { chainLabel, perChain, PRIMARY_CHAINS } from "../labels.ts";
import { gauge, gauges, perRow, type Context } from "../define/metric.ts";
import { optional, type Data } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { CUT_OFF, DUPLICATED, NODE_AWAY, SAME_NODE, WRONG_KEY } from "../define/causes.ts";

const SOURCE = "(health API, chain check:";

const needs = { report: Health, ids: chainIds };

const ofCheck = perRow({
  labels: ["chain"],
  of: ({ report, ids }: Data<typeof needs>, context: Context) =>
    labelledChains(context, report, ids).map(([chain, figures]) => [{ chain }, figures] as const),
});

export const chains = topic(
  {
    id: "chains",
    about: "Does each chain decide blocks on this node, and is it connected to enough stake?",
    scope: "node",
    needs,
  },
  {
    processing: ofCheck.gauge(
      "avax_chain_processing_blocks",
      `Blocks issued and not yet decided ${SOURCE} \`processingBlocks\`).`,
      ({ processing }) => processing,
    ),
    longestProcessing: ofCheck.gauge(
      "avax_chain_longest_processing_block_seconds",
      `How long the oldest undecided block has been processing; 0 without an undecided block ${SOURCE} \`longestProcessingBlock\`).`,
      ({ longestProcessing }) => longestProcessing,
    ),
    acceptanceTime: ofCheck.gauge(
      "avax_chain_average_acceptance_duration_seconds",
      `Average time from issuing a block to accepting it; only from some releases ${SOURCE} \`avgAcceptanceTime\`).`,
      ({ acceptanceTime }) => acceptanceTime,
    ),
    connected: ofCheck.gauge(
      "avax_chain_connected_stake_ratio",
      `Share of the chain's stake that this node is connected to ${SOURCE} \`percentConnected\`).`,
      ({ connectedRatio }) => connectedRatio,
    ),
    disconnected: ofCheck.gauge(
      "avax_chain_disconnected_validators",
      `Validators of the chain that this node is not connected to; members of an L1 without balance are not counted ${SOURCE} \`disconnectedValidators\`).`,
      ({ disconnected }) => disconnected,
    ),
  },
);

export const bootstrapped = topic(
  {
    id: "bootstrapped",
    about: "Which chains are bootstrapped on this node?",
    scope: "node",
    needs: { answers: IsBootstrapped },
  },
  {
    done: perChain("answers", IsBootstrapped).gauge(
      "avax_chain_bootstrapped",
      "1 when the chain is bootstrapped; 0 also when the node reports that it does not run the chain (info.isBootstrapped, `isBootstrapped`).",
      ({ isBootstrapped }) => isBootstrapped,
    ),
    primary: gauge(
      "avax_node_bootstrapping",
      "1 while P, X or C, the chains of the Primary Network, is not bootstrapped on this node (info.isBootstrapped, `isBootstrapped`).",
      ({ answers }, context) => {
        const known = [...answers].filter(([id]) => PRIMARY_CHAINS.has(chainLabel(context, id)));
        return known.length === 0 ? undefined : known.some(([, { isBootstrapped }]) => !isBootstrapped);
      },
    ),
  },
  ({ done, primary }) => ({
    AvaxChainNotBootstrapped: {
      severity: "warning",
      when: { of: done, equals: 0 },
      labels: ["node", "network", "chain"],
      for: "1h",
      explainedBy: [
        ...NODE_AWAY,
        WRONG_KEY,
        { alert: "AvaxChainNotRun", equal: [...SAME_NODE, "chain"], why: "The node does not run the chain at all." },
      ],
      summary: "{{ $labels.chain }} is not bootstrapped on {{ $labels.node }}",
      over: "has bootstrapped {{ $labels.chain }}",
      meaning:
        "The node cannot serve or validate this chain: it is still bootstrapping, or the chain could not be created on this node.",
      confirm:
        "`avax_chain_bootstrapped` over the last days: a chain that was never bootstrapped does not run, one that was is catching up. A state sync of C that does not end since Helicon: stop the node, delete its database, start it.",
      commands: {
        [`call <node> info.isBootstrapped '{"chain": "<chain>"}'`]:
          "`false`: it is still bootstrapping. `there is no chain with alias/ID`: the node does not track the subnet, or its VM plugin failed. For a chain with a configured name, use its blockchain ID.",
        "call <node> /ext/health": `Check \`bootstrapped\` lists what is missing; a failing check with the chain's ID means that the plugin failed. ${OLD_PLUGIN}`,
      },
      action: "Check log, disk, peers. No such chain: track its subnet, install its VM plugin, restart.",
      falsePositives:
        "The chain is configured for a node that is not meant to run it: set `subnets` of that node in the configuration.",
    },
    AvaxChainBootstrapping: {
      severity: "none",
      explainedBy: [
        {
          alert: "AvaxNodeBootstrapping",
          equal: SAME_NODE,
          targetMatchers: { chain: "=~P|X|C" },
          why: "The node is bootstrapping the Primary Network.",
        },
      ],
      when: { of: done, equals: 0, perExporter: true },
      labels: ["node", "network", "chain"],
      summary: "{{ $labels.node }} is bootstrapping {{ $labels.chain }}",
      description: "It is never sent: it holds back what follows from it on this chain.",
      meaning: "The chain serves no requests and follows no blocks until it is bootstrapped.",
      confirm: "`avax_chain_bootstrapped` of the chain is 0.",
      commands: { [`call <node> info.isBootstrapped '{"chain": "<chain>"}'`]: "`false` while it is bootstrapping." },
      action: "None. AvaxChainNotBootstrapped reports a chain that takes more than an hour.",
      falsePositives: "The node does not run the chain: AvaxChainNotRun reports that.",
    },
    AvaxNodeBootstrapping: {
      severity: "none",
      when: { of: primary, equals: 1, perExporter: true },
      explainedBy: [WRONG_KEY, DUPLICATED, CUT_OFF],
      summary: "{{ $labels.node }} is bootstrapping the Primary Network",
      description: "It is never sent: it holds back what follows from it.",
      meaning:
        "Most APIs of the node are not ready, and it follows no blocks yet. Its uptime counts: it is connected to its peers.",
      confirm: "`avax_node_bootstrapping` is 1; `avax_chain_bootstrapped` of P, X and C says which chain.",
      commands: { [`call <node> info.isBootstrapped '{"chain": "P"}'`]: "`false` while it is bootstrapping." },
      action:
        "None. A node that is stuck without peers is reported by AvaxNodeUnhealthy, AvaxNodeFewPeers or AvaxNodeCutOff, one that takes more than an hour by AvaxChainNotBootstrapped.",
      falsePositives: "No known false positives.",
    },
  }),
);

export const chainHeight = topic(
  {
    id: "chain-height",
    about: "What is the height of each chain on this node?",
    scope: "node",
    needs: { report: optional(Health), ids: chainIds, height: optional(PlatformHeight), heads: optional(EvmHead) },
  },
  {
    height: gauges(
      "avax_chain_height",
      "Height of the last accepted block, of the C-Chain since Helicon of the last executed one (platform.getHeight, `height`, for P; eth_blockNumber, `result`, for EVM chains; else health API, chain check: `lastAcceptedHeight`, up to 30 s old).",
      ["chain"],
      ({ report, ids, height, heads }, context) => {
        const checked = report === undefined ? [] : labelledChains(context, report, ids);
        const heights = new Map(checked.map(([chain, figures]) => [chain, figures.height]));
        if (height !== undefined) heights.set("P", height.height);
        for (const [id, head] of heads ?? []) heights.set(chainLabel(context, id), head.height);
        return [...heights].map(([chain, value]) => [{ chain }, value] as const);
      },
    ),
  },
);
