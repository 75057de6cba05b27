import type { Severity } from "../catalogue/alert.ts";
import type { Status } from "../poller/poll/status.ts";

/** A series of a condition, with its value. */
export type Evidence = {
  /** As on /metrics. */
  readonly series: string;
  readonly value: number;
  /** The value as a time, duration or percentage, depending on the unit. */
  readonly words: string | undefined;
};

/** An alert whose condition is true now. */
export type Finding = {
  readonly alert: string;
  readonly severity: Severity;
  /** Time for which the condition must be true before the alert fires; a Prometheus duration. */
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly summary: string;
  readonly meaning: string;
  readonly action: string;
  /** URL. */
  readonly runbook: string;
  /** Only the first findings of an alert have evidence. */
  readonly evidence: readonly Evidence[];
};

/** The findings at one instant. */
export type Diagnosis = {
  /** Unix seconds. */
  readonly at: number;
  /** Worst first: by severity, then by node. */
  readonly findings: readonly Finding[];
  /** Counts of all findings, including those that are not listed. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** Whether each node reports itself healthy. Nodes without a health report are absent. */
  readonly claims: Readonly<Record<string, boolean>>;
  /** Number of evaluated conditions. */
  readonly judged: number;
  /** Alerts whose conditions need history. */
  readonly needHistory: readonly string[];
  /** Alerts about Prometheus's own scrapes. */
  readonly ofPrometheus: readonly string[];
  /** Alerts that could not be evaluated, with the reason. */
  readonly failed: ReadonlyArray<{ readonly alert: string; readonly why: string }>;
};

/** The input of the text report. */
export type Report = {
  readonly status: Status;
  readonly diagnosis: Diagnosis;
  /** The nodes to observe. */
  readonly nodes: ReadonlyArray<{ readonly name: string }>;
  /** Seconds that the polls took. */
  readonly took: number;
  /** Whether every endpoint was polled before the deadline. */
  readonly complete: boolean;
};
