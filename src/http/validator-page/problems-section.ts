import type { Severity } from "../../catalogue/alert.ts";
import { severityWord, type Diagnosis } from "../../diagnosis/finding.ts";
import type { ValidatorView, VerdictState } from "../../diagnosis/validator/validator-view.ts";
import { safe, type Html } from "../status-page/html.ts";
import { count } from "../status-page/status-view.ts";
import { NOTHING, pill } from "./page.ts";
import { problemsOf, type OwnProblem } from "./validator-problems.ts";

/** Problems that are listed. */
const LISTED = 8;

/** The current problems about the validator and its polled nodes. */
export function renderProblems(diagnosis: Diagnosis | undefined, view: ValidatorView): Html {
  const problems = diagnosis === undefined ? undefined : problemsOf(diagnosis, view);
  return safe`<section aria-labelledby="problems">
    <h2 id="problems">Current problems</h2>
    ${problems === undefined ? safe`<p class="quiet">Unknown: the diagnosis failed, see the log of the exporter.</p>` : renderList(problems)}
  </section>`;
}

function renderList(problems: readonly OwnProblem[]): Html {
  if (problems.length === 0) return safe`<p class="quiet">No problems about this validator.</p>`;
  const more = problems.length - LISTED;
  return safe`<ul class="problems">${problems.slice(0, LISTED).map(renderProblem)}</ul>
    ${more > 0 ? safe`<p class="quiet">and ${count(more, "problem")} more: <a href="/api/v1/findings">findings as JSON</a></p>` : NOTHING}`;
}

const TONES = {
  critical: "lost",
  warning: "at_risk",
  info: "unknown",
  none: "unknown",
} as const satisfies Readonly<Record<Severity, VerdictState>>;

function renderProblem({ severity, summary, action, because, alert, runbook }: OwnProblem): Html {
  return safe`<li>
    <p>${pill(TONES[severity], severityWord(severity))} <b><bdi>${summary}</bdi></b></p>
    <p class="quiet">${because === undefined ? safe`${prose(action)}` : safe`Follows from: <bdi>${because}</bdi>`} <a href="${runbook}" rel="noreferrer">Runbook ${alert}</a></p>
  </li>`;
}

/** Renders text between backticks as code. */
function prose(text: string): readonly Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? safe`<code>${part}</code>` : safe`${part}`));
}
