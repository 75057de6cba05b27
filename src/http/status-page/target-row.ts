import { severityWord, type Finding, type NodeOverview } from "../../diagnosis/finding.ts";
import type { TargetStatus } from "../../poller/poll/status.ts";
import { ago, lasting, span } from "./age.ts";
import { count, grouped } from "./count.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import type { TargetView } from "./status-view.ts";
import { renderEndpoints, renderErrors } from "./target-endpoints.ts";
import { shortId, TONES, when, withIds } from "./parts.ts";

/** Characters of a version and of a chain in a row: both come from nodes. */
const VERSION_LIMIT = 24;
const CHAIN_LIMIT = 12;
/** Seconds of lag from which it is shown as time. */
const LONG = 60;

type Row = {
  readonly now: number;
  /** Whether it can be expanded. */
  readonly detailed: boolean;
  /** Whether nodes of several networks are listed. */
  readonly withNetwork: boolean;
};

/** The titles of the columns, for wide screens: each cell has its title for others. */
export const COLUMNS = safe`<div class="line head" aria-hidden="true"><span>State</span> <span>Node</span> <span class="cells"><span>Version</span> <span>Lag</span> <span>Peers</span> <span>Downtime left</span> <span>Uptime</span></span> <span>Problems</span></div>
`;

/** A node in one line, which expands to its problems, errors and endpoints. */
export function renderNode(view: TargetView, { now, detailed, withNetwork }: Row): Html {
  const { target, overview } = view;
  const network = withNetwork ? safe` <small>${target.network ?? "network unknown"}</small>` : NOTHING;
  const cells = safe`${badge(view)} <span><b><bdi>${target.name}</bdi></b>${network}</span> <span class="cells">${factCells(overview, now)}</span> ${troubles(view)}`;
  return detailed ? expandable(view, cells, now) : safe`<div class="line">${cells}</div>\n`;
}

/** A hosted service in one line, which expands to its errors and endpoints. */
export function renderService(view: TargetView, now: number, detailed: boolean): Html {
  const cells = safe`${badge(view)} <b><bdi>${view.target.name}</bdi></b> ${troubles(view)}`;
  return detailed ? expandable(view, cells, now) : safe`<div class="line">${cells}</div>\n`;
}

function expandable(view: TargetView, cells: Html, now: number): Html {
  const { target, findings, overview, lastAnswer } = view;
  const validator = safe`<a href="/validator/${encodeURIComponent(target.name)}">Its validator</a>`;
  const ofNode = safe`<span>${target.network ?? "network unknown"}</span> <code>${nodeIdOf(target)}</code> `;
  return safe`<details class="target" data-key="node ${target.name}">
    <summary>${cells}</summary>
    <div class="inside">
      ${findings.length === 0 ? NOTHING : safe`<ul class="plain">${findings.map(renderFinding)}</ul>`}
      <p class="facts">${target.hosted === true ? NOTHING : ofNode}<code>${target.url}</code>
        <span>last answer ${when(lastAnswer, ago(lastAnswer, now))}</span> ${claimOf(view)}
        ${overview.validator === true ? validator : NOTHING}</p>
      ${renderErrors(target)}
      ${renderEndpoints(target, now)}
    </div>
  </details>
  `;
}

function badge({ target: { up }, condition, problems }: TargetView): Html {
  const tone = condition === "troubled" && problems.critical > 0 ? "down" : condition;
  return safe`<span><span class="badge ${tone}">${up === undefined ? "Unknown" : up ? "Up" : "Down"}</span></span>`;
}

function renderFinding(finding: Finding): Html {
  const { severity, state, summary } = finding;
  const cause = "explainedBy" in finding ? safe` <span class="quiet">(consequence)</span>` : NOTHING;
  return safe`<li class="${state}"><span class="badge ${TONES[severity]}">${severityWord(severity)}</span>
    <span><bdi>${withIds(summary)}</bdi>${state === "pending" ? safe` <span class="quiet">(pending)</span>` : cause}</span></li>`;
}

function factCells({ version, lag, peers, downtimeLeft, uptime }: NodeOverview, now: number): readonly Html[] {
  return [
    cell("Version", version?.replace(/^avalanchego\//, "").slice(0, VERSION_LIMIT)),
    cell("Lag", lag === undefined ? undefined : lagWords(lag, now), (lag?.blocks ?? 0) > 0),
    cell("Peers", peers === undefined ? undefined : grouped(peers), peers === 0),
    cell(
      "Budget",
      downtimeLeft === undefined ? undefined : downtimeLeft < 0 ? "reward lost" : span(downtimeLeft),
      downtimeLeft !== undefined && downtimeLeft < 0,
    ),
    cell("Uptime", uptime === undefined ? undefined : `${Math.floor(uptime * 1000) / 10} %`),
  ];
}

/** A value with its short title, which wide screens replace by the title of the column. An unknown value is an empty cell. */
function cell(title: string, value: string | undefined, notable = false): Html {
  if (value === undefined) return safe`<span></span>`;
  return notable
    ? safe`<span class="mild"><i>${title} </i>${value}</span>`
    : safe`<span><i>${title} </i>${value}</span>`;
}

function lagWords({ chain, blocks, since }: NonNullable<NodeOverview["lag"]>, now: number): string {
  if (blocks === 0) return "0";
  const on = chain.length > CHAIN_LIMIT ? `${chain.slice(0, CHAIN_LIMIT)}…` : chain;
  const time = since === undefined ? 0 : now - since;
  return `${time < LONG ? count(blocks, "block") : lasting(time)} (${on})`;
}

/**
 * What is wrong with a target: problems, failing endpoints, missing answers. Empty when all is well. A closed row on a phone shows
 * only the urgent parts.
 */
function troubles(view: TargetView): Html {
  const { critical, warning, info, pending, consequences } = view.problems;
  const urgent = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(warning > 0 ? [count(warning, "warning")] : []),
    ...answering(view),
  ];
  const others = [
    ...(info > 0 ? [`${info} info`] : []),
    ...(consequences > 0 ? [count(consequences, "consequence")] : []),
    ...(pending > 0 ? [`${pending} pending`] : []),
  ];
  const tone = critical > 0 ? "grave" : warning > 0 ? "mild" : "quiet";
  const words =
    urgent.length === 0 || others.length === 0
      ? safe`${[...urgent, ...others].join(", ")}`
      : safe`${urgent.join(", ")}<span class="minor">, ${others.join(", ")}</span>`;
  return safe`<span class="trouble ${tone}">${words}</span>`;
}

function answering({ target: { endpoints }, failing }: TargetView): readonly string[] {
  const of = (some: number): string => (some === endpoints.length ? "all" : `${some} of ${endpoints.length}`);
  if (failing > 0) return [`${of(failing)} endpoints failing`];
  const waiting = endpoints.filter(({ state }) => state === "waiting").length;
  if (waiting === 0) return [];
  return [waiting === endpoints.length ? "not polled yet" : `${of(waiting)} endpoints not polled yet`];
}

function claimOf({ problems: { claim } }: TargetView): Html {
  return claim === undefined ? NOTHING : safe`<span>reports itself ${claim ? "healthy" : "unhealthy"}</span>`;
}

function nodeIdOf({ nodeId, validatorUnknown }: TargetStatus): Html {
  if (nodeId !== undefined) return shortId(nodeId);
  return validatorUnknown === true
    ? safe`node ID unknown: its validator is not known until it answers once; set node_id or --storage.path`
    : safe`node ID unknown`;
}
