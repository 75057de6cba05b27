/** The value with its noun in a text of an alert: `1 node`, `3 nodes`. An increase is no whole number. */
export function counted(noun: string): string {
  return `{{ $value | printf "%.0f" }} ${noun}{{ if gt $value 1.5 }}s{{ end }}`;
}
