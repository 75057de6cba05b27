import { expect, it } from "vitest";
import { readArguments } from "../../src/cli/read-arguments.ts";
import type { FlagName } from "../../src/cli/flags.ts";
import { simulated } from "../../src/cli/simulate.ts";

/** The value of a flag, or the sentence about its problem. */
function read(command: string, name: FlagName, text: string): unknown {
  const call = readArguments([command, `--${name}=${text}`]);
  return "problem" in call ? call.problem : call.flags[name];
}

it.each<[string, FlagName, string, unknown]>([
  ["run", "web.telemetry-path", "/", "/"],
  ["demo", "web.telemetry-path", "/a/b-c", "/a/b-c"],
  ["run", "web.external-url", "http://127.0.0.1:9750", "http://127.0.0.1:9750"],
  ["demo", "web.external-url", "https://avax.example.org/", "https://avax.example.org"],
  ["run", "web.external-url", "https://a.example.org/a b/grafana//", "https://a.example.org/a%20b/grafana"],
  ["run", "web.max-requests", "0", 0],
  ["once", "once.timeout", "1m30s", 90],
  ["call", "call.timeout", "200ms", 0.2],
  ["restart-plan", "wait", "0s", 0],
  ["report", "until", "2026-01-05", 1_767_571_200],
  ["report", "until", "2026-01-05T08:00", 1_767_600_000],
  ["report", "until", "2024-02-29T23:59:30Z", 1_709_251_170],
])("%s --%s=%s is %j", (command, name, text, value) => {
  expect(read(command, name, text)).toBe(value);
});

it.each<[string, FlagName, readonly string[], string]>([
  ["run", "web.telemetry-path", ["metrics", "", "/a b", "/a?b=c", "/a#b"], "a path such as /metrics"],
  [
    "run",
    "web.external-url",
    ["avax.example.org", "/path", "ftp://a", "javascript:alert(1)", ""],
    "a URL such as https://avax.example.org/path",
  ],
  ["once", "shard.total", ["0", "1001", "2.5", "many", ""], "a number from 1 to 1000"],
  ["once", "once.timeout", ["soon", "30", "-1s", ""], "a duration such as 30s"],
  ["call", "call.timeout", ["0s"], "a duration such as 30s"],
  ["run", "config.auto-reload-interval", ["0s", "2d", "1500ms"], "a duration in whole seconds from 1s to 86400s"],
  ["report", "selector", ["job"], 'matchers such as job="avax-exporter"'],
  ["report", "format", ["pdf"], "text, html or json"],
  ["run", "web.listen-address", ["here", "9750"], "host:port, :port or [IPv6]:port"],
  [
    "report",
    "until",
    ["2026-02-31", "2026-02-29T08:00", "2026-13-01", "2026-01-05T25:00", "yesterday"],
    "a time such as 2026-01-05 or 2026-01-05T08:00",
  ],
])("%s refuses --%s=%j", (command, name, texts, is) => {
  for (const text of texts) expect(read(command, name, text)).toBe(`--${name}: "${text}" is not ${is}`);
});

it("what is refused is shown without password and query", () => {
  expect(read("run", "web.external-url", "https://u:p@a?b=c")).toContain('"https://…@a?…" is not');
});

it.each([
  ["nodes", "3", 3],
  ["nodes", "0", '--nodes: "0" is not a number from 1 to 5000'],
  ["speed", "0.5", 0.5],
  ["speed", "0", '--speed: "0" is not a factor above 0'],
  ["port", "65536", '--port: "65536" is not a number from 0 to 65535'],
  ["dialect", "spec", "spec"],
  ["release", "1.14.2", "1.14.2"],
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
