import { amount, listed } from "../../diagnosis/wording.ts";
import type { Severity } from "../../topics/define/alert.ts";
import { lengthOf, subjectOf } from "./incidents-of.ts";
import { startOf } from "./report-period.ts";
import type { Report, StateOfReward, Totals, ValidatorRow } from "./build-report.ts";
import { shortId } from "../../config/base/figures.ts";
import { avaxText, lengthText, shareText, timeText, UNKNOWN } from "./value-texts.ts";

/** A report as tables, which text and HTML render alike. */
export type Document = { readonly title: string; readonly subtitle: string; readonly sections: readonly Section[] };

export type Section = {
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: ReadonlyArray<readonly ReportCell[]>;
  /** Sentences below the table, or instead of an empty one. */
  readonly notes: readonly string[];
};

/** A flexible column is cut where a line is too long. */
export type ReportColumn = { readonly title: string; readonly align?: "right"; readonly flexible?: true };
export type ReportTone = "good" | "warning" | "bad";
export type ReportCell = string | { readonly text: string; readonly tone: ReportTone };

/** Names in a sentence before the rest is counted. */
const MOST_NAMES = 20;
/** Stake ends within this time are listed: four weeks. */
const ENDS_AHEAD = 28 * 86_400;

export const left = (title: string): ReportColumn => ({ title });
export const right = (title: string): ReportColumn => ({ title, align: "right" });
export const name = (title: string): ReportColumn => ({ title, flexible: true });

/** @param most rows of a table; the rest is counted */
export function reportDocument(report: Report, most: number): Document {
  const { period, covered } = report;
  const sections = [
    summary(report),
    nodes(report),
    incidents("Pages", "critical", report),
    incidents("Tickets", "warning", report),
    validators(report),
  ];
  return {
    title: `Avalanche report: ${lengthText(period.length)} to ${timeText(period.until)} UTC`,
    subtitle: `${periodText(startOf(period), period.until, covered)} "Before" is a period of the same length before it.`,
    sections: limited(sections, most),
  };
}

/** When a period began, and for how much of it there are data. */
export function periodText(from: number, until: number, covered: number): string {
  const length = until - from;
  const data = covered >= length ? "all of it" : `${lengthText(covered)} of ${lengthText(length)}`;
  return `From ${timeText(from)} UTC, with data for ${data}.`;
}

/** The sections with at most so many rows each; the rest is counted. */
export function limited(sections: ReadonlyArray<Section | undefined>, most: number): readonly Section[] {
  return sections.flatMap((section) => {
    if (section === undefined) return [];
    const { rows, notes } = section;
    const more = rows.length - most;
    if (more <= 0) return [section];
    return [{ ...section, rows: rows.slice(0, most), notes: [`${amount(more, "more row")} not listed.`, ...notes] }];
  });
}

function summary({ totals, totalsBefore, nodes: rows, validators: stakes, leaving, unrewarded = 0 }: Report): Section {
  const figures: ReadonlyArray<readonly [string, (totals: Totals) => string]> = [
    ["Nodes answered, of the known time", ({ availability }) => shareText(availability)],
    ["No data, all nodes together", ({ unknown }) => lengthText(unknown)],
    ["Pages", ({ pages }) => String(pages ?? UNKNOWN)],
    ["Tickets", ({ tickets }) => String(tickets ?? UNKNOWN)],
  ];
  const states = (["safe", "at risk", "lost", "unknown"] as const).flatMap((state) => rewards(state, stakes));
  return {
    title: `${amount(rows.length, "node")}, ${amount(stakes.length, "validator")}`,
    columns: [left(""), right("This period"), right("Before")],
    rows: [...figures.map(([label, text]) => [label, text(totals), text(totalsBefore)]), ...states],
    notes: [
      leaving.length > 0 ? `Delegations that end in 7, 30, 90 days: ${leaving.map(avaxText).join(", ")}.` : "",
      unrewarded > 0 ? `Delegations of ${avaxText(unrewarded)} end unrewarded: the uptime recovers too late.` : "",
    ].filter((note) => note !== ""),
  };
}

