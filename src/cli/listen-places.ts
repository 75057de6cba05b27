import { quoted } from "../config/base/words.ts";
import { overlapping } from "../http/server/listen-address.ts";
import type { ExitCode, System } from "../runtime/system.ts";
import { systemdSockets } from "./systemd-sockets.ts";
import type { Flags } from "./flags.ts";

export type Places = { readonly listen: readonly string[]; readonly sockets: readonly number[] };
type Unusable = { readonly problem: string; readonly code: ExitCode };

/** Where the exporter listens: at the addresses of the flags, or on the sockets of systemd. */
export function listenPlaces(flags: Flags, system: System, fallback: string): Places | Unusable {
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
  const listen = given ?? [fallback];
  const [first, second] = overlapping(listen) ?? [];
  return first === undefined || second === undefined
    ? { listen, sockets: [] }
    : { problem: `--web.listen-address: ${quoted(first)} already has the address ${quoted(second)}`, code: 2 };
}
