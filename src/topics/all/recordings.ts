import type { Alert } from "../define/alert.ts";
import { promqlOf } from "../define/condition.ts";
import type { Recording } from "../define/recording.ts";
import { ALERTS } from "./alerts.ts";

/** The recording rules that these alerts read, without duplicates. */
export function recordingsOf(alerts: readonly Alert[]): readonly Recording[] {
  const found = new Set<Recording>();
  for (const { when, settings } of alerts)
    promqlOf(when, {
      settings,
      isPage: false,
      more: [],
      reads: (read) => typeof read === "object" && "promql" in read && found.add(read),
    });
  return [...found];
}

/** Every recording rule, in the order of the alerts that use it first. */
export const RECORDINGS = recordingsOf(ALERTS);
