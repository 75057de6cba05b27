import { writeFileSync } from "node:fs";
import { quoted } from "../config/base/error-texts.ts";
import { unreadable } from "../config/read/sources.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { authorizationOf } from "./remote/authorization-of.ts";
import { settingsOf } from "./export/settings-of.ts";
import type { Flags } from "./flags.ts";
import { buildReport } from "./report/build-report.ts";
import { collectAnswers } from "./report/collect-answers.ts";
import { reportDocument, type Document } from "./report/report-document.ts";
import { documentHtml } from "./report/document-html.ts";
import { periodUntil } from "./report/report-period.ts";
import { prometheusAt, PrometheusError, type PrometheusClient } from "./report/prometheus-client.ts";
import { documentText } from "./report/document-text.ts";
import { withProgress } from "./text/with-progress.ts";
import { refuse } from "./text/refuse.ts";

/** The least and the longest period, seconds: a step of an hour has no minutes left to show. */
const LEAST = 3_600;
const LONGEST = 366 * 86_400;
/** Seconds. */
const DEFAULT_TIMEOUT = 60;
/** Rows of a table. */
const MOST_ROWS = { text: 50, html: 500 } as const;

const WEEK = 7 * 86_400;

/** Prints the report of a period from the series of a Prometheus. */
export async function report(flags: Flags, system: System): Promise<ExitCode> {
  const chosen = settingsOf("report", flags, system);
  if ("code" in chosen) return chosen.code;
  return printFromPrometheus("report", flags, system, WEEK, async ({ client, url, since, until }) => {
    const period = periodUntil(until, since);
    const answers = await withProgress(system, `asking ${url}`, collectAnswers(client, period, flags.selector ?? []));
    const found = buildReport(answers, period, chosen.settings);
    return { found, document: (most) => reportDocument(found, most) };
  });
}

/** What a command asks, from its flags. Times are Unix seconds. */
type Asked = {
  readonly client: PrometheusClient;
  readonly url: string;
  readonly since: number;
  readonly until: number;
};

/** What it found, and the same as tables with at most so many rows each. */
type Made = { readonly found: object; readonly document: (most: number) => Document };

/** Asks a Prometheus and prints the result as text, HTML or JSON, or writes it. @param standard `--since`, seconds */
export async function printFromPrometheus(
  command: "backtest" | "report",
  flags: Flags,
  system: System,
  standard: number,
  make: (asked: Asked) => Promise<Made>,
): Promise<ExitCode> {
  const { prometheus: url, since = standard, until = Date.now() / 1000, format = "text", output } = flags;
  const usage = (problem: string): ExitCode => refuse(system, command, problem);
  if (url === undefined) return usage("--prometheus is missing, such as --prometheus=http://127.0.0.1:9090");
  if (since < LEAST || since > LONGEST) return usage("--since is a duration from 1h to 366d");
  const failed = (problem: string): ExitCode => refuse(system, command, problem, 1);
  const timeout = (flags["report.timeout"] ?? DEFAULT_TIMEOUT) * 1000;
  try {
    const client = prometheusAt(url, timeout, authorizationOf(flags["prometheus.auth-file"]));
    const { found, document } = await make({ client, url, since, until });
    const text =
      format === "json"
        ? `${JSON.stringify(found, null, 2)}\n`
        : format === "html"
          ? documentHtml(document(MOST_ROWS.html))
          : documentText(document(MOST_ROWS.text));
    if (output === undefined || output === "-") system.out(text);
    else writeFileSync(output, text);
    return 0;
  } catch (error) {
    if (error instanceof PrometheusError) return failed(error.message);
    if (output !== undefined && error instanceof Error && "syscall" in error)
      return failed(`cannot write ${quoted(output)}: ${unreadable(error)}`);
    throw error;
  }
}
