import { parseDuration } from "../../config/base/units.ts";
import type { Alert } from "../define/alert.ts";
import { written, type AlertLimit } from "../../config/base/alert-limit.ts";
import { durationInWords, withThresholds, type Threshold, type ThresholdValues } from "../define/threshold.ts";

/** A week: an alert that waits longer is none. Seconds. */
const LONGEST_DURATION = 7 * 86_400;
const DURATION_ENDING = ".for";

/** What a user sets of the alerts; the rest has its standard. */
export type AlertSettings = {
  readonly thresholds: ThresholdValues;
  /** How long the condition of an alert holds before it fires, by the name of the alert. Seconds. */
  readonly durations: ReadonlyMap<string, number>;
};

export const STANDARD: AlertSettings = { thresholds: new Map(), durations: new Map() };

/** The settings of values by the names of limits, in the units of the limits. */
export function settingsOf(values: ReadonlyMap<string, number>): AlertSettings {
  const isDuration = ([name]: readonly [string, number]): boolean => name.endsWith(DURATION_ENDING);
  const all = [...values];
  return {
    thresholds: new Map(all.filter((each) => !isDuration(each))),
    durations: new Map(all.filter(isDuration).map(([name, value]) => [name.slice(0, -DURATION_ENDING.length), value])),
  };
}

/** The limit of an alert's `for`. One that fires at once can go on to do so; the text of another one names a time. */
export function durationLimit(alert: Pick<Alert, "name" | "for">): AlertLimit {
  const standard = secondsOf(alert);
  const name = `${alert.name}${DURATION_ENDING}`;
  return { name, unit: "seconds", standard, least: standard === 0 ? 0 : 1, most: LONGEST_DURATION };
}

/** The thresholds of these alerts, without duplicates, in their order. */
export function thresholdsOf(alerts: readonly Alert[]): readonly Threshold[] {
  return [...new Set(alerts.flatMap(({ thresholds = [] }) => thresholds))];
}

/** An alert whose expression and texts have the values of its thresholds and its duration. */
export function settled(alert: Alert, thresholds: readonly Threshold[], settings: AlertSettings): Alert {
  const filled = (text: string): string => withThresholds(text, thresholds, settings.thresholds);
  const seconds = settings.durations.get(alert.name);
  return withDuration(
    {
      ...alert,
      expr: filled(alert.expr),
      summary: filled(alert.summary),
      description: filled(alert.description),
      meaning: filled(alert.meaning),
      confirm: filled(alert.confirm),
      action: filled(alert.action),
      falseWhen: filled(alert.falseWhen),
    },
    seconds,
  );
}

/** The alert with another duration, in its description too: a test requires that a description with a duration begins it with "for". */
function withDuration(alert: Alert, seconds: number | undefined): Alert {
  if (seconds === undefined) return alert;
  const before = durationInWords(secondsOf(alert));
  const description = alert.description.replaceAll(
    new RegExp(`\\b([Ff]or) ${before}\\b`, "g"),
    (_all, word: string) => `${word} ${durationInWords(seconds)}`,
  );
  return { ...alert, for: written(seconds, "seconds"), description };
}

/** How long the condition of an alert holds before it fires. Seconds. */
export function secondsOf(alert: Pick<Alert, "for">): number {
  return parseDuration(alert.for) ?? 0;
}
