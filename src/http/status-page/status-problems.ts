import type { Diagnosis, Evidence, Finding } from "../../diagnosis/finding.ts";
import { safe, type Html } from "./html.ts";
import { count } from "./status-view.ts";

/** Findings of one alert that are listed; the rest is counted. */
const LISTED = 8;

const NOTHING = safe``;

/** The findings grouped by alert, worst first, with meaning, action and evidence. */
export function renderProblems(findings: readonly Finding[], diagnosis: Diagnosis, filtered: boolean): Html {
  if (findings.length === 0) return filtered ? NOTHING : safe`<p class="note fine">${nothing(diagnosis)}</p>`;
  const kinds = [...Map.groupBy(findings, ({ alert }) => alert).values()];
  return safe`<section aria-label="Problems">
    <h2>Problems <small>${counted(findings)}</small></h2>
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

function counted(findings: readonly Finding[]): string {
  const by = Map.groupBy(findings, ({ severity }) => severity);
  return [...by]
    .map(([severity, some]) => (severity === "warning" ? count(some.length, severity) : `${some.length} ${severity}`))
    .join(", ");
}

function renderKind(same: readonly Finding[]): Html {
  const [first] = same;
  if (first === undefined) return NOTHING;
  const more = same.length - LISTED;
  const shown = same.slice(0, LISTED);
  return safe`<article class="problem ${first.severity}">
    <div class="title"><span class="badge ${TONES[first.severity]}">${first.severity}</span> <h3><bdi>${first.summary}</bdi></h3></div>
    ${shown.length > 1 ? safe`<ul>${shown.slice(1).map(({ summary }) => safe`<li><bdi>${summary}</bdi></li>`)}</ul>` : NOTHING}
    ${more > 0 ? safe`<p class="quiet">and ${more} more: <a href="/api/v1/findings">findings as JSON</a></p>` : NOTHING}
    <p class="quiet">${prose(first.meaning)}</p>
    <p><b>What to do:</b> ${prose(first.action)}</p>
    <details data-key="problem ${first.alert}">
      <summary class="plain">Evidence</summary>
      ${shown.map(({ evidence }) => safe`<ul class="proof">${evidence.map(renderEvidence)}</ul>`)}
    </details>
    <p class="facts"><a href="${first.runbook}" rel="noreferrer">Runbook</a> <span>${first.alert} ${waiting(first)}</span></p>
  </article>
  `;
}

/** Renders text between backticks as code. */
function prose(text: string): readonly Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? safe`<code>${part}</code>` : safe`${part}`));
}

const TONES = { critical: "down", warning: "failing", info: "unknown" } as const;

function waiting({ for: time }: Finding): string {
  return time.startsWith("0") ? "fires immediately" : `fires after ${time}`;
}

function renderEvidence({ series, value, words }: Evidence): Html {
  const meaning = words === undefined ? NOTHING : safe` <span class="quiet">(${words})</span>`;
  return safe`<li><code>${series} <b>${String(value)}</b></code>${meaning}</li>`;
}
