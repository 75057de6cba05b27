import type { Alert } from "../../src/topics/define/alert.ts";

/** Series of a promtool case: name with labels → values in promtool's notation, one per minute. */
export type Series = Readonly<Record<string, string>>;

/** Promtool cases of an alert: at `at` it fires with exactly these labels for the first series, and not for the second. */
export type AlertCase = {
  readonly at: string;
  readonly fires: Series;
  readonly labels: Readonly<Record<string, string>>;
  /** When the second case is evaluated, if not at `at`. */
  readonly silentAt?: string;
  /** Absent where it always fires. */
  readonly silent?: Series;
  readonly why: string;
};
export type AlertCases = Readonly<Partial<Record<Alert["name"], AlertCase>>>;

/** Promtool case of a recording rule: the samples at `at`, by their labels in PromQL. */
export type RecordingCase = {
  readonly series: Series;
  readonly at: string;
  readonly samples: Readonly<Record<string, number>>;
};
