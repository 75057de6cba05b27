import { WIDTH, wrapped } from "../../config/base/wrapped.ts";
import { printable } from "../text/printable.ts";
import type { ReportCell, ReportColumn, Document, Section } from "./report-document.ts";

const GAP = 2;
/** A flexible column keeps this. */
const LEAST = 6;
/** The report for a terminal or a mail in plain text. */
export function documentText({ title, subtitle, sections }: Document): string {
  const lines = [
    title,
    ...wrapped(printable(subtitle), ""),
    "",
    ...sections.flatMap((section) => [...sectionLines(section), ""]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function sectionLines({ title, columns, rows, notes }: Section): readonly string[] {
  return [
    printable(title),
    "-".repeat(Math.min(WIDTH, title.length)),
    ...tableLines(columns, rows),
    ...notes.flatMap((note) => wrapped(printable(note), "")),
  ];
}

function tableLines(columns: readonly ReportColumn[], rows: Section["rows"]): readonly string[] {
  if (rows.length === 0) return [];
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(plain))];
  const wanted = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const widths = fitting(columns, wanted);
  return cells.map((row) =>
    columns
      .map(({ align }, at) => padded(row[at] ?? "", widths[at] ?? 0, align === "right"))
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

/** Widths that fit the line: the widest flexible column shrinks first. */
function fitting(columns: readonly ReportColumn[], wanted: readonly number[]): readonly number[] {
  const widths = [...wanted];
  const room = WIDTH - GAP * (columns.length - 1);
  const total = (): number => widths.reduce((sum, width) => sum + width, 0);
  while (total() > room) {
    const shrinking = columns.flatMap(({ flexible }, at) =>
      flexible === true && (widths[at] ?? 0) > LEAST ? [at] : [],
    );
    const [widest] = shrinking.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function padded(text: string, width: number, isRight: boolean): string {
  const cut = text.length > width ? `${text.slice(0, width - 1)}…` : text;
  return isRight ? cut.padStart(width) : cut.padEnd(width);
}

function plain(cell: ReportCell): string {
  return printable(typeof cell === "string" ? cell : cell.text);
}
