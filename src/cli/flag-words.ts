import { nearest } from "../config/nearest.ts";
import { didYouMean, quoted } from "../config/words.ts";

type Known = Readonly<Record<string, { readonly type: "string" | "boolean"; readonly value: string }>>;

/** What is wrong with the first flag that is not as it must be, in a sentence; undefined when all are. `short` are one-letter flags. */
export function flagProblem(args: readonly string[], known: Known, short: readonly string[]): string | undefined {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") return undefined;
    if (/^-[^-]/.test(arg) && !short.includes(arg.slice(1)))
      return `there is no flag ${quoted(arg)}; --help lists all of them`;
    if (!arg.startsWith("--")) continue;
    const equals = arg.indexOf("=");
    const name = arg.slice(2, equals < 0 ? undefined : equals);
    const flag = Object.hasOwn(known, name) ? known[name] : undefined;
    if (flag === undefined) {
      const guess = nearest(name, Object.keys(known));
      return `there is no flag --${name}${guess === undefined ? "" : `; did you mean --${guess}?`}`;
    }
    if (flag.type === "boolean") {
      if (equals >= 0) return `--${name} takes no value`;
      continue;
    }
    if (equals >= 0) continue;
    const next = args[++index];
    if (next === undefined || next.startsWith("-")) return `--${name} needs a value: --${name}=${flag.value}`;
  }
  return undefined;
}

/** What is wrong with the words that are no flags: a command that does not exist, or more than it takes. */
export function commandProblem(
  command: string,
  rest: readonly string[],
  known: readonly string[],
  taking: readonly string[],
): string | undefined {
  const file = (word: string) =>
    /\.(ya?ml|json)$/.test(word) ? `; a configuration is named with --config.file=${word}` : "";
  if (!known.includes(command)) {
    const guess = file(command) || didYouMean(command, known) || `; the commands are ${known.join(", ")}`;
    return `there is no command ${quoted(command)}${guess}`;
  }
  const [first] = rest;
  if (first === undefined || taking.includes(command)) return undefined;
  return `${command} takes no ${quoted(first)}${file(first)}`;
}
