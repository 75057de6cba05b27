import { Command, Option } from "commander";
import { nearest } from "../config/base/nearest.ts";
import { didYouMean, oneOf, quoted } from "../config/base/words.ts";
import { SCENARIOS } from "../../simulator/world/scenarios.ts";
import { table, WIDTH } from "./text/columns.ts";
import { COMMAND_NAMES, COMMANDS, type CommandName } from "./commands.ts";
import { FLAG_NAMES, FLAGS, type Flag, type FlagName, type Flags } from "./flags.ts";

/** `args` are the words after the command. */
type Call = {
  readonly command: CommandName;
  readonly flags: Flags;
  readonly args: readonly string[];
  /** No command was named: the help is that of the program. */
  readonly isDefault?: true;
};

/** Why the arguments are invalid, in a sentence, and the command whose help explains more. */
type Misunderstood = { readonly problem: string; readonly command: CommandName };

/** Flags that every command takes. */
const COMMON = ["version", "help"] as const satisfies readonly FlagName[];

/** Parses the arguments. Flags can precede the command. */
export function readArguments(args: readonly string[]): Call | Misunderstood {
  const program = programOf();
  const repeated = repeatedIn(program);
  const { operands, unknown } = program.parseOptions([...args]);
  const [first = "run", ...words] = operands;
  const command = COMMAND_NAMES.find((name) => name === first);
  const misunderstood = (problem: string): Misunderstood => ({ problem, command: command ?? "run" });
  if (unknown[0] !== undefined) return misunderstood(noSuchFlag(unknown[0]));
  const given = FLAG_NAMES.flatMap((name) => {
    const text: unknown = program.getOptionValue(new Option(`--${name}`).attributeName());
    return text === undefined ? [] : [[name, readFlag(name, text)] as const];
  });
  if (command === undefined) return misunderstood(noSuchCommand(first));
  for (const [name] of given)
    if (!flagsOf(command).includes(name))
      return misunderstood(`--${name} is not a flag of ${command} but of ${takersOf(name)}`);
  const [twice] = repeated;
  if (twice !== undefined) return misunderstood(`--${twice} is given more than once`);
  for (const [, flag] of given) if ("problem" in flag) return misunderstood(flag.problem);
  if (words[0] !== undefined && COMMANDS[command].words === undefined)
    return misunderstood(`unexpected argument ${quoted(words[0])} of ${command}${namedAsFile(words[0])}`);
  // Each value was parsed by its own flag.
  const flags = Object.fromEntries(
    given.flatMap(([name, flag]) => ("value" in flag ? [[name, flag.value]] : [])),
  ) as Flags;
  return { command, flags, args: words, ...(operands.length === 0 ? { isDefault: true } : {}) };
}

/** Whether a flag can be given several times. */
function mayRepeat(name: FlagName): boolean {
  const { repeats }: Flag<unknown> = FLAGS[name];
  return repeats === true || COMMON.some((each) => each === name);
}

/** The flags that occur more than once without reason; filled while `program` parses. */
function repeatedIn(program: Command): ReadonlySet<FlagName> {
  const seen = new Set<FlagName>();
  const repeated = new Set<FlagName>();
  for (const name of FLAG_NAMES) {
    program.on(`option:${name}`, () => {
      if (seen.has(name) && !mayRepeat(name)) repeated.add(name);
      seen.add(name);
    });
  }
  return repeated;
}

/** The value of a flag from its text, which is `true` for a flag without a value. */
function readFlag(name: FlagName, text: unknown): { readonly value: unknown } | { readonly problem: string } {
  const { value: placeholder, is, read }: Flag<unknown> = FLAGS[name];
  if (typeof text !== "string")
    return placeholder === undefined
      ? { value: true }
      : { problem: `--${name} needs a value: --${name}=${placeholder}` };
  const value = read(text);
  const hint = name === "web.listen-address" && /^\d+$/.test(text) ? `; for a port alone write :${text}` : "";
  return value === undefined ? { problem: `--${name}: ${quoted(text)} is not ${is}${hint}` } : { value };
}

