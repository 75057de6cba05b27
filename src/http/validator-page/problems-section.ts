import type { Severity } from "../../topics/define/alert.ts";
import { severityWord, type Diagnosis } from "../../diagnosis/finding.ts";
import type { ValidatorView, VerdictState } from "../../diagnosis/validator/validator-view.ts";
import { safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { NOTHING, pill } from "./page.ts";
import { problemsOf, type OwnProblem } from "./validator-problems.ts";

/** Kinds of problems that are listed, and problems of one kind. */
const LISTED = 8;
const OF_A_KIND = 5;

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
  const kinds = [...Map.groupBy(problems, ({ alert }) => alert).values()];
  const more = kinds.slice(LISTED).flat().length;
  return safe`<ul class="problems">${kinds.slice(0, LISTED).map(renderKind)}</ul>
    ${more > 0 ? safe`<p class="quiet">and ${count(more, "problem")} more: <a href="/api/v1/findings">findings as JSON</a></p>` : NOTHING}`;
}

const TONES = {
  critical: "lost",
  warning: "at_risk",
  info: "unknown",
  none: "unknown",
} as const satisfies Readonly<Record<Severity, VerdictState>>;

/** Problems of one alert, which have one remedy. */
function renderKind(same: readonly OwnProblem[]): Html {
  const [first] = same;
  if (first === undefined) return NOTHING;
  const { severity, action, because, alert, runbook } = first;
  const more = same.length - OF_A_KIND;
  return safe`<li>
    ${same.slice(0, OF_A_KIND).map(({ summary }) => safe`<p class="what">${pill(TONES[severity], severityWord(severity))} <b><bdi>${summary}</bdi></b></p>`)}
    ${more > 0 ? safe`<p class="quiet">and ${more} more</p>` : NOTHING}
    <p class="quiet todo">${because === undefined ? safe`${prose(action)}` : safe`Follows from: <bdi>${because}</bdi>`} <a href="${runbook}" rel="noreferrer">Runbook ${alert}</a></p>
  </li>`;
}

/** Renders text between backticks as code. */
function prose(text: string): readonly Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? safe`<code>${part}</code>` : safe`${part}`));
}
