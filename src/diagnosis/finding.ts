import type { Severity } from "../topics/define/alert.ts";
import type { Evidence } from "./evidence.ts";
import type { UnknownName } from "../poller/node/unknown-name.ts";
import type { Status } from "../poller/poll/status.ts";

/** An alert whose condition is true now. */
export type Finding = {
  readonly alert: string;
  readonly severity: Severity;
  /** Time for which the condition must be true before the alert fires; a Prometheus duration. */
  readonly for: string;
  /** `pending` until the condition has been true for `for`. Where only one instant is known, every finding is `firing`. */
  readonly state: "firing" | "pending";
  /** Since when the condition is true, as this exporter observed it; absent where only one instant is known. Unix seconds. */
  readonly since?: number | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** The polled node that it is about: by the label `node`, else by `node_id`. Absent for a network, a service or another validator. */
  readonly node?: string | undefined;
  readonly value: number;
  readonly summary: string;
  readonly meaning: string;
  readonly action: string;
  /** URL. */
  readonly runbook: string;
  /** Path of the runbook on this exporter. */
  readonly runbookPath: string;
  /** Only the first findings of an alert have evidence. */
  readonly evidence: readonly Evidence[];
};

/** A finding that another one explains. */
export type Consequence = Finding & {
  /** Name of the alert that explains it: that of the problem, or of another consequence of the problem. */
  readonly explainedBy: string;
  /** A sentence. */
  readonly why: string;
};

/** A finding that no other one explains, with everything that follows from it. */
export type Problem = Finding & {
  /** Worst first: by severity, then by node. */
  readonly consequences: readonly Consequence[];
  /** Number of all consequences, including those that are not listed. */
  readonly consequenceCount: number;
};

/** The severities by which problems are counted. */
export const COUNTED = ["critical", "warning", "info"] as const satisfies readonly Severity[];
type Counted = (typeof COUNTED)[number];

/** Numbers of firing problems by severity, of their consequences, and of pending problems with theirs. */
export type ProblemCounts = Readonly<Record<Counted | "pending" | "consequences", number>>;

/** The severity by which a problem is counted. A state such as bootstrapping is info, whatever follows from it. */
export function countedAs(severity: Severity): Counted {
  return severity === "none" ? "info" : severity;
}

/** The severity as a word: one without a notification is a state. */
export function severityWord(severity: Severity): string {
  return severity === "none" ? "state" : severity;
}

/** The node of a finding, otherwise its network, otherwise "". */
export function subjectOf({ node, labels }: Pick<Finding, "labels" | "node">): string {
  return node ?? labels["node"] ?? labels["network"] ?? "";
}

/** What the samples show about a polled node. What is unknown is absent. */
export type NodeOverview = {
  /** As the node reports it, such as `avalanchego/1.15.0`. */
  readonly version?: string | undefined;
  /** Of the chain that is behind for the longest time, else by the most blocks. Blocks are 0 on a node that keeps up. */
  readonly lag?: Lag | undefined;
  readonly peers?: number | undefined;
  /** Downtime that its validator has left before its reward is lost, in seconds; the median of the observers, negative when it is lost. */
  readonly downtimeLeft?: number | undefined;
  /** Uptime that the network observes of its validator, 0 to 1; the median by stake. */
  readonly uptime?: number | undefined;
  /** Uptime that the reward requires, 0 to 1. */
  readonly required?: number | undefined;
  /** Whether the node is a watched validator. */
  readonly validator?: true | undefined;
};

export type Lag = {
  readonly chain: string;
  readonly blocks: number;
  /** Unix seconds; absent while the node keeps up. */
  readonly since?: number | undefined;
};

/** The problems at one instant. */
export type Diagnosis = {
  /** Unix seconds. */
  readonly at: number;
  /** Worst first: firing before pending, by severity, then by node. States come last. */
  readonly problems: readonly Problem[];
  /** Counts of all problems, including those that are not listed. */
  readonly counts: ProblemCounts;
  /** The same by node. Nodes without problems and consequences are absent. */
  readonly byNode: Readonly<Record<string, ProblemCounts>>;
  /** Whether each node reports itself healthy. Nodes without a health report are absent. */
  readonly claims: Readonly<Record<string, boolean>>;
  /** What the samples show about each configured node. */
  readonly overview: Readonly<Record<string, NodeOverview>>;
  /** Configured names of subnets by their IDs. */
  readonly subnetNames: Readonly<Record<string, string>>;
  /** What 30 days of an L1 validator cost by network, in AVAX. */
  readonly topUps: Readonly<Record<string, number>>;
  /** Number of evaluated conditions. */
  readonly judged: number;
  /** Alerts that Prometheus alone can judge, because they need the past or what it scrapes elsewhere. */
  readonly ofPrometheus: readonly string[];
  /** Alerts whose title could not be rendered, with the reason. */
  readonly failed: ReadonlyArray<{ readonly alert: string; readonly why: string }>;
};

/** The input of the text report. */
export type DiagnosisReport = {
  readonly status: Status;
  readonly diagnosis: Diagnosis;
  /** The nodes to observe. */
  readonly nodes: ReadonlyArray<{ readonly name: string }>;
  /** Seconds that the polls took. */
  readonly took: number;
  /** Whether every endpoint was polled before the deadline. */
  readonly complete: boolean;
  /** What the nodes send that this release does not know. */
  readonly unknown: readonly UnknownName[];
};
