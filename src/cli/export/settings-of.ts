import { limitValues, written, type Assignment } from "../../config/base/alert-limit.ts";
import { inWords, type Threshold } from "../../topics/define/threshold.ts";
import type { AlertSettings } from "../../topics/all/alert-settings.ts";
import { ALERT_LIMITS, ALERTS, THRESHOLDS } from "../../topics/all/alerts.ts";
import { configured } from "../../daemon/load-settings.ts";
import type { ExitCode, System } from "../../daemon/system.ts";
import { refuse, refuseFile } from "../text/refuse.ts";
import { table } from "../text/table.ts";
import { wrapped } from "../../config/base/wrapped.ts";

type SettingFlags = { readonly set?: readonly Assignment[] | "help"; readonly "config.file"?: string };

/** The settings of `--set` over those of the configuration file; where there are none, the exit code of what was printed instead. */
export function settingsOf(
  command: string,
  { set = [], "config.file": file }: SettingFlags,
  system: System,
): { readonly settings: AlertSettings } | { readonly code: ExitCode } {
  if (set === "help") {
    system.out(settingsHelp());
    return { code: 0 };
  }
  const loaded = configured(file, system);
  if (!loaded.ok) return { code: refuseFile(system, loaded.problems) };
  const names = set.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const kept = Object.entries(loaded.loaded.config.alerts).filter(([name]) => !names.includes(name));
  const { values, problems } = limitValues([...kept.map(([name, text]) => ({ name, text })), ...set], ALERT_LIMITS);
  const problem = twice === undefined ? problems[0]?.message : `${twice} is given more than once`;
  if (problem === undefined) return { settings: values };
  return { code: refuse(system, command, `--set: ${problem}\nTry ${command} --help.`) };
}

/** The thresholds with their meaning, default and bounds: `--set=help`. */
function settingsHelp(): string {
  const rows = THRESHOLDS.map((threshold) => [threshold.limit.name, aboutOf(threshold)] as const);
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
  const alerts = ALERTS.filter(({ thresholds }) => thresholds.includes(each)).map(({ name }) => name);
  const { least, most, standard, unit } = each.limit;
  return `${alerts.join(", ")}: fires ${each.about}. ${inWords(standard, unit)} (${written(least, unit)} to ${written(most, unit)}).`;
}
