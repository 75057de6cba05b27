import type { Alert } from "../define/alert.ts";
import type { Recording } from "../define/recording.ts";
import { ALERTS } from "./alerts.ts";

/** The recording rules that these alerts use, without duplicates. */
export function recordingsOf(alerts: readonly Alert[]): readonly Recording[] {
  return [...new Map(alerts.flatMap(({ records = [] }) => records).map((each) => [each.name, each])).values()];
}

/** Every recording rule, in the order of the alerts that use it first. */
export const RECORDINGS = recordingsOf(ALERTS);
