import { wrapped } from "../../config/base/wrapped.ts";

/** Text in the columns of a help text. */

/**
 * A list of terms with their texts beside them.
 * @param least columns of the terms
 * @param most columns of the terms: a longer one has its text below it
 */
export function table(
  rows: ReadonlyArray<readonly [term: string, text: string]>,
  least = 0,
  most = Infinity,
): readonly string[] {
  const columns = Math.max(least, ...rows.map(([{ length }]) => (length > most ? 0 : length))) + 4;
  const indent = " ".repeat(columns);
  return rows.flatMap(([term, text]) =>
    term.length > most ? [`  ${term}`, ...wrapped(text, indent)] : wrapped(text, indent, `  ${term}`.padEnd(columns)),
  );
}
