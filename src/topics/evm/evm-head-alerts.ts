import type { Alerts } from "../define/alert.ts";
import { evmPauses } from "./evm-pauses.ts";
import type { Metric } from "../define/metric.ts";
import { where } from "../define/selector.ts";
import { recording } from "../define/recording.ts";
import { threshold } from "../define/threshold.ts";

/** The C-Chain of a public network makes a block every few seconds. Seconds. */
const C_STALLED = 300;
/** A chain has stopped after this many of its usual pauses, and not before ten minutes. */
const PAUSES = 2;
const STALLED = 600;

const publicStalled = threshold(
  "c-chain-stalled",
  "seconds",
  "when the newest C-Chain block of mainnet or fuji is older than this",
  { standard: C_STALLED, least: 30, most: 86_400 },
);

const stalled = threshold(
  "evm-chain-stalled",
  "seconds",
  "when the newest block of an EVM chain is older than this, and than two of its usual pauses",
  { standard: STALLED, least: 30, most: 86_400 },
);

export function evmHeadAlerts(time: Metric<never, "chain">): Alerts {
  const { newest, usual } = recordings(time);
  return {
    AvaxPublicChainStalled: {
      severity: "warning",
      expr: `time() - ${where(newest, PUBLIC)} > ${publicStalled}`,
      records: [newest],
      labels: ["network", "chain"],
      for: "2m",
      thresholds: [publicStalled],
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
      records: [newest, usual],
      labels: ["network", "chain", "subnet"],
      for: "2m",
      thresholds: [stalled],
      loses: "The chain has stopped: it accepts no transactions until its validators are brought back.",
      explainedBy: [
        {
          alert: "AvaxSubnetQuorumLost",
          equal: ["network", "subnet"],
          why: "The subnet has lost its quorum: its chains accept no blocks.",
        },
      ],
      summary: "{{ $labels.chain }} of {{ $labels.network }} is stalled: no block for {{ $value | humanizeDuration }}",
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
}

function recordings(time: Metric<never, "chain">) {
  const labels = ["network", "chain"] as const;
  return {
    newest: recording({
      name: "chain:avax_chain_head_timestamp_seconds:max",
      about: "Time of the newest block of a chain on any node of a network.",
      expr: mostOf(where(time, KNOWN_NETWORK)),
      labels,
    }),
    usual: recording({
      name: "chain:avax_chain_usual_pause_seconds:max",
      about: "Longest usual pause of an EVM chain; the C-Chain of a public network has a limit of its own.",
      expr: `topk by (job, network, chain) (1, max by (job, network, chain, subnet) (${where(usualPause, KNOWN_NETWORK)} unless ${where(usualPause, PUBLIC)}))`,
      labels: ["network", "chain", "subnet"],
    }),
  };
}

const usualPause = evmPauses.metrics.usual;
const PUBLIC = { chain: "C", network: "=~mainnet|fuji" } as const;
const KNOWN_NETWORK = { network: "!=" } as const;

/** The maximum over all nodes of a network, by chain, also where several exporters share these nodes. */
function mostOf(series: string): string {
  return `max by (job, network, chain) (${series})`;
}
