import type { Alert } from "../define/alert.ts";
import type { Recording } from "../define/recording.ts";
import { ALERTS } from "./alerts.ts";

/** The recording rules that these alerts use, without duplicates, each after those that it reads. */
export function recordingsOf(alerts: readonly Alert[]): readonly Recording[] {
  const all = alerts.flatMap(({ records = [] }) => records).flatMap(withRead);
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

const withRead = (each: Recording): readonly Recording[] => [...(each.reads ?? []).flatMap(withRead), each];

/** Every recording rule, in the order of the alerts that use it first. */
export const RECORDINGS = recordingsOf(ALERTS);
