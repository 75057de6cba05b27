import { count, grouped } from "./count.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import type { StatusView, TargetView } from "./status-view.ts";
import { COLUMNS, renderNode, renderService, type Surroundings } from "./render-node.ts";

/** Nodes that are listed, and those that are expandable: the page of a large fleet, whose healthy nodes are folded, stays below a megabyte. */
const LISTED = 2_000;
const EXPANDABLE = 30;

/** The nodes, worst first. Of a large fleet the healthy ones are folded, unless a filter selects them. */
export function renderNodes({ nodes }: StatusView, around: Surroundings, filtered: boolean): Html {
  if (nodes.length === 0) return NOTHING;
  const isFolded = !filtered && nodes.length > EXPANDABLE;
  const isWell = ({ condition, problems }: TargetView): boolean => condition === "healthy" && problems.pending === 0;
  const shown = isFolded ? nodes.filter((node) => !isWell(node)) : nodes;
  const rest = isFolded ? nodes.filter(isWell) : [];
  const folded = safe`<details class="fold" data-key="healthy">
    <summary class="plain">${count(rest.length, "healthy node")}</summary>
    ${renderRows(rest, around, shown.length)}
  </details>`;
  return section("nodes", "Nodes", nodes, [renderRows(shown, around, 0), rest.length === 0 ? NOTHING : folded]);
}

/** The hosted services. */
export function renderServices({ services }: StatusView, around: Surroundings): Html {
  if (services.length === 0) return NOTHING;
  const rows = services.map((service) => renderService(service, around));
  return section("services", "Hosted services", services, [safe`<div class="list services">${rows}</div>`]);
}

function section(id: string, title: string, views: readonly TargetView[], parts: readonly Html[]): Html {
  const up = views.filter(({ target }) => target.up === true).length;
  return safe`<section aria-labelledby="${id}"><h2 id="${id}">${title} <small>${grouped(up)} of ${grouped(views.length)} up</small></h2>${parts}</section>
  `;
}

/** @param before nodes that are listed before these: the worst ones are expandable */
function renderRows(nodes: readonly TargetView[], around: Surroundings, before: number): Html {
  if (nodes.length === 0) return NOTHING;
  const shown = nodes.slice(0, Math.max(0, LISTED - before));
  const rows = shown.map((node, index) => renderNode(node, around, before + index < EXPANDABLE));
  const hidden = nodes.length - shown.length;
  const note = safe`<p class="note">${hidden > 0 ? `${count(hidden, "node")} more. ` : ""}The endpoints of a node are in the status as JSON: <code>/api/v1/status?node=…</code></p>`;
  return safe`<div class="list nodes">${COLUMNS}${rows}${before + nodes.length > EXPANDABLE ? note : NOTHING}</div>`;
}
