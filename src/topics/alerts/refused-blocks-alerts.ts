import { counted } from "../define/counted.ts";
import type { Alerts } from "../define/alert.ts";
import { EXECUTOR_STALLED, LEFT_BEHIND, NODE_OUT } from "../define/causes.ts";
import { NATIVE_FAMILIES as own } from "../node/native-families.ts";
import { byChain, byName, OF_NODE } from "./native-alerts.ts";

/**
 * Blocks that a node gets from its peers again and again, and cannot read or verify: what it knows itself of being left behind, for
 * an operator with one node, who has nobody to compare with.
 */

/** A second. A node that follows other rules than its network cannot read 30, and one in good order reads all. */
const UNREAD = 1;
/** A second. A node whose executor stands cannot verify 30, and one whose peers restart some 500 at once. */
const UNVERIFIED = 5;

const COMMANDS = {
  "call <node> info.upgrades": "Its schedule. Compare it with the announcement of the last upgrade.",
  "call <node> info.getNodeVersion": "The release, and that of the chain's VM.",
};

export const REFUSED_BLOCKS_ALERTS: Alerts = {
  AvaxNodeBlocksUnreadable: {
    severity: "critical",
    ofPrometheus: true,
    when: { promql: ({ series }) => `${byChain(`rate(${series(own.unreadBlocks, OF_NODE)}[2m])`)} > ${UNREAD}` },
    labels: ["node", "network", "chain"],
    for: "2m",
    impact: "A node that cannot read the blocks of its network accepts none: a validator does not vote.",
    explainedBy: byName(LEFT_BEHIND),
    summary: "{{ $labels.node }} cannot read blocks of {{ $labels.chain }}: upgrade missed",
    over: "reads the blocks of {{ $labels.chain }} again",
    description: "It can still report itself healthy.",
    meaning:
      "Its peers send blocks in a format that it does not know, from the first minute after an upgrade that its release or its upgrade file lacks. By its own metrics alone: no other node is needed.",
    confirm: "The heights of P and C stand. The panel Refused blocks shows 0 on other nodes.",
    commands: COMMANDS,
    action: "Install the release with the upgrade, and restart. The node catches up by itself: do not resync.",
    falsePositives: "No known false positives: nodes in good order read every block.",
  },
  AvaxNodeBlocksUnverified: {
    severity: "warning",
    ofPrometheus: true,
    when: {
      promql: ({ series }) => `${byChain(`rate(${series(own.unverifiedBlocks, OF_NODE)}[2m])`)} > ${UNVERIFIED}`,
    },
    labels: ["node", "network", "chain"],
    for: "5m",
    explainedBy: [{ ...EXECUTOR_STALLED, equal: ["node", "chain"] }, ...byName(...NODE_OUT)],
    summary: `{{ $labels.node }} cannot verify ${counted("block")} a second of {{ $labels.chain }}`,
    over: "verifies the blocks of {{ $labels.chain }} again",
    meaning:
      "Since Helicon a node verifies a block of the C-Chain only while its execution is less than some seconds behind: the part that executes blocks stands or is far too slow. On other chains its rules differ from those of the proposers.",
    confirm: "The row Execution of the dashboard Node: the queue stays at 3, and the executed height does not rise.",
    commands: COMMANDS,
    action: "Read the log of the chain, check CPU and disk, and restart the node.",
    falsePositives: "Many validators restart at once, for longer than five minutes.",
  },
};
