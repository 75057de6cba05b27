import { span } from "../../config/base/age.ts";
import type { NodePlan, RestartPlan } from "../../diagnosis/restart/plan.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { pageOf, pill, tableOf, timeOf } from "../validator-page/page.ts";
import type { Question } from "../validator-page/question.ts";

/** Rows of a list: a page of a large fleet stays below a megabyte. */
const LISTED = 1_000;

/** Which nodes can go down now, for how long, in which order: one document without a script. */
export function renderRestartPage(plan: RestartPlan, question: Question, version: string | undefined): string {
  const { at, down, nodes } = plan;
  const safeNow = nodes.filter(({ state }) => state === "safe").length;
  const headline =
    nodes.length === 0 ? "No node is polled" : `${safeNow} of ${count(nodes.length, "node")} can be restarted now`;
  return pageOf(
    headline,
    at,
    safe`<h1>${headline}</h1>
    <section aria-labelledby="now">
      <h2 id="now">Which node can go down for ${span(down)}?</h2>
      <p class="quiet">Each for itself: after a restart the others wait until it is back.</p>
      ${nodes.length === 0 ? NOTHING : tableOf(["Node", "Now", "Why", "Version", "Network"], nodes.slice(0, LISTED).map(cellsOf))}
      ${moreThan(nodes.length)}
      ${renderForm(question, version)}
    </section>
    ${renderOrder(plan)}
    ${renderDeadlines(plan)}`,
  );
}

function moreThan(number: number): Html {
  return number <= LISTED
    ? NOTHING
    : safe`<p class="quiet">and ${number - LISTED} more: <a href="/api/v1/restart">all as JSON</a></p>`;
}

function cellsOf({ node, network, version, state, block }: NodePlan): ReadonlyArray<Html | string> {
  const now =
    state === "safe"
      ? pill("safe", "safe")
      : state === "done"
        ? pill("none", "done")
        : pill(block?.reason === "unknown" ? "unknown" : "at_risk", "wait");
  return [
    safe`<a href="/?q=${encodeURIComponent(node)}"><bdi>${node}</bdi></a>`,
    now,
    block?.why ?? "–",
    version ?? "unknown",
    safe`<bdi>${network ?? "unknown"}</bdi>`,
  ];
}

function renderForm(question: Question, version: string | undefined): Html {
  const text = question.kind === "none" ? "" : question.text;
  const why = question.kind === "malformed" ? safe`<p class="wrong" id="why">${question.why}</p>` : NOTHING;
  const describedBy = question.kind === "malformed" ? safe` aria-invalid="true" aria-describedby="why"` : NOTHING;
  return safe`<form method="get" action="/restart">
    <label>Down for <input name="down" value="${text}" maxlength="40" size="6" placeholder="10m" autocomplete="off"${describedBy}></label>
    <label>Leave out version <input name="version" value="${version ?? ""}" maxlength="60" size="8" placeholder="1.15.0" autocomplete="off"></label>
    <button>Answer</button>
    ${why}
  </form>`;
}

/** The batches, what is to be waited for, and what no batch can hold. */
function renderOrder({ batches, left, away, down }: RestartPlan): Html {
  const waits = away.map(({ node, why }) => safe`<li><bdi>${node}</bdi> ${why}</li>`);
  const names = (nodes: readonly string[]) =>
    nodes.map((node, index) => safe`${index === 0 ? "" : ", "}<bdi>${node}</bdi>`);
  const rows = batches
    .slice(0, LISTED)
    .map(({ from, nodes }, index) => [`Batch ${index + 1}`, safe`${names(nodes)}`, timeOf(from)]);
  return safe`<section aria-labelledby="order">
    <h2 id="order">In which order?</h2>
    ${waits.length === 0 ? NOTHING : safe`<p>Not back yet, so wait or begin with them:</p><ul>${waits.slice(0, LISTED)}</ul>`}
    ${rows.length === 0 ? safe`<p>No node can be restarted.</p>` : tableOf(["Order", "Nodes", "Not before"], rows)}
    <p class="quiet">Before the next batch every node has finished starting, has bootstrapped, is connected to every other polled node that observes it, and is behind on no chain. A batch is planned with ${span(down)}. Ask again after each batch.</p>
    ${
      left.length === 0
        ? NOTHING
        : safe`<h3>In no batch as things are</h3>${tableOf(
            ["Node", "Why"],
            left.slice(0, LISTED).map(({ node, block }) => [safe`<bdi>${node}</bdi>`, block.why]),
          )}`
    }
  </section>`;
}

function renderDeadlines({ deadlines }: RestartPlan): Html {
  if (deadlines.length === 0) return NOTHING;
  return safe`<section aria-labelledby="deadline">
    <h2 id="deadline">Until when?</h2>
    ${tableOf(
      ["Network", "Upgrade", "Activates", "All nodes restarted before"],
      deadlines.map(({ network, upgrade, at, fits }) => [
        safe`<bdi>${network}</bdi>`,
        upgrade ?? "announced by the stake",
        timeOf(at),
        fits ? pill("safe", "yes") : pill("lost", "no"),
      ]),
    )}
  </section>`;
}
