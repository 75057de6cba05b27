import { type ValidatorView, titleOf } from "../../diagnosis/validator/validator-views.ts";
import { span } from "../../config/base/age.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { linkTo, pageOf, pill, tableOf } from "./page.ts";
import { answerOf, leftText, percent, shortId } from "./words.ts";

/** Validators that are listed: a page of a large fleet stays below a megabyte. */
const LISTED = 2_000;

/** The list of all validators, those that need attention first. @param at Unix seconds */
export function renderValidatorList(views: readonly ValidatorView[], at: number): string {
  const headline = headlineOf(views);
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

/** The page for a name that several validators share. */
export function renderAmbiguousValidator(text: string, views: readonly ValidatorView[], at: number): string {
  return pageOf(
    "Several validators",
    at,
    safe`<h1>Several validators are called <bdi>${text.slice(0, 200)}</bdi></h1>${renderTable(views)}`,
  );
}

function headlineOf(views: readonly ValidatorView[]): string {
  const parts = (["lost", "at_risk", "unknown"] as const)
    .map((state) => [state, views.filter(({ reward }) => reward.state === state).length] as const)
    .filter(([, number]) => number > 0)
    .map(([state, number]) => `${number} ${state === "at_risk" ? "at risk" : state}`);
  const total = count(views.length, "validator");
  return parts.length === 0 ? total : `${total}: ${parts.join(", ")}`;
}

function renderTable(views: readonly ValidatorView[]): Html {
  const more = views.length - LISTED;
  const shared = sharedIds(views);
  const rows = views.slice(0, LISTED).map((view) => cellsOf(view, addressOf(view, shared)));
  return safe`<section class="list">${tableOf(COLUMNS, rows)}</section>
    ${more > 0 ? safe`<p class="quiet">and ${count(more, "validator")} more: <a href="/api/v1/validator/">all as JSON</a></p>` : NOTHING}`;
}

const COLUMNS = ["Validator", "Reward", "Downtime left", "Uptime", "Required", "Ends in", "Network"];

function cellsOf(view: ValidatorView, address: string): ReadonlyArray<Html | string> {
  const { nodeId, network, reward, stakes, at } = view;
  const stake = stakes.find((each) => each.reward === reward);
  const title = titleOf(view);
  const id = nodeId === undefined || nodeId === title ? NOTHING : safe` <code>${shortId(nodeId)}</code>`;
  return [
    safe`<a href="${address}"><bdi>${title === nodeId ? shortId(title) : title}</bdi></a>${id}`,
    pill(reward.state, answerOf(reward)),
    stake?.budget === undefined ? "–" : leftText(stake.budget),
    stake?.uptime === undefined ? "–" : percent(stake.uptime),
    stake?.requirement === undefined ? "–" : percent(stake.requirement),
    stake?.end === undefined || stake.end <= at ? "–" : span(stake.end - at),
    safe`<bdi>${network ?? "unknown"}</bdi>`,
  ];
}

/** Node IDs of several networks. */
function sharedIds(views: readonly ValidatorView[]): ReadonlySet<string | undefined> {
  const seen = new Set<string | undefined>();
  const shared = new Set<string | undefined>();
  for (const { nodeId } of views) (seen.has(nodeId) ? shared : seen).add(nodeId);
  return shared;
}

/** The network is part of the address where it has to be. A node without a known ID is found by its name. */
function addressOf({ nodeId, network, nodes }: ValidatorView, shared: ReadonlySet<string | undefined>): string {
  if (nodeId === undefined) return linkTo(nodes[0]?.node ?? "", undefined);
  return linkTo(nodeId, shared.has(nodeId) ? network : undefined);
}
