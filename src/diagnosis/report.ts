import type { TargetStatus } from "../poller/poll/status.ts";
import { SEVERITIES, subjectOf } from "./diagnose.ts";
import type { Evidence, Finding } from "./finding.ts";
import { unseenNodes, type Report } from "./seen.ts";
import { unlookedAt } from "./unlooked-at.ts";
import { amount, listed, paragraph, paint, WIDTH, type Paint } from "./wording.ts";

const LABELS = { critical: "CRITICAL", warning: "WARNING", info: "INFO" } as const;
/** Findings of one alert that are told in full, in one group. */
const TOLD = 3;
/** Nodes and networks with findings that are told one by one; more are told alert by alert. */
const SUBJECTS = 12;

/** What is wrong, worst first, how it is known and what to do; what was not looked at; and the verdict in the last line. */
export function reportOf(report: Report, colours: boolean): string {
  const tone = paint(colours);
  const { findings } = report.diagnosis;
  const groups = Map.groupBy(findings, subjectOf);
  // A group is as bad as its worst finding, and the findings are sorted.
  const wrong =
    groups.size <= SUBJECTS
      ? [...groups].map(([subject, found]) => bySubject(subject, found, report, tone))
      : [...Map.groupBy(findings, ({ alert }) => alert).values()].map((found) => byAlert(found, tone));
  const lines = [
    headline(report),
    "",
    ...wrong.flatMap((group) => [...group, ""]),
    ...quiet(report, groups),
    ...unlookedAt(report),
    verdict(report, groups, tone),
  ];
  return `${lines.join("\n")}\n`;
}

function headline({ nodes, took, diagnosis }: Report): string {
  const time = new Date(diagnosis.at * 1000).toISOString().slice(0, 19).replace("T", " ");
  return `Looked at ${amount(nodes.length, "node")} for ${took.toFixed(1)} s, ${time} UTC`;
}

function bySubject(subject: string, findings: readonly Finding[], report: Report, tone: Paint): readonly string[] {
  const target = report.status.targets.find(({ name }) => name === subject);
  return [
    ...(target === undefined
      ? [tone.bold(subject === "" ? "This exporter" : `Network ${subject}`)]
      : nodeTitle(target, findings, report, tone)),
    ...[...Map.groupBy(findings, ({ alert }) => alert).values()].flatMap((same) => [
      "",
      ...alertText(same, tone, same.length > TOLD ? [`    and ${same.length - TOLD} more of this kind`] : []),
    ]),
  ];
}

/** One alert about many: how many they are, some of them in full, and the names of some more. */
function byAlert(findings: readonly Finding[], tone: Paint): readonly string[] {
  const subjects = [...new Set(findings.map(subjectOf))].filter((name) => name !== "");
  const [first] = findings;
  const about = `, about ${subjects.length} nodes or networks`;
  const others = subjects.filter((name) => !findings.slice(0, TOLD).some((each) => subjectOf(each) === name));
  return [
    tone.bold(`${first?.alert ?? ""}: ${amount(findings.length, "time")}${subjects.length > 1 ? about : ""}`),
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
  const yet = claim === true && critical > 0 ? `, yet ${amount(critical, "critical problem")}` : "";
  const says = claim === undefined ? "says nothing of its health" : `calls itself ${claim ? "healthy" : "unhealthy"}`;
  const facts = [target.network ?? "network unknown", target.nodeId ?? "node ID unknown", target.url];
  return [tone.bold(`${target.name}: this node ${says}${yet}`), `  ${facts.join("  ")}`];
}

/** Findings of one alert: some with their series, what is said of the `others`, and once what it means and what to do. */
function alertText(same: readonly Finding[], tone: Paint, others: readonly string[]): readonly string[] {
  const [first] = same;
  if (first === undefined) return [];
  return [
    ...same
      .slice(0, TOLD)
      .flatMap(({ severity, summary, evidence }) => [
        ...paragraph(tone[severity](LABELS[severity]), summary, "  ", LABELS[severity].length),
        ...evidence.flatMap((each, index) => proof(each, index === 0)),
      ]),
    ...others,
    ...paragraph("means", first.meaning, "    "),
    ...paragraph("do", first.action, "    "),
    `    more   docs/runbooks/${first.alert}.md; ${waiting(first)}`,
  ];
}

/** A series with its value and what that means, on the same line where it fits. */
function proof({ series, value, words }: Evidence, first: boolean): readonly string[] {
  const name = `    ${first ? "known" : "     "}  ${series}`;
  const says = words === undefined ? String(value) : `${value} (${words})`;
  return name.length + 1 + says.length <= WIDTH ? [`${name} ${says}`] : [name, `             ${says}`];
}

function waiting({ for: time }: Finding): string {
  return time.startsWith("0") ? "the alert fires at once" : `the alert fires after ${time} of this`;
}

/** Nodes about which nothing is to be said, and which were looked at. */
function quiet(report: Report, groups: ReadonlyMap<string, unknown>): readonly string[] {
  const unseen = new Set(unseenNodes(report));
  const fine = report.status.targets.map(({ name }) => name).filter((name) => !groups.has(name) && !unseen.has(name));
  return fine.length === 0 ? [] : [...paragraph("Nothing wrong with", listed(fine), ""), ""];
}

function verdict(report: Report, groups: ReadonlyMap<string, readonly Finding[]>, tone: Paint): string {
  const { diagnosis, nodes } = report;
  const { counts, claims } = diagnosis;
  if (nodes.length === 0) return "Verdict: no node is configured";
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity}`,
  );
  const unseen = unseenNodes(report).length;
  const but = unseen === 0 ? "" : `; ${unseen} of ${amount(nodes.length, "node")} could not be looked at`;
  if (parts.length === 0) {
    const nothing = "Verdict: nothing critical, nothing else wrong";
    return unseen === 0 ? tone.good(nothing) : tone.critical(`${nothing} where something is known${but}`);
  }
  if (counts.critical === 0) return tone.warning(`Verdict: nothing critical; ${parts.join(", ")}${but}`);
  const deceived = [...groups].filter(
    ([name, findings]) => claims[name] === true && findings[0]?.severity === "critical",
  );
  const names = deceived.map(([name]) => name);
  const healthy = names.length === 0 ? "" : `. By its own account healthy, and not so: ${listed(names)}`;
  return tone.critical(`Verdict: ${parts.join(", ")}${but}${healthy}`);
}
