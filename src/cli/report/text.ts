import { WIDTH, wrapped } from "../../config/base/wrapped.ts";
import type { Cell, Column, Document, Section } from "./document.ts";

const GAP = 2;
/** A flexible column keeps this. */
const LEAST = 6;
// Control characters and directional marks can disguise a text on a terminal.
const SPECIAL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The report for a terminal or a mail in plain text. */
export function textOf({ title, subtitle, sections }: Document): string {
  const lines = [
    title,
    ...wrapped(clean(subtitle), ""),
    "",
    ...sections.flatMap((section) => [...sectionLines(section), ""]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function sectionLines({ title, columns, rows, notes }: Section): readonly string[] {
  return [
    clean(title),
    "-".repeat(Math.min(WIDTH, title.length)),
    ...tableLines(columns, rows),
    ...notes.flatMap((note) => wrapped(clean(note), "")),
  ];
}

function tableLines(columns: readonly Column[], rows: Section["rows"]): readonly string[] {
  if (rows.length === 0) return [];
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(plain))];
  const widths = fitting(
    columns,
    columns.map((_, at) => Math.max(...cells.map((row) => [...(row[at] ?? "")].length))),
  );
  return cells.map((row) =>
    columns
      .map(({ align }, at) => padded(row[at] ?? "", widths[at] ?? 0, align === "right"))
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

/** Widths that fit the line: the widest flexible column shrinks first. */
function fitting(columns: readonly Column[], wanted: readonly number[]): readonly number[] {
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
  const characters = [...text];
  const cut = characters.length > width ? `${characters.slice(0, Math.max(0, width - 1)).join("")}…` : text;
  const space = " ".repeat(Math.max(0, width - [...cut].length));
  return isRight ? space + cut : cut + space;
}

function plain(cell: Cell): string {
  return clean(typeof cell === "string" ? cell : cell.text);
}

function clean(text: string): string {
  return text.replace(SPECIAL, "\ufffd");
}
