import type { TargetStatus } from "../poller/poll/status.ts";
import { SEVERITIES, subjectOf } from "./diagnose.ts";
import type { Evidence, Finding, Report } from "./finding.ts";
import { unobservedLines, unobservedNodes } from "./unobserved.ts";
import { amount, listed, paragraph, paint, utcText, WIDTH, type Paint } from "./wording.ts";

const LABELS = { critical: "CRITICAL", warning: "WARNING", info: "INFO" } as const;
/** Findings of one alert in a group that are listed in full. */
const LISTED = 3;
/** Up to this number of nodes and networks the findings are grouped by them, otherwise by alert. */
const SUBJECTS = 12;

/** The report for a terminal: findings, worst first; what was not observed; and the verdict in the last line. */
export function reportOf(report: Report, colours: boolean): string {
  const tone = paint(colours);
  const { findings } = report.diagnosis;
  const groups = Map.groupBy(findings, subjectOf);
  // The findings are sorted, so the groups are sorted by their worst finding.
  const wrong =
    groups.size <= SUBJECTS
      ? [...groups].map(([subject, found]) => bySubject(subject, found, report, tone))
      : [...Map.groupBy(findings, ({ alert }) => alert).values()].map((found) => byAlert(found, tone));
  const lines = [
    headline(report),
    "",
    ...wrong.flatMap((group) => [...group, ""]),
    ...withoutFindings(report, groups),
    ...unobservedLines(report),
    verdict(report, groups, tone),
  ];
  return `${lines.join("\n")}\n`;
}

function headline({ nodes, took, diagnosis }: Report): string {
  return `Polled ${amount(nodes.length, "node")} in ${took.toFixed(1)} s, ${utcText(diagnosis.at)}`;
}

function bySubject(subject: string, findings: readonly Finding[], report: Report, tone: Paint): readonly string[] {
  const target = report.status.targets.find(({ name }) => name === subject);
  return [
    ...(target === undefined
      ? [tone.bold(subject === "" ? "This exporter" : `Network ${subject}`)]
      : nodeTitle(target, findings, report, tone)),
    ...[...Map.groupBy(findings, ({ alert }) => alert).values()].flatMap((same) => [
      "",
      ...alertText(same, tone, same.length > LISTED ? [`    and ${same.length - LISTED} more like this`] : []),
    ]),
  ];
}

/** One alert about many nodes: their number, the first findings in full, and the names of others. */
function byAlert(findings: readonly Finding[], tone: Paint): readonly string[] {
  const subjects = [...new Set(findings.map(subjectOf))].filter((name) => name !== "");
  const [first] = findings;
  const about = ` on ${subjects.length} nodes or networks`;
  const others = subjects.filter((name) => !findings.slice(0, LISTED).some((each) => subjectOf(each) === name));
  return [
    tone.bold(`${first?.alert ?? ""}: ${amount(findings.length, "finding")}${subjects.length > 1 ? about : ""}`),
    "",
    ...alertText(findings, tone, others.length === 0 ? [] : paragraph("also", listed(others), "    ")),
  ];
}

function nodeTitle(
  target: TargetStatus,
  findings: readonly Finding[],
  { diagnosis }: Report,
  tone: Paint,
): readonly string[] {
  const claim = diagnosis.claims[target.name];
  const critical = findings.filter(({ severity }) => severity === "critical").length;
  const but = claim === true && critical > 0 ? `, but has ${amount(critical, "critical problem")}` : "";
  const report = claim === undefined ? "no health report" : `reports itself ${claim ? "healthy" : "unhealthy"}`;
  const facts = [target.network ?? "network unknown", target.nodeId ?? "node ID unknown", target.url];
  return [tone.bold(`${target.name}: ${report}${but}`), `  ${facts.join("  ")}`];
}

/** Findings of one alert with evidence, then `more` lines, then the alert's meaning and action. */
function alertText(same: readonly Finding[], tone: Paint, more: readonly string[]): readonly string[] {
  const [first] = same;
  if (first === undefined) return [];
  return [
    ...same
      .slice(0, LISTED)
      .flatMap(({ severity, summary, evidence }) => [
        ...paragraph(tone[severity](LABELS[severity]), summary, "  ", LABELS[severity].length),
        ...evidence.flatMap((each, index) => evidenceLines(each, index === 0)),
      ]),
    ...more,
    ...paragraph("means", first.meaning, "    "),
    ...paragraph("do", first.action, "    "),
    `    more   docs/runbooks/${first.alert}.md; ${waiting(first)}`,
  ];
}

/** A series and its value, on one line if they fit. */
function evidenceLines({ series, value, words }: Evidence, first: boolean): readonly string[] {
  const name = `    ${first ? "data " : "     "}  ${series}`;
  const text = words === undefined ? String(value) : `${value} (${words})`;
  return name.length + 1 + text.length <= WIDTH ? [`${name} ${text}`] : [name, `             ${text}`];
}

function waiting({ for: time }: Finding): string {
  return time.startsWith("0") ? "the alert fires immediately" : `the alert fires after ${time}`;
}

/** Nodes that were observed and have no findings. */
function withoutFindings(report: Report, groups: ReadonlyMap<string, unknown>): readonly string[] {
  const unobserved = new Set(unobservedNodes(report));
  const names = report.status.targets.map(({ name }) => name);
  const fine = names.filter((name) => !groups.has(name) && !unobserved.has(name));
  return fine.length === 0 ? [] : [...paragraph("No problems on", listed(fine), ""), ""];
}

function verdict(report: Report, groups: ReadonlyMap<string, readonly Finding[]>, tone: Paint): string {
  const { diagnosis, nodes } = report;
  const { counts, claims } = diagnosis;
  if (nodes.length === 0) return "Verdict: no nodes configured";
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity}`,
  );
  const unobserved = unobservedNodes(report).length;
  const but = unobserved === 0 ? "" : `; ${unobserved} of ${amount(nodes.length, "node")} not observed`;
  if (parts.length === 0) {
    const nothing = "Verdict: no problems";
    return unobserved === 0 ? tone.good(nothing) : tone.critical(`${nothing} found${but}`);
  }
  if (counts.critical === 0) return tone.warning(`Verdict: no critical problems; ${parts.join(", ")}${but}`);
  const falselyHealthy = [...groups].filter(
    ([name, findings]) => claims[name] === true && findings[0]?.severity === "critical",
  );
  const names = falselyHealthy.map(([name]) => name);
  const healthy = names.length === 0 ? "" : `. Reported healthy despite critical problems: ${listed(names)}`;
  return tone.critical(`Verdict: ${parts.join(", ")}${but}${healthy}`);
}
