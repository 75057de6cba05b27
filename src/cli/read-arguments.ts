import { parseArgs } from "node:util";
import { nearest } from "../config/base/nearest.ts";
import { didYouMean, oneOf, quoted } from "../config/base/error-texts.ts";
import { SCENARIOS } from "../../simulator/world/scenarios.ts";
import { quotedAddress } from "./text/urls.ts";
import { table } from "./text/table.ts";
import { wrapped } from "../config/base/wrapped.ts";
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
const COMMON: readonly FlagName[] = ["version", "help"];

/**
 * Parses the arguments. Flags can precede the command. By hand, because commander takes a flag for the value of the flag before it,
 * and the word after `--stack` for its value.
 */
export function readArguments(args: readonly string[]): Call | Misunderstood {
  const { words: operands, given } = separated(args);
  const [first = "run", ...words] = operands;
  const command = COMMAND_NAMES.find((name) => name === first);
  const misunderstood = (problem: string): Misunderstood => ({ problem, command: command ?? "run" });
  const unknown = given.find(
    ({ name, isInline }) => name === undefined || (isInline && FLAGS[name].value === undefined),
  );
  if (unknown !== undefined) return misunderstood(noSuchFlag(unknown.spelt));
  if (command === undefined) return misunderstood(noSuchCommand(first));
  const texts = Map.groupBy(
    given.flatMap(({ name, value }) => (name === undefined ? [] : [{ name, value }])),
    ({ name }) => name,
  );
  const foreign = [...texts.keys()].find((name) => !flagsOf(command).includes(name));
  if (foreign !== undefined) {
    const takers = COMMAND_NAMES.filter((each) => flagsOf(each).includes(foreign));
    return misunderstood(`--${foreign} is not a flag of ${command} but of ${oneOf(takers)}`);
  }
  const flags: Record<string, unknown> = {};
  for (const [name, values] of texts) {
    if (values.length > 1 && FLAGS[name].repeats !== true && !COMMON.includes(name))
      return misunderstood(`--${name} is given more than once`);
    const written = values.map(({ value }) => value);
    const read = readFlag(name, written);
    if ("problem" in read) return misunderstood(read.problem);
    flags[name] = read.value;
  }
  if (words[0] !== undefined && COMMANDS[command].words === undefined)
    return misunderstood(`unexpected argument ${quoted(words[0])} of ${command}`);
  // Each value was parsed by its own flag.
  return { command, flags, args: words, ...(operands.length === 0 ? { isDefault: true } : {}) };
}

/** A flag as it is written. `name` is undefined where no command has it. */
type Given = {
  readonly name: FlagName | undefined;
  readonly spelt: string;
  readonly value: string | undefined;
  /** The value follows after `=`. */
  readonly isInline: boolean;
};

