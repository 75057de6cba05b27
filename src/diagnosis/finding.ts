import type { Severity } from "../catalogue/alert.ts";

/** A series that a condition is about, with its value. */
export type Evidence = {
  /** As it is written on /metrics. */
  readonly series: string;
  readonly value: number;
  /** The value in words, where its unit has some. */
  readonly words: string | undefined;
};

/** A condition of an alert that holds now. */
export type Finding = {
  readonly alert: string;
  readonly severity: Severity;
  /** How long the condition must hold before the alert fires; a Prometheus duration. */
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** What is wrong, with the figures. */
  readonly summary: string;
  readonly meaning: string;
  /** What to do. */
  readonly action: string;
  /** Address of the runbook. */
  readonly runbook: string;
  /** How it is known. Empty beyond the first findings of an alert. */
  readonly evidence: readonly Evidence[];
};

/** What is wrong at one moment. */
export type Diagnosis = {
  /** Unix seconds. */
  readonly at: number;
  /** Worst first: by severity, then by node. */
  readonly findings: readonly Finding[];
  /** All of them, those beyond the limit too. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** What each node says of its own health, where it says anything. */
  readonly claims: Readonly<Record<string, boolean>>;
  /** Conditions that were judged. */
  readonly judged: number;
  /** Alerts whose conditions need history. */
  readonly needHistory: readonly string[];
  /** Alerts that only Prometheus can judge. */
  readonly ofPrometheus: readonly string[];
  /** Conditions that could not be judged on these samples, with the reason. */
  readonly failed: ReadonlyArray<{ readonly alert: string; readonly why: string }>;
};
