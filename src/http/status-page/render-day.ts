import { severityWord } from "../../diagnosis/finding.ts";
import type { Day, DayEvent, DayProblem } from "../../diagnosis/history/day.ts";
import { STATES, type StripState } from "../../diagnosis/history/strips.ts";
import { span } from "../../config/base/durations.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "./count.ts";
import { TONES, when } from "./page-parts.ts";

/** Nodes with a strip, and entries; the rest is counted. */
const ROWS = 20;
const ENTRIES = 100;

/** A run of slots in one state. */
type Run = { readonly state: StripState; readonly first: number; readonly length: number };

/** The section "The last 24 hours": a strip for each node with an event, and what happened, newest first. */
export function renderDay(day: Day): Html {
  const { since, from, cut, problems, events } = day;
  const unknown = problems.filter(({ unknownSince }) => unknownSince !== undefined).length;
  const open = problems.filter(({ ended }) => ended === undefined).length - unknown;
  const before = `No record before ${clock(from)}${cut ? ": there was too much to keep" : ""}.`;
  return safe`<section class="day" aria-label="The last 24 hours">
    <h2>The last 24 hours <small>${count(problems.length, "problem")}, ${open} open${unknown === 0 ? "" : `, ${unknown} unknown`}</small></h2>
    ${from > since ? safe`<p class="note fine">${before}</p>` : NOTHING}
    ${renderStrips(day)}
    ${renderEntries(problems, events)}
  </section>
  `;
}

function renderStrips(day: Day): Html {
  const touched = new Set([...day.problems, ...day.events].flatMap(({ node }) => node ?? []));
  const rank = (slots: readonly StripState[]): number => Math.max(...slots.map((state) => STATES.indexOf(state)));
  const rows = day.strips
    .filter(({ node }) => touched.has(node))
    .sort((a, b) => rank(b.slots) - rank(a.slots))
    .slice(0, ROWS);
  if (rows.length === 0) return NOTHING;
  const more = touched.size - rows.length;
  return safe`<div class="strips">
    <p class="axis"><span>${clock(day.slotsFrom)}</span><span>now</span></p>
    ${rows.map(({ node, slots }) => renderStrip(node, slots, day))}
    <p class="legend">${[...STATES].reverse().map((state) => safe`<span><i class="state ${state}"></i>${state}</span> `)}${more > 0 ? safe`<span>${count(more, "more node")}: <a href="/api/v1/history">history as JSON</a></span>` : NOTHING}</p>
  </div>`;
}

function renderStrip(node: string, slots: readonly StripState[], day: Day): Html {
  const runs = runsOf(slots);
  const rects = runs.map(
    ({ state, first, length }) => safe`<rect class="${state}" x="${first}" width="${length}" height="1"/>`,
  );
  return safe`<div class="strip"><bdi>${node}</bdi><svg viewBox="0 0 ${slots.length} 1" preserveAspectRatio="none" role="img" aria-label="${inWords(node, runs, day)}">${rects}</svg></div>
  `;
}

function runsOf(slots: readonly StripState[]): readonly Run[] {
  const runs: Run[] = [];
  for (const [index, state] of slots.entries()) {
    const last = runs.at(-1);
    if (last?.state === state) runs.splice(-1, 1, { ...last, length: last.length + 1 });
    else runs.push({ state, first: index, length: 1 });
  }
  return runs;
}

/** The strip as text: every time that is not ok. */
function inWords(node: string, runs: readonly Run[], { slotsFrom, slotSeconds, now }: Day): string {
  const bad = runs.filter(({ state }) => state !== "ok");
  const times = bad.map(({ state, first, length }) => {
    const [start, end] = [slotsFrom + first * slotSeconds, slotsFrom + (first + length) * slotSeconds];
    return `${state} from ${clock(start)} to ${end >= now ? "now" : clock(end)}`;
  });
  return `${node}: ${times.length === 0 ? "ok" : times.join(", ")}`;
}

function renderEntries(problems: readonly DayProblem[], events: readonly DayEvent[]): Html {
  const all = [...problems, ...events].sort((a, b) => b.began - a.began);
  if (all.length === 0) return NOTHING;
  const more = all.length - ENTRIES;
  return safe`<details data-key="day"><summary class="plain">${count(all.length, "entry", "entries")}</summary><ol class="past">${all.slice(0, ENTRIES).map(renderEntry)}</ol>${more > 0 ? safe`<p class="quiet">and ${more} more: <a href="/api/v1/history">history as JSON</a></p>` : NOTHING}</details>`;
}

function renderEntry(entry: DayProblem | DayEvent): Html {
  const what =
    "alert" in entry
      ? safe`<span class="badge ${TONES[entry.severity]}">${severityWord(entry.severity)}</span> <span><bdi>${entry.summary}</bdi> <span class="quiet">${entry.alert}</span></span>`
      : safe`<span class="badge">event</span> <span><bdi>${entry.text}</bdi></span>`;
  const { began, ended, unknownSince, seconds } = entry;
  const open = unknownSince === undefined ? `open for ${span(seconds)}` : `unknown since ${clock(unknownSince)}`;
  const closed = ended === began ? "" : span(seconds);
  return safe`<li>${when(began, clock(began))} <span class="quiet">${ended === undefined ? open : closed}</span> ${what}</li>
  `;
}

/** `22 Nov 14:05`, in UTC. */
function clock(time: number): string {
  // `Sat, 22 Nov 2025 14:05:00 GMT`
  const text = new Date(time * 1000).toUTCString();
  return text.slice(5, 11) + text.slice(16, 22);
}
