import { REASONS } from "../api/reasons.ts";
import type { Status, TargetStatus } from "../poller/status.ts";
import { SEVERITIES, subjectOf } from "./diagnose.ts";
import type { Diagnosis, Evidence, Finding } from "./finding.ts";
import { paragraph, paint, WIDTH, type Paint } from "./wording.ts";

/** What a person reads of one look. */
export type Report = {
  readonly status: Status;
  readonly diagnosis: Diagnosis;
  /** Seconds that the look took. */
  readonly took: number;
  /** Whether everything was asked before time was up. */
  readonly complete: boolean;
};

const LABELS = { critical: "CRITICAL", warning: "WARNING", info: "INFO" } as const;
/** Findings of one alert about one node or network that are told in full. */
const TOLD = 3;

/** What is wrong, worst first, how it is known and what to do; what was not looked at; and the verdict in the last line. */
export function reportOf(report: Report, colours: boolean): string {
  const tone = paint(colours);
  const groups = Map.groupBy(report.diagnosis.findings, subjectOf);
  // A group is as bad as its worst finding, and the findings are sorted.
  const lines = [
    headline(report),
    "",
    ...[...groups].flatMap(([subject, findings]) => [...groupText(subject, findings, report, tone), ""]),
    ...quiet(report, groups),
    ...unseen(report),
    verdict(report, groups, tone),
  ];
  return `${lines.join("\n")}\n`;
}

function headline({ status, took, diagnosis }: Report): string {
  const time = new Date(diagnosis.at * 1000).toISOString().slice(0, 19).replace("T", " ");
  return `Looked at ${amount(status.targets.length, "node")} for ${took.toFixed(1)} s, ${time} UTC`;
}

function groupText(subject: string, findings: readonly Finding[], report: Report, tone: Paint): readonly string[] {
  const target = report.status.targets.find(({ name }) => name === subject);
  return [
    ...(target === undefined
      ? [tone.bold(subject === "" ? "This exporter" : `Network ${subject}`)]
      : nodeTitle(target, findings, report, tone)),
    ...[...Map.groupBy(findings, ({ alert }) => alert).values()].flatMap((same) => ["", ...alertText(same, tone)]),
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

/** Findings of one alert: each with its series, what it means and what to do once. */
function alertText(same: readonly Finding[], tone: Paint): readonly string[] {
  const [first] = same;
  if (first === undefined) return [];
  const more = same.length - TOLD;
  return [
    ...same
      .slice(0, TOLD)
      .flatMap(({ severity, summary, evidence }) => [
        ...paragraph(tone[severity](LABELS[severity]), summary, "  ", LABELS[severity].length),
        ...evidence.flatMap((each, index) => proof(each, index === 0)),
      ]),
    ...(more > 0 ? [`    and ${more} more of this kind`] : []),
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

/** Nodes about which nothing is to be said. */
function quiet({ status }: Report, groups: ReadonlyMap<string, unknown>): readonly string[] {
  const fine = status.targets.filter(({ name }) => !groups.has(name)).map(({ name }) => name);
  if (fine.length === 0) return [];
  const shown = fine.length > 10 ? [...fine.slice(0, 10), `and ${fine.length - 10} more`] : fine;
  return [...paragraph("Nothing wrong with", shown.join(", "), ""), ""];
}

/** What this look could not see. */
function unseen({ status, diagnosis, complete }: Report): readonly string[] {
  const failing = status.targets.flatMap(({ name, endpoints }) =>
    endpoints
      .filter(({ state }) => state === "failing" || state === "waiting")
      .map(({ id, key, error }) => {
        const why = error === undefined ? "not answered in time" : `${error.reason}: ${REASONS[error.reason]}`;
        return `${name}: ${key === "" ? id : `${id} ${key}`}: ${why}`;
      }),
  );
  const { needHistory, failed } = diagnosis;
  return [
    "Not looked at:",
    ...(complete ? [] : ["  time was up before everything was asked"]),
    ...failing.slice(0, 20).flatMap((line) => paragraph("-", line, "  ")),
    ...(failing.length > 20 ? [`  - and ${failing.length - 20} more endpoints`] : []),
    ...failed.flatMap(({ alert, why }) => paragraph("-", `${alert}: ${why}`, "  ")),
    ...paragraph("-", `conditions that need history, which Prometheus has: ${needHistory.join(", ")}`, "  "),
    "",
  ];
}

function verdict({ diagnosis, status }: Report, groups: ReadonlyMap<string, readonly Finding[]>, tone: Paint): string {
  const { counts, claims } = diagnosis;
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity}`,
  );
  if (status.targets.length === 0) return "Verdict: no node is configured";
  if (parts.length === 0) return tone.good("Verdict: nothing critical, nothing else wrong");
  if (counts.critical === 0) return tone.warning(`Verdict: nothing critical; ${parts.join(", ")}`);
  const deceived = [...groups].filter(
    ([name, findings]) => claims[name] === true && findings[0]?.severity === "critical",
  );
  const but =
    deceived.length === 0
      ? ""
      : `. By its own account healthy, and not so: ${deceived.map(([name]) => name).join(", ")}`;
  return tone.critical(`Verdict: ${parts.join(", ")}${but}`);
}

function amount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
