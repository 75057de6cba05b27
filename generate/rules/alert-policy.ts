import type { Alert, Severity } from "../../src/topics/define/alert.ts";
import { SEVERITY_MEANS } from "../../src/topics/all/runbook-text.ts";

/** What a severity means and where its alerts go. Durations are those of Prometheus and Alertmanager. */
export type SeverityPolicy = {
  /** What the receiver does, in words. */
  readonly means: string;
  readonly receiver: string;
  /** How long the first notification of a group waits for others, and for the alerts that explain it. */
  readonly groupWait: string;
  /** How long a notification about a new alert of the same group waits at most: for a ticket no longer than the first one, because a
   * node that begins to flap must not wait for another's ticket. */
  readonly groupInterval: string;
  /** How long a firing alert goes on before it is sent again. */
  readonly repeat: string;
};

/**
 * The policy: page, ticket, look, never sent. A page waits 45 s for others of its cause: checks, polls, scrapes and rules see nodes that
 * fail together up to that long after each other.
 */
export const POLICY: Readonly<Record<Severity, SeverityPolicy>> = {
  critical: { means: SEVERITY_MEANS.critical, receiver: "page", groupWait: "45s", groupInterval: "30s", repeat: "4h" },
  warning: { means: SEVERITY_MEANS.warning, receiver: "ticket", groupWait: "5m", groupInterval: "5m", repeat: "3d" },
  info: { means: SEVERITY_MEANS.info, receiver: "record", groupWait: "30m", groupInterval: "6h", repeat: "7d" },
  none: { means: SEVERITY_MEANS.none, receiver: "none", groupWait: "30s", groupInterval: "5m", repeat: "7d" },
};

/** The symptoms that page, with their alerts; a test requires each critical alert once. */
export const SYMPTOMS: ReadonlyArray<readonly [symptom: string, alerts: ReadonlyArray<Alert["name"]>]> = [
  ["The exporter is absent or blind", ["AvaxExporterAbsent", "AvaxExporterCannotPoll", "AvaxExporterOutOfDescriptors"]],
  ["A shard is missing", ["AvaxExporterShardMissing"]],
  [
    "A validator's node is down and no other one is connected to it; sooner where its budget is low",
    ["AvaxNodeDown", "AvaxNodeDownBudgetLow"],
  ],
  ["A crash loop uses up the downtime budget within three days", ["AvaxNodeCrashLoopBudgetLow"]],
  ["A validator is disconnected, or cut off in its own view", ["AvaxValidatorDisconnected", "AvaxNodeCutOff"]],
  ["Two machines run with one node ID", ["AvaxNodeIdDuplicated"]],
  ["A node runs with another BLS key than its validator", ["AvaxNodeBlsKeyWrong"]],
  ["A node is behind its network by more than ten minutes", ["AvaxNodeLagging"]],
  ["A chain executes none of the blocks that it has accepted", ["AvaxChainExecutionStalled"]],
  ["A node is left behind by an upgrade", ["AvaxNodeLeftBehind", "AvaxNodeBlocksUnreadable"]],
  ["An upgrade is not installed in the last day", ["AvaxNodeUpgradeNotReady"]],
  ["The other validators do not answer a node", ["AvaxNodeQueriesLost"]],
  ["The downtime budget is nearly used up", ["AvaxDowntimeBudgetLow"]],
  ["The balance of an own L1 validator lasts less than a day, or is gone", ["AvaxL1RunwayCritical"]],
  ["An own L1 validator is offline for every observer", ["AvaxL1ValidatorOffline"]],
  ["Nodes of a network have different blocks", ["AvaxChainForked"]],
  ["A quorum is lost", ["AvaxSubnetQuorumLost"]],
  ["An EVM chain is stalled for longer than it usually rests", ["AvaxEvmChainStalled"]],
  ["Another node answers at an address", ["AvaxNodeReplaced"]],
  [
    "A validator left its set before its end, or will not be renewed",
    ["AvaxValidatorGone", "AvaxValidatorRenewalLost"],
  ],
  ["A disk is full", ["AvaxNodeDiskFull"]],
];
