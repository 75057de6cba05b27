import type { Recording, Series } from "./recording.ts";

/** How soon a person must look: critical wakes somebody, warning is for today, info is for the record. */
export type Severity = "critical" | "warning" | "info";

/** A command of ours by which a condition is confirmed at the source, and what to look for in its answer. */
export type Command = {
  /**
   * The words behind `avax-exporter`. `<…>` is filled in by the reader: a label of the alert, or one of the words that the
   * runbooks explain (`src/generate/runbook-commands.ts`).
   */
  readonly run: `${"call" | "check-config" | "doctor" | "once"} ${string}`;
  readonly see: string;
};

/** An alert with its runbook and its proof. `summary` and `description` are Prometheus templates in plain words with the figures in them. */
export type Alert = {
  /** CamelCase with the prefix `Avax`. */
  readonly name: `Avax${string}`;
  readonly severity: Severity;
  readonly expr: string;
  /** The recording rules that the expression names. */
  readonly records?: readonly Recording[];
  /** It compares exporters with each other, so that none of them can judge it by what it knows itself. */
  readonly ofPrometheus?: true;
  /** Prometheus duration; "0m" fires at once. */
  readonly for: string;
  readonly summary: string;
  readonly description: string;
  readonly runbook: {
    readonly meaning: string;
    readonly confirm: string;
    readonly commands: readonly [Command, ...Command[]];
    readonly action: string;
    readonly falseWhen: string;
  };
  /** Proof: at `at`, the first fires with exactly these labels, the second does not. */
  readonly fires: { readonly series: Series; readonly at: string; readonly labels: Readonly<Record<string, string>> };
  readonly silent: { readonly series: Series; readonly at: string; readonly why: string };
};
