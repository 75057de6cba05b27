import { type ValidatorView, titleOf } from "../../diagnosis/validator/validator-views.ts";
import { span } from "../../config/base/durations.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { known, linkTo, pageOf, pill, tableOf } from "./page-parts.ts";
import { percent, shortId } from "../../config/base/figures.ts";
import { answerOf } from "./answer-texts.ts";
import { leftText } from "../../diagnosis/wording.ts";

/** Validators that are listed: a page of a large fleet stays below a megabyte. */
const LISTED = 2_000;

/** The list of all validators, those that need attention first, or of those that share a name. @param at Unix seconds */
export function renderValidatorList(views: readonly ValidatorView[], at: number, name?: string): string {
  const headline = name === undefined ? headlineOf(views) : `Several validators are called ${name.slice(0, 200)}`;
  return pageOf(
    headline,
    at,
    safe`<h1>${headline}</h1>
    ${views.length === 0 ? safe`<p>No validator is known yet: the network was not observed yet, or no node and no validator is configured.</p>` : safe`${renderTable(views)}<p><a href="/calendar.ics">Calendar</a> of what is ahead of them</p>`}`,
  );
}

/** The page for a name without a validator. */
export function renderUnknownValidator(text: string, suggestions: readonly string[], at: number): string {
  const links = suggestions.map((name) => safe`<li><a href="${linkTo(name, undefined)}"><bdi>${name}</bdi></a></li>`);
  return pageOf(
    "Unknown validator",
    at,
    safe`<h1>Unknown validator</h1>
    <p>No watched validator and no polled node is called <code><bdi>${text.slice(0, 200)}</bdi></code>.</p>
    ${links.length === 0 ? NOTHING : safe`<p>The nearest names:</p><ul>${links}</ul>`}
    <p><a href="/validator/">All validators</a></p>`,
  );
}

function headlineOf(views: readonly ValidatorView[]): string {
  const parts = (["lost", "at_risk", "unknown"] as const)
    .map((state) => [views.filter(({ reward }) => reward.state === state).length, state.replace("_", " ")] as const)
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`);
  const total = count(views.length, "validator");
  return parts.length === 0 ? total : `${total}: ${parts.join(", ")}`;
}

function renderTable(views: readonly ValidatorView[]): Html {
  const rows = views.map((view) => ({ ...view, stake: view.stakes.find(({ reward }) => reward === view.reward) }));
  const table = tableOf(
    rows,
    [
      ["Validator", linkOf],
      ["Reward", ({ reward }) => pill(reward.state, answerOf(reward))],
      ["Downtime left", ({ stake }) => known(stake?.budget, leftText) ?? "–"],
      ["Uptime", ({ stake }) => known(stake?.uptime, percent) ?? "–"],
      ["Required", ({ stake }) => known(stake?.requirement, percent) ?? "–"],
      ["Ends in", ({ stake, at }) => (stake?.end === undefined || stake.end <= at ? "–" : span(stake.end - at))],
      ["Network", ({ network }) => safe`<bdi>${network ?? "unknown"}</bdi>`],
    ],
    LISTED,
    "/api/v1/validator/",
  );
  return safe`<section class="list">${table}</section>`;
}

/** A node without a known ID is found by its name. */
function linkOf(view: ValidatorView): Html {
  const { nodeId, network, nodes } = view;
  const title = titleOf(view);
  const address = linkTo(nodeId ?? nodes[0]?.node ?? "", network);
  const id = nodeId === undefined || nodeId === title ? NOTHING : safe` <code>${shortId(nodeId)}</code>`;
  return safe`<a href="${address}"><bdi>${title === nodeId ? shortId(title) : title}</bdi></a>${id}`;
}
