import type { Alert } from "../define/alert.ts";
import { recordedIn, type Recording } from "../define/recording.ts";
import { ALERTS } from "./alerts.ts";

/** The recording rules that these alerts use, without duplicates, each after those that it reads. */
export function recordingsOf(alerts: readonly Alert[]): readonly Recording[] {
  return [...new Set(alerts.flatMap(({ expr }) => recordedIn(expr)).flatMap(withRead))];
}

const withRead = (each: Recording): readonly Recording[] => [...recordedIn(each.expr).flatMap(withRead), each];

/** Every recording rule, in the order of the alerts that use it first. */
export const RECORDINGS = recordingsOf(ALERTS);
