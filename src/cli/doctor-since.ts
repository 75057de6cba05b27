import { paint } from "../diagnosis/wording.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { dayText, printedDay } from "./text/day-text.ts";
import type { Flags } from "./flags.ts";
import { askExporter, LOCAL_EXPORTER, unanswered } from "./running-exporter.ts";
import { isColoured } from "./text/printable.ts";
import { waiting } from "./text/progress.ts";
import { refuse } from "./text/refuse.ts";

/** Prints the history of a running exporter. 1: a problem is open; 2: the exporter does not answer. */
export async function doctorSince(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  const { since, exporter = LOCAL_EXPORTER, "doctor.timeout": timeout } = flags;
  if (since === undefined) return refuse(system, "doctor", "--exporter needs --since, such as --since=24h");
  if (args.length > 0 || flags["config.file"] !== undefined)
    return refuse(system, "doctor", "--since asks an exporter, not nodes: pass neither URLs nor --config.file");
  try {
    const answer = askExporter(exporter, "/api/v1/history", printedDay, { since: `${since}s` }, timeout);
    const day = await waiting(system, `asking ${exporter}`, answer);
    system.out(dayText(day, paint(isColoured(system))));
    const open = day.problems.filter(({ ended }) => ended === undefined);
    return open.some(({ severity }) => severity === "critical" || severity === "warning") ? 1 : 0;
  } catch (error) {
    return unanswered(system, "doctor", exporter, error, 2);
  }
}
