import type { Alert } from "../../topics/define/alert.ts";
import { runbookPath } from "../../topics/all/alerts.ts";
import { filledIn, machineCommands, placeholdersText } from "../../topics/all/runbook-commands.ts";
import { frequentCauses, inWords, SEVERITY_MEANS, waitingText } from "../../topics/all/runbook-text.ts";
import { severityWord, type Diagnosis, type Finding } from "../../diagnosis/finding.ts";
import { renderDocument } from "../pages/document.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { RUNBOOK_PAGE } from "../pages/page-files.ts";
import { prose, TONES } from "../status-page/parts.ts";
import { queryOf } from "../../topics/define/condition.ts";
import { recordingsOf } from "../../topics/all/recordings.ts";

/** Findings of the alert that are listed. */
const LISTED = 20;

/**
 * The runbook of an alert as a page, with its findings of now. Without a diagnosis it is the runbook alone.
 * @param node the node that the reader came from
 */
export function renderRunbook(alert: Alert, diagnosis: Diagnosis | undefined, node?: string): string {
  const { name, severity, expr, summary, description } = alert;
  const found = (diagnosis?.problems ?? [])
    .flatMap((problem): readonly Finding[] => [problem, ...problem.consequences])
    .filter((each) => each.alert === name);
  const first = found.find((each) => node !== undefined && (each.node ?? each.labels["node"]) === node) ?? found[0];
  const labels = { ...(node === undefined ? {} : { node }), ...first?.labels };
  const content = safe`<p class="facts"><span class="badge ${TONES[severity]}">${severityWord(severity)}</span>
        <span>${prose(SEVERITY_MEANS[severity])} ${waitingText(alert)}</span></p>
      <p class="lead">${prose(inWords(summary))}</p>
      <p>${prose(inWords(description))}</p>
      ${renderFound(found)}
      <h2>What it means</h2><p>${prose(alert.meaning)}</p>
      <h2>What to do</h2><p class="do">${prose(alert.action)}</p>
      <h2>How to confirm it</h2>
      ${renderCommands(alert, labels)}
      <p>${prose(alert.confirm)}</p>
      <h2>False positives</h2><p>${prose(alert.falseWhen)}</p>
      ${renderCauses(alert)}
      <h2>Expression</h2>
      <pre tabindex="0"><code>${expr}</code></pre>
      ${recordingsOf([alert]).map(
        (each) => safe`<p><code>${each.name}</code> is recorded. ${prose(each.about)}</p>
        <pre tabindex="0"><code>${each.promql(queryOf({ settings: alert.settings, more: [] }))}</code></pre>`,
      )}`;
  return runbookDocument(name, content);
}

/** The document of a runbook, or of the list of them. */
export function runbookDocument(title: string, content: Html): string {
  const body = safe`<header><nav class="top" aria-label="Pages"><a href="/">Status</a> <a href="/runbooks/">All runbooks</a></nav></header>
    <main id="content" class="runbook">
      <h1>${title}</h1>
      ${content}
    </main>`;
  return renderDocument({ title, style: RUNBOOK_PAGE.style, body, narrow: true });
}

function renderFound(found: readonly Finding[]): Html {
  if (found.length === 0) return NOTHING;
  const more = found.length - LISTED;
  return safe`<section class="now" aria-label="Now"><h2>Now</h2><ul>
    ${found.slice(0, LISTED).map(({ summary, state }) => safe`<li><bdi>${summary}</bdi>${state === "pending" ? " (pending)" : ""}</li>`)}
    ${more > 0 ? safe`<li>and ${more} more: <a href="/?q=${encodeURIComponent(found[0]?.alert ?? "")}">status page</a></li>` : NOTHING}
  </ul></section>`;
}

/** The commands, with the labels of a finding filled in. */
function renderCommands(alert: Alert, labels: Finding["labels"]): Html {
  const shown = Object.entries(alert.commands).map(([run, see]) => ({ run: filledIn(run, labels), see }));
  const machine = machineCommands(alert);
  const placeholders = placeholdersText(shown.map(({ run }) => run));
  return safe`${shown.map(
    ({ run, see }) => safe`<pre tabindex="0"><code>avax-exporter ${run}</code></pre>
      <p>${prose(see)}</p>`,
  )}
  ${machine.length === 0 ? NOTHING : safe`<p>On the machine of the node:</p><pre tabindex="0"><code>${machine.join("\n")}</code></pre>`}
  ${placeholders === "" ? NOTHING : safe`<p class="quiet">${prose(placeholders)}</p>`}`;
}

function renderCauses(alert: Alert): Html {
  const causes = frequentCauses(alert);
  if (causes.length === 0) return NOTHING;
  return safe`<h2>Often caused by</h2><p>While one of these fires, this alert is not sent.</p>
    <ul>${causes.map(({ alert: name, why }) => safe`<li><a href="${runbookPath(name)}">${name}</a>: ${prose(why)}</li>`)}</ul>`;
}