function rewards(state: StateOfReward, stakes: readonly ValidatorRow[]): ReadonlyArray<readonly ReportCell[]> {
  const some = stakes.filter((stake) => stake.state === state);
  if (some.length === 0) return [];
  const known = some.flatMap(({ reward }) => reward ?? []);
  const sum = known.length === 0 ? "" : ` (${avaxText(known.reduce((a, b) => a + b, 0))})`;
  return [[`Rewards: ${state}`, toned(`${some.length}${sum}`, TONES[state]), ""]];
}

const TONES: Readonly<Record<StateOfReward, ReportTone>> = {
  safe: "good",
  "at risk": "warning",
  lost: "bad",
  unknown: "warning",
};

function nodes({ nodes: rows }: Report): Section {
  return {
    title: "Nodes, least available first",
    columns: [name("Node"), name("Network"), right("Answered"), right("Down"), right("No data"), left("Version")],
    rows: rows.map(({ node, network, availability, down, unknown, version }) => [
      node,
      network ?? UNKNOWN,
      availability !== undefined && availability < 1
        ? toned(shareText(availability), "warning")
        : shareText(availability),
      lengthText(down),
      unknown === 0 ? "0 min" : toned(lengthText(unknown), "warning"),
      version ?? UNKNOWN,
    ]),
    notes: ["Answered: share of the known time; time without data counts neither as up nor as down."],
  };
}

function incidents(title: string, severity: Severity, { incidents: all, period }: Report): Section {
  const some = (all ?? []).filter((episode) => episode.severity === severity);
  return {
    title,
    columns: [left("Began"), left("Ended"), right("Lasted"), name("About"), name("Alert")],
    rows: some.map((incident) => [
      timeText(incident.from).replace(/^\d{4}-/, ""),
      incident.until === undefined
        ? toned("firing", severity === "critical" ? "bad" : "warning")
        : timeText(incident.until).slice(5),
      lengthText(lengthOf(incident, period.until)),
      shortId(subjectOf(incident)),
      incident.alert,
    ]),
    notes:
      some.length > 0 ? [] : [all === undefined ? "Unknown: this Prometheus has no rules of the exporter." : "None."],
  };
}

function validators({ validators: rows, period }: Report): Section | undefined {
  if (rows.length === 0) return undefined;
  const ending = rows
    .flatMap((row) => (row.end === undefined ? [] : [{ ...row, end: row.end }]))
    .filter(({ end }) => end - period.until <= ENDS_AHEAD)
    .toSorted((a, b) => a.end - b.end)
    .map((row) => `${nameOf(row)} on ${timeText(row.end)}${row.renews ? ", then staked again" : ""}`);
  return {
    title: "Validators, least downtime left first",
    columns: [
      name("Validator"),
      left("Reward"),
      right("Amount"),
      right("Uptime"),
      right("Used"),
      right("Left of budget"),
    ],
    rows: rows.map((row) => [
      nameOf(row),
      toned(row.state, TONES[row.state]),
      avaxText(row.reward),
      shareText(row.uptime),
      lengthText(row.used),
      budgetText(row),
    ]),
    notes: [
      "Uptime: since the stake began, as the network observes it, to half a point.",
      "Used: time of this period in which other validators did not see the node, also while it answered and was not down.",
      ...(ending.length === 0 ? [] : [`Stakes that end within four weeks: ${listed(ending, MOST_NAMES)}.`]),
    ],
  };
}

function budgetText({ left: rest, whole }: ValidatorRow): string {
  if (rest === undefined) return UNKNOWN;
  if (rest < 0) return `lost by ${lengthText(-rest)}`;
  return `${lengthText(rest)}${whole === undefined ? "" : ` of ${lengthText(whole)}`}`;
}

function nameOf({ name: given, nodeId }: ValidatorRow): string {
  return given === undefined || given === "" ? shortId(nodeId) : shortId(given);
}

function toned(text: string, tone: ReportTone): ReportCell {
  return { text, tone };
}
