import type { Alert } from "../../topics/define/alert.ts";
import { runbookPath } from "../../topics/all/alerts.ts";
import { frequentCauses, inWords, SEVERITY_MEANS, waitingText } from "../../topics/all/runbook-text.ts";
import { severityWord, type Finding } from "../../diagnosis/finding.ts";
import type { About } from "../http-dependencies.ts";
import { renderDocument } from "../pages/render-document.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { RUNBOOK_PAGE } from "../pages/page-files.ts";
import { boardLink, silenceLink } from "../status-page/board-link.ts";
import { runbookCommands, type KnownSubjects } from "./runbook-commands.ts";
import { prose, TONES } from "../status-page/page-parts.ts";
import { queryOf } from "../../topics/define/condition.ts";
import { recordingsOf } from "../../topics/all/recordings.ts";

/** Findings of the alert that are listed. */
const LISTED = 20;

/**
 * The runbook of an alert as a page, with its findings of now. Without a diagnosis it is the runbook alone.
 * @param node the node that the reader came from
 */
export function renderRunbook(alert: Alert, known: KnownSubjects, node?: string): string {
  const { name, severity, expr, summary, description } = alert;
  const { diagnosis } = known;
  const found = (diagnosis?.problems ?? [])
    .flatMap((problem): readonly Finding[] => [problem, ...problem.consequences])
    .filter((finding) => finding.alert === name);
  const first = found.find((each) => node !== undefined && (each.node ?? each.labels["node"]) === node) ?? found[0];
  const { fix, look } = runbookCommands(alert, { ...(node === undefined ? {} : { node }), ...first?.labels }, known);
  const content = safe`<p class="facts"><span class="badge ${TONES[severity]}">${severityWord(severity)}</span>
        <span>${prose(SEVERITY_MEANS[severity])} ${waitingText(alert)}</span></p>
      <p class="lead">${prose(inWords(summary))}</p>
      ${description === undefined ? safe`` : safe`<p>${prose(inWords(description))}</p>`}
      ${renderFound(found, known.about)}
      <h2>What to do</h2><p class="do">${prose(alert.action)}</p>
      ${fix}
      <h2>How to confirm it</h2>
      ${look}
      <p>${prose(alert.confirm)}</p>
      <h2>What it means</h2><p>${prose(alert.meaning)}</p>
      <h2>False positives</h2><p>${prose(alert.falsePositives)}</p>
      ${renderCauses(alert)}
      <h2>Expression</h2>
      <pre tabindex="0"><code>${expr}</code></pre>
      ${recordingsOf([alert]).map(
        (recording) => safe`<p><code>${recording.name}</code> is recorded. ${prose(recording.about)}</p>
        <pre tabindex="0"><code>${recording.promql(queryOf({ settings: alert.settings, more: [] }))}</code></pre>`,
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

function renderFound(found: readonly Finding[], about: About): Html {
  if (found.length === 0) return NOTHING;
  const more = found.length - LISTED;
  return safe`<section class="now" aria-label="Now"><h2>Now</h2><ul>
    ${found
      .slice(0, LISTED)
      .map(
        (each) =>
          safe`<li><bdi>${each.summary}</bdi>${each.state === "pending" ? " (pending)" : ""} <span class="facts">${linksOf(each, about)}</span></li>`,
      )}
    ${more > 0 ? safe`<li>and ${more} more: <a href="/?q=${encodeURIComponent(found[0]?.alert ?? "")}">status page</a></li>` : NOTHING}
  </ul></section>`;
}

/** Where a finding is seen, and silenced. */
function linksOf(finding: Finding, about: About): readonly Html[] {
  const { labels, node = labels["node"] } = finding;
  const validator = labels["node_id"];
  const query = (name: string): string => encodeURIComponent(name);
  return [
    node === undefined ? NOTHING : safe`<a href="/?q=${query(node)}">Node</a> `,
    validator === undefined ? NOTHING : safe`<a href="/validator/${query(validator)}">Validator</a> `,
    boardLink(about, labels),
    safe` `,
    silenceLink(about, [finding]),
  ];
}

function renderCauses(alert: Alert): Html {
  const causes = frequentCauses(alert);
  if (causes.length === 0) return NOTHING;
  return safe`<h2>Often caused by</h2><p>While one of these fires, this alert is not sent.</p>
    <ul>${causes.map(({ alert: name, why }) => safe`<li><a href="${runbookPath(name)}">${name}</a>: ${prose(why)}</li>`)}</ul>`;
}
