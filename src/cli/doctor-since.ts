import type { z } from "zod";
import { ApiError, type Resource } from "../api/endpoint.ts";
import { createClient } from "../api/transport/client.ts";
import { quoted } from "../config/base/words.ts";
import { paint } from "../diagnosis/wording.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { dayText, printable, printedDay } from "./text/day-text.ts";
import type { Flags } from "./flags.ts";
import { httpUrl } from "./urls.ts";
import { waiting } from "./text/progress.ts";
import { refuse } from "./text/refuse.ts";

const DEFAULT_URL = "http://127.0.0.1:9750";
/** Seconds. */
const DEFAULT_TIMEOUT = 30;
const DEFAULT_SINCE = 86_400;
/** Bytes: the fullest history of 5,000 nodes has 6 MB. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Prints the history of a running exporter. 1: a problem is open; 2: the exporter does not answer. */
export async function doctorSince(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  const { since = DEFAULT_SINCE, exporter = DEFAULT_URL } = flags;
  const usage = usageFault(flags, args, exporter);
  if (usage !== undefined) return refuse(system, "doctor", usage);
  const client = createClient({
    url: exporter.replace(/\/+$/, ""),
    headers: {},
    maxResponseBytes: MOST_BYTES,
    connections: 1,
  });
  const history: Resource<z.output<typeof printedDay>> = {
    name: "history",
    path: "/api/v1/history",
    about: "History of an exporter.",
    result: printedDay,
  };
  try {
    const answer = client.within(flags["doctor.timeout"] ?? DEFAULT_TIMEOUT, (api) =>
      api.get(history, [["since", `${since}s`]]),
    );
    const found = await waiting(system, `asking ${exporter}`, answer);
    const colours = system.isTerminal === true && (system.env["NO_COLOR"] ?? "") === "";
    system.out(dayText(found, paint(colours)));
    return found.problems.some(
      ({ severity, ended }) => (severity === "critical" || severity === "warning") && ended === undefined,
    )
      ? 1
      : 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refuse(
      system,
      "doctor",
      `no history from ${exporter}: ${error.failure.reason}: ${printable(error.message)}`,
    );
  } finally {
    await client.close();
  }
}

function usageFault(flags: Flags, args: readonly string[], exporter: string): string | undefined {
  if (flags.since === undefined) return "--exporter needs --since, such as --since=24h";
  if (args.length > 0 || flags["config.file"] !== undefined)
    return "--since asks an exporter, not nodes: pass neither URLs nor --config.file";
  return exporterUrlFault(exporter, "/api/v1/history");
}

/** Why an exporter cannot be asked at a URL. @param path of what it is asked */
export function exporterUrlFault(exporter: string, path: string): string | undefined {
  const url = httpUrl(exporter);
  if (url === undefined) return `--exporter: ${quoted(exporter)} is not a URL such as ${DEFAULT_URL}`;
  if (url.username !== "" || url.password !== "")
    return `--exporter: the URL contains credentials, which would be in the list of processes; use curl with ${path}`;
  return undefined;
}
