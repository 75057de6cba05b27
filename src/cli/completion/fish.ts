import type { Completable, CompletableCommand, CompletableFlag } from "./completable.ts";

/** The script for fish. */
export function fishScript({ programs, standard, commands }: Completable): string {
  const others = commands.filter(({ name }) => name !== standard).map(({ name }) => name);
  const lines = programs.flatMap((program) => {
    const complete = (rest: string): string => `complete -c ${program} ${rest}`;
    return [
      complete("-f"),
      ...commands.map(({ name, about }) =>
        complete(`-n __avax_exporter_without_command -a ${name} -d ${quoted(about)}`),
      ),
      ...commands.flatMap((command) => {
        const condition =
          command.name === standard
            ? `"not __fish_seen_subcommand_from ${others.join(" ")}"`
            : `"__fish_seen_subcommand_from ${command.name}"`;
        return [
          ...command.flags.map((flag) => complete(`-n ${condition} ${flagWords(flag)}`)),
          ...positions(command).map((rest) => complete(rest)),
        ];
      }),
    ];
  });
  return `# fish completion of avax-exporter. Load it with: avax-exporter completion fish | source
function __avax_exporter_words
    # Words before the cursor without the program and without flags.
    set -l words (commandline -opc)
    string match -v -- '-*' $words[2..-1]
end
function __avax_exporter_without_command
    test (count (__avax_exporter_words)) -eq 0
end
function __avax_exporter_at
    set -l words (__avax_exporter_words)
    test "$words[1]" = $argv[1]; and test (count $words) $argv[2] $argv[3]
end
function __avax_exporter_parts
    # A list such as 1=lagging,2=slow: its last part is completed.
    set -l start (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '^.*[=,]')
    printf "$start%s\\n" $argv
end
${lines.join("\n")}
`;
}

function positions({ name, words, guarded }: CompletableCommand): readonly string[] {
  return words.flatMap((some, index) => {
    const condition = `__avax_exporter_at ${name} ${index === words.length - 1 ? "-ge" : "-eq"} ${index + 1}`;
    const offered = some.length === 0 ? [] : [`-n "${condition}" -a ${quoted(some.join(" "))}`];
    if (guarded?.position !== index) return offered;
    const allowed = `${condition}; and __fish_contains_opt ${guarded.flag}`;
    return [...offered, `-n "${allowed}" -a ${quoted(guarded.words.join(" "))}`];
  });
}

function flagWords({ name, about, value }: CompletableFlag): string {
  const text = `-l ${name} -d ${quoted(about)}`;
  if (value === "none") return text;
  if (value === "file") return `${text} -r -F`;
  if (value === "directory") return `${text} -x -a "(__fish_complete_directories)"`;
  if (value === "any") return `${text} -x`;
  const words = value.join(" ");
  return name === "scenario" ? `${text} -x -a "(__avax_exporter_parts ${words})"` : `${text} -x -a ${quoted(words)}`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
