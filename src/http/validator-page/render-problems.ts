import type { Severity } from "../../topics/define/alert.ts";
import { type Diagnosis, type Finding, severityWord } from "../../diagnosis/finding.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-views.ts";
import type { VerdictState } from "../../diagnosis/validator/reward-verdict.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { prose } from "../status-page/page-parts.ts";
import { note, pill, sectionOf } from "./page-parts.ts";

/** Kinds of problems that are listed. */
const LISTED = 8;

const TITLE = "Current problems";

/** The current problems about the validator and its polled nodes; they are unknown without a diagnosis. */
export function renderProblems(problems: readonly OwnProblem[] | undefined): Html {
  if (problems === undefined)
    return sectionOf("problems", TITLE, [note("Unknown: the diagnosis failed, see the log of the exporter.")]);
  const kinds = [...Map.groupBy(problems, ({ alert }) => alert).values()];
  const more = kinds.slice(LISTED).flat().length;
  return sectionOf("problems", TITLE, [
    problems.length === 0
      ? note("No problems about this validator.")
      : safe`<ul class="problems">${kinds.slice(0, LISTED).map(renderKind)}</ul>`,
    more > 0
      ? safe`<p class="quiet">and ${count(more, "problem")} more: <a href="/api/v1/findings">findings as JSON</a></p>`
      : NOTHING,
  ]);
}

const TONES = { critical: "lost", warning: "at_risk", info: "unknown", none: "unknown" } as const satisfies Readonly<
  Record<Severity, VerdictState>
>;

/** Problems of one alert, which have one remedy. */
function renderKind(same: readonly OwnProblem[]): Html {
  const [first] = same;
  if (first === undefined) return NOTHING;
  const { severity, action, because, alert, runbookPath } = first;
  return safe`<li>
    ${same.map(({ summary }) => safe`<p class="what">${pill(TONES[severity], severityWord(severity))} <b><bdi>${summary}</bdi></b></p>`)}
    <p class="quiet todo">${because === undefined ? safe`${prose(action)}` : safe`Follows from: <bdi>${because}</bdi>`} <a href="${runbookPath}">Runbook ${alert}</a></p>
  </li>`;
}

/** A problem about a validator, or a consequence with what it follows from. */
type OwnProblem = Finding & { readonly because?: string };

/** Problems that are listed. */
const MOST = 50;

/** The current problems about a validator: those with its node ID, and those of its polled nodes. Causes come first. */
export function problemsOf(diagnosis: Diagnosis, view: ValidatorView): readonly OwnProblem[] {
  const nodes = new Set(view.nodes.map(({ node }) => node));
  const isAbout = ({ labels }: Finding): boolean => {
    const { node, node_id: nodeId, network } = labels;
    // What a node observes of another validator is a problem of that one.
    if (nodeId !== undefined) return nodeId === view.nodeId && (network ?? view.network) === view.network;
    return node !== undefined && nodes.has(node);
  };
  const consequences = diagnosis.problems.flatMap((problem) =>
    problem.consequences.map((consequence) => ({ ...consequence, because: problem.summary })),
  );
  return [...diagnosis.problems, ...consequences].filter(isAbout).slice(0, MOST);
}