/** The words of a command line, and its flags. */
export function separated(args: readonly string[]): {
  readonly words: readonly string[];
  readonly given: readonly Given[];
} {
  // The word after a flag is its value, unless the flag can stand without one.
  const typeOf = ({ value, bare }: Flag<unknown>) => (value === undefined || bare !== undefined ? "boolean" : "string");
  const options = Object.fromEntries(FLAG_NAMES.map((name) => [name, { type: typeOf(FLAGS[name]) } as const]));
  const { tokens, positionals } = parseArgs({
    args,
    options: { ...options, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = tokens.flatMap((token) => {
    if (token.kind !== "option") return [];
    const { rawName: spelt, value, inlineValue: isInline = false } = token;
    // A flag is never the value of the flag before it.
    const isFlag = !isInline && value !== undefined && /^-./.test(value);
    return [
      { name: FLAG_NAMES.find((each) => each === token.name), spelt, isInline, value: isFlag ? undefined : value },
    ];
  });
  return { words: positionals, given };
}

/** The value of a flag from its texts. */
function readFlag(
  name: FlagName,
  texts: ReadonlyArray<string | undefined>,
): { readonly value: unknown } | { readonly problem: string } {
  const { value: placeholder, is, read, bare, words = [] } = FLAGS[name];
  if (placeholder === undefined) return { value: true };
  if (bare !== undefined && texts[0] === undefined) return { value: bare };
  if (texts.includes(undefined)) return { problem: `--${name} needs a value: --${name}=${placeholder}` };
  const text = texts.join(",");
  const value = read(text);
  if (value !== undefined) return { value };
  const unknown = text.split(/[,=]/).find((word) => !words.includes(word.trim()) && !/^\d+$/.test(word)) ?? "";
  return { problem: `--${name}: ${quotedAddress(text)} is not ${is}${didYouMean(unknown, words)}` };
}

/** Help of a command, or of the program with all commands. */
export function helpText(name: CommandName | "program"): string {
  const isProgram = name === "program";
  const command = isProgram ? "run" : name;
  const { words = "", about } = COMMANDS[command];
  const commands = isProgram ? COMMAND_NAMES.map((each) => [each, COMMANDS[each].about] as const) : [];
  const scenarios = flagsOf(command).includes("scenario")
    ? ["Scenarios:", ...table(Object.entries(SCENARIOS).map(([each, scenario]) => [each, scenario.about])), ""]
    : [];
  return [
    ...wrapped(`Usage: avax-exporter ${isProgram ? "[command] [flags]" : `${name} [flags] ${words}`}`, "  ", ""),
    "",
    ...(isProgram ? [] : [...wrapped(about, ""), ""]),
    ...flagLines(command),
    "",
    ...(isProgram
      ? [
          "Commands:",
          ...table(commands, Math.max(...flagsOf(command).map((flag) => termOf(flag).length))),
          "",
          "COMMAND --help shows the flags of a command.",
          "",
        ]
      : []),
    "Examples:",
    ...exampleLines(name),
    "",
    ...scenarios,
  ].join("\n");
}

/** The flags of a command, as its help lists them. */
function flagLines(command: CommandName): readonly string[] {
  const rows = flagsOf(command).map((name) => {
    const { about, choices } = FLAGS[name];
    const words = choices === undefined ? "" : ` (choices: ${choices.map((choice) => `"${choice}"`).join(", ")})`;
    return [termOf(name), `${about}${words}`] as const;
  });
  return ["Flags:", ...table(rows)];
}

function termOf(name: FlagName): string {
  const { value, bare } = FLAGS[name];
  const written = value === undefined ? "" : bare === undefined ? `=${value}` : `[=${value}]`;
  return `${name === "help" ? "-h, " : ""}--${name}${written}`;
}

/** What a new user does first. */
const FIRST_STEPS = [
  "init http://127.0.0.1:9650",
  "doctor --config.file=avax-exporter.yaml",
  "--config.file=avax-exporter.yaml",
];

function exampleLines(name: CommandName | "program"): readonly string[] {
  const examples = name === "program" ? FIRST_STEPS : COMMANDS[name].examples;
  return examples.map((example) => `  avax-exporter ${example}`.trimEnd());
}

/** The flags of a command, those that every command takes included. */
export function flagsOf(command: CommandName): readonly FlagName[] {
  return [...COMMANDS[command].flags, ...COMMON];
}

/** The flag is unknown, or it takes no value and has one. */
function noSuchFlag(spelt: string): string {
  if (!spelt.startsWith("--")) return `unknown flag ${quoted(spelt)}; --help lists all flags`;
  const name = spelt.slice(2);
  if (FLAG_NAMES.some((each) => each === name)) return `--${name} takes no value`;
  // `--config` of other programs is the file.
  const guess = FLAG_NAMES.find((each) => each === `${name}.file`) ?? nearest(name, FLAG_NAMES);
  return `unknown flag --${name}${guess === undefined ? "" : `; did you mean --${guess}?`}`;
}

function noSuchCommand(word: string): string {
  const guess = didYouMean(word, COMMAND_NAMES) || `; the commands are ${COMMAND_NAMES.join(", ")}`;
  return `unknown command ${quoted(word)}${guess}`;
}
