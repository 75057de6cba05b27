import { readFileSync, writeFileSync } from "node:fs";
import { quoted } from "../config/base/words.ts";
import { unreadable } from "../config/read/sources.ts";
import { reportOf } from "./report/build.ts";
import { collect } from "./report/collect.ts";
import { documentOf } from "./report/document.ts";
import { htmlOf } from "./report/html.ts";
import { periodUntil } from "./report/period.ts";
import { prometheusAt, PrometheusError } from "./report/prometheus.ts";
import { textOf } from "./report/text.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import type { Flags } from "./flags.ts";
import { waiting } from "./text/progress.ts";
import { refuse } from "./text/refuse.ts";

const WEEK = 7 * 86_400;
/** The least and the longest period, seconds: a step of an hour has no minutes left to show. */
const LEAST = 3_600;
const LONGEST = 366 * 86_400;
/** Seconds. */
const DEFAULT_TIMEOUT = 60;
/** Rows of a table. */
const MOST_ROWS = { text: 50, html: 500 } as const;

/** Prints the report of a period from the series of a Prometheus. */
export async function report(flags: Flags, system: System): Promise<ExitCode> {
  const { prometheus: url, since = WEEK, until = Date.now() / 1000, selector = [], format = "text", output } = flags;
  const usage = (problem: string): ExitCode => refuse(system, "report", problem);
  if (url === undefined) return usage("--prometheus is missing, such as --prometheus=http://127.0.0.1:9090");
  if (since < LEAST || since > LONGEST) return usage("--since is a duration from 1h to 366d");
  const failed = (problem: string): ExitCode => refuse(system, "report", problem, 1);
  const authorization = authorizationOf(flags["prometheus.auth-file"]);
  if ("problem" in authorization) return failed(authorization.problem);
  const timeout = (flags["report.timeout"] ?? DEFAULT_TIMEOUT) * 1000;
  const period = periodUntil(until, since);
  try {
    const prometheus = prometheusAt({ url, timeout, authorization: authorization.value });
    const answers = await waiting(system, `asking ${url}`, collect(prometheus, period, selector));
    const document = documentOf(reportOf(answers, period), MOST_ROWS[format]);
    const text = format === "html" ? htmlOf(document) : textOf(document);
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

type Authorization = { readonly value: string | undefined } | { readonly problem: string };

/** The value of the header `authorization`. */
function authorizationOf(file: string | undefined): Authorization {
  if (file === undefined) return { value: undefined };
  try {
    const secret = readFileSync(file, "utf8").trim();
    if (secret === "" || /[\r\n]/.test(secret)) return { problem: `${quoted(file)} must have one line` };
    return {
      value: secret.includes(":") ? `Basic ${Buffer.from(secret).toString("base64")}` : `Bearer ${secret}`,
    };
  } catch (error) {
    return { problem: `cannot read ${quoted(file)}: ${unreadable(error)}` };
  }
}
