import type { Completable, CompletableCommand, CompletableFlag } from "./completable.ts";

/**
 * The script for bash. It reads the line itself: bash splits words at `=` and `:`, and its package with functions that join them
 * is not on every machine.
 */
export function bashScript({ programs, standard, commands }: Completable): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# bash completion of avax-exporter. Load it with: source <(avax-exporter completion bash)
_avax_exporter_reply() {
  # Candidates for the text after the last break of the word.
  local candidate
  while IFS= read -r candidate; do
    [[ -n $candidate ]] && COMPREPLY+=("\${candidate#"$kept"}")
  done < <(compgen -W "$1" -- "$current")
}
_avax_exporter_value() {
  local current=$2 kept="" candidate
  [[ $COMP_WORDBREAKS == *=* ]] || prefix="$3"
  case $1 in
    file | directory)
      local action=-f
      [[ $1 == directory ]] && action=-d
      compopt -o filenames 2>/dev/null
      while IFS= read -r candidate; do COMPREPLY+=("$prefix$candidate"); done < <(compgen "$action" -- "$current")
      ;;
    *)
      # A list such as 1=lagging,2=slow: its last part is completed.
      local part=\${current##*[=,]}
      local start=\${current%"$part"}
      [[ $COMP_WORDBREAKS == *=* ]] && start=\${start##*=}
      while IFS= read -r candidate; do COMPREPLY+=("$prefix$start$candidate"); done < <(compgen -W "$1" -- "$part")
      ;;
  esac
}
_avax_exporter() {
  local line=\${COMP_LINE:0:COMP_POINT} current kept="" prefix="" word previous="" command="" flags count=0 guarded=""
  local -a words
  COMPREPLY=()
  read -ra words <<<"$line"
  current=\${line##*[[:space:]]}
  [[ -n $current ]] && unset "words[\${#words[@]}-1]"
  for word in "\${words[@]:1}"; do
    if [[ -n $previous ]]; then previous=""; continue; fi
    case $word in
      ${valuedFlags(commands)}) previous=$word ;;
      -*) ;;
      *)
        if [[ -z $command && " ${names} " == *" $word "* ]]; then command=$word
        else count=$((count + 1)); fi
        ;;
    esac
  done
  local given=" \${words[*]} "
  if [[ -n $previous ]]; then
    current="$previous=$current"
    # The value is a word of its own, so nothing is put before it.
    local COMP_WORDBREAKS="$COMP_WORDBREAKS="
  fi
  case \${command:-${standard}} in
${commands.map(caseOf).join("\n")}
  esac
  if [[ $current == -* ]]; then
    _avax_exporter_reply "$flags"
    [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  elif [[ -z $command && $count -eq 0 ]]; then
    _avax_exporter_reply "${names}"
  else
    _avax_exporter_reply "$guarded"
  fi
}
complete -F _avax_exporter ${programs.join(" ")}
`;
}

function caseOf({ name, flags, words, guarded }: CompletableCommand): string {
  const values = flags.filter(({ value }) => value !== "none").map(valueCase);
  const positions = words.map((some, index) => {
    const range = index === words.length - 1 ? `$count -ge ${index}` : `$count -eq ${index}`;
    return `      [[ ${range} ]] && guarded="${some.join(" ")}"`;
  });
  const more =
    guarded === undefined
      ? []
      : [
          `      [[ $count -eq ${guarded.position} && $given == *" --${guarded.flag} "* ]] && guarded+=" ${guarded.words.join(" ")}"`,
        ];
  return [
    `    ${name})`,
    `      flags="${flags.map(spelt).join(" ")}"`,
    ...positions,
    ...more,
    ...(values.length === 0 ? [] : ["      case $current in", ...values, "      esac"]),
    "      ;;",
  ].join("\n");
}

function valueCase({ name, value }: CompletableFlag): string {
  const kind = typeof value === "string" ? (value === "any" ? "" : value) : value.join(" ");
  return `        --${name}=*) _avax_exporter_value "${kind}" "\${current#*=}" "--${name}="; return ;;`;
}

const spelt = ({ name, value }: CompletableFlag): string => `--${name}${value === "none" ? "" : "="}`;

function valuedFlags(commands: readonly CompletableCommand[]): string {
  const names = commands.flatMap(({ flags }) => flags.filter(({ value }) => value !== "none").map(({ name }) => name));
  return [...new Set(names)].map((name) => `--${name}`).join(" | ");
}
