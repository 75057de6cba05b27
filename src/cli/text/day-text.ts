import { z } from "zod";
import type { DeepReadonly } from "../../config/config.ts";
import { amount, utcText, type Paint } from "../../diagnosis/wording.ts";
import { severityWord } from "../../diagnosis/finding.ts";
import { STATES, type State } from "../../diagnosis/history/strip.ts";
import { SEVERITIES } from "../../topics/define/alert.ts";
import { wrapped } from "../../config/base/wrapped.ts";
import { span } from "../../config/base/age.ts";

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
  slotSeconds: z.number().positive(),
  slotsFrom: z.number(),
  strips: z.array(z.object({ node: z.string(), slots: z.array(z.enum(STATES)) })),
});

type Day = DeepReadonly<z.output<typeof printedDay>>;
type DayProblem = Day["problems"][number];
type DayEvent = Day["events"][number];

const INDENT = "    ";
/** Columns of a strip: two quarters of an hour each for a day. */
const STRIP = 48;
/** Columns of a name beside its strip. */
const NAME = 24;
/** Lines of a list before the rest is counted. */
const LISTED = 200;

const MARKS: Readonly<Record<State, string>> = { ok: "·", info: "i", unknown: "?", warning: "w", critical: "C" };

/** The history for a terminal: what happened, oldest first, then a strip for each node with an event. */
export function dayText(day: Day, tone: Paint): string {
  const { now, since, from, cut, problems } = day;
  const open = problems.filter(({ ended, unknownSince }) => (ended ?? unknownSince) === undefined).length;
  const lines = [
    tone.bold(`${utcText(since)} to ${utcText(now)}: ${amount(problems.length, "problem")}, ${open} open`),
    ...(from > since ? [`No record before ${utcText(from)}${cut ? ": there was too much to keep" : ""}`] : []),
    "",
    ...list(day, tone),
    ...strips(day, tone),
  ];
  return `${lines.join("\n")}\n`;
}

function list({ problems, events, now }: Day, tone: Paint): readonly string[] {
  const all = [
    ...problems.map((each) => ({ each, what: problemLines(each, tone) })),
    ...events.map((each) => ({ each, what: eventLines(each) })),
  ].sort((a, b) => a.each.began - b.each.began);
  const hidden = Math.max(0, all.length - LISTED);
  if (all.length === 0) return ["Nothing happened.", ""];
  return [
    ...(hidden === 0 ? [] : [`${hidden} earlier: GET /api/v1/history`, ""]),
    ...all
      .slice(hidden)
      .flatMap(({ each, what: [first = "", ...rest] }) => [`${timesOf(each, now)}  ${first}`.trimEnd(), ...rest]),
    "",
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

/** Without control characters and directional marks, which could change a terminal: texts and names come from others. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
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

function strips(day: Day, tone: Paint): readonly string[] {
  const touched = new Set([...day.problems, ...day.events].flatMap(({ node }) => node ?? []));
  const rows = day.strips.filter(({ node }) => touched.has(node));
  const quiet = day.strips.length - rows.length;
  const [model] = rows.length === 0 ? day.strips : rows;
  if (model === undefined) return [];
  const width = Math.ceil(model.slots.length / columnsOf(model.slots.length));
  const minutes = (columnsOf(model.slots.length) * day.slotSeconds) / 60;
  const axis = `${short(day.slotsFrom)}${"now".padStart(Math.max(4, width - 11))}`;
  return [
    `${STATES.map((state) => `${MARKS[state]} ${state}`).join("   ")}   (${minutes} minutes each, UTC)`,
    `${"".padEnd(NAME)}  ${axis}`,
    ...rows.map(({ node, slots }) => `${name(node)}  ${painted(slots, tone)}`),
    ...(quiet === 0 ? [] : [`${amount(quiet, "other node")} without an event`]),
  ];
}

/** Slots of one column. */
function columnsOf(slots: number): number {
  return Math.max(1, Math.ceil((slots - 1) / STRIP));
}

function painted(slots: readonly State[], tone: Paint): string {
  const size = columnsOf(slots.length);
  const tones: Partial<Record<State, (text: string) => string>> = {
    critical: tone.critical,
    warning: tone.warning,
    info: tone.info,
    ok: tone.good,
  };
  const columns = Array.from({ length: Math.ceil(slots.length / size) }, (_, index) =>
    slots
      .slice(index * size, (index + 1) * size)
      .reduce<State>((worst, each) => (STATES.indexOf(each) > STATES.indexOf(worst) ? each : worst), "ok"),
  );
  return columns.map((state) => (tones[state] ?? ((text: string) => text))(MARKS[state])).join("");
}

function name(given: string): string {
  const node = printable(given);
  return (node.length > NAME ? `${node.slice(0, NAME - 1)}…` : node).padEnd(NAME);
}
