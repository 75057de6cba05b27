import type { Alerts } from "../define/alert.ts";
import {
  CUT_OFF,
  DISCONNECTED,
  DUPLICATED,
  EXECUTOR_STALLED,
  LEFT_BEHIND,
  REPLACED,
  WRONG_KEY,
} from "../define/causes.ts";
import { lag, LAGGING_FOR } from "../chains/lag.ts";
import { threshold } from "../define/threshold.ts";

const behind = threshold("lag", "seconds", "when a node lacks a block that another one has had for longer than this", {
  standard: LAGGING_FOR,
  least: 30,
  most: 86_400,
});

const { behindFor, unconfirmed } = lag.metrics;

/** A node that does not follow a chain, by time. */
export const LAG_ALERTS: Alerts = {
  AvaxNodeLagging: {
    severity: "critical",
    when: { of: behindFor, above: behind },
    for: "2m",
    impact: "A validator that does not follow its chains does not vote; a stalled node serves old data.",
    explainedBy: [
      ...[REPLACED, WRONG_KEY, DUPLICATED, CUT_OFF, LEFT_BEHIND, EXECUTOR_STALLED, DISCONNECTED],
      { alert: "AvaxNodeBlocksUnreadable", equal: ["node"], why: "The node cannot read the blocks of its network." },
    ],
    summary: "{{ $labels.node }} is {{ $value | humanizeDuration }} behind its network",
    over: "keeps up with its network again",
    description: "The status page names the chain.",
    meaning: (words) =>
      `Another node accepted the next block of a chain more than ${words(behind)} ago. The node is stalled, or it follows too slowly. It can still report itself healthy.`,
    confirm:
      "`avax_chain_behind_since_timestamp_seconds` is constant on a stalled chain, and moves on one that follows too slowly. Compare `avax_chain_height` of the nodes, and their versions and upgrade times (`info.getNodeVersion`, `info.upgrades`).",
    commands: {
      "call <node> platform.getHeight":
        "Does not rise between two calls; for an EVM chain call `eth_blockNumber` with `--chain=<name>`.",
      "call <any-node> platform.getHeight": "A higher height, which rises with each call.",
    },
    action: "Rising: check disk, CPU. Stalled: peers, version, upgrade. Forked off: upgrade, resync.",
    falsePositives: (words) =>
      `No known false positives: another node has a block that this one has not accepted for ${words(behind)}.`,
  },
  AvaxNodeHeightUnconfirmed: {
    severity: "warning",
    when: { of: unconfirmed, above: 0 },
    labels: ["node", "network", "chain"],
    for: "5m",
    explainedBy: [REPLACED],
    summary: "{{ $labels.node }} reports a height of {{ $labels.chain }} that no other has",
    over: "agrees with other nodes on {{ $labels.chain }}",
    description: 'It is {{ $value | printf "%.0f" }} blocks above all others.',
    meaning:
      "Its height jumped beyond what time allows, or it stands far above nodes that move side by side. The node is on another chain, a proxy mixes the answers of several networks, or its database is broken. Comparisons leave it out.",
    confirm:
      "`avax_chain_height` of all nodes. If the other nodes stand still and an explorer shows the higher height, this node is right: then they are stalled.",
    commands: {
      "call <node> platform.getHeight":
        "The height, of the P-Chain. For an EVM chain call `eth_blockNumber` with `--chain=<name>`.",
      "call <any-node> platform.getHeight": "The height of the other nodes, and whether it rises.",
    },
    action: "Compare network ID, version and proxy of the node. If it has forked off, resync it from scratch.",
    falsePositives: "It has caught up within seconds while all other nodes are still far behind.",
  },
};
