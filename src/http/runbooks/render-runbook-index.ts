import { durationText } from "../../config/base/durations.ts";
import { SEVERITIES, type Alert } from "../../topics/define/alert.ts";
import { runbookPath, type AlertGroup } from "../../topics/all/alerts.ts";
import { inWords, isImmediate, SEVERITY_MEANS } from "../../topics/all/runbook-text.ts";
import { severityWord, type Diagnosis } from "../../diagnosis/finding.ts";
import { nearNames } from "../near-names.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { runbookDocument } from "./render-runbook.ts";
import { prose, TONES } from "../status-page/page-parts.ts";

/** Characters of an unknown name that are repeated and compared. */
const COMPARED = 100;

/** The list of all runbooks by question, or those that a search finds; what fires now comes first. */
export function renderRunbookIndex(
  groups: readonly AlertGroup[],
  diagnosis: Diagnosis | undefined,
  search = "",
): string {
  const words = search.toLowerCase().split(/\s+/);
  const isFound = ({ name, summary, meaning }: Alert): boolean =>
    words.every((word) => `${name} ${summary} ${meaning}`.toLowerCase().includes(word));
  const found = groups
    .map((group) => ({ ...group, alerts: group.alerts.filter(isFound) }))
    .filter(({ alerts }) => alerts.length > 0);
  const content = safe`<p>Every alert with its action, commands, meaning and false positives.</p>
      <form role="search"><input type="search" name="q" value="${search}" aria-label="Search runbooks" placeholder="peers, disk, Runway …"> <button>Search</button></form>
      ${search === "" ? renderFiring(diagnosis) : NOTHING}
      <ul class="plain rows">${SEVERITIES.map(
        (severity) =>
          safe`<li><span class="badge ${TONES[severity]}">${severityWord(severity)}</span> <span>${prose(SEVERITY_MEANS[severity])}</span></li>`,
      )}</ul>
      ${found.length === 0 ? safe`<p>No runbook has these words. <a href="/runbooks/">All runbooks</a></p>` : found.map(renderGroup)}`;
  return runbookDocument("Runbooks", content);
}

/** The alerts that fire now, each once. */
function renderFiring(diagnosis: Diagnosis | undefined): Html {
  const firing = (diagnosis?.problems ?? []).filter(({ state, severity }) => state === "firing" && severity !== "none");
  const byAlert = [...Map.groupBy(firing, ({ alert }) => alert).values()];
  if (byAlert.length === 0) return NOTHING;
  return safe`<section class="now" aria-label="Now"><h2>Now</h2><ul>${byAlert.map(([first, ...others]) =>
    first === undefined
      ? NOTHING
      : safe`<li><a href="${first.runbookPath}">${first.alert}</a>: <bdi>${first.summary}</bdi>${others.length === 0 ? NOTHING : ` and ${others.length} like it`}</li>`,
  )}</ul></section>`;
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
    alerts.map((alert) => alert.name),
    bare,
  );
  const content = safe`<p>There is no alert <code><bdi>${shown}</bdi></code>. <a href="/runbooks/">All runbooks</a></p>
      ${near.length === 0 ? "" : safe`<p>Names like it:</p><ul>${near.map((each) => safe`<li><a href="${runbookPath(each)}">${each}</a></li>`)}</ul>`}`;
  return runbookDocument("Unknown runbook", content);
}
