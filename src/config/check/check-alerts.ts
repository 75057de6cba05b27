import { limitValues, type AlertLimit } from "../base/alert-limit.ts";
import { complain, isComplained, isRecord, valueAt, type Findings } from "../base/tree.ts";
import { quotedAsWritten } from "../base/words.ts";

/** Checks the names, values and order of the thresholds in the section `alerts`. */
export function checkAlerts(root: unknown, limits: readonly AlertLimit[], findings: Findings): void {
  const section = valueAt(root, ["alerts"]);
  if (!isRecord(section)) return;
  const assignments = Object.entries(section)
    .filter(([name]) => !isComplained(findings, ["alerts", name]))
    .map(([name, value]) => ({
      name,
      text: String(value),
      shown:
        typeof value === "number" ? `the number ${value}` : quotedAsWritten(findings, ["alerts", name], String(value)),
    }));
  for (const { name, at, message } of limitValues(assignments, limits).problems)
    complain(findings, ["alerts", name], message, at);
}
