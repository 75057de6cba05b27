import { EvmHead } from "../../api/node/evm-head.ts";
import { toGwei } from "../../api/node/evm-wire.ts";
import { setTime } from "../../api/wire.ts";
import { latestOf, past } from "../past.ts";
import { chainLabel, chainRows, perChain } from "../labels.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { evmPauses } from "./evm-pauses.ts";
import { where } from "../define/selector.ts";
import { recording } from "../define/recording.ts";
import { threshold } from "../define/threshold.ts";
import { Health } from "../../api/node/health.ts";
import { chainIds, idsOf } from "../checked-chains.ts";
import { labelledChains } from "../node/health-messages.ts";
import { NODE_OUT } from "../define/causes.ts";

/** A chain has stopped after this many of its usual pauses, and not before ten minutes. */
const PAUSES = 2;

const PUBLIC = { chain: "C", network: "=~mainnet|fuji" } as const;
const KNOWN_NETWORK = { network: "!=" } as const;

const usualPause = evmPauses.metrics.usual;
const usual = recording({
  name: "chain:avax_chain_usual_pause_seconds:max",
  about: "Longest usual pause of an EVM chain; the C-Chain of a public network has a limit of its own.",
  expr: `topk by (job, network, chain) (1, max by (job, network, chain, subnet) (${where(usualPause, KNOWN_NETWORK)} unless ${where(usualPause, PUBLIC)}))`,
  labels: ["network", "chain", "subnet"],
});

const publicStalled = threshold(
  "c-chain-stalled",
  "seconds",
  "when the newest C-Chain block of mainnet or fuji is older than this",
  { standard: 300, least: 30, most: 86_400 },
);

const stalled = threshold(
  "evm-chain-stalled",
  "seconds",
  "when the newest block of an EVM chain is older than this, and than two of its usual pauses",
  { standard: 600, least: 30, most: 86_400 },
);

const ofHead = perChain("heads", EvmHead);

export const evmHead = topic(
  {
    id: "evm-head",
    about: "When was the last block of each EVM chain made, what does gas cost, and how many transactions wait?",
    scope: "node",
    needs: { heads: EvmHead },
  },
  {
    time: gauges(
      "avax_chain_head_timestamp_seconds",
      "When the last accepted block was made, by its own timestamp (eth_getBlockByNumber latest, `timestampMilliseconds`, else `timestamp`).",
      ["chain"],
      ({ heads }, context) =>
        chainRows(heads, context, ({ head }) => past(setTime(head.time), latestOf(context, "heads"))),
    ),
    gasLimit: ofHead.gauge(
      "avax_evm_gas_limit",
      "Gas limit of the last block (eth_getBlockByNumber latest, `gasLimit`).",
      ({ head }) => head.gasLimit,
    ),
    baseFee: ofHead.gauge(
      "avax_evm_base_fee_gwei",
      "Base fee of the next block, in gwei: nAVAX, or a billionth of the chain's own coin (eth_baseFee, `result`).",
      ({ baseFee }) => (baseFee === undefined ? undefined : toGwei(baseFee)),
    ),
    priorityFee: ofHead.gauge(
      "avax_evm_priority_fee_gwei",
      "Suggested tip for a transaction, in gwei (eth_maxPriorityFeePerGas, `result`).",
      ({ priorityFee }) => (priorityFee === undefined ? undefined : toGwei(priorityFee)),
    ),
    txpool: ofHead.gauges(
      "avax_evm_txpool_transactions",
      "Transactions in this node's pool that wait for a block (`pending`) or for another transaction (`queued`); absent where the node does not serve it (txpool_status, `pending`, `queued`).",
      ["state"],
      ({ txpool }) => (["pending", "queued"] as const).map((state) => [{ state }, txpool?.[state]]),
    ),
    batchLimit: ofHead.gauge(
      "avax_evm_batch_calls",
      "Current number of calls in one request: less than configured where the server limits batches, 1 where it rejects them (the exporter's own record).",
      ({ batchLimit }) => batchLimit,
    ),
  },
  ({ time }) => {
    const newest = recording({
      name: "chain:avax_chain_head_timestamp_seconds:max",
      about: "Time of the newest block of a chain on any node of a network.",
      expr: `max by (job, network, chain) (${where(time, KNOWN_NETWORK)})`,
      labels: ["network", "chain"],
    });
    return {
      AvaxPublicChainStalled: {
        severity: "warning",
        expr: `time() - ${where(newest, PUBLIC)} > ${publicStalled}`,
        labels: ["network", "chain"],
        for: "2m",
        noPage:
          "An operator cannot restart a public network; a validator that stands still alone pages as AvaxNodeLagging.",
        summary: "{{ $labels.network }}: no new C-Chain block on any polled node for {{ $value | humanizeDuration }}",
        description: "Public networks make a block every few seconds.",
        meaning:
          "The network has stopped, or none of the polled nodes receives or accepts its blocks. A single stalled node is reported by AvaxNodeLagging.",
        confirm:
          'Check `time() - avax_chain_head_timestamp_seconds{chain="C"}` of the nodes, and whether a public explorer shows new blocks.',
        commands: {
          [`call <any-node> eth_getBlockByNumber '["latest", false]'`]:
            "`timestamp` is the time of the newest block in hexadecimal seconds. Compare `number` with a public explorer, which shows whether the network makes blocks.",
        },
        action:
          "The explorer shows new blocks: check peers, disks and version. It does not: follow the developers, and do not restart all nodes at once.",
        falseWhen: "The clock of the exporter's machine is minutes ahead.",
      },
      AvaxEvmChainStalled: {
        severity: "critical",
        expr: `time() - ${newest} > on (job, network, chain) group_left (subnet) ${PAUSES} * ${usual} > ${stalled}`,
        labels: ["network", "chain", "subnet"],
        for: "2m",
        loses: "The chain has stopped: it accepts no transactions until its validators are brought back.",
        explainedBy: [
          {
            alert: "AvaxSubnetQuorumLost",
            equal: ["network", "subnet"],
            why: "The subnet has lost its quorum: its chains accept no blocks.",
          },
        ],
        summary:
          "{{ $labels.chain }} of {{ $labels.network }} is stalled: no block for {{ $value | humanizeDuration }}",
        description:
          "That is more than twice its longest usual pause, on all polled nodes. The alert lasts until the next block.",
        meaning:
          "The chain makes no blocks on any polled node, for much longer than it usually rests: too little weight of its validators is connected, or its users are gone. A single stalled node is reported by AvaxNodeLagging.",
        confirm:
          "`avax_chain_usual_pause_seconds` is the longest usual pause of the last one to two weeks. Check `avax_chain_connected_stake_ratio` and `avax_subnet_connected_weight_ratio` of the chain's validators, and waiting transactions in `avax_evm_txpool_transactions`.",
        commands: {
          [`call <any-node> eth_getBlockByNumber '["latest", false]' --chain=<chain>`]:
            "`number` does not increase between two calls on any node.",
        },
        action:
          "Transactions wait: bring the disconnected validators back. One node polled: check its log, version and peers first.",
        falseWhen:
          "The chain's users rest for longer than before: no transaction is waiting on any node. A pause that has happened twice is usual.",
      },
    };
  },
);

