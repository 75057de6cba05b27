import type { Alert } from "../../catalogue/alert.ts";
import type { Metric } from "../../catalogue/metric.ts";
import { where } from "../../catalogue/selector.ts";
import { recording } from "../../catalogue/recording.ts";

/** The C-Chain of a public network makes a block every few seconds. Seconds. */
const C_STALLED = 300;
/** A chain with this many blocks in six hours and none in the last ten minutes has stopped. A quiet chain has fewer. */
const BUSY = 60;
const STALLED = 600;

export function evmHeadAlerts(time: Metric<never, "chain">): readonly Alert[] {
  const { newest, changes } = recordings(time);
  return [
    {
      name: "AvaxPublicChainStalled",
      severity: "critical",
      expr: `time() - ${where(newest, { chain: "C", network: "=~mainnet|fuji" })} > ${C_STALLED}`,
      records: [newest],
      for: "2m",
      summary:
        "No polled node of {{ $labels.network }} has a C-Chain block of the last {{ $value | humanizeDuration }}",
      description:
        "The youngest C-Chain block that any polled node of {{ $labels.network }} has is {{ $value | humanizeDuration }} old. Public networks make one every few seconds.",
      runbook: {
        meaning:
          "The network has stopped, or none of the polled nodes gets or accepts its blocks. One node that stands still while another moves is told by AvaxNodeStandsStill.",
        confirm:
          '`time() - avax_chain_head_timestamp_seconds{chain="C"}` of the nodes, and a public explorer: it tells whether the network makes blocks.',
        commands: [
          {
            run: `call <any-node> eth_getBlockByNumber '["latest", false]'`,
            see: "`timestamp` is the time of the youngest block in hexadecimal seconds. Compare `number` with a public explorer: it tells whether the network makes blocks.",
          },
        ],
        action:
          "The explorer moves: the nodes' peers, their disks, their version against the last upgrade, then a log. It does not: follow the announcements of the network's developers and do not restart everything at once.",
        falseWhen: "The clock of the exporter's machine is minutes ahead.",
      },
      fires: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",network="mainnet",chain="C"}': "0x20",
          'avax_chain_head_timestamp_seconds{node="b",network="mainnet",chain="C"}': "60x20",
        },
        at: "10m",
        labels: { network: "mainnet", chain: "C" },
      },
      silent: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",network="mainnet",chain="C"}': "0x20",
          'avax_chain_head_timestamp_seconds{node="b",network="mainnet",chain="C"}': "0+60x20",
          'avax_chain_head_timestamp_seconds{node="c",network="local",chain="C"}': "0x20",
        },
        at: "10m",
        why: "another node of the network has new blocks, and a private network may be quiet",
      },
    },
    {
      name: "AvaxEvmChainStalled",
      severity: "warning",
      expr: `time() - ${newest} > ${STALLED} and ${changes} > ${BUSY}`,
      records: [newest, changes],
      for: "2m",
      summary: "{{ $labels.chain }} of {{ $labels.network }} has stopped: no block for {{ $value | humanizeDuration }}",
      description:
        "{{ $labels.chain }} of {{ $labels.network }} made many blocks in the last hours, and no polled node has had one for {{ $value | humanizeDuration }}.",
      runbook: {
        meaning:
          "A chain that is in use makes no blocks any more, as all polled nodes see it: too little weight of its validators is connected, or its users went away. One node that stands still while another moves is told by AvaxNodeStandsStill.",
        confirm:
          "`avax_chain_connected_stake_ratio` and `avax_subnet_connected_weight_ratio` of the chain's validators, waiting transactions in `avax_evm_txpool_transactions`.",
        commands: [
          {
            run: `call <any-node> eth_getBlockByNumber '["latest", false]' --chain=<chain>`,
            see: "`number` does not move between two calls, on none of the nodes.",
          },
        ],
        action:
          "Transactions wait and nothing moves: bring back the validators that are not connected. Only one node is polled: its log, its version, its peers first.",
        falseWhen: "The chain's users stopped for the day: no transaction is waiting anywhere.",
      },
      fires: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",network="fuji",chain="l1"}': "0+60x70 4200x20",
        },
        at: "85m",
        labels: { network: "fuji", chain: "l1" },
      },
      silent: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",network="fuji",chain="l1"}': "0x30 1800x60",
          'avax_chain_head_timestamp_seconds{node="b",network="fuji",chain="l2"}': "0+60x70 4200x20",
          'avax_chain_head_timestamp_seconds{node="c",network="fuji",chain="l2"}': "0+60x90",
        },
        at: "85m",
        why: "one chain has always been quiet, the other stands still on one node alone",
      },
    },
  ];
}

function recordings(time: Metric<never, "chain">) {
  const labels = ["network", "chain"] as const;
  return {
    newest: recording({
      name: "chain:avax_chain_head_timestamp_seconds:max",
      about: "When the youngest block that any node of a network has of a chain was made.",
      expr: mostOf(where(time, KNOWN_NETWORK)),
      labels,
      proof: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",network="fuji",chain="C"}': "0x9",
          'avax_chain_head_timestamp_seconds{node="b",network="fuji",chain="C"}': "60x9",
        },
        at: "3m",
        samples: { '{network="fuji",chain="C"}': 60 },
      },
    }),
    changes: recording({
      name: "chain:avax_chain_head_timestamp_seconds:changes6h",
      about: "How often the head of a chain moved within 6 hours, on the node where it moved most.",
      expr: mostOf(`changes(${where(time, KNOWN_NETWORK)}[6h])`),
      labels,
      proof: {
        series: {
          'avax_chain_head_timestamp_seconds{node="a",network="fuji",chain="C"}': "0x9",
          'avax_chain_head_timestamp_seconds{node="b",network="fuji",chain="C"}': "0+60x9",
        },
        at: "5m",
        samples: { '{network="fuji",chain="C"}': 5 },
      },
    }),
  };
}

const KNOWN_NETWORK = { network: "!=" } as const;

/** The maximum over all nodes of a network, by chain, also where several exporters share these nodes. */
function mostOf(series: string): string {
  return `max by (job, network, chain) (${series})`;
}