/** Help of a command, or of the program with all commands. */
export function helpText(name: CommandName | "program"): string {
  const program = programOf();
  const command = program.commands.find((each) => each.name() === name);
  const shown = command ?? program;
  const flags: readonly FlagName[] = command === undefined ? flagsOf("run") : flagsOf(name as CommandName);
  const scenarios = flags.includes("scenario")
    ? ["Scenarios:", ...table(Object.entries(SCENARIOS).map(([each, { about }]) => [each, about])), ""]
    : [];
  const more = command === undefined ? ["COMMAND --help shows the flags of a command.", ""] : [];
  return [shown.helpInformation(), ...more, "Examples:", ...exampleLines(name), "", ...scenarios].join("\n");
}

/** The flags of a command, as its help lists them. */
export function flagLines(name: CommandName): readonly string[] {
  const help = commandOf(name, "", flagsOf(name)).helpInformation();
  return help.slice(help.indexOf("Flags:")).trimEnd().split("\n");
}

/** What a new user does first. */
const FIRST_STEPS = [
  "init http://127.0.0.1:9650",
  "doctor --config.file=avax-exporter.yaml",
  "--config.file=avax-exporter.yaml",
];

export function exampleLines(name: CommandName | "program"): readonly string[] {
  const examples = name === "program" ? FIRST_STEPS : COMMANDS[name].examples;
  return examples.map((example) => `  avax-exporter ${example}`.trimEnd());
}

/** The program has every flag, to separate words from values; its help shows those of the default command. */
function programOf(): Command {
  const program = commandOf("avax-exporter", "[command] [flags]", flagsOf("run"));
  const others = FLAG_NAMES.filter((name) => !flagsOf("run").includes(name));
  for (const name of others) program.addOption(optionOf(name).hideHelp());
  for (const name of COMMAND_NAMES) {
    const { words = "", about } = COMMANDS[name];
    program.addCommand(commandOf(name, `[flags] ${words}`.trimEnd(), flagsOf(name)).description(about));
  }
  return program;
}

function commandOf(name: string, usage: string, flags: readonly FlagName[]): Command {
  const command = new Command(name).usage(usage).helpOption(false).helpCommand(false).optionsGroup("Flags:");
  command.configureHelp({
    helpWidth: WIDTH,
    // Below 40 columns, commander would no longer wrap the texts beside the longest flag.
    minWidthToWrap: 20,
    subcommandTerm: (each) => each.name(),
    optionTerm: ({ flags: spelt }) => spelt.replace(/ \[(.*)\]$/, "=$1"),
  });
  for (const each of flags) command.addOption(optionOf(each));
  return command;
}

/** The value is declared optional, so that commander never takes a flag for the value of the flag before it. */
function optionOf(name: FlagName): Option {
  const { about, value, choices, repeats }: Flag<unknown> = FLAGS[name];
  const spelt = `${name === "help" ? "-h, " : ""}--${name}`;
  if (value === undefined) return new Option(spelt, about);
  const option = new Option(`${spelt} [${value}]`, about);
  if (repeats === true) option.argParser<string>((text, before) => [before, text].filter(Boolean).join(","));
  // A wrong choice is reported by `readFlag`, like any other wrong value.
  return choices === undefined ? option : option.choices(choices).argParser((text) => text);
}

/** The flags of a command, those that every command takes included. */
export function flagsOf(command: CommandName): readonly FlagName[] {
  return [...COMMANDS[command].flags, ...COMMON];
}

function takersOf(name: FlagName): string {
  return oneOf(COMMAND_NAMES.filter((command) => flagsOf(command).includes(name)));
}

function noSuchFlag(given: string): string {
  if (!given.startsWith("--")) return `unknown flag ${quoted(given)}; --help lists all flags`;
  const name = given.slice(2).split("=")[0] ?? "";
  if (FLAG_NAMES.some((each) => each === name)) return `--${name} takes no value`;
  // `--config` of other programs is the file.
  const guess = FLAG_NAMES.find((each) => each === `${name}.file`) ?? nearest(name, FLAG_NAMES);
  return `unknown flag --${name}${guess === undefined ? "" : `; did you mean --${guess}?`}`;
}

function noSuchCommand(word: string): string {
  const guess =
    namedAsFile(word) || didYouMean(word, COMMAND_NAMES) || `; the commands are ${COMMAND_NAMES.join(", ")}`;
  return `unknown command ${quoted(word)}${guess}`;
}

function namedAsFile(word: string): string {
  return /\.(ya?ml|json)$/.test(word) ? `; pass a configuration as --config.file=${word}` : "";
}
