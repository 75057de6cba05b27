import { z } from "zod";
import type { DeepReadonly } from "../../config/config.ts";
import { amount, utcText, type Paint } from "../../diagnosis/wording.ts";
import { severityWord } from "../../diagnosis/finding.ts";
import { SEVERITIES } from "../../topics/define/alert.ts";
import { wrapped } from "../../config/base/wrapped.ts";
import { span } from "../../config/base/durations.ts";
import { printable } from "./printable.ts";

const times = {
  began: z.number(),
  ended: z.number().optional(),
  unknownSince: z.number().optional(),
  seconds: z.number(),
};
/** The part of a history that is printed, as `/api/v1/history` answers. */
export const printedDay = z.object({
  now: z.number(),
  since: z.number(),
  from: z.number(),
  cut: z.boolean(),
  problems: z.array(
    z.object({
      alert: z.string(),
      severity: z.enum(SEVERITIES),
      node: z.string().optional(),
      network: z.string().optional(),
      summary: z.string(),
      ...times,
    }),
  ),
  events: z.array(z.object({ node: z.string().optional(), text: z.string(), ...times })),
});

type Day = DeepReadonly<z.output<typeof printedDay>>;
type DayProblem = Day["problems"][number];
type DayEvent = Day["events"][number];

const INDENT = "    ";
/** Lines of a list before the rest is counted. */
const LISTED = 200;

/** The history for a terminal: what happened, oldest first. */
export function dayText(day: Day, tone: Paint): string {
  const { now, since, from, cut, problems } = day;
  const open = problems.filter(({ ended, unknownSince }) => (ended ?? unknownSince) === undefined).length;
  const lines = [
    tone.bold(`${utcText(since)} to ${utcText(now)}: ${amount(problems.length, "problem")}, ${open} open`),
    ...(from > since ? [`No record before ${utcText(from)}${cut ? ": there was too much to keep" : ""}`] : []),
    "",
    ...list(day, tone),
  ];
  return `${lines.join("\n")}\n`;
}

function list({ problems, events, now }: Day, tone: Paint): readonly string[] {
  const all = [
    ...problems.map((each) => ({ each, what: problemLines(each, tone) })),
    ...events.map((each) => ({ each, what: eventLines(each) })),
  ].sort((a, b) => a.each.began - b.each.began);
  const hidden = Math.max(0, all.length - LISTED);
  if (all.length === 0) return ["Nothing happened."];
  return [
    ...(hidden === 0 ? [] : [`${hidden} earlier: GET /api/v1/history`, ""]),
    ...all
      .slice(hidden)
      .flatMap(({ each, what: [first = "", ...rest] }) => [`${timesOf(each, now)}  ${first}`.trimEnd(), ...rest]),
  ];
}

/** `11-22 14:05  11-22 14:12  7 min`. */
function timesOf({ began, ended, unknownSince, seconds }: DayEvent | DayProblem, now: number): string {
  const end = ended === undefined ? (unknownSince === undefined ? "open" : "unknown") : short(ended);
  const isOpen = (ended ?? unknownSince) === undefined;
  const length = ended !== undefined && ended === began ? "" : span(isOpen ? now - began : seconds);
  return `${short(began)}  ${(ended === began ? "" : end).padEnd(11)}  ${length.padEnd(12)}`;
}

/** `11-22 14:05`, in UTC. */
function short(time: number): string {
  return utcText(time).slice(5, 16);
}

function problemLines({ alert, severity, node, network, summary }: DayProblem, tone: Paint): readonly string[] {
  const word = severityWord(severity);
  const painted = severity === "critical" ? tone.critical(word) : severity === "warning" ? tone.warning(word) : word;
  return [
    `${painted}  ${printable(node ?? network ?? "exporter")}`,
    ...wrapped(printable(`${summary} (${alert})`), INDENT),
  ];
}

function eventLines({ node, text }: DayEvent): readonly string[] {
  return [`event  ${printable(node ?? "exporter")}`, ...wrapped(printable(text), INDENT)];
}
