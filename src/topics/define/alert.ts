import type { Condition, ThresholdSettings } from "./condition.ts";
import type { Threshold } from "./threshold.ts";

/**
 * How urgent an alert is, the most urgent first. `critical` pages: act now or lose money or blocks. `warning` is a ticket: act this
 * week. `info` is for a look at the next occasion. `none` is never sent: it is a state that explains other alerts.
 */
export const SEVERITIES = ["critical", "warning", "info", "none"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** An alert that explains another one: while it fires, the other one is not sent and is listed as its consequence. */
export type Cause = {
  readonly alert: Alert["name"];
  /** Labels that both alerts carry and that must be equal. */
  readonly equal: readonly string[];
  /** Only where the explaining alert has these label values. */
  readonly sourceMatchers?: Readonly<Record<string, string>>;
  /** Only where these labels of the explained alert match; a value begins with `=~`, `!~` or `!=`, else it must be equal. */
  readonly targetMatchers?: Readonly<Record<string, string>>;
  /** A sentence. */
  readonly why: string;
  /** Its page names the explained alert's node, which is a cause itself: it holds the notification back, and a diagnosis lists both. */
  readonly namesNode?: true;
  /** Why an alert of lower severity may hold this one back, in a sentence; required where it does. */
  readonly outranked?: string;
};

/**
 * Commands of the exporter that confirm a condition at its source, and what the answer of each must show. `<…>` in the arguments is
 * a placeholder: a label of the alert, or one of the words in `src/topics/all/runbook-commands.ts`.
 */
type Commands = Readonly<Record<`${"call" | "check-config" | "doctor" | "once"} ${string}`, string>>;

/** A text of an alert, where it names limits a function of their words, such as "15 %" or "4 days". */
export type Text = string | ((words: (limit: Threshold) => string) => string);

/** What whoever gets an alert reads about it. */
export type Runbook<T = string> = {
  readonly meaning: T;
  readonly confirm: T;
  readonly commands: Commands;
  readonly action: T;
  /** Commands that act, for a shell, and what each does; with the placeholders of `commands`. */
  readonly fix?: Readonly<Record<string, string>>;
  readonly falsePositives: T;
};

/** An alert with its runbook, as it is declared; its promtool cases are in `test/rule-cases`. `summary`, `description` and `over` are Prometheus templates that use labels and the value. */
type Described<T> = Runbook<T> & {
  readonly severity: Severity;
  /** What nodes export themselves, or what compares exporters: an exporter cannot evaluate it. */
  readonly ofPrometheus?: true;
  /** Labels of its result, without those of the scrape and the names of validators and subnets; `node` and `network` where none are declared. */
  readonly labels: readonly string[];
  /** Prometheus duration; "0m" fires at once, and is what one without it has. */
  readonly for: string;
  /** What is lost by waiting until the morning, in a sentence; a critical alert has one. */
  readonly impact?: string;
  /** Why it is a ticket though it sounds like a page, in a sentence. */
  readonly noPage?: string;
  /** The alerts that explain it. */
  readonly explainedBy?: readonly Cause[];
  readonly summary: T;
  /** What the operator needs besides the title, where there is such a thing. */
  readonly description?: T | undefined;
  /**
   * The title once it is resolved, from its labels alone: what is well again. `avax.tmpl` puts the subject of the alert before one that
   * begins with a small letter.
   */
  readonly over?: string;
};

export type Declared = Described<Text> & { readonly name: `Avax${string}`; readonly when: Condition };

/** An alert with the values of its limits in its texts (`settled`). */
export type Alert = Described<string> & {
  readonly name: `Avax${string}`;
  readonly when: Condition;
  /** The condition as PromQL. */
  readonly expr: string;
  /** The limits that a user may change: those of the condition and of its texts. */
  readonly thresholds: readonly Threshold[];
  /** The values that are set. */
  readonly settings: ThresholdSettings;
};

/** What most alerts are: about one polled node, and firing at once. */
const USUAL = { labels: ["node", "network"], for: "0m" } as const satisfies Partial<Alert>;

/** Alerts as they are declared: by name. */
export type Alerts = Readonly<
  Record<Alert["name"], Omit<Declared, "name" | keyof typeof USUAL> & Partial<Pick<Declared, keyof typeof USUAL>>>
>;

export function alertsOf(declared: Alerts): readonly Declared[] {
  return Object.entries(declared).map(([name, alert]) => ({ ...USUAL, name: name as Alert["name"], ...alert }));
}

/** Whether an alert is about a validator, and gets a name. */
export function isOfValidator({ labels }: Pick<Declared, "labels">): boolean {
  return labels.includes("node_id") && labels.includes("network") && !labels.includes("node");
}
