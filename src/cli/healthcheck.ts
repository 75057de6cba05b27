import { quoted } from "../config/base/words.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import type { Flags } from "./flags.ts";
import { LOCAL_EXPORTER } from "./running-exporter.ts";
import { plainAddress } from "./urls.ts";
import { noAnswer, refuse } from "./text/refuse.ts";

/** Milliseconds. A container's runtime waits longer. */
const LIMIT = 4_000;

/** Asks a running exporter whether it is alive: 0 when it answers, 1 when it does not. */
export async function healthcheck(_flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  const [base, ...others] = args.length === 0 ? [LOCAL_EXPORTER] : args.map(plainAddress);
  if (base === undefined || others.length > 0)
    return refuse(system, "healthcheck", "expected one URL without credentials, such as http://127.0.0.1:9750");
  const url = `${base}/-/healthy`;
  const fault = await faultOf(url);
  return fault === undefined ? 0 : refuse(system, "healthcheck", `${quoted(url)} ${fault}`, 1);
}

/** Why the address shows no living exporter. A demand for a login is an answer of a living one. */
async function faultOf(url: string): Promise<string | undefined> {
  try {
    const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(LIMIT), redirect: "manual" });
    return ok || status === 401 ? undefined : `answered with the status ${status}`;
  } catch (error) {
    return `did not answer: ${noAnswer(error, LIMIT)}`;
  }
}
