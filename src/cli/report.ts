import { reportOf } from "./report/build.ts";
import { collect } from "./report/collect.ts";
import { printFromPrometheus } from "./report/command.ts";
import { documentOf } from "./report/document.ts";
import { periodUntil } from "./report/period.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import type { Flags } from "./flags.ts";
import { waiting } from "./text/progress.ts";

const WEEK = 7 * 86_400;

/** Prints the report of a period from the series of a Prometheus. */
export async function report(flags: Flags, system: System): Promise<ExitCode> {
  return printFromPrometheus("report", flags, system, WEEK, async ({ client, url, since, until }) => {
    const period = periodUntil(until, since);
    const answers = await waiting(system, `asking ${url}`, collect(client, period, flags.selector ?? []));
    const found = reportOf(answers, period);
    return { found, document: (most) => documentOf(found, most) };
  });
}
