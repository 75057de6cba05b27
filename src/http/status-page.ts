import type { Status } from "../poller/status.ts";
import { span } from "./age.ts";
import type { About } from "./dependencies.ts";
import { safe, trusted, type Html } from "./html.ts";
import { STYLE } from "./status-page-style.ts";
import { renderCard, renderLine } from "./status-target.ts";
import { count, viewStatus, type StatusView, type TargetView } from "./status-view.ts";

/** Endpoint tables are left out beyond this many characters: the page stays usable however large the fleet is. */
const DETAIL_BUDGET = 500_000;
/** Targets listed at all. */
const TARGET_LIMIT = 2_000;

/** Spends the two budgets, so that the targets that need attention are served first. */
type Budget = { detail: number; targets: number };

/** The status page: a whole HTML document that needs no script, no other file and no other host. */
export function renderStatusPage(status: Status, about: About): string {
  const view = viewStatus(status);
  const budget: Budget = { detail: DETAIL_BUDGET, targets: TARGET_LIMIT };
  const { down, failing, unknown, healthy } = view.targets;
  const page = safe`<!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>${view.headline} · avax-exporter</title>
      <link rel="icon" href="${icon(view)}">
      <style>${trusted(STYLE)}</style>
    </head>
    <body>
      ${renderHeader(status, view.headline, about)}
      <main>
        ${renderCards("Needs attention", [...down, ...failing], status.now, budget)}
        ${renderList("Not known yet", unknown, status.now, budget)}
        ${renderList("Healthy", healthy, status.now, budget)}
      </main>
    </body>
    </html>
    `;
  return page.markup;
}

function renderHeader(status: Status, headline: string, about: About): Html {
  const made = new Date(status.now * 1000).toISOString();
  const revision = about.revision === "" ? "" : ` (${about.revision})`;
  return safe`<header>
    <div class="top">
      <span>avax-exporter ${about.version}${revision}</span>
      <nav>
        <a href="${about.telemetryPath}">Metrics</a>
        <a href="/api/v1/status">Status as JSON</a>
        <a href="/config">Configuration</a>
        <a href="/-/healthy">Health of the exporter</a>
      </nav>
    </div>
    <h1>${headline}</h1>
    <p class="facts">
      ${status.networks.map(renderNetwork)}
      <span>As of <time datetime="${made}">${made.slice(0, 10)} ${made.slice(11, 19)} UTC</time></span>
      <span>Running for ${span(status.now - status.startedAt)}</span>
    </p>
  </header>`;
}

/** Facts of a whole network are asked of one node, its speaker. */
function renderNetwork({ name, speaker, nodes }: Status["networks"][number]): Html {
  const source = speaker === undefined ? "no node can tell of the network" : `network facts from ${speaker}`;
  return safe`<span><bdi>${name}</bdi>: ${count(nodes, "node")}, <bdi>${source}</bdi></span>\n`;
}

/** Targets shown whole; once the budget is spent, as lines. */
function renderCards(title: string, targets: readonly TargetView[], now: number, budget: Budget): Html {
  const cards: Html[] = [];
  let next = 0;
  for (; next < targets.length && budget.detail > 0 && budget.targets > 0; next += 1) {
    const card = targets.slice(next, next + 1).map((target) => renderCard(target, now));
    cards.push(...card);
    budget.detail -= lengthOf(card);
    budget.targets -= 1;
  }
  const rest = renderList(undefined, targets.slice(next), now, budget);
  return targets.length === 0 ? NOTHING : safe`<section>${heading(title, targets.length)}${cards}${rest}</section>`;
}

/** Targets as lines that open to their endpoints; once the budget is spent, lines alone. */
function renderList(title: string | undefined, targets: readonly TargetView[], now: number, budget: Budget): Html {
  if (targets.length === 0) return NOTHING;
  const shown = targets.slice(0, budget.targets);
  budget.targets -= shown.length;
  const lines = shown.map((target) => {
    const line = renderLine(target, now, budget.detail > 0);
    if (budget.detail > 0) budget.detail -= lengthOf([line]);
    return line;
  });
  const list = safe`<div class="list">${lines}${renderNote(targets.length - shown.length, budget)}</div>`;
  return title === undefined ? list : safe`<section>${heading(title, targets.length)}${list}</section>`;
}

function renderNote(hidden: number, { detail }: Budget): Html {
  const link = safe`<a href="/api/v1/status">status as JSON</a>`;
  if (hidden > 0) return safe`<p class="note">${count(hidden, "node")} more: the ${link} has them all.</p>`;
  if (detail > 0) return NOTHING;
  return safe`<p class="note">The endpoints of every node are in the ${link}.</p>`;
}

const NOTHING = safe``;

function heading(title: string, targets: number): Html {
  return safe`<h2>${title} <small>${count(targets, "node")}</small></h2>`;
}

function lengthOf(parts: readonly Html[]): number {
  return parts.reduce((sum, { markup }) => sum + markup.length, 0);
}

/** A dot in the colour of the worst condition, for the browser's tab. */
function icon({ targets }: StatusView): string {
  const colour = targets.down.length > 0 ? "d92d20" : targets.failing.length > 0 ? "dc8b00" : "2e9e5b";
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4' fill='%23${colour}'/%3E%3C/svg%3E`;
}
