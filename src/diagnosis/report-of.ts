import { durationText } from "../config/base/durations.ts";
import { wrapped } from "../config/base/wrapped.ts";
import type { TargetStatus } from "../poller/poll/status.ts";
import { countsOf } from "./count-problems.ts";
import { COUNTED, countedAs, severityWord, subjectOf, type Problem, type DiagnosisReport } from "./finding.ts";
import type { Evidence } from "./evidence.ts";
import { unobservedLines, unobservedNodes } from "./unobserved-nodes.ts";
import { joinedProblems } from "./problem-titles.ts";
import { amount, listed, MARK, paragraph, paint, rounded, utcText, type Paint } from "./wording.ts";

/** Problems of one alert in a group that are listed in full. */
const LISTED = 3;
/** Consequences of them that are listed; pages are listed beyond it. */
const FOLLOWING = 6;
/** Up to this number of nodes and networks the problems are grouped by them, otherwise by alert. */
const SUBJECTS = 12;

/** The report for a terminal: problems, worst first, with what follows from each; what was not observed; and the verdict in the last line. */
export function reportOf(report: DiagnosisReport, colours: boolean): string {
  const tone = paint(colours);
  const { nodes, took, diagnosis } = report;
  const { problems, at } = diagnosis;
  const groups = Map.groupBy(problems, subjectOf);
  // The problems are sorted, so the groups are sorted by their worst problem.
  const wrong =
    groups.size <= SUBJECTS
      ? [...groups].map(([subject, found]) => bySubject(subject, found, report, tone))
      : [...Map.groupBy(problems, ({ alert }) => alert).values()].map((found) => byAlert(found, tone));
  const lines = [
    `Polled ${amount(nodes.length, "node")} in ${took.toFixed(1)} s, ${utcText(at)}`,
    "",
    ...wrong.flatMap((group) => [...group, ""]),
    ...withoutProblems(report),
    ...unobservedLines(report),
    ...verdictOf(report, tone),
  ];
  return `${lines.join("\n")}\n`;
}

function bySubject(
  subject: string,
  problems: readonly Problem[],
  report: DiagnosisReport,
  tone: Paint,
): readonly string[] {
  const target = report.status.targets.find(({ name }) => name === subject);
  return [
    ...(target === undefined
      ? [tone.bold(subject === "" ? "This exporter" : `Network ${subject}`)]
      : nodeTitle(target, report, tone)),
    ...[...Map.groupBy(problems, ({ alert }) => alert).values()].flatMap((same) => [
      "",
      ...alertText(joinedProblems(same), tone),
    ]),
  ];
}

/** One alert about many nodes: their number, the first findings in full, and the names of others. */
function byAlert(problems: readonly Problem[], tone: Paint): readonly string[] {
  const subjects = [...new Set(problems.map(subjectOf))].filter((name) => name !== "");
  const [first] = problems;
  const about = ` on ${subjects.length} nodes or networks`;
  const joined = joinedProblems(problems);
  const others = subjects.filter((name) => !joined.slice(0, LISTED).some((problem) => subjectOf(problem) === name));
  return [
    tone.bold(`${first?.alert ?? ""}: ${amount(problems.length, "finding")}${subjects.length > 1 ? about : ""}`),
    "",
    ...alertText(joined, tone, others),
  ];
}

function nodeTitle(target: TargetStatus, { diagnosis }: DiagnosisReport, tone: Paint): readonly string[] {
  const claim = diagnosis.claims[target.name];
  const critical = countsOf(diagnosis, target.name).critical;
  const but = claim === true && critical > 0 ? `, but has ${amount(critical, "critical problem")}` : "";
  const report = claim === undefined ? "no health report" : `reports itself ${claim ? "healthy" : "unhealthy"}`;
  const facts = [target.network ?? "network unknown", target.nodeId ?? "node ID unknown", target.url];
  return [...wrapped(`${target.name}: ${report}${but}`, "  ", "").map(tone.bold), ...wrapped(facts.join(", "), "  ")];
}

/** Problems of one alert with evidence and the names of `others` that have it, then its meaning and action, then the consequences. */
function alertText(same: readonly Problem[], tone: Paint, others: readonly string[] = []): readonly string[] {
  const [first] = same;
  if (first === undefined) return [];
  const word = severityWord(first.severity).toUpperCase();
  const more = same.length - LISTED;
  return [
    ...same
      .slice(0, LISTED)
      .flatMap(({ summary, evidence }) => [
        ...paragraph(tone[countedAs(first.severity)](word), summary, "  ", word.length),
        ...evidence.flatMap(evidenceLines),
      ]),
    ...(others.length > 0
      ? paragraph("also", listed(others), "    ")
      : more > 0
        ? [`    and ${more} more like this`]
        : []),
    ...paragraph("means", first.meaning, "    "),
    ...paragraph("do", first.action, "    "),
    ...paragraph("more", `docs/runbooks/${first.alert}.md; ${waiting(first)}`, "    "),
    ...followingLines(same),
  ];
}

