import { amount } from "../../diagnosis/wording.ts";
import { left, limited, name, periodText, right, type Document, type Section } from "../report/report-document.ts";
import { shortId } from "../../config/base/figures.ts";
import { lengthText, timeText } from "../report/value-texts.ts";
import type { Backtest, FiringCounts } from "./backtest-summary.ts";

const TITLES = [
  ["critical", "Pages"],
  ["warning", "Tickets"],
  ["info", "For a look"],
] as const;

/** The backtest as tables. @param most rows of a table; the rest is counted */
export function backtestDocument(backtest: Backtest, most: number): Document {
  const { from, until, step, covered, changed } = backtest;
  const sections = [
    ...TITLES.map(([severity, title]) => alerts(backtest, severity, title)),
    subjects(backtest),
    hours(backtest),
    neverPossible(backtest),
  ];
  return {
    title: `Avalanche backtest: ${lengthText(until - from)} to ${timeText(until)} UTC`,
    subtitle: [
      periodText(from, until, covered),
      `${changed.length === 0 ? "Shipped thresholds." : `Changed: ${changed.join(", ")}; "Shipped" is what the shipped thresholds send.`}`,
      `Conditions are looked at every ${lengthText(step)}: times are exact to that step, and an interruption between two points is not seen.`,
    ].join(" "),
    sections: limited(sections, most),
  };
}

function alerts({ alerts: all, changed }: Backtest, severity: string, title: string): Section {
  const some = all.filter((each) => each.severity === severity);
  const rows = some.filter(({ chosen, shipped }) => isSeen(chosen) || (shipped !== undefined && isSeen(shipped)));
  const isCompared = changed.length > 0;
  const sum = (of: (counts: FiringCounts) => number): number =>
    some.reduce((total, { chosen }) => total + of(chosen), 0);
  return {
    title: `${title}: ${sum(({ sent }) => sent)} sent, ${sum(heldIn)} held back`,
    columns: [
      name("Alert"),
      right("Fired"),
      right("Sent"),
      ...(isCompared ? [right("Shipped")] : []),
      right("Held back"),
      right("Firing"),
      right("Ended before for"),
    ],
    rows: rows.map(({ alert, chosen, shipped, for: wait }) => [
      alert,
      String(chosen.fired),
      String(chosen.sent),
      ...(isCompared ? [String(shipped?.sent ?? "")] : []),
      String(heldIn(chosen)),
      chosen.fired === 0 ? "" : lengthText(chosen.seconds),
      chosen.short === 0 ? "" : `${chosen.short} (${lengthText(chosen.longestShort)} of ${lengthText(wait)})`,
    ]),
    notes: [`Without a condition that was met: ${amount(some.length - rows.length, "alert")}.`],
  };
}

function isSeen({ fired, short }: FiringCounts): boolean {
  return fired + short > 0;
}

function heldIn({ held }: Pick<FiringCounts, "held">): number {
  return Object.values(held).reduce((sum, count) => sum + count, 0);
}

function subjects({ subjects: all }: Backtest): Section {
  return {
    title: "By node and cause",
    columns: [name("Subject"), name("Alert"), right("Fired"), right("Sent"), right("Longest"), name("Held back by")],
    rows: all.map(({ subject, alert, fired, sent, longest, held }) => [
      shortId(subject),
      alert,
      String(fired),
      String(sent),
      lengthText(longest),
      Object.entries(held)
        .map(([cause, count]) => (count === 1 ? cause : `${count} × ${cause}`))
        .join(", "),
    ]),
    notes: all.length === 0 ? ["No alert fired."] : [],
  };
}

function hours({ pagesByHour: { chosen, shipped }, changed }: Backtest): Section {
  const isCompared = changed.length > 0 && shipped !== undefined;
  return {
    title: "Pages by hour of the day, UTC",
    columns: [left("Hour"), right("Pages"), ...(isCompared ? [right("Shipped")] : [])],
    rows: chosen.flatMap((pages, hour) => {
      const before = shipped?.[hour] ?? 0;
      if (pages + before === 0) return [];
      return [[`${String(hour).padStart(2, "0")}:00`, String(pages), ...(isCompared ? [String(before)] : [])]];
    }),
    notes: chosen.some((pages) => pages > 0)
      ? ["Each alert counts. Alertmanager sends nodes with the same alert and network as one notification."]
      : ["No page was sent."],
  };
}

function neverPossible({ neverPossible: all }: Backtest): Section {
  return {
    title: "Alerts that could not fire: their series do not exist in this period",
    columns: [name("Alert"), name("Missing")],
    rows: (all ?? []).map(({ alert, missing }) => [alert, missing.join(", ")]),
    notes: [
      all === undefined
        ? "Unknown: this server does not list its series."
        : "Some series exist only while there is such a problem; others need a setting, or the nodes' own metrics.",
    ],
  };
}
