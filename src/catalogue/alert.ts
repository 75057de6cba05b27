import type { Recording, Series } from "./recording.ts";

/** How urgent an alert is: critical pages a person, warning is for the same day, info is kept for the record. */
export type Severity = "critical" | "warning" | "info";

/** A command of the exporter that confirms a condition at its source, and what its answer must show. */
export type Command = {
  /**
   * Arguments of `avax-exporter`. `<…>` is a placeholder: a label of the alert, or one of the words in
   * `src/generate/runbook-commands.ts`.
   */
  readonly run: `${"call" | "check-config" | "doctor" | "once"} ${string}`;
  readonly see: string;
};

/** An alert with its runbook and its promtool cases. `summary` and `description` are Prometheus templates. */
export type Alert = {
  readonly name: `Avax${string}`;
  readonly severity: Severity;
  readonly expr: string;
  /** The recording rules that the expression names. */
  readonly records?: readonly Recording[];
  /** It compares exporters with each other or is about the scrape job, so an exporter cannot evaluate it. */
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
  /** Promtool cases: at `at` the first fires with exactly these labels, the second does not fire. */
  readonly fires: { readonly series: Series; readonly at: string; readonly labels: Readonly<Record<string, string>> };
  readonly silent: { readonly series: Series; readonly at: string; readonly why: string };
};
