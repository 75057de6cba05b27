import { span } from "../../config/base/age.ts";
import { count, grouped } from "./count.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import type { StatusView, TargetView } from "./status-view.ts";
import { COLUMNS, renderNode, renderService, type Surroundings } from "./target-row.ts";

/** Characters of markup after which rows are not expandable, so that the page of a large fleet stays usable. */
const DETAIL_BUDGET = 350_000;
/** Limit on listed targets. */
const TARGET_LIMIT = 2_000;
/** Nodes up to which healthy ones are not folded. */
const UNFOLDED = 30;

/** The rest of the two limits. Sections use them in order, so targets that need attention come first. */
export type Budget = { detail: number; targets: number };

export function wholeBudget(): Budget {
  return { detail: DETAIL_BUDGET, targets: TARGET_LIMIT };
}

/** The nodes, worst first. Of a large fleet the healthy ones are folded, unless a filter selects them. */
export function renderNodes({ nodes }: StatusView, around: Surroundings, budget: Budget, filtered: boolean): Html {
  if (nodes.length === 0) return NOTHING;
  const isFolded = !filtered && nodes.length > UNFOLDED;
  const isWell = ({ condition, problems }: TargetView): boolean => condition === "healthy" && problems.pending === 0;
  const shown = isFolded ? nodes.filter((each) => !isWell(each)) : nodes;
  const rest = isFolded ? nodes.filter(isWell) : [];
  // The budget is for the nodes that need attention first.
  const rows = shown.length === 0 ? NOTHING : renderRows(shown, around, budget);
  return section("nodes", "Nodes", countsOf(nodes), [rows, renderFolded(rest, around, budget)]);
}

function renderFolded(nodes: readonly TargetView[], around: Surroundings, budget: Budget): Html {
  if (nodes.length === 0) return NOTHING;
  return safe`<details class="fold" data-key="healthy">
    <summary class="plain">${count(nodes.length, "healthy node")}</summary>
    ${renderRows(nodes, around, budget)}
  </details>`;
}

/** The hosted services. */
export function renderServices({ services }: StatusView, around: Surroundings, budget: Budget): Html {
  if (services.length === 0) return NOTHING;
  const rows = services.map((each) => renderService(each, around));
  budget.detail -= lengthOf(rows);
  return section("services", "Hosted services", countsOf(services), [safe`<div class="list services">${rows}</div>`]);
}

function section(id: string, title: string, counts: string, parts: readonly Html[]): Html {
  return safe`<section aria-labelledby="${id}"><h2 id="${id}">${title} <small>${counts}</small></h2>${parts}</section>
  `;
}

function countsOf(views: readonly TargetView[]): string {
  const up = views.filter(({ target }) => target.up === true).length;
  const down = views.filter(({ target }) => target.up === false).length;
  return down === 0 ? `${grouped(up)} of ${grouped(views.length)} up` : `${grouped(up)} up, ${grouped(down)} down`;
}

function renderRows(nodes: readonly TargetView[], around: Surroundings, budget: Budget): Html {
  const shown = nodes.slice(0, budget.targets);
  budget.targets -= shown.length;
  const withNetwork = new Set(nodes.map(({ target }) => target.network)).size > 1;
  const rows = shown.map((node) => {
    const detailed = budget.detail > 0;
    const row = renderNode(node, { ...around, detailed, withNetwork });
    if (detailed) budget.detail -= lengthOf([row]);
    return row;
  });
  return safe`<div class="list nodes">${COLUMNS}${rows}${renderNote(nodes.length - shown.length, budget)}</div>`;
}

function renderNote(hidden: number, { detail }: Budget): Html {
  const link = safe`<a href="/api/v1/status">status as JSON</a>`;
  if (hidden > 0) return safe`<p class="note">${count(hidden, "node")} more: see the ${link}.</p>`;
  if (detail > 0) return NOTHING;
  return safe`<p class="note">The endpoints of every node are in the ${link}.</p>`;
}

function lengthOf(parts: readonly Html[]): number {
  return parts.reduce((sum, { markup }) => sum + markup.length, 0);
}

/** How long the exporter has been running, and how many endpoints fail, in words. */
export function pollFacts(view: StatusView, running: number): readonly string[] {
  const targets = [...view.nodes, ...view.services];
  const failing = targets.reduce((sum, each) => sum + each.failing, 0);
  return [...(failing === 0 ? [] : [`${count(failing, "endpoint")} failing`]), `running for ${span(running)}`];
}
