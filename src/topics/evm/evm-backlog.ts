import { EvmHead } from "../../api/node/evm-head.ts";
import { Health } from "../../api/node/health.ts";
import { chainIds, checkLabel, idsOf } from "../checked-chains.ts";
import { NODE_OUT } from "../define/causes.ts";
import { gauges } from "../define/metric.ts";
import { threshold } from "../define/threshold.ts";
import { topic } from "../define/topic.ts";
import { chainLabel } from "../labels.ts";
import { chainsOf } from "../node/health-messages.ts";

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
        const accepted = new Map(
          chainsOf(report).map(({ check, height }) => [checkLabel(context, idsOf(ids), check), height]),
        );
        return [...heads].map(([id, { height }]) => {
          const chain = chainLabel(context, id);
          const known = accepted.get(chain);
          return [{ chain }, known === undefined ? undefined : Math.max(0, known - height)];
        });
      },
    ),
  },
  ({ blocks }) => ({
    AvaxChainExecutionBacklog: {
      severity: "warning",
      expr: `${blocks} > ${behind}`,
      labels: ["node", "network", "chain"],
      for: "5m",
      explainedBy: NODE_OUT,
      summary: "{{ $labels.node }} has {{ $value }} accepted blocks of {{ $labels.chain }} to execute",
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
