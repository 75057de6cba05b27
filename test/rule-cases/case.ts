import type { Alert } from "../../src/topics/define/alert.ts";

/** Series of a promtool case: name with labels → values in promtool's notation, one per minute. */
export type Series = Readonly<Record<string, string>>;

/** Promtool cases of an alert: it fires with exactly these labels for the first series, and not for the second. */
export type AlertCase = {
  /** When the cases are evaluated: two minutes after the alert's `for`, if it is not given. */
  readonly at: string;
  readonly fires: Series;
  /** Those of the first series that the alert has, if they are not given. */
  readonly labels: Readonly<Record<string, string>>;
  /** When the second case is evaluated, if not at `at`. */
  readonly silentAt?: string;
  /** Absent where it always fires. */
  readonly silent?: Series;
  readonly why: string;
};
export type AlertCases = Readonly<
  Partial<Record<Alert["name"], Omit<AlertCase, "at" | "labels"> & Partial<Pick<AlertCase, "at" | "labels">>>>
>;

/** Promtool case of a recording rule: the samples at `at`, or after three minutes, by their labels in PromQL. */
export type RecordingCase = {
  readonly series: Series;
  readonly at?: string;
  readonly samples: Readonly<Record<string, number>>;
};
