import { expect, it } from "vitest";
import { readArguments } from "../../src/cli/arguments.ts";
import type { FlagName } from "../../src/cli/flags.ts";
import { simulated } from "../../src/cli/simulate.ts";

/** The value of a flag, or the sentence about its problem. */
function read(command: string, name: FlagName, text: string): unknown {
  const call = readArguments([command, `--${name}=${text}`]);
  return "problem" in call ? call.problem : call.flags[name];
}

it.each(["/metrics", "/", "/a/b-c"])("the telemetry path may be %s", (path) => {
  for (const command of ["run", "demo"]) expect(read(command, "web.telemetry-path", path)).toBe(path);
});

it.each(["metrics", "", "/a b", "/a?b=c", "/a#b"])("the telemetry path %j is refused", (path) => {
  for (const command of ["run", "demo"]) {
    expect(read(command, "web.telemetry-path", path)).toBe(
      `--web.telemetry-path: ${JSON.stringify(path)} is not a path such as /metrics`,
    );
  }
});

it.each([
  ["http://127.0.0.1:9750", "http://127.0.0.1:9750"],
  ["https://avax.example.org/", "https://avax.example.org"],
  ["https://ops.example.org/a b/grafana//", "https://ops.example.org/a%20b/grafana"],
])("the address %s of links is %s", (given, address) => {
  for (const name of ["web.external-url"] as const)
    for (const command of ["run", "demo"]) expect(read(command, name, given)).toBe(address);
});

it.each(["avax.example.org", "/path", "ftp://a", "https://a?b=c", "https://a/#b", "javascript:alert(1)", ""])(
  "the address %j of links is refused",
  (given) => {
    for (const name of ["web.external-url"] as const)
      expect(read("run", name, given)).toBe(
        `--${name}: ${JSON.stringify(given)} is not a URL such as https://avax.example.org/path`,
      );
  },
);

it.each(["0", "1001", "2.5", "many", ""])("the number of shards cannot be %j", (total) => {
  for (const command of ["run", "once", "check-config"]) {
    expect(read(command, "shard.total", total)).toBe(`--shard.total: "${total}" is not a number from 1 to 1000`);
  }
});

it.each([
  ["once", "once.timeout"],
  ["doctor", "doctor.timeout"],
  ["call", "call.timeout"],
] as const)("the timeout of %s is a duration, in seconds", (command, name) => {
  expect(read(command, name, "1m30s")).toBe(90);
  expect(read(command, name, "200ms")).toBe(0.2);
  for (const text of ["soon", "30", "-1s", ""])
    expect(read(command, name, text)).toBe(`--${name}: "${text}" is not a duration such as 30s`);
});

it.each([
  ["call", "call.timeout", "0s", "a duration such as 30s"],
  ["doctor", "since", "0s", "a duration such as 30s"],
  ["report", "selector", "job", 'matchers such as job="avax-exporter"'],
  ["report", "format", "pdf", "text, html or json"],
  ["run", "log.level", "verbose", "debug, info, warn or error"],
  ["run", "log.format", "text", "logfmt or json"],
  ["run", "web.listen-address", "here", "host:port, :port or [IPv6]:port"],
  ["run", "web.listen-address", "9750", "host:port, :port or [IPv6]:port"],
  ["run", "config.auto-reload-interval", "0s", "a duration in whole seconds from 1s to 86400s"],
  ["run", "config.auto-reload-interval", "2d", "a duration in whole seconds from 1s to 86400s"],
] as const)("%s refuses --%s=%s", (command, name, text, is) => {
  expect(read(command, name, text)).toBe(`--${name}: "${text}" is not ${is}`);
});

it.each([
  ["nodes", "3", 3],
  ["nodes", "0", '--nodes: "0" is not a number from 1 to 5000'],
  ["nodes", "5001", '--nodes: "5001" is not a number from 1 to 5000'],
  ["nodes", "2.5", '--nodes: "2.5" is not a number from 1 to 5000'],
  ["speed", "0.5", 0.5],
  ["speed", "0", '--speed: "0" is not a factor above 0'],
  ["speed", "fast", '--speed: "fast" is not a factor above 0'],
  ["port", "0", 0],
  ["port", "65536", '--port: "65536" is not a number from 0 to 65535'],
  ["dialect", "spec", "spec"],
  ["dialect", "latin", '--dialect: "latin" is not avalanchego or spec'],
  ["scenario", "lagging", [{ node: "all", name: "lagging" }]],
  [
    "scenario",
    "2=lagging, 3=bootstrapping",
    [
      { node: 2, name: "lagging" },
      { node: 3, name: "bootstrapping" },
    ],
  ],
  [
    "scenario",
    "x=lagging",
    '--scenario: "x=lagging" is not a scenario or NODE=SCENARIO; demo --help lists the scenarios',
  ],
  [
    "scenario",
    "2=laging,3=benched",
    '--scenario: "2=laging,3=benched" is not a scenario or NODE=SCENARIO; demo --help lists the scenarios; did you mean "lagging"?',
  ],
] as const)("--%s=%s of a simulated network is parsed", (name, text, value) => {
  for (const command of ["simulate", "demo"]) expect(read(command, name, text)).toEqual(value);
});

it.each<[string, unknown]>([
  ["2026-01-05", 1_767_571_200],
  ["2026-01-05T08:00", 1_767_600_000],
  ["2024-02-29T23:59:30Z", 1_709_251_170],
  ...["2026-02-31", "2026-02-29T08:00", "2026-13-01", "2026-01-05T25:00", "yesterday"].map(
    (text): [string, unknown] => [text, `--until: "${text}" is not a time such as 2026-01-05 or 2026-01-05T08:00`],
  ),
])("the end of a report %s", (text, value) => {
  expect(read("report", "until", text)).toBe(value);
});

it.each([
  ["2=lagging,2=slow,slow", undefined],
  ["7=lagging", "there is no node 7; the network has 2 nodes"],
  ["0=lagging", "there is no node 0; the network has 2 nodes"],
  ["1=slow,1=hanging", "slow and hanging exclude each other on node 1"],
  ["slow,healthy", "slow and healthy exclude each other on one node"],
])("scenarios %s of two nodes", (text, problem) => {
  const call = readArguments(["demo", "--nodes=2", `--scenario=${text}`]);
  const options = simulated("flags" in call ? call.flags : {}, { nodes: 8 });
  expect("problem" in options ? options.problem : undefined).toBe(problem && `--scenario: ${problem}`);
});
