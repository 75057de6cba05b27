import { limitValues, written, type Assignment } from "../../config/base/alert-limit.ts";
import { inWords, type Threshold } from "../../topics/define/threshold.ts";
import type { AlertSettings } from "../../topics/all/alert-settings.ts";
import { ALERT_LIMITS, ALERTS, THRESHOLDS } from "../../topics/all/alerts.ts";
import { table } from "../text/columns.ts";
import { wrapped } from "../../config/base/wrapped.ts";

/**
 * The settings of `--set` over those of a configuration file, or why they cannot be used, in a sentence.
 * @param configured the section `alerts` of the file
 */
export function chosenSettings(
  set: readonly Assignment[],
  configured: Readonly<Record<string, string>> = {},
): { readonly settings: AlertSettings } | { readonly problem: string } {
  const names = set.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return { problem: `--set: ${twice} is given more than once` };
  const kept = Object.entries(configured).filter(([name]) => !names.includes(name));
  const { values, problems } = limitValues([...kept.map(([name, text]) => ({ name, text })), ...set], ALERT_LIMITS);
  const [first] = problems;
  return first === undefined ? { settings: values } : { problem: `--set: ${first.message}` };
}

/** The thresholds with their meaning, default and bounds: `--set=help`. */
export function settingsHelp(): string {
  const rows = THRESHOLDS.map((each) => [each.limit.name, aboutOf(each)] as const);
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
  const { least, most, standard, unit } = each.limit;
  return `${alerts.join(", ")}: fires ${each.about}. ${inWords(standard, unit)} (${written(least, unit)} to ${written(most, unit)}).`;
}
