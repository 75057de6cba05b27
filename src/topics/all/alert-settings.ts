import { parseDuration } from "../../config/base/units.ts";
import type { Alert, Declared, Text } from "../define/alert.ts";
import { limitOf, promqlOf } from "../define/condition.ts";
import { written, type AlertLimit } from "../../config/base/alert-limit.ts";
import { inWords, type Threshold } from "../define/threshold.ts";

/** A week: an alert that waits longer is none. Seconds. */
const LONGEST_DURATION = 7 * 86_400;

/** What a user sets of the alerts: values by the names of limits, in their units; the others have their standard. */
export type AlertSettings = ReadonlyMap<string, number>;

/** The limit of an alert's `for`. One that fires at once can go on to do so; the text of another one names a time. */
export function durationLimit(alert: Pick<Alert, "name" | "for">): AlertLimit {
  const standard = secondsOf(alert);
  const least = standard === 0 ? 0 : 1;
  return { name: `${alert.name}.for`, unit: "seconds", standard, least, most: LONGEST_DURATION };
}

/** An alert whose expression and texts have the values of its thresholds and its duration. */
export function settled(alert: Declared, settings: AlertSettings): Alert {
  const thresholds = new Set<Threshold>();
  const words = (limit: Threshold): string => {
    thresholds.add(limit);
    return inWords(limitOf(limit, settings), limit.limit.unit);
  };
  const filled = (text: Text): string => (typeof text === "string" ? text : text(words));
  const seconds = settings.get(durationLimit(alert).name);
  const expr = promqlOf(alert.when, {
    settings,
    isPage: alert.severity === "critical",
    more: [],
    reads: (read) => typeof read === "object" && "limit" in read && thresholds.add(read),
  });
  return {
    ...alert,
    ...(seconds === undefined ? {} : { for: written(seconds, "seconds") }),
    expr,
    summary: filled(alert.summary),
    description: alert.description === undefined ? undefined : filled(alert.description),
    meaning: filled(alert.meaning),
    confirm: filled(alert.confirm),
    action: filled(alert.action),
    falsePositives: filled(alert.falsePositives),
    thresholds: [...thresholds],
    settings,
  };
}

/** How long the condition of an alert holds before it fires. Seconds. */
export function secondsOf(alert: Pick<Alert, "for">): number {
  return parseDuration(alert.for) ?? 0;
}
