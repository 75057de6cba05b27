import type { Alert } from "../../catalogue/alert.ts";
import { inWords, written, type Threshold, type ThresholdUnit } from "../../catalogue/threshold.ts";
import { parseDuration } from "../../config/base/units.ts";
import { didYouMean, quoted } from "../../config/base/words.ts";
import { secondsOf, type AlertSettings } from "../../definitions/alert-settings.ts";
import { ALERTS, THRESHOLDS } from "../../definitions/alerts.ts";
import { table, wrapped } from "../text/columns.ts";

/** A value of a name, as it is written. */
export type Assignment = { readonly name: string; readonly text: string };

/** A week: an alert that waits longer is none. Seconds. */
const LONGEST_DURATION = 7 * 86_400;
const DURATION_ENDING = ".for";

/** A value that `--set` can have. */
type Limit = Pick<Threshold, "name" | "unit" | "standard" | "least" | "most">;

/** The settings of `--set`, or why they cannot be used, in a sentence. */
export function settingsOf(assignments: readonly Assignment[]): AlertSettings | { readonly problem: string } {
  const thresholds = new Map<string, number>();
  const durations = new Map<string, number>();
  for (const { name, text } of assignments) {
    const limit = limitOf(name);
    if (limit === undefined) return { problem: `--set: unknown threshold ${quoted(name)}${hintFor(name)}` };
    const value = valueOf(text, limit.unit);
    if (value === undefined || value < limit.least || value > limit.most)
      return { problem: `--set: ${name} is ${quoted(text)}, not ${rangeOf(limit)}` };
    const target = name.endsWith(DURATION_ENDING) ? durations : thresholds;
    const key = name.endsWith(DURATION_ENDING) ? name.slice(0, -DURATION_ENDING.length) : name;
    if (target.has(key)) return { problem: `--set: ${name} is given more than once` };
    target.set(key, value);
  }
  const wrong = THRESHOLDS.find((each) => !isBelow(each, thresholds));
  return wrong === undefined ? { thresholds, durations } : { problem: orderProblem(wrong, thresholds) };
}

function limitOf(name: string): Limit | undefined {
  const alert = ALERTS.find((each) => `${each.name}${DURATION_ENDING}` === name);
  return alert === undefined ? THRESHOLDS.find((each) => each.name === name) : durationLimit(alert);
}

/** An alert that fires at once can go on to do so; the text of another one names a time. */
function durationLimit(alert: Alert): Limit {
  const standard = secondsOf(alert);
  const name = `${alert.name}${DURATION_ENDING}`;
  return { name, unit: "seconds", standard, least: standard === 0 ? 0 : 1, most: LONGEST_DURATION };
}

function hintFor(name: string): string {
  const names = [...THRESHOLDS.map((each) => each.name), ...ALERTS.map((each) => `${each.name}${DURATION_ENDING}`)];
  return didYouMean(name, names) || "; --set=help lists them";
}

function valueOf(text: string, unit: ThresholdUnit): number | undefined {
  if (unit === "seconds") {
    const seconds = parseDuration(text);
    return seconds === undefined || !Number.isInteger(seconds) ? undefined : seconds;
  }
  const [, digits, percent] = /^(\d{1,6}(?:\.\d{1,6})?)(%?)$/.exec(text) ?? [];
  if (digits === undefined || (percent === "%" && unit !== "share")) return undefined;
  const value = Number(digits);
  if (unit === "number") return Number.isInteger(value) ? value : undefined;
  return percent === "%" ? Number((value / 100).toPrecision(12)) : value;
}

const KINDS: Readonly<Record<ThresholdUnit, string>> = {
  share: "a share",
  seconds: "a duration in whole seconds",
  number: "a number",
};

function rangeOf({ unit, least, most }: Limit): string {
  return `${KINDS[unit]} from ${written(least, unit)} to ${written(most, unit)}`;
}

function isBelow(each: Threshold, values: ReadonlyMap<string, number>): boolean {
  const other = THRESHOLDS.find(({ name }) => name === each.below);
  return other === undefined || currentOf(each, values) < currentOf(other, values);
}

function currentOf({ name, standard }: Threshold, values: ReadonlyMap<string, number>): number {
  return values.get(name) ?? standard;
}

function orderProblem(each: Threshold, values: ReadonlyMap<string, number>): string {
  const other = THRESHOLDS.find(({ name }) => name === each.below) ?? each;
  const text = (of: Threshold): string => `${of.name} (${written(currentOf(of, values), of.unit)})`;
  return `--set: ${text(each)} must be less than ${text(other)}`;
}

/** The thresholds with their meaning, default and bounds: `--set=help`. */
export function settingsHelp(): string {
  const rows = THRESHOLDS.map((each) => [each.name, aboutOf(each)] as const);
  return [
    "Thresholds, each as --set=NAME=VALUE:",
    "",
    ...table(rows),
    "",
    ...wrapped(
      "Every alert also has NAME.for, the time for which its condition holds before it fires, such as --set=AvaxNodeDown.for=15m.",
      "",
    ),
    "",
  ].join("\n");
}

function aboutOf(each: Threshold): string {
  const alerts = ALERTS.filter(({ thresholds = [] }) => thresholds.includes(each)).map(({ name }) => name);
  const { least, most, standard, unit } = each;
  return `${alerts.join(", ")}: fires ${each.about}. ${inWords(standard, unit)} (${written(least, unit)} to ${written(most, unit)}).`;
}
