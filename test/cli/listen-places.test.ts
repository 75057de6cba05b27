import { expect, test } from "vitest";
import { readArguments } from "../../src/cli/read-arguments.ts";
import { listenPlaces, systemdSockets } from "../../src/cli/listen-places.ts";
import { writtenSystem } from "../support/written-system.ts";

/** The places for these arguments. */
function places(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const call = readArguments(args);
  if ("problem" in call) return call.problem;
  return listenPlaces(call.flags, writtenSystem({ env, pid: 5 }).system, ":9750");
}
const at = (...listen: readonly string[]) => listen.map((each) => `--web.listen-address=${each}`);

const NO_SOCKET =
  "systemd passed no socket to this process: start the .socket unit, which starts the service; a script in between must start the exporter with exec";

test.each([
  [[], [":9750"]],
  [at(":1"), [":1"]],
  [at("127.0.0.1:1", "[::1]:1", "10.0.0.1:2"), ["127.0.0.1:1", "[::1]:1", "10.0.0.1:2"]],
])("%j", (args, listen) => {
  expect(places(args)).toEqual({ listen, sockets: [] });
});

test("one wrong address of several is refused", () => {
  expect(places(at(":1", "here"))).toBe('--web.listen-address: ":1,here" is not host:port, :port or [IPv6]:port');
});

test("sockets of systemd replace the addresses", () => {
  const passed = { LISTEN_FDS: "2", LISTEN_PID: "5" };
  expect(places(["--web.systemd-socket"], passed)).toEqual({ listen: [], sockets: [3, 4] });
  // Without the flag they are left alone.
  expect(places([], passed)).toEqual({ listen: [":9750"], sockets: [] });
  expect(places(["--web.systemd-socket"])).toEqual({ problem: `--web.systemd-socket: ${NO_SOCKET}`, code: 1 });
  expect(places(["--web.systemd-socket", ...at(":1")], passed)).toEqual({
    problem: "--web.systemd-socket and --web.listen-address exclude each other: the .socket unit names the addresses",
    code: 2,
  });
});

test.each([
  ["1", [3]],
  ["3", [3, 4, 5]],
])("%s sockets begin at descriptor 3", (count, sockets) => {
  expect(systemdSockets({ env: { LISTEN_FDS: count, LISTEN_PID: "77" }, pid: 77 })).toEqual({ sockets });
});

test.each<Record<string, string>>([
  { LISTEN_FDS: "1" },
  { LISTEN_FDS: "1", LISTEN_PID: "76" },
  { LISTEN_FDS: "0", LISTEN_PID: "77" },
  { LISTEN_FDS: "1e9", LISTEN_PID: "77" },
])("%j has no sockets", (env) => {
  expect(systemdSockets({ env, pid: 77 })).toEqual({ problem: NO_SOCKET });
});
