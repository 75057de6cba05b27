import type { System } from "../runtime/system.ts";

/** Number of the first socket that systemd passes (sd_listen_fds(3)). */
const FIRST = 3;

/** The numbers of the sockets that systemd passed to this process, or why there are none. */
export function systemdSockets({
  env,
  pid,
}: Pick<System, "env" | "pid">): { readonly sockets: readonly number[] } | { readonly problem: string } {
  const { LISTEN_FDS: count, LISTEN_PID: owner } = env;
  if (count === undefined || owner === undefined)
    return { problem: "systemd passed no socket: start the .socket unit, which starts the service" };
  if (Number(owner) !== pid)
    return {
      problem: `systemd passed the sockets to process ${owner}, this is process ${pid ?? "unknown"}: a script in between must start the exporter with exec`,
    };
  if (!/^[1-9]\d{0,2}$/.test(count))
    return { problem: `LISTEN_FDS is ${JSON.stringify(count)}, not a number of sockets` };
  return { sockets: Array.from({ length: Number(count) }, (_, index) => FIRST + index) };
}
