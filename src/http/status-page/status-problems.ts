import type { Severity } from "../../catalogue/alert.ts";
import {
  COUNTED,
  countedAs,
  severityWord,
  type Consequence,
  type Counts,
  type Diagnosis,
  type Evidence,
  type Problem,
} from "../../diagnosis/finding.ts";
import { safe, type Html } from "./html.ts";
import { count, grouped } from "./status-view.ts";

/** Problems of one alert that are listed; the rest is counted. */
const LISTED = 8;
/** Consequences of them that are listed. */
const FOLLOWING = 40;

const NOTHING = safe``;

/** The problems grouped by alert, worst first, with meaning, action, evidence and consequences. */
export function renderProblems(problems: readonly Problem[], diagnosis: Diagnosis, filtered: boolean): Html {
  if (problems.length === 0) return filtered ? NOTHING : safe`<p class="note fine">${nothing(diagnosis)}</p>`;
  const kinds = [...Map.groupBy(problems, ({ alert }) => alert).values()];
  const counts = filtered ? countsOf(problems) : diagnosis.counts;
  return safe`<section aria-label="Problems">
    <h2>Problems <small>${counted(counts)}</small></h2>
    ${kinds.map(renderKind)}
    <p class="note">${limits(diagnosis)}</p>
  </section>
  `;
}

function nothing(diagnosis: Diagnosis): string {
  return `No problems: ${count(diagnosis.judged, "condition")} evaluated. ${limits(diagnosis)}`;
}

/** The conditions that are not evaluated on the current samples. */
function limits({ needHistory, failed }: Diagnosis): string {
  const unjudged =
    failed.length === 0 ? "" : ` Not evaluated: ${failed.map(({ alert, why }) => `${alert} (${why})`).join(", ")}.`;
  return `Only Prometheus evaluates ${count(needHistory.length, "condition")} on past samples.${unjudged}`;
}

function counted(counts: Counts): string {
  const causes = COUNTED.filter((severity) => counts[severity] > 0).map((severity) =>
    severity === "warning" ? count(counts[severity], severity) : `${grouped(counts[severity])} ${severity}`,
  );
  if (counts.pending > 0) causes.push(`${grouped(counts.pending)} pending`);
  return `${causes.join(", ")}${counts.consequences === 0 ? "" : ` and ${count(counts.consequences, "consequence")}`}`;
}

function countsOf(problems: readonly Problem[]): Counts {
  const pending = problems.filter(({ state }) => state === "pending").length;
  const of = (as: string): number =>
    problems.filter(({ severity, state }) => state === "firing" && countedAs(severity) === as).length;
  const firing = { critical: of("critical"), warning: of("warning"), info: of("info") };
  return { ...firing, pending, consequences: followingOf(problems) };
}

function followingOf(problems: readonly Problem[]): number {
  return problems.reduce((sum, { consequenceCount }) => sum + consequenceCount, 0);
}

function renderKind(same: readonly Problem[]): Html {
  const [first] = same;
  if (first === undefined) return NOTHING;
  const more = same.length - LISTED;
  const shown = same.slice(0, LISTED);
  return safe`<article class="problem ${first.severity}">
    <div class="title"><span class="badge ${TONES[first.severity]}">${severityWord(first.severity)}</span> <h3><bdi>${first.summary}</bdi></h3></div>
    ${shown.length > 1 ? safe`<ul>${shown.slice(1).map(({ summary }) => safe`<li><bdi>${summary}</bdi></li>`)}</ul>` : NOTHING}
    ${more > 0 ? safe`<p class="quiet">and ${more} more: <a href="/api/v1/findings">findings as JSON</a></p>` : NOTHING}
    <p class="quiet">${prose(first.meaning)}</p>
    <p><b>What to do:</b> ${prose(first.action)}</p>
    <details data-key="problem ${first.alert}">
      <summary class="plain">Evidence</summary>
      ${shown.map(({ evidence }) => safe`<ul class="proof">${evidence.map(renderEvidence)}</ul>`)}
    </details>
    <p class="facts"><a href="${first.runbook}" rel="noreferrer">Runbook</a> <span>${first.alert} ${waiting(first)}</span></p>
    ${renderFollowing(same)}
  </article>
  `;
}

/** What follows from problems of one alert, folded. */
function renderFollowing(same: readonly Problem[]): Html {
  const total = followingOf(same);
  if (total === 0) return NOTHING;
  const shown = same.flatMap(({ consequences }) => consequences).slice(0, FOLLOWING);
  const more = total - shown.length;
  return safe`<details data-key="follows ${same[0]?.alert ?? ""}">
    <summary class="plain">and ${count(total, "consequence")}</summary>
    ${[...Map.groupBy(shown, ({ why }) => why)].map(([why, some]) => renderReason(why, some))}
    ${more > 0 ? safe`<p class="quiet">and ${grouped(more)} more: <a href="/api/v1/findings">findings as JSON</a></p>` : NOTHING}
  </details>`;
}

function renderReason(why: string, some: readonly Consequence[]): Html {
  const lines = some.map(({ summary }) => safe`<li><bdi>${summary}</bdi></li>`);
  return safe`<p class="quiet">${prose(why)}</p>
    <ul>${lines}</ul>`;
}

/** Renders text between backticks as code. */
function prose(text: string): readonly Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? safe`<code>${part}</code>` : safe`${part}`));
}

const TONES = {
  critical: "down",
  warning: "failing",
  info: "unknown",
  none: "unknown",
} as const satisfies Readonly<Record<Severity, string>>;

function waiting({ severity, for: time }: Problem): string {
  if (severity === "none") return "is a state that is not sent as an alert";
  return time.startsWith("0") ? "fires immediately" : `fires after ${time}`;
}

function renderEvidence({ series, value, words }: Evidence): Html {
  const meaning = words === undefined ? NOTHING : safe` <span class="quiet">(${words})</span>`;
  return safe`<li><code>${series} <b>${String(value)}</b></code>${meaning}</li>`;
}
