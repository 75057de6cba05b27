import { oneOf, quoted } from "../config/base/error-texts.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { SCENARIO_NAMES } from "../../simulator/world/scenarios.ts";
import { flagsOf, separated } from "./read-arguments.ts";
import { callNames } from "./call/call-endpoint.ts";
import { COMMAND_NAMES, COMMANDS, type CommandName } from "./commands.ts";
import { FLAG_NAMES, FLAGS, type FlagName, type Flags } from "./flags.ts";
import { refuse } from "./text/refuse.ts";

/**
 * Completion in shells. The script of a shell passes the words of the line to `completion words --`, which prints a candidate for
 * the last one on each line, with its meaning after a tab. Without a candidate the shell lists files.
 */
const SCRIPTS = {
  // It reads the line itself: bash splits words at = and :, and replaces the text after the last of them alone.
  bash: `# bash completion of avax-exporter. Load it with: source <(avax-exporter completion bash)
_avax_exporter() {
  local line=\${COMP_LINE:0:COMP_POINT} word kept candidate
  local -a words
  COMPREPLY=()
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=\${words[\${#words[@]}-1]}
  kept=\${word%"\${word##*["$COMP_WORDBREAKS"]}"}
  while IFS=$'\\t' read -r candidate _; do
    COMPREPLY+=("\${candidate#"$kept"}")
  done < <("\${words[0]/#\\~/$HOME}" completion words -- "\${words[@]:1}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _avax_exporter avax-exporter avax-exporter.mjs
`,
  zsh: `#compdef avax-exporter avax-exporter.mjs
# zsh completion of avax-exporter. Load it with: source <(avax-exporter completion zsh)
_avax_exporter() {
  local line about
  local -a plain open
  for line in "\${(@f)$("\${(e)words[1]}" completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    about=""
    [[ $line == *$'\\t'* ]] && about=":\${line#*$'\\t'}"
    line="\${\${line%%$'\\t'*}//:/\\\\:}"
    if [[ $line == *= ]]; then open+=("$line$about"); else plain+=("$line$about"); fi
  done
  if (( $#plain + $#open )); then
    _describe -o -t words word plain -- open -S ''
  else
    compset -P '-*='
    _files
  fi
}
if [[ $funcstack[1] == _avax_exporter ]]; then
  _avax_exporter "$@"
elif (( $+functions[compdef] )); then
  compdef _avax_exporter avax-exporter avax-exporter.mjs
fi
`,
  fish: `# fish completion of avax-exporter. Load it with: avax-exporter completion fish | source
function __avax_exporter
    set -l words (commandline -opc) (commandline -ct)
    $words[1] completion words -- $words[2..-1] 2>/dev/null
end
complete -c avax-exporter -a '(__avax_exporter)'
complete -c avax-exporter.mjs -a '(__avax_exporter)'
`,
} as const;
const SHELLS = Object.keys(SCRIPTS) as ReadonlyArray<keyof typeof SCRIPTS>;

/** Prints the completion script of a shell; for a script, the candidates. */
export function completion(_flags: Flags, system: System, args: readonly string[]): ExitCode {
  const [name, ...rest] = args;
  if (name === "words") {
    system.out(
      candidates(rest)
        .map((candidate) => `${candidate.join("\t")}\n`)
        .join(""),
    );
    return 0;
  }
  const shell = SHELLS.find((each) => each === name);
  if (shell === undefined || rest.length > 0) {
    const found = name === undefined ? "the shell is missing" : `unexpected ${quoted(args.join(" "))}`;
    return refuse(system, "completion", `${found}; expected ${oneOf(SHELLS)}`);
  }
  system.out(SCRIPTS[shell]);
  return 0;
}

type Candidate = readonly [word: string, about?: string];

/** What can stand in place of the last word. */
export function candidates(line: readonly string[]): readonly Candidate[] {
  const last = line.at(-1) ?? "";
  const all = candidatesAfter(line.slice(0, -1), last);
  return all.filter(([word]) => word.startsWith(last));
}

function candidatesAfter(line: readonly string[], last: string): readonly Candidate[] {
  const { words, given } = separated(line);
  const open = given.at(-1);
  if (
    open?.name !== undefined &&
    open.value === undefined &&
    line.at(-1) === open.spelt &&
    FLAGS[open.name].value !== undefined
  )
    return valuesOf(open.name, last);
  const [start, name, text = ""] = /^--([^=]+)=(.*)$/.exec(last) ?? [];
  const flag = FLAG_NAMES.find((each) => each === name);
  if (start !== undefined) return flag === undefined ? [] : valuesOf(flag, text).map(([word]) => [`--${flag}=${word}`]);
  const command = COMMAND_NAMES.find((each) => each === words[0]);
  if (last.startsWith("-"))
    return flagsOf(command ?? "run").map((each) => [
      `--${each}${FLAGS[each].value === undefined ? "" : "="}`,
      FLAGS[each].about,
    ]);
  if (words.length === 0) return COMMAND_NAMES.map((each) => [each, COMMANDS[each].about]);
  if (command === undefined) return [];
  const isWriting = given.some((each) => each.name === "allow-write");
  return wordsOf(command, words.length - 1, isWriting).map((word) => [word]);
}

function valuesOf(name: FlagName, text: string): readonly Candidate[] {
  // A list such as 1=lagging,2=slow: its last part is completed.
  if (name === "scenario") return SCENARIO_NAMES.map((each) => [text.replace(/[^=,]*$/, each)]);
  return (FLAGS[name].choices ?? []).map((choice) => [choice]);
}

const LOCAL = "http://127.0.0.1:9650";

/** Words of a command at a position, from 0. Methods that write are among them only beside --allow-write. */
function wordsOf(command: CommandName, position: number, isWriting: boolean): readonly string[] {
  const expected = COMMANDS[command].words?.split(" ")[position] ?? "";
  if (expected === "[URL...]") return [LOCAL];
  if (expected === "NODE") return [LOCAL, "data-api", "metrics-api"];
  if (expected === "METHOD") return callNames(isWriting);
  return expected.includes("|") ? expected.split("|") : [];
}
