import { wrapped } from "../../config/base/wrapped.ts";

/** A list of terms with their texts beside them. @param least columns of the terms */
export function table(rows: ReadonlyArray<readonly [term: string, text: string]>, least = 0): readonly string[] {
  const columns = Math.max(least, ...rows.map(([term]) => term.length)) + 4;
  return rows.flatMap(([term, text]) => wrapped(text, " ".repeat(columns), `  ${term}`.padEnd(columns)));
}
