/** A Markdown table; a bar in a cell is escaped, a line break becomes a space. */
export function table(columns: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
}

/** Text as inline code; an empty text stays empty. */
export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** Joins the parts of a page by blank lines. */
export function page(...parts: readonly string[]): string {
  return pageFrom("src/topics and src/api", ...parts);
}

/** A page that begins with the place of its source. */
export function pageFrom(source: string, ...parts: readonly string[]): string {
  const generated = `<!-- Generated from ${source}; change those and run \`npm run update\`. -->`;
  return `${[generated, ...parts].join("\n\n")}\n`;
}
