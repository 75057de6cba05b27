import { expect, test } from "vitest";
import { systemdSockets } from "../../src/cli/listen-places.ts";

test.each([
  ["1", [3]],
  ["3", [3, 4, 5]],
])("%s sockets begin at descriptor 3", (count, sockets) => {
  expect(systemdSockets({ env: { LISTEN_FDS: count, LISTEN_PID: "77" }, pid: 77 })).toEqual({ sockets });
});

test.each<[Record<string, string>, string]>([
  [{}, "systemd passed no socket: start the .socket unit, which starts the service"],
  [{ LISTEN_FDS: "1" }, "systemd passed no socket: start the .socket unit, which starts the service"],
  [
    { LISTEN_FDS: "1", LISTEN_PID: "76" },
    "systemd passed the sockets to process 76, this is process 77: a script in between must start the exporter with exec",
  ],
  [{ LISTEN_FDS: "0", LISTEN_PID: "77" }, 'LISTEN_FDS is "0", not a number of sockets'],
  [{ LISTEN_FDS: "1e9", LISTEN_PID: "77" }, 'LISTEN_FDS is "1e9", not a number of sockets'],
])("%j has no sockets", (env, problem) => {
  expect(systemdSockets({ env, pid: 77 })).toEqual({ problem });
});
