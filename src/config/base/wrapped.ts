/** Columns of a line. */
export const WIDTH = 80;

/** Words on lines of at most `width` columns; each line but the first begins with `indent`. A word can be longer. */
export function wrapped(text: string, indent: string, start = indent, width = WIDTH): readonly string[] {
  const lines: string[] = [];
  let line = start;
  let isEmpty = true;
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
