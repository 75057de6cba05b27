import { quoted } from "../config/base/error-texts.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import type { Flags } from "./flags.ts";
import { LOCAL_EXPORTER } from "./remote/ask-exporter.ts";
import { plainAddress } from "./text/urls.ts";
import { noAnswer, refuse } from "./text/refuse.ts";

/** Milliseconds. A container's runtime waits longer. */
const LIMIT = 4_000;

/** Asks a running exporter whether it is alive: 0 when it answers, 1 when it does not. */
export async function healthcheck(_flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  const [base, ...others] = args.length === 0 ? [LOCAL_EXPORTER] : args.map(plainAddress);
  if (base === undefined || others.length > 0)
    return refuse(system, "healthcheck", "expected one URL without credentials, such as http://127.0.0.1:9750");
  const url = `${base}/-/healthy`;
  const failed = (fault: string): ExitCode => refuse(system, "healthcheck", `${quoted(url)} ${fault}`, 1);
  try {
    const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(LIMIT), redirect: "manual" });
    // A demand for a login is an answer of a living exporter.
    return ok || status === 401 ? 0 : failed(`answered with the status ${status}`);
  } catch (error) {
    return failed(`did not answer: ${noAnswer(error, LIMIT)}`);
  }
}
