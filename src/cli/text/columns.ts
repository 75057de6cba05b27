/** Text in the columns of a help text. */

/** Columns of a line. */
export const WIDTH = 80;

/** Words on lines of at most `WIDTH` columns; each line but the first begins with `indent`. */
export function wrapped(text: string, indent: string, start = indent): readonly string[] {
  const lines: string[] = [];
  let line = start;
  let isEmpty = true;
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}

/** A list of terms with their texts beside them. @param least columns of the terms */
export function table(rows: ReadonlyArray<readonly [term: string, text: string]>, least = 0): readonly string[] {
  const columns = Math.max(least, ...rows.map(([term]) => term.length)) + 4;
  return rows.flatMap(([term, text]) => wrapped(text, " ".repeat(columns), `  ${term}`.padEnd(columns)));
}
