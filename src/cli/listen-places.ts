import type { ExitCode, System } from "../daemon/system.ts";
import type { Served } from "../daemon/serve.ts";
import type { Flags } from "./flags.ts";

export type ListenPlaces = { readonly listen: readonly string[]; readonly sockets: readonly number[] };
type Unusable = { readonly problem: string; readonly code: ExitCode };

/** Where the exporter listens: at the addresses of the flags, or on the sockets of systemd. */
export function listenPlaces(flags: Flags, system: System, fallback: string): ListenPlaces | Unusable {
  const given = flags["web.listen-address"];
  if (flags["web.systemd-socket"] === true) {
    if (given !== undefined)
      return {
        problem:
          "--web.systemd-socket and --web.listen-address exclude each other: the .socket unit names the addresses",
        code: 2,
      };
    const passed = systemdSockets(system);
    return "problem" in passed
      ? { problem: `--web.systemd-socket: ${passed.problem}`, code: 1 }
      : { listen: [], sockets: passed.sockets };
  }
  return { listen: given ?? [fallback], sockets: [] };
}

/** What the flags say about the pages. */
export function pagesOf(flags: Flags): Omit<Served, "reload" | "maskedConfig" | "onListening" | "onComplete"> {
  return {
    maxRequests: flags["web.max-requests"],
    externalUrl: flags["web.external-url"],
    telemetryPath: flags["web.telemetry-path"],
    badges: flags["web.badges"],
    dashboards: flags["dashboard-url"],
    alertmanager: flags["alertmanager-url"],
  };
}

/** Number of the first socket that systemd passes (sd_listen_fds(3)). */
const FIRST = 3;

/** The numbers of the sockets that systemd passed to this process, or why there are none. */
export function systemdSockets({
  env,
  pid,
}: Pick<System, "env" | "pid">): { readonly sockets: readonly number[] } | { readonly problem: string } {
  const { LISTEN_FDS: count = "", LISTEN_PID: owner } = env;
  if (Number(owner) !== pid || !/^[1-9]\d{0,2}$/.test(count))
    return {
      problem:
        "systemd passed no socket to this process: start the .socket unit, which starts the service; a script in between must start the exporter with exec",
    };
  return { sockets: Array.from({ length: Number(count) }, (_, index) => FIRST + index) };
}
