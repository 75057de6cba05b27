import type { Completable, CompletableCommand, CompletableFlag } from "./completable.ts";

/** The script for zsh, as a function of `fpath` or to be sourced. */
export function zshScript({ programs, standard, commands }: Completable): string {
  const run = commands.find(({ name }) => name === standard);
  return `#compdef ${programs.join(" ")}
# zsh completion of avax-exporter. Load it with: source <(avax-exporter completion zsh)
_avax_exporter_scenarios() {
  compset -P '*[=,]'
  compadd -- "$@"
}
_avax_exporter() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  local -a commands=(
${commands.map(({ name, about }) => `    ${quoted(`${name}:${escaped(about)}`)}`).join("\n")}
  )
  _arguments -C \\
${(run?.flags ?? []).map((flag) => `    ${flagSpec(flag)} \\`).join("\n")}
    '1: :->command' \\
    '*:: :->arguments' && return
  case $state in
    command) _describe -t commands command commands ;;
    arguments)
      case $words[1] in
${commands.map(caseOf).join("\n")}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _avax_exporter ]]; then
  _avax_exporter "$@"
elif (( $+functions[compdef] )); then
  compdef _avax_exporter ${programs.join(" ")}
fi
`;
}

function caseOf({ name, flags, words, guarded }: CompletableCommand): string {
  const positions = words.map((some, index) => {
    const place = index === words.length - 1 ? "*" : String(index + 1);
    const isGuarded = guarded?.position === index;
    return `          ${isGuarded ? `"${place}: :(${some.join(" ")} $extra)"` : quoted(`${place}: :(${some.join(" ")})`)}`;
  });
  const extra =
    guarded === undefined
      ? []
      : [
          "          local extra=''",
          `          [[ " $words " == *' --${guarded.flag} '* ]] && extra=${quoted(guarded.words.join(" "))}`,
        ];
  const specs = [...flags.map((flag) => `            ${flagSpec(flag)}`), ...positions.map((each) => `  ${each}`)];
  return [`        ${name})`, ...extra, "          _arguments \\", specs.join(" \\\n"), "          ;;"].join("\n");
}

function flagSpec({ name, about, value }: CompletableFlag): string {
  const text = `[${escaped(about)}]`;
  if (value === "none") return quoted(`--${name}${text}`);
  return quoted(`--${name}=${text}:value:${actionOf(name, value)}`);
}

function actionOf(name: string, value: Exclude<CompletableFlag["value"], "none">): string {
  if (typeof value !== "string") {
    const words = value.join(" ");
    return name === "scenario" ? `_avax_exporter_scenarios ${words}` : `(${words})`;
  }
  return { file: "_files", directory: "_files -/", any: "" }[value];
}

/** Without the characters that separate the parts of a specification. */
const escaped = (text: string): string => text.replaceAll(/[[\]:\\]/g, (character) => `\\${character}`);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
