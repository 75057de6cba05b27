import { durationText } from "../../config/base/age.ts";
import { SEVERITIES, type Alert } from "../../topics/define/alert.ts";
import { runbookPath, type AlertGroup } from "../../topics/all/alerts.ts";
import { inWords, isImmediate, SEVERITY_MEANS } from "../../topics/all/runbook-text.ts";
import { severityWord } from "../../diagnosis/finding.ts";
import { nearNames } from "../near-names.ts";
import { safe, type Html } from "../pages/html.ts";
import { runbookDocument } from "./runbook-page.ts";
import { prose, TONES } from "../status-page/parts.ts";

/** Characters of an unknown name that are repeated and compared. */
const COMPARED = 100;

/** The list of all runbooks by question. */
export function renderRunbookIndex(groups: readonly AlertGroup[]): string {
  const content = safe`<p>Every alert with its meaning, confirmation, action and false positives.</p>
      <ul class="plain rows">${SEVERITIES.map(
        (severity) =>
          safe`<li><span class="badge ${TONES[severity]}">${severityWord(severity)}</span> <span>${prose(SEVERITY_MEANS[severity])}</span></li>`,
      )}</ul>
      ${groups.map(renderGroup)}`;
  return runbookDocument("Runbooks", content);
}

function renderGroup({ about, alerts }: AlertGroup): Html {
  return safe`<h2>${about}</h2><ul class="plain rows">${alerts.map(
    ({ name, severity, for: time, summary }) =>
      safe`<li><span class="badge ${TONES[severity]}">${severityWord(severity)}</span>
        <span><a href="${runbookPath(name)}">${name}</a> <span class="quiet">${isImmediate(time) ? "at once" : `after ${durationText(time)}`}</span><br>
        ${prose(inWords(summary))}</span></li>\n`,
  )}</ul>`;
}

/** The page for an unknown name, with the names nearest to it. */
export function renderUnknownRunbook(name: string, alerts: readonly Alert[]): string {
  const shown = name.slice(0, COMPARED);
  const bare = shown.replace(/^avax|\.(md|html?)$/gi, "");
  const near = nearNames(
    `Avax${bare}`,
    alerts.map((each) => each.name),
    bare,
  );
  const content = safe`<p>There is no alert <code><bdi>${shown}</bdi></code>. <a href="/runbooks/">All runbooks</a></p>
      ${near.length === 0 ? "" : safe`<p>Names like it:</p><ul>${near.map((each) => safe`<li><a href="${runbookPath(each)}">${each}</a></li>`)}</ul>`}`;
  return runbookDocument("Unknown runbook", content);
}
