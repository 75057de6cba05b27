import type { Cause } from "./alert.ts";

/**
 * Causes that explain many alerts. A page is held back by other pages alone: Alertmanager sends no resolution of what is held
 * back, and a node is often restarted to end a page. Where a restart would cause a page, its expression leaves the node out.
 */

/** Labels of one polled node; two exporters of it give one alert, without `instance`. */
export const SAME_NODE = ["job", "node"] as const;
/** Labels of the polled node that a validator is; the alerts about validators cover all exporters. */
export const SAME_VALIDATOR_NODE = ["network", "node"] as const;

/** A cause at the node of the alert. */
export const atNode = (alert: Cause["alert"], why: string, outranked?: string): Cause => ({
  alert,
  equal: SAME_NODE,
  why,
  ...(outranked === undefined ? {} : { outranked }),
});

/** The same causes at the polled node that the validator of the alert is. */
export const atValidator = (...causes: readonly Cause[]): readonly Cause[] =>
  causes.map((cause) => ({ ...cause, equal: SAME_VALIDATOR_NODE }));

/** Another node answers at the address of the node of the alert. */
export const REPLACED = atNode(
  "AvaxNodeReplaced",
  "Another node answers at the address, which is not the configured one.",
);

const DOWN = [
  atNode("AvaxNodeDown", "The node does not answer."),
  atNode("AvaxNodeDownBudgetLow", "The node does not answer, and its downtime budget is low."),
  REPLACED,
  atNode(
    "AvaxNodeRestarting",
    "The node restarts: it was down within the last ten minutes.",
    "It ends ten minutes after the node answers again, and AvaxNodeDown pages for a node that stays down.",
  ),
];

/** The node of the alert does not answer, or has just returned. */
export const NODE_AWAY: readonly Cause[] = [
  ...DOWN,
  atNode("AvaxValidatorApiDown", "The node does not answer.", "A node that does not answer has no current values."),
  atNode("AvaxApiNodeDown", "The node does not answer.", "A node that does not answer has no current values."),
];

/** The polled node that is the validator of the alert does not answer, or has just returned. */
export const VALIDATOR_AWAY = atValidator(...DOWN);

/** The node of the alert has another BLS key than its validator: its peers drop it. */
export const WRONG_KEY: Cause = {
  alert: "AvaxNodeBlsKeyWrong",
  sourceMatchers: { subnet: "primary" },
  equal: SAME_NODE,
  why: "Peers drop a node that has another BLS key than the registered one.",
};

/** Another machine runs with the node ID of the node of the alert. */
export const DUPLICATED = atNode(
  "AvaxNodeIdDuplicated",
  "Two machines with this node ID share the peers between them.",
);

/** The same, of the polled node that the validator of the alert is. */
export const DUPLICATED_VALIDATOR: Cause = { ...DUPLICATED, equal: SAME_VALIDATOR_NODE };

/** The node of the alert is bootstrapping the Primary Network. */
const BOOTSTRAPPING = atNode(
  "AvaxNodeBootstrapping",
  "The node is bootstrapping: most of its APIs are not ready.",
  "A bootstrapping node follows no chain yet. AvaxChainNotBootstrapped is a ticket after an hour.",
);

/** The node of the alert has lost its connection to the network. */
export const CUT_OFF = atNode("AvaxNodeCutOff", "The node has lost most of its connections to the network.");

/** The node of the alert follows other rules than the network since an upgrade. */
export const LEFT_BEHIND = atNode("AvaxNodeLeftBehind", "The node missed an upgrade and rejects the network's blocks.");

/** The node of the alert accepts blocks that it does not execute, and then none. */
export const EXECUTOR_STALLED = atNode(
  "AvaxChainExecutionStalled",
  "The node executes no block, and so accepts no further ones.",
);

/** The disk of the node of the alert is full. */
export const DISK_FULL = atNode("AvaxNodeDiskFull", "The node stops itself when its disk is full.");

/**
 * Everything that breaks the node of the alert. Bootstrapping does not: its peers stay connected and its checks pass, or it is
 * stuck, for which nothing else is sent within the hour.
 */
export const NODE_BROKEN: readonly Cause[] = [...NODE_AWAY, WRONG_KEY, DUPLICATED, CUT_OFF, LEFT_BEHIND, DISK_FULL];

/** What keeps the polled node that the validator of the alert is from the network, though it answers. */
export const VALIDATOR_CUT_OFF = atValidator(REPLACED, WRONG_KEY, DUPLICATED, CUT_OFF, LEFT_BEHIND, DISK_FULL);

/** Everything that takes a node of the alert out of service. */
export const NODE_OUT: readonly Cause[] = [...NODE_BROKEN, BOOTSTRAPPING];

/** The Primary Network of the alert has lost its quorum. */
export const NETWORK_HALTED: Cause = {
  alert: "AvaxSubnetQuorumLost",
  sourceMatchers: { subnet: "primary" },
  equal: ["network"],
  why: "The Primary Network has lost its quorum: no node accepts blocks.",
};

/** The network of the alert has no usable reference node. */
export const WITHOUT_REFERENCE_NODE: Cause = {
  alert: "AvaxNetworkWithoutReferenceNode",
  equal: ["job", "network"],
  why: "The network has no usable reference node: its facts are old.",
};

/** The validator that the node of the alert is has lost its connections. */
export const DISCONNECTED: Cause = {
  alert: "AvaxValidatorDisconnected",
  equal: SAME_VALIDATOR_NODE,
  why: "The validator has lost its connections.",
};

/** The exporter reaches none of its nodes, nor does another one of the same nodes. */
export const NONE_REACHED: Cause = {
  alert: "AvaxExporterCannotPoll",
  equal: ["job", "shard"],
  why: "The exporter reaches none of its nodes. The cause need not be the nodes.",
};

/** The exporter of the alert has more polls than it can do: it polls late and skips some. */
export const EXPORTER_OVERLOADED: Cause = {
  alert: "AvaxExporterOverloaded",
  equal: ["job"],
  why: "The exporter is overloaded: it polls late and skips polls.",
};

/** Polls that read blocks fail while the exporter's clock is five minutes behind: their times are later than the answer (`src/api/is-late.ts`). */
export const LATE_BLOCKS: readonly Cause[] = (
  [
    ["AvaxExporterClockWrong", ["job"]],
    // Of a single node it is unknown which of the two clocks is wrong.
    ["AvaxNodeClockWrong", SAME_NODE],
  ] as const
).map(([alert, equal]) => ({
  ...{ alert, equal, targetMatchers: { api_endpoint: "=~evm.+|platform.get[BTV].+" } },
  why: "The exporter's clock is behind: it refuses blocks that are dated in its future.",
}));
