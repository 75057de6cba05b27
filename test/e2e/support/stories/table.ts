import type { Outcome, Page, Sent } from "./judge.ts";
import type { Story } from "./story.ts";

/** A story with what was sent about it, and what is wrong with that. */
export type Row = {
  readonly story: Story;
  readonly outcome: Outcome;
  readonly problems: readonly string[];
  /** What was sent about it. */
  readonly sent: readonly Sent[];
};

/** What was sent about the stories that were not as expected, with the labels of the alerts; one line for each alert. */
export function detailsOf(rows: readonly Row[]): string {
  const lines = rows
    .filter(({ problems }) => problems.length > 0)
    .flatMap(({ story, sent }) =>
      sent
        .filter(({ receiver }) => receiver !== "none")
        .flatMap(({ minute, receiver, alerts }) =>
          alerts.map(({ status, labels }) => [since(story.fault, minute), receiver, status, JSON.stringify(labels)]),
        ),
    );
  return lines.map((line) => `${line.join(" ")}\n`).join("");
}

const HEAD = ["story", "first page after", "pages", "which", "tickets", "resolved after", "as expected"];

/** The table of a run, as text. Times in minutes. */
export function tableOf(title: string, rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const [head = [], ...rest] = cells;
  return [title, "", line(head), line(widths.map((width) => "-".repeat(width))), ...rest.map(line), ""].join("\n");
}

function cellsOf({ story, outcome: { pages, tickets }, problems }: Row): readonly string[] {
  const [first] = pages;
  const which = pages.map(({ minute, alerts }) => `${since(story.fault, minute)}: ${named(alerts)}`);
  return [
    story.name,
    first === undefined ? "" : since(story.fault, first.minute),
    String(pages.length),
    which.join("; "),
    tickets.map(short).join(", "),
    resolutionOf(story, pages),
    problems.length === 0 ? "yes" : `no (${problems.length})`,
  ];
}

function resolutionOf({ fault, recovery }: Story, pages: readonly Page[]): string {
  if (pages.length === 0) return "";
  const last = Math.max(...pages.map(({ resolved }) => resolved ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(last) ? since(recovery ?? fault, last) : "never";
}

const since = (from: number, minute: number): string => (minute - from).toFixed(1);
const short = (name: string): string => name.replace(/^Avax/, "");

/** Names, each with the number of its alerts where there are several. */
function named(alerts: readonly string[]): string {
  const names = [...new Set(alerts)];
  return names
    .map((name) => {
      const count = alerts.filter((each) => each === name).length;
      return count === 1 ? short(name) : `${short(name)} ×${count}`;
    })
    .join(" + ");
}