/** What follows from problems of one alert, with the reason for it. */
function followingLines(same: readonly Problem[]): readonly string[] {
  const total = same.reduce((sum, { consequenceCount }) => sum + consequenceCount, 0);
  if (total === 0) return [];
  const shown = same
    .flatMap(({ consequences }) => consequences)
    .filter(({ severity }, index) => index < FOLLOWING || severity === "critical");
  const indent = " ".repeat(4 + MARK + 1);
  return [
    ...paragraph("follows", amount(total, "consequence"), "    "),
    ...[...Map.groupBy(shown, ({ why }) => why)].flatMap(([why, some]) => [
      ...paragraph("", why, "    "),
      ...some.flatMap(({ summary }) => paragraph("-", summary, indent)),
    ]),
    ...(total > shown.length ? [`${indent}and ${total - shown.length} more`] : []),
  ];
}

/** A series and its value. With blanks before its labels, where a line can break, it is still PromQL. */
function evidenceLines({ series, value, words }: Evidence, index: number): readonly string[] {
  const text = `${series.replaceAll(/(?<=[{,])(?=\w+=")/g, " ")} ${rounded(value)}`;
  const lines = paragraph(index === 0 ? "data" : "", words === undefined ? text : `${text} (${words})`, "    ");
  return lines.map((line) => line.replace("{ ", "{"));
}

function waiting({ severity, for: time }: Problem): string {
  if (severity === "none") return "a state that is not sent as an alert";
  return time.startsWith("0") ? "the alert fires immediately" : `the alert fires after ${durationText(time)}`;
}

/** Nodes that were observed and have no problems, and no consequences of problems. */
function withoutProblems(report: DiagnosisReport): readonly string[] {
  const unobserved = new Set(unobservedNodes(report));
  const fine = report.nodes
    .map(({ name }) => name)
    .filter((name) => !unobserved.has(name))
    .filter((name) => Object.values(countsOf(report.diagnosis, name)).every((count) => count === 0));
  return fine.length === 0 ? [] : [...paragraph("No problems on", listed(fine), ""), ""];
}

function verdictOf(report: DiagnosisReport, tone: Paint): readonly string[] {
  const { diagnosis, nodes, status } = report;
  const { counts, claims } = diagnosis;
  if (nodes.length === 0) return ["Verdict: no nodes configured"];
  const causes = COUNTED.filter((severity) => counts[severity] > 0).map((severity) =>
    severity === "warning" ? amount(counts[severity], severity) : `${counts[severity]} ${severity}`,
  );
  const unobserved = unobservedNodes(report).length;
  const but = unobserved === 0 ? "" : `; ${unobserved} of ${amount(nodes.length, "node")} not observed`;
  if (causes.length === 0) {
    const nothing = "Verdict: no problems";
    return unobserved === 0 ? [tone.good(nothing)] : lines(`${nothing} found${but}`, tone.critical);
  }
  const following = counts.consequences === 0 ? "" : ` (and ${amount(counts.consequences, "consequence")})`;
  const found = `${causes.join(", ")}${following}`;
  if (counts.critical === 0) return lines(`Verdict: no critical problems; ${found}${but}`, tone.warning);
  const names = status.targets
    .map(({ name }) => name)
    .filter((name) => claims[name] === true && countsOf(diagnosis, name).critical > 0);
  const healthy = names.length === 0 ? "" : `. Reported healthy despite critical problems: ${listed(names)}`;
  return lines(`Verdict: ${found}${but}${healthy}`, tone.critical);
}

function lines(text: string, tone: Paint["bold"]): readonly string[] {
  return wrapped(text, "  ", "").map(tone);
}

/** Problems that the short form lists. */
const SUMMARIZED = 10;

/** The short form of the report: one line for each problem, worst first, and the verdict. */
export function summaryOf(report: DiagnosisReport, colours: boolean): string {
  const problems = joinedProblems(report.diagnosis.problems);
  const tone = paint(colours);
  const more = problems.length - SUMMARIZED;
  return [
    ...problems
      .slice(0, SUMMARIZED)
      .flatMap(({ severity, summary }) => paragraph(severityWord(severity), summary, "  ")),
    ...(more > 0 ? [`  and ${amount(more, "more problem")}`] : []),
    ...verdictOf(report, tone),
    "",
  ].join("\n");
}
