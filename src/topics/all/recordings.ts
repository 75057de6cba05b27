import type { Alert } from "../define/alert.ts";
import { promqlOf, queryOf, type Read } from "../define/condition.ts";
import type { Recording } from "../define/recording.ts";
import { ALERTS } from "./alerts.ts";

/** The recording rules that these alerts read, without duplicates; those that another one reads come before it. */
export function recordingsOf(alerts: readonly Alert[]): readonly Recording[] {
  const found = new Set<Recording>();
  const reads = (read: Read): void => {
    if (typeof read === "number" || !("promql" in read)) return;
    read.promql(queryOf({ settings: new Map(), more: [], reads }));
    found.add(read);
  };
  for (const { when, settings } of alerts) promqlOf(when, { settings, isPage: false, more: [], reads });
  return [...found];
}

/** Every recording rule, in the order of the alerts that use it first. */
export const RECORDINGS = recordingsOf(ALERTS);
