import { describe, expect, it } from "vitest";
import { helpText, readArguments } from "../../src/cli/arguments.ts";
import { COMMAND_NAMES, COMMANDS } from "../../src/cli/commands.ts";
import { FLAG_NAMES } from "../../src/cli/flags.ts";
import { SCENARIO_NAMES } from "../../src/simulator/world/scenarios.ts";

it.each<[readonly string[], object]>([
  [[], { command: "run", flags: {}, args: [] }],
  [["--config.file=c.yaml"], { command: "run", flags: { "config.file": "c.yaml" }, args: [] }],
  [["once", "--config.file", "c.yaml"], { command: "once", flags: { "config.file": "c.yaml" }, args: [] }],
  [["-h"], { command: "run", flags: { help: true }, args: [] }],
  [["call", "a", "info.peers", "{}"], { command: "call", flags: {}, args: ["a", "info.peers", "{}"] }],
  [["call", "a", "m", "--", "--not-a-flag"], { command: "call", flags: {}, args: ["a", "m", "--not-a-flag"] }],
  [["--config.file=a.yaml", "once"], { command: "once", flags: { "config.file": "a.yaml" }, args: [] }],
  [["--config.file", "once", "once"], { command: "once", flags: { "config.file": "once" }, args: [] }],
  [["--config.file=a.yaml", "--config.file=b.yaml"], { command: "run", flags: { "config.file": "b.yaml" }, args: [] }],
  [["doctor", "http://a", "http://b"], { command: "doctor", flags: {}, args: ["http://a", "http://b"] }],
  [["once", "--version"], { command: "once", flags: { version: true }, args: [] }],
  [["--config.file="], { command: "run", flags: { "config.file": "" }, args: [] }],
])("%j is parsed", (args, call) => {
  expect(readArguments(args)).toEqual(call);
});

it.each<[readonly string[], string]>([
  [["--config-file=c.yaml"], "unknown flag --config-file; did you mean --config.file?"],
  [["--config=c.yaml"], "unknown flag --config; did you mean --config.file?"],
  [["--listen-address=:1"], "unknown flag --listen-address; did you mean --web.listen-address?"],
  [["--foo"], "unknown flag --foo"],
  [["--__proto__"], "unknown flag --__proto__"],
  [["-v"], 'unknown flag "-v"; --help lists all flags'],
  [["--config.file"], "--config.file needs a value: --config.file=FILE"],
  [["--config.file", "--log.level=debug"], "--config.file needs a value: --config.file=FILE"],
  [["--help=yes"], "--help takes no value"],
  [["run", "--allow-write=yes"], "--allow-write takes no value"],
  [["run", "--call.timeout=3s"], "--call.timeout is not a flag of run but of call"],
  [["check-config", "--nodes=3"], "--nodes is not a flag of check-config but of simulate or demo"],
  [["demo", "--web.config.file=w.yaml"], "--web.config.file is not a flag of demo but of run"],
  [["call", "a", "m", "--call.timeot=3s"], "unknown flag --call.timeot; did you mean --call.timeout?"],
  [["chek-config"], 'unknown command "chek-config"; did you mean "check-config"?'],
  [["mine.yaml"], 'unknown command "mine.yaml"; pass a configuration as --config.file=mine.yaml'],
  [
    ["check-config", "mine.yaml"],
    'unexpected argument "mine.yaml" of check-config; pass a configuration as --config.file=mine.yaml',
  ],
  [["run", "x"], 'unexpected argument "x" of run'],
  [["status"], `unknown command "status"; the commands are ${COMMAND_NAMES.join(", ")}`],
])("%j is refused with a sentence", (args, problem) => {
  expect(readArguments(args)).toMatchObject({ problem });
});

it.each(["call", "doctor"] as const)("a problem of %s comes with its command, for the help", (command) => {
  expect(readArguments([command, "--what"])).toEqual({ problem: "unknown flag --what", command });
});

describe.each(COMMAND_NAMES)("help of %s", (name) => {
  const help = helpText(name);

  it("fits a terminal", () => {
    expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("lists the flags of the command and no others", () => {
    const shown = [...help.matchAll(/^ {2}(?:-h, )?--([\w.-]+)/gm)].map(([, flag]) => flag);
    expect(shown).toEqual([...COMMANDS[name].flags, "version", "help"]);
  });

  it("has examples that can be parsed", () => {
    const examples = [...help.matchAll(/^ {2}avax-exporter(.*)$/gm)].map(([, words = ""]) => words.trim());
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples)
      expect(readArguments(example === "" ? [] : example.split(" "))).toMatchObject({ command: name });
  });
});

it("every flag belongs to a command", () => {
  const taken = new Set(COMMAND_NAMES.flatMap((name) => COMMANDS[name].flags));
  expect(FLAG_NAMES.filter((name) => !taken.has(name))).toEqual(["version", "help"]);
});

it("the help of the program lists every command, and that of simulate and demo every scenario", () => {
  for (const name of COMMAND_NAMES) expect(helpText("run")).toMatch(new RegExp(`^  ${name} `, "m"));
  for (const name of ["simulate", "demo"] as const)
    for (const scenario of SCENARIO_NAMES) expect(helpText(name)).toContain(scenario);
});
