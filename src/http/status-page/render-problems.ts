import { parseDuration } from "../../config/base/units.ts";
import { isImmediate } from "../../topics/all/runbook-text.ts";
import { COUNTED, countedAs, severityWord, subjectOf, type Diagnosis, type Problem } from "../../diagnosis/finding.ts";
import type { Evidence } from "../../diagnosis/evidence.ts";
import { actionOf, distinctTitle, joinedTitle } from "../../diagnosis/problem-titles.ts";
import { durationText, lasting } from "../../config/base/durations.ts";
import { count, grouped } from "./count.ts";
import type { About } from "../http-dependencies.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { boardLink, silenceLink } from "./board-link.ts";
import { prose, TONES, when, withIds } from "./page-parts.ts";

/** Subjects up to which problems of one alert are an entry each; more are one entry. */
const SEPARATE = 3;
/** Entries of one state. */
const ENTRIES = 60;
/** Problems of an entry that are listed; the rest is counted. */
const LISTED = 8;
/** Consequences of them that are listed. */
const FOLLOWING = 40;

type Context = { readonly diagnosis: Diagnosis; readonly filtered: boolean; readonly about: About };

/** The problems by cause, worst first, those that are not yet due after the others. Details are folded. */
export function renderProblems(problems: readonly Problem[], context: Context): Html {
  const { diagnosis, filtered } = context;
  const none = safe`<div class="note fine">No problems: ${count(diagnosis.judged, "condition")} judged. ${limits(diagnosis)}</div>`;
  if (problems.length === 0) return filtered ? NOTHING : none;
  const { firing = [], pending = [] } = Object.groupBy(problems, ({ state }) => state);
  return safe`<section aria-labelledby="problems">
    <h2 id="problems">Problems <small>${counted(firing)}</small></h2>
    ${renderEntries(firing, context)}
    ${pending.length === 0 ? NOTHING : safe`<h3>Pending <small>not due yet: ${counted(pending)}</small></h3>${renderEntries(pending, context)}`}
    <div class="note fine">${limits(diagnosis)}</div>
  </section>
  `;
}

/** The conditions that are not judged here. */
function limits({ ofPrometheus, failed }: Diagnosis): Html {
  const unjudged =
    failed.length === 0 ? "" : ` Without a title: ${failed.map(({ alert, why }) => `${alert} (${why})`).join(", ")}.`;
  return safe`<details data-key="limits"><summary class="plain">Only Prometheus judges ${count(ofPrometheus.length, "condition")}, which need the past.${unjudged}</summary>${ofPrometheus.join(", ")}</details>`;
}

/** What the rows below have: the problems, in how many rows they are where these are fewer, and what follows from them. */
function counted(problems: readonly Problem[]): string {
  const bySeverity = COUNTED.flatMap((severity) => {
    const number = problems.filter((problem) => countedAs(problem.severity) === severity).length;
    return number === 0 ? [] : [severity === "warning" ? count(number, severity) : `${grouped(number)} ${severity}`];
  });
  const rows = entriesOf(problems).length;
  const following = followingOf(problems);
  return [
    `${bySeverity.join(", ") || "none"}${rows === problems.length ? "" : ` in ${count(rows, "row")}`}`,
    ...(following === 0 ? [] : [count(following, "consequence")]),
  ].join("; ");
}

function followingOf(problems: readonly Problem[]): number {
  return problems.reduce((sum, { consequenceCount }) => sum + consequenceCount, 0);
}

function renderEntries(problems: readonly Problem[], context: Context): Html {
  if (problems.length === 0) return NOTHING;
  const entries = entriesOf(problems);
  const hidden = entries.slice(ENTRIES).reduce((sum, same) => sum + same.length, 0);
  return safe`<div class="list">${entries.slice(0, ENTRIES).map((same) => renderEntry(same, context))}
    ${hidden === 0 ? NOTHING : safe`<p class="note">${count(hidden, "problem")} more: <a href="/api/v1/findings">findings as JSON</a></p>`}
  </div>`;
}

/** Problems of one alert and subject; of one alert when it has many subjects. */
function entriesOf(problems: readonly Problem[]): ReadonlyArray<readonly Problem[]> {
  return [...Map.groupBy(problems, ({ alert }) => alert).values()].flatMap((same) => {
    const bySubject = Map.groupBy(same, subjectOf);
    return bySubject.size > SEPARATE ? [same] : [...bySubject.values()];
  });
}

