import { span } from "../../config/base/durations.ts";
import { rowsOf, SEPARATE_ROWS, type RestartPlan } from "../../diagnosis/restart/restart-plan.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { note, pageOf, pill, sectionOf, tableOf, timeOf } from "../validator-page/page-parts.ts";
import { renderForm, type OfflineQuestion } from "../validator-page/offline-question.ts";

/** Rows of a list: a page of a large fleet stays below a megabyte. */
const LISTED = 1_000;

/** Which nodes can go down now, for how long, in which order: one document without a script. */
export function renderRestartPage(plan: RestartPlan, question: OfflineQuestion, version = ""): string {
  const { at, down, nodes } = plan;
  const safeNow = nodes.filter(({ state }) => state === "safe").length;
  const headline =
    nodes.length === 0 ? "No node is polled" : `${safeNow} of ${count(nodes.length, "node")} can be restarted now`;
  const rows = rowsOf(nodes, ({ state, block, version, network }) =>
    [state, block?.why, version, network].join("\n"),
  ).flatMap((same) => (same[0] === undefined ? [] : [{ ...same[0], names: same.map(({ node }) => node) }]));
  const table = tableOf(
    rows,
    [
      ["Node", ({ names }) => linksTo(names)],
      ["Now", ({ state, block }) => pill(TONES[block?.reason === "unknown" ? "unknown" : state], state)],
      ["Why", ({ block }) => block?.why ?? "–"],
      ["Version", (node) => node.version],
      ["Network", ({ network }) => safe`<bdi>${network ?? "unknown"}</bdi>`],
    ],
    LISTED,
    "/api/v1/restart",
  );
  const form = renderForm(question, {
    parameter: "down",
    label: "Down for",
    others: safe`<label>Leave out version <input name="version" value="${version}" maxlength="60" size="8" placeholder="1.15.0" autocomplete="off"></label>`,
  });
  const each = note("Each for itself: after a restart the others wait until it is back.");
  return pageOf(
    headline,
    at,
    safe`<h1>${headline}</h1>
    ${sectionOf("down", `Which node can go down for ${span(down)}?`, [each, table, form])}
    ${renderOrder(plan)}
    ${renderDeadlines(plan)}`,
  );
}

/** Waiting asks nobody to do something. */
const TONES = { safe: "safe", done: "none", wait: "none", unknown: "unknown" } as const;

function linksTo(names: readonly string[]): Html {
  const links = names.map(
    (node, index) => safe`${index === 0 ? "" : ", "}<a href="/?q=${encodeURIComponent(node)}"><bdi>${node}</bdi></a>`,
  );
  return safe`${names.length > SEPARATE_ROWS ? safe`${count(names.length, "node")}: ` : NOTHING}${links}`;
}

/** The batches, what is to be waited for, and what no batch can hold. */
function renderOrder({ batches, left, away, down }: RestartPlan): Html {
  const waits = away.slice(0, LISTED).map(({ node, why }) => safe`<li><bdi>${node}</bdi> ${why}</li>`);
  const names = (nodes: readonly string[]) =>
    safe`${nodes.map((node, index) => safe`${index === 0 ? "" : ", "}<bdi>${node}</bdi>`)}`;
  const order = tableOf(
    batches.map((batch, index) => ({ ...batch, number: index + 1 })),
    [
      ["Order", ({ number }) => `Batch ${number}`],
      ["Nodes", ({ nodes }) => names(nodes)],
      ["Not before", ({ from }) => timeOf(from)],
    ],
    LISTED,
  );
  const never = tableOf(
    left,
    [
      ["Node", ({ node }) => safe`<bdi>${node}</bdi>`],
      ["Why", ({ block }) => block.why],
    ],
    LISTED,
  );
  return sectionOf("order", "In which order?", [
    waits.length === 0 ? NOTHING : safe`<p>Not back yet, so wait or begin with them:</p><ul>${waits}</ul>`,
    batches.length === 0 ? safe`<p>No node can be restarted.</p>` : order,
    note(
      `Before the next batch every node has finished starting, has bootstrapped, is connected to every other polled node that observes it, and is behind on no chain. A batch is planned with ${span(down)}. Ask again after each batch.`,
    ),
    left.length === 0 ? NOTHING : safe`<h3>In no batch as things are</h3>${never}`,
  ]);
}

function renderDeadlines({ deadlines }: RestartPlan): Html {
  if (deadlines.length === 0) return NOTHING;
  const table = tableOf(deadlines, [
    ["Network", ({ network }) => safe`<bdi>${network}</bdi>`],
    ["Upgrade", ({ upgrade }) => upgrade ?? "announced by the stake"],
    ["Activates", ({ at }) => timeOf(at)],
    ["All nodes restarted before", ({ fits }) => (fits ? pill("safe", "yes") : pill("lost", "no"))],
  ]);
  return sectionOf("deadline", "Until when?", [table]);
}
