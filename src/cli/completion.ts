import { METHODS } from "../api/node/methods.ts";
import { oneOf, quoted } from "../config/base/words.ts";
import type { ExitCode, System } from "../runtime/system.ts";
import { flagsOf } from "./arguments.ts";
import { callableEndpoints } from "./call/call-endpoint.ts";
import { COMMAND_NAMES, COMMANDS, type CommandName } from "./commands.ts";
import { bashScript } from "./completion/bash.ts";
import type { Completable, CompletableCommand, CompletableFlag } from "./completion/completable.ts";
import { fishScript } from "./completion/fish.ts";
import { zshScript } from "./completion/zsh.ts";
import { FLAGS, type Flag, type FlagName, type Flags } from "./flags.ts";
import { SCENARIO_NAMES } from "../../simulator/world/scenarios.ts";

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
const SHELL_NAMES = Object.keys(SHELLS) as ReadonlyArray<keyof typeof SHELLS>;

/** Prints the completion script of a shell. */
export function completion(_flags: Flags, system: System, args: readonly string[]): ExitCode {
  const [name, ...rest] = args;
  const shell = SHELL_NAMES.find((each) => each === name);
  if (shell === undefined || rest.length > 0) {
    const found = name === undefined ? "the shell is missing" : `unexpected ${quoted(args.join(" "))}`;
    system.err(`avax-exporter completion: ${found}; expected ${oneOf(SHELL_NAMES)}\n`);
    return 2;
  }
  system.out(SHELLS[shell](completable()));
  return 0;
}

/** The commands with their flags and words. */
export function completable(): Completable {
  return {
    programs: ["avax-exporter", "avax-exporter.mjs"],
    standard: "run",
    commands: COMMAND_NAMES.map((name) => ({
      name,
      about: COMMANDS[name].about,
      flags: flagsOf(name).map(flagOf),
      ...wordsOf(name),
    })),
  };
}

function flagOf(name: FlagName): CompletableFlag {
  const { about, value, choices }: Flag<unknown> = FLAGS[name];
  const placeholders: Readonly<Record<string, "file" | "directory">> = { FILE: "file", DIRECTORY: "directory" };
  const words = name === "scenario" ? SCENARIO_NAMES : choices;
  return { name, about, value: value === undefined ? "none" : (words ?? placeholders[value] ?? "any") };
}

const LOCAL = "http://127.0.0.1:9650";

function wordsOf(name: CommandName): Pick<CompletableCommand, "words" | "guarded"> {
  switch (name) {
    case "call": {
      const methods = [...METHODS.values()].map((each) => ({ ...each, name: each.name.replace("GET ", "") }));
      const names = (writes: boolean) => methods.filter((each) => each.writes === writes).map((each) => each.name);
      const reads = [...new Set([...names(false), ...callableEndpoints().keys()])];
      return {
        words: [[LOCAL, "data-api", "metrics-api"], reads, []],
        guarded: { flag: "allow-write", position: 1, words: names(true) },
      };
    }
    case "init":
    case "doctor":
      return { words: [[LOCAL]] };
    case "healthcheck":
      return { words: [["http://127.0.0.1:9750"], []] };
    case "completion":
      return { words: [SHELL_NAMES, []] };
    case "export":
      return { words: [["rules", "dashboards", "alertmanager", "runbooks"], []] };
    default:
      return { words: [] };
  }
}