function renderEntry(same: readonly Problem[], context: Context): Html {
  const [first] = same;
  if (first === undefined) return NOTHING;
  const { alert, severity, state, node } = first;
  const isOfOne = new Set(same.map(subjectOf)).size === 1;
  // Of many nodes only some names would fit.
  const joined = isOfOne ? joinedTitle(same) : undefined;
  const summary = joined ?? first.summary;
  const others =
    same.length === 1 || joined !== undefined
      ? NOTHING
      : safe` <span class="more">and ${grouped(same.length - 1)} like it</span>`;
  const following = followingOf(same);
  const name = node === undefined || summary.includes(node) ? NOTHING : safe`<bdi class="subject">${node}</bdi> `;
  const key = `${alert}${isOfOne ? ` ${subjectOf(first)}` : ""}${state === "pending" ? " pending" : ""}`;
  return safe`<details class="problem ${severity} ${state}" data-key="problem ${key}">
    <summary>
      <span><span class="badge ${TONES[severity]}">${severityWord(severity)}</span></span>
      <span>${name}<b><bdi>${withIds(summary)}</bdi></b>${others}</span>
      <span class="follows">${following === 0 ? "" : count(following, "consequence")}</span>
      <span class="since">${sinceOf(first, same, context.diagnosis.at)}</span>
    </summary>
    ${renderInside(same, first, context)}
  </details>
  `;
}

function renderInside(same: readonly Problem[], first: Problem, { diagnosis, about }: Context): Html {
  // The commands of the runbook have the labels of this node.
  const { node } = first.labels;
  const shown = same.slice(0, LISTED);
  const more = same.length - shown.length;
  const evidence = shown.flatMap((problem) => problem.evidence);
  return safe`<div class="inside">
    ${same.length === 1 ? NOTHING : safe`<ul>${shown.map((each) => safe`<li><bdi>${withIds(distinctTitle(each, same, diagnosis))}</bdi></li>`)}</ul>`}
    ${more > 0 ? safe`<p class="quiet">and ${grouped(more)} more: <a href="/api/v1/findings">findings as JSON</a></p>` : NOTHING}
    <p>${prose(first.meaning)}</p>
    <p><b>What to do:</b> ${prose(actionOf(shown))}</p>
    ${renderFollowing(same)}
    ${evidence.length === 0 ? NOTHING : safe`<p class="quiet">Evidence</p><ul class="proof">${evidence.map(renderEvidence)}</ul>`}
    <p class="facts"><a href="${first.runbookPath}${node === undefined ? "" : `?node=${encodeURIComponent(node)}`}">Runbook</a> ${boardLink(about, first.labels)} ${silenceLink(about, same)} <span>${first.alert} ${waiting(first)}</span></p>
  </div>`;
}

/** Since when the condition is true, or when a pending one fires. The earliest of several problems counts. */
function sinceOf({ state, for: time }: Problem, same: readonly Problem[], now: number): Html {
  const known = same.flatMap(({ since }) => since ?? []);
  if (known.length === 0) return NOTHING;
  const since = Math.min(...known);
  if (state === "firing") return when(since, lasting(now - since));
  const left = since + (parseDuration(time) ?? 0) - now;
  return safe`<span class="minor">pending, </span>${when(since, `fires in ${lasting(left)}`)}`;
}

/** What follows from the problems, by reason. */
function renderFollowing(same: readonly Problem[]): Html {
  const total = followingOf(same);
  if (total === 0) return NOTHING;
  const shown = same.flatMap(({ consequences }) => consequences).slice(0, FOLLOWING);
  const more = total - shown.length;
  return safe`<p><b>${count(total, "consequence")}</b></p>
    ${[...Map.groupBy(shown, ({ why }) => why)].map(
      ([why, some]) => safe`<p class="quiet">${prose(why)}</p>
    <ul>${some.map(({ summary }) => safe`<li><bdi>${withIds(summary)}</bdi></li>`)}</ul>`,
    )}
    ${more > 0 ? safe`<p class="quiet">and ${grouped(more)} more: <a href="/api/v1/findings">findings as JSON</a></p>` : NOTHING}`;
}

function waiting({ severity, for: time }: Problem): string {
  if (severity === "none") return "is a state that is not sent as an alert";
  return isImmediate(time) ? "fires immediately" : `fires after ${durationText(time)}`;
}

function renderEvidence({ series, value, words }: Evidence): Html {
  const meaning = words === undefined ? NOTHING : safe` <span class="quiet">(${words})</span>`;
  return safe`<li><code>${series} <b>${String(value)}</b></code>${meaning}</li>`;
}