const behind = threshold(
  "execution-backlog",
  "number",
  "when a chain has accepted more than this number of blocks that it has not executed",
  { standard: 30, least: 5, most: 100_000 },
);

/** Since Helicon the C-Chain accepts a block first and executes it later: `latest` is the last executed one. */
export const evmBacklog = topic(
  {
    id: "evm-backlog",
    about: "How many blocks has each EVM chain accepted and not executed yet?",
    scope: "node",
    needs: { report: Health, ids: chainIds, heads: EvmHead },
  },
  {
    blocks: gauges(
      "avax_chain_execution_backlog_blocks",
      "Blocks that an EVM chain has accepted and not executed yet, at least 0: the accepted height is up to 30 s older than the executed one, so a few blocks are not seen; 0 where blocks are executed before they are accepted, as before Helicon (health API, chain check: `lastAcceptedHeight`, minus eth_blockNumber, `result`).",
      ["chain"],
      ({ report, ids, heads }, context) => {
        const accepted = new Map(labelledChains(context, report, idsOf(ids)));
        return [...heads].map(([id, { height }]) => {
          const chain = chainLabel(context, id);
          const known = accepted.get(chain)?.height;
          return [{ chain }, known === undefined ? undefined : Math.max(0, known - height)];
        });
      },
    ),
  },
  ({ blocks }) => ({
    AvaxChainExecutionBacklog: {
      severity: "warning",
      when: { of: blocks, above: behind },
      labels: ["node", "network", "chain"],
      for: "5m",
      explainedBy: NODE_OUT,
      summary: "{{ $labels.node }} has {{ $value }} accepted blocks of {{ $labels.chain }} to execute",
      over: "{{ $labels.node }} executes the blocks of {{ $labels.chain }} in time again",
      description: "It accepts blocks faster than it executes them. Its API serves the state before these blocks.",
      meaning:
        "Since Helicon a node votes on blocks of the C-Chain before it executes them. This one does not keep up: balances and contracts in its answers are old, though it follows the chain.",
      confirm: "`avax_chain_execution_backlog_blocks` of the other nodes is near 0.",
      commands: {
        "call <node> eth_blockNumber --chain=<chain>":
          "The executed height, below `lastAcceptedHeight` in the check of the chain in `/ext/health`.",
      },
      action: "Check the machine's CPU and disk, and heavy API requests. Send users to another node until it is 0.",
      falseWhen: "The node has just finished its start and executes what it accepted meanwhile.",
    },
  }),
);
