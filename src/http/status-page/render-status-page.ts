import { span } from "../../config/base/durations.ts";
import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { Day } from "../../diagnosis/history/day.ts";
import type { Status } from "../../poller/poll/status.ts";
import type { About } from "../http-dependencies.ts";
import { renderDocument } from "../pages/render-document.ts";
import { count } from "./count.ts";
import { renderDay } from "./render-day.ts";
import { headlineOf, toneOf, type FleetTone } from "./headline-of.ts";
import { type NodeCondition, CONDITIONS, type StatusView, viewStatus } from "./status-view.ts";
import { NOTHING, safe, trusted, type Html } from "../pages/html.ts";
import { STATUS_PAGE } from "../pages/page-files.ts";
import { type StatusFilter, filterProblems, filterView, isEmpty } from "./status-filter.ts";
import { renderProblems } from "./render-problems.ts";
import { renderNodes, renderServices } from "./render-nodes.ts";

/** The input of the page. Without a diagnosis it shows only the polls. */
type StatusPage = {
  readonly status: Status;
  readonly diagnosis?: Diagnosis | undefined;
  /** Without it the page has no section about the last 24 hours. */
  readonly day?: Day | undefined;
  readonly about: About;
  readonly filter?: StatusFilter;
};

const EVERYTHING: StatusFilter = { words: [], state: undefined };

/** The status page: one HTML document that works without its script and loads nothing else. */
export function renderStatusPage(page: StatusPage): string {
  const { status, diagnosis, about, filter = EVERYTHING } = page;
  const view = viewStatus(status, diagnosis);
  const headline = headlineOf(view.nodes, status.probed ?? 0, diagnosis);
  const tone = toneOf(view.nodes, diagnosis);
  const body = safe`${renderHeader(status, view, about, safe`<h1 class="${tone}">${headline}</h1>`)}
    ${renderForm(filter)}
    ${renderContent(page, view, filter)}
    ${renderFooter(about)}
    <script>${trusted(STATUS_PAGE.script)}</script>`;
  return renderDocument({ title: headline, style: STATUS_PAGE.style, body, colour: COLOURS[tone] });
}

/** The page's icon: a dot in the colour of the headline. */
const COLOURS = { bad: "d92d20", warn: "dc8b00", unknown: "8a8f98", good: "2e9e5b" } as const satisfies Readonly<
  Record<FleetTone, string>
>;

function renderContent({ status, diagnosis, day, about }: StatusPage, whole: StatusView, filter: StatusFilter): Html {
  const subnetNames = diagnosis?.subnetNames ?? {};
  // Nothing tells whether the only polled node of a network lags.
  const alone = new Set(status.networks.filter(({ nodes }) => nodes === 1).map(({ name }) => name));
  const view = filterView(whole, filter);
  const withNetwork = new Set(view.nodes.map(({ target }) => target.network)).size > 1;
  const around = { now: status.now, about, subnetNames, alone, withNetwork };
  const filtered = !isEmpty(filter);
  const problems = diagnosis === undefined ? [] : filterProblems(diagnosis, filter, view);
  const none = view.nodes.length + view.services.length + problems.length === 0;
  return safe`<main id="content" tabindex="-1">
    ${diagnosis === undefined ? NOTHING : renderProblems(problems, { diagnosis, filtered, about })}
    ${none && filtered ? safe`<p class="note fine">No matches for the filter. <a href="/">Show all</a></p>` : NOTHING}
    ${day === undefined || filtered ? NOTHING : renderDay(day)}
    ${renderNodes(view, around, filtered)}
    ${renderServices(view, around)}
  </main>`;
}

function renderHeader(status: Status, view: StatusView, { version, revision, note }: About, title: Html): Html {
  const { now, shard, networks, startedAt } = status;
  const failing = [...view.nodes, ...view.services].reduce((sum, each) => sum + each.failing, 0);
  const made = new Date(now * 1000).toISOString();
  return safe`<header>
    <div class="top">
      <span>avax-exporter ${version}${revision === "" ? "" : ` (${revision})`} <span id="live" role="status"></span></span>
      <nav aria-label="Pages"><a href="/validator/">Validators</a> <a href="/restart">Restarts</a> <a href="/runbooks/">Runbooks</a></nav>
    </div>
    <div id="summary">
      ${title}
      ${note === undefined ? NOTHING : safe`<p>${note}</p>`}
      <p class="facts">
        ${shard === undefined ? NOTHING : safe`<span>Shard ${shard.index} of ${shard.total}, counted from 0</span>\n`}
        ${networks.map(renderNetwork)}
        ${failing === 0 ? NOTHING : safe`<span>${count(failing, "endpoint")} failing</span>\n`}
        <span>running for ${span(now - startedAt)}</span>
        <span>as of <time datetime="${made}">${made.slice(0, 10)} ${made.slice(11, 19)} UTC</time></span>
      </p>
    </div>
  </header>`;
}

function renderFooter({ telemetryPath }: About): Html {
  return safe`<footer><nav aria-label="Other formats">
    <a href="${telemetryPath}">Metrics</a>
    <a href="/api/v1/status">Status as JSON</a>
    <a href="/api/v1/findings">Findings as JSON</a>
    <a href="/api/v1/history">History as JSON</a>
    <a href="/config">Configuration</a>
    <a href="/sd">Service discovery</a>
    <a href="/-/healthy">Health of the exporter</a>
  </nav></footer>`;
}

const STATES = {
  down: "down",
  failing: "failing endpoints",
  troubled: "with problems",
  unknown: "unknown",
  healthy: "healthy",
} as const satisfies Readonly<Record<NodeCondition, string>>;

function renderForm({ words, state }: StatusFilter): Html {
  const options = CONDITIONS.map(
    (each) => safe`<option value="${each}"${each === state ? safe` selected` : NOTHING}>${STATES[each]}</option>`,
  );
  return safe`<form method="get" action="/" role="search">
    <input type="search" name="q" value="${words.join(" ")}" maxlength="200" placeholder="Name, network, ID, alert" aria-label="Filter by words">
    <select name="state" aria-label="Filter by state"><option value="">all nodes</option>${options}</select>
    <noscript><button>Filter</button></noscript>
  </form>`;
}

/** Facts of a network come from one node, its reference node. */
function renderNetwork({ name, referenceNode: reference, nodes }: Status["networks"][number]): Html {
  const source = reference === undefined ? "no usable node" : `network facts from ${reference}`;
  return safe`<span><bdi>${name}</bdi>: ${count(nodes, "node")}, <bdi>${source}</bdi></span>\n`;
}
