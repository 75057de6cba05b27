import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { Day } from "../../history/day.ts";
import type { Status } from "../../poller/poll/status.ts";
import { span } from "./age.ts";
import type { About } from "../dependencies.ts";
import { renderDay } from "./day.ts";
import { safe, trusted, type Html } from "./html.ts";
import { filterProblems, filterView, isEmpty, type Filter } from "./status-filter.ts";
import { SCRIPT, STYLE } from "./page-files.ts";
import { renderProblems } from "./status-problems.ts";
import { renderCard, renderLine } from "./status-target.ts";
import {
  allTargets,
  CONDITIONS,
  count,
  viewStatus,
  type Condition,
  type StatusView,
  type TargetView,
} from "./status-view.ts";

/** Characters after which endpoint tables are omitted, so that the page of a large fleet stays usable. */
const DETAIL_BUDGET = 500_000;
/** Limit on listed targets. */
const TARGET_LIMIT = 2_000;

/** The rest of the two limits. Sections use them in order, so targets that need attention come first. */
type Budget = { detail: number; targets: number };

/** The input of the page. Without a diagnosis it shows only the polls. */
type StatusPage = {
  readonly status: Status;
  readonly diagnosis?: Diagnosis | undefined;
  readonly day?: Day | undefined;
  readonly about: About;
  readonly filter?: Filter;
};

const EVERYTHING: Filter = { words: [], state: undefined };

/** The status page: one HTML document that works without its script and loads nothing else. */
export function renderStatusPage({ status, diagnosis, day, about, filter = EVERYTHING }: StatusPage): string {
  const view = viewStatus(status, diagnosis);
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
      ${renderForm(filter)}
      ${renderContent(status, view, diagnosis, filter, isEmpty(filter) ? day : undefined)}
      <script>${trusted(SCRIPT)}</script>
    </body>
    </html>
    `;
  return page.markup;
}

function renderContent(
  status: Status,
  whole: StatusView,
  diagnosis: Diagnosis | undefined,
  filter: Filter,
  day: Day | undefined,
): Html {
  const { now } = status;
  const view = filterView(whole, filter);
  const budget: Budget = { detail: DETAIL_BUDGET, targets: TARGET_LIMIT };
  const { down, failing, troubled, unknown, healthy } = view.targets;
  const problems = diagnosis === undefined ? [] : filterProblems(diagnosis, filter, view);
  const none = allTargets(view).length === 0 && problems.length === 0;
  return safe`<main id="content">
    ${diagnosis === undefined ? NOTHING : renderProblems(problems, diagnosis, !isEmpty(filter))}
    ${day === undefined ? NOTHING : renderDay(day)}
    ${none && !isEmpty(filter) ? safe`<p class="note">No matches for the filter. <a href="/">Show all</a></p>` : NOTHING}
    ${renderCards("Needs attention", [...down, ...failing], now, budget)}
    ${renderList("With problems", troubled, now, budget)}
    ${renderList("Unknown", unknown, now, budget)}
    ${renderList("Healthy", healthy, now, budget)}
    ${renderAuxiliary(status, now, budget, filter)}
  </main>`;
}

function renderHeader(status: Status, headline: string, about: About): Html {
  const made = new Date(status.now * 1000).toISOString();
  const revision = about.revision === "" ? "" : ` (${about.revision})`;
  return safe`<header>
    <div class="top">
      <span>avax-exporter ${about.version}${revision} <span id="live" role="status"></span></span>
      <nav>
        <a href="${about.telemetryPath}">Metrics</a>
        <a href="/api/v1/status">Status as JSON</a>
        <a href="/api/v1/findings">Findings as JSON</a>
        <a href="/api/v1/history">History as JSON</a>
        <a href="/config">Configuration</a>
        <a href="/sd">Service discovery</a>
        <a href="/-/healthy">Health of the exporter</a>
      </nav>
    </div>
    <div id="summary">
      <h1>${headline}</h1>
      <p class="facts">
        ${status.shard === undefined ? NOTHING : renderShard(status.shard)}
        ${status.networks.map(renderNetwork)}
        <span>As of <time datetime="${made}">${made.slice(0, 10)} ${made.slice(11, 19)} UTC</time></span>
        <span>Running for ${span(status.now - status.startedAt)}</span>
      </p>
    </div>
  </header>`;
}

const STATES = {
  down: "down",
  failing: "failing endpoints",
  troubled: "with problems",
  unknown: "unknown",
  healthy: "healthy",
} as const satisfies Readonly<Record<Condition, string>>;

function renderForm({ words, state }: Filter): Html {
  const options = CONDITIONS.map((each) =>
    each === state
      ? safe`<option value="${each}" selected>${STATES[each]}</option>`
      : safe`<option value="${each}">${STATES[each]}</option>`,
  );
  return safe`<form method="get" action="/" role="search">
    <input type="search" name="q" value="${words.join(" ")}" maxlength="200" placeholder="Name, network, node ID, alert" aria-label="Filter by words">
    <select name="state" aria-label="Filter by state"><option value="">all nodes</option>${options}</select>
    <noscript><button>Filter</button></noscript>
  </form>`;
}

function renderShard({ index, total }: NonNullable<Status["shard"]>): Html {
  return safe`<span>Shard ${index} of ${total}, counted from 0</span>\n`;
}

/** Auxiliary nodes: their own shard reports their condition, so here they are one list. */
function renderAuxiliary(status: Status, now: number, budget: Budget, filter: Filter): Html {
  if (status.auxiliary === undefined || !isEmpty(filter)) return NOTHING;
  const view = viewStatus({ ...status, targets: status.auxiliary });
  return renderList("Nodes of other shards, polled for comparisons and network facts", allTargets(view), now, budget);
}

/** Facts of a network come from one node, its reference node. */
function renderNetwork({ name, referenceNode: reference, nodes }: Status["networks"][number]): Html {
  const source = reference === undefined ? "no usable node" : `network facts from ${reference}`;
  return safe`<span><bdi>${name}</bdi>: ${count(nodes, "node")}, <bdi>${source}</bdi></span>\n`;
}

/** Targets as cards; as lines once the budget is used up. */
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

/** Targets as lines, which are expandable until the budget is used up. */
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
  if (hidden > 0) return safe`<p class="note">${count(hidden, "node")} more: see the ${link}.</p>`;
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

/** The page's icon: a dot in the colour of the worst condition. */
function icon({ targets }: StatusView): string {
  const grave = targets.troubled.some(({ problems }) => problems.critical > 0);
  const colour =
    targets.down.length > 0 || grave
      ? "d92d20"
      : targets.failing.length + targets.troubled.length > 0
        ? "dc8b00"
        : "2e9e5b";
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4' fill='%23${colour}'/%3E%3C/svg%3E`;
}
