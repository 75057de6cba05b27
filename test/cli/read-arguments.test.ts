import { expect, it } from "vitest";
import { METHODS } from "../../src/api/node/methods.ts";
import { readArguments } from "../../src/cli/read-arguments.ts";
import { COMMAND_NAMES, COMMANDS } from "../../src/cli/commands.ts";
import { FLAG_NAMES } from "../../src/cli/flags.ts";
import { execute } from "../../src/cli/execute.ts";
import { SCENARIOS } from "../../simulator/world/scenarios.ts";
import { writtenSystem } from "../support/written-system.ts";

it.each<[readonly string[], object]>([
  [[], { command: "run", flags: {}, args: [], isDefault: true }],
  [["--config.file=c.yaml"], { command: "run", flags: { "config.file": "c.yaml" }, args: [], isDefault: true }],
  [["once", "--config.file", "c.yaml"], { command: "once", flags: { "config.file": "c.yaml" }, args: [] }],
  [["-h"], { command: "run", flags: { help: true }, args: [], isDefault: true }],
  [["run", "-h", "--help"], { command: "run", flags: { help: true }, args: [] }],
  [["call", "a", "info.peers", "{}"], { command: "call", flags: {}, args: ["a", "info.peers", "{}"] }],
  [["call", "a", "m", "--", "--not-a-flag"], { command: "call", flags: {}, args: ["a", "m", "--not-a-flag"] }],
  [["--config.file=a.yaml", "once"], { command: "once", flags: { "config.file": "a.yaml" }, args: [] }],
  [["--config.file", "once", "once"], { command: "once", flags: { "config.file": "once" }, args: [] }],
  [["doctor", "http://a", "http://b"], { command: "doctor", flags: {}, args: ["http://a", "http://b"] }],
  [["init", "--stack", "http://a"], { command: "init", flags: { stack: "avax-stack" }, args: ["http://a"] }],
  [["init", "--stack=x", "http://a"], { command: "init", flags: { stack: "x" }, args: ["http://a"] }],
  [["once", "--version"], { command: "once", flags: { version: "" }, args: [] }],
  [["--config.file="], { command: "run", flags: { "config.file": "" }, args: [], isDefault: true }],
])("%j is parsed", (args, call) => {
  expect(readArguments(args)).toEqual(call);
});

it.each<[readonly string[], string]>([
  [["--config-file=c.yaml"], "unknown flag --config-file; did you mean --config.file?"],
  [["--config=c.yaml"], "unknown flag --config; did you mean --config.file?"],
  [["--listen-address=:1"], "unknown flag --listen-address; did you mean --web.listen-address?"],
  [["--nonsense"], "unknown flag --nonsense"],
  [["-v"], 'unknown flag "-v"; --help lists all flags'],
  [["--config.file"], "--config.file needs a value: --config.file=FILE"],
  [["--config.file", "--log.level=debug"], "--config.file needs a value: --config.file=FILE"],
  [["init", "--stack="], '--stack: "" is not a folder'],
  [["--help=yes"], "--help takes no value"],
  [["run", "--call.timeout=3s"], "--call.timeout is not a flag of run but of call"],
  [["check-config", "--nodes=3"], "--nodes is not a flag of check-config but of simulate or demo"],
  [["demo", "--web.config.file=w.yaml"], "--web.config.file is not a flag of demo but of run or check-config"],
  [["--config.file=a.yaml", "--config.file=b.yaml"], "--config.file is given more than once"],
  [["call", "a", "m", "--allow-write", "--allow-write"], "--allow-write is given more than once"],
  [["call", "a", "m", "--call.timeot=3s"], "unknown flag --call.timeot; did you mean --call.timeout?"],
  [["chek-config"], 'unknown command "chek-config"; did you mean "check-config"?'],
  [["run", "x"], 'unexpected argument "x" of run'],
  [["status"], `unknown command "status"; the commands are ${COMMAND_NAMES.join(", ")}`],
])("%j is refused with a sentence", (args, problem) => {
  expect(readArguments(args)).toMatchObject({ problem });
});

it.each(["call", "doctor"] as const)("a problem of %s comes with its command, for the help", (command) => {
  expect(readArguments([command, "--what"])).toEqual({ problem: "unknown flag --what", command });
});

/** Help as it is printed. */
async function printed(...args: readonly string[]): Promise<string> {
  const { system, written } = writtenSystem();
  expect(await execute([...args, "--help"], system)).toBe(0);
  return written.out;
}

const examplesOf = (help: string) =>
  [...help.matchAll(/^ {2}avax-exporter(.*)$/gm)].map(([, words = ""]) => words.trim());
const flagsIn = (help: string) => [...help.matchAll(/^ {2}(?:-h, )?--([\w.-]+)/gm)].map(([, flag]) => flag);

it.each(COMMAND_NAMES)("help of %s fits a terminal, with its flags and with examples of it", async (name) => {
  const help = await printed(name);
  expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(flagsIn(help)).toEqual([...COMMANDS[name].flags, "version", "help"]);
  const examples = examplesOf(help);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    expect(readArguments(example === "" ? [] : example.split(" "))).toMatchObject({ command: name });
    expect(name === "run" || example.startsWith(name)).toBe(true);
  }
});

it("the help of the program fits a terminal and has the first steps as examples", async () => {
  const help = await printed();
  expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
  for (const name of COMMAND_NAMES) expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
  expect(examplesOf(help)).toEqual([
    "init http://127.0.0.1:9650",
    "doctor --config.file=avax-exporter.yaml",
    "--config.file=avax-exporter.yaml",
  ]);
  expect(await printed("run")).not.toContain("Commands:");
});

it("every flag belongs to a command", () => {
  const taken = new Set(COMMAND_NAMES.flatMap((name) => COMMANDS[name].flags));
  expect(FLAG_NAMES.filter((name) => !taken.has(name))).toEqual(["version", "help"]);
});

it("the help of simulate and demo has every scenario with its meaning", async () => {
  for (const name of ["simulate", "demo"]) {
    const help = (await printed(name)).replaceAll(/\s+/g, " ");
    for (const [scenario, { about }] of Object.entries(SCENARIOS)) expect(help).toContain(` ${scenario} ${about}`);
  }
});

it("the help of call lists all methods, marks those that write, and lists endpoints", async () => {
  const help = await printed("call");
  for (const { name, writes } of METHODS.values())
    expect(help).toMatch(
      new RegExp(`^  ${name.replace("GET ", "").replaceAll(".", "\\.")} +${writes ? "\\(writes\\)" : "[^(]"}`, "m"),
    );
  expect(help).toContain("evm.head");
});
