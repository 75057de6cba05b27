import { leftText } from "../../diagnosis/wording.ts";
import { severityWord, type Diagnosis, type Finding, type NodeOverview } from "../../diagnosis/finding.ts";
import type { TargetStatus } from "../../poller/poll/status.ts";
import { ago, lasting } from "../../config/base/durations.ts";
import type { About } from "../http-dependencies.ts";
import { count, grouped } from "./count.ts";
import { boardLink } from "./board-link.ts";
import { distinctTitle } from "../../diagnosis/problem-titles.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import type { TargetView } from "./status-view.ts";
import { renderEndpoints, renderErrors } from "./render-endpoints.ts";
import { percent } from "../../config/base/figures.ts";
import { idHtml, TONES, when, withIds } from "./page-parts.ts";

/** Characters of a version and of a chain in a row: both come from nodes. */
const VERSION_LIMIT = 24;
const CHAIN_LIMIT = 12;
/** Seconds of lag from which it is shown as time. */
const LONG = 60;

/** What the rows of all nodes share. */
export type Surroundings = Pick<Diagnosis, "subnetNames"> & {
  readonly now: number;
  readonly about: About;
  /** Networks of which one node is polled. */
  readonly alone: ReadonlySet<string>;
  /** Whether nodes of several networks are listed. */
  readonly withNetwork: boolean;
};

/** The titles of the columns, for wide screens: each cell has its title for others. */
export const COLUMNS = safe`<div class="line head" aria-hidden="true"><span>State</span> <span>Node</span> <span class="cells"><span>Version</span> <span>Lag</span> <span>Peers</span> <span>Downtime left</span> <span>Uptime</span></span> <span>Problems</span></div>
`;

/** A node in one line, which expands to its problems, errors and endpoints where it is detailed. */
export function renderNode(view: TargetView, around: Surroundings, detailed: boolean): Html {
  const { target } = view;
  const network = around.withNetwork ? safe` <small>${target.network ?? "network unknown"}</small>` : NOTHING;
  const cells = safe`${badge(view)} <span><b><bdi>${target.name}</bdi></b>${network}</span> <span class="cells">${factCells(view, around)}</span> ${troubles(view)}`;
  return detailed ? expandable(view, cells, around) : safe`<div class="line">${cells}</div>\n`;
}

/** A hosted service in one line, which expands to its errors and endpoints. */
export function renderService(view: TargetView, around: Surroundings): Html {
  const cells = safe`${badge(view)} <b><bdi>${view.target.name}</bdi></b> ${troubles(view)}`;
  return expandable(view, cells, around);
}

function expandable(view: TargetView, cells: Html, { now, about, subnetNames }: Surroundings): Html {
  const { target, findings, overview, lastAnswer, problems } = view;
  const { claim } = problems;
  const validator = safe`<a href="/validator/${encodeURIComponent(target.name)}">Its validator</a>`;
  const ofNode = safe`<span>${target.network ?? "network unknown"}</span> <code>${nodeIdOf(target)}</code> `;
  return safe`<details class="target" data-key="node ${target.name}">
    <summary>${cells}</summary>
    <div class="inside">
      ${findings.length === 0 ? NOTHING : safe`<ul class="plain">${findings.map((each) => renderFinding(each, findings, { subnetNames }))}</ul>`}
      <p class="facts">${target.hosted === true ? NOTHING : ofNode}<code>${target.url}</code>
        <span>last answer ${when(lastAnswer, ago(lastAnswer, now))}</span> ${claim === undefined ? NOTHING : safe`<span>reports itself ${claim ? "healthy" : "unhealthy"}</span>`}
        ${overview.validator === true ? validator : NOTHING} ${target.hosted === true ? NOTHING : boardLink(about, { node: target.name })}</p>
      ${renderErrors(target)}
      ${renderEndpoints(target, now)}
    </div>
  </details>
  `;
}

/** What a node is; what is wrong with it stands under Problems. */
function badge({ target: { up }, isBehind, isStarting, isNew }: TargetView): Html {
  const [tone, word] =
    up === undefined
      ? (["unknown", "Unknown"] as const)
      : !up
        ? (["down", "Down"] as const)
        : isStarting
          ? (["unknown", "Starting"] as const)
          : isBehind
            ? (["failing", "Behind"] as const)
            : ([isNew ? "unknown" : "healthy", "Up"] as const);
  return safe`<span><span class="badge ${tone}">${word}</span></span>`;
}

function renderFinding(finding: Finding, all: readonly Finding[], names: Pick<Diagnosis, "subnetNames">): Html {
  const { severity, state, alert } = finding;
  const alike = all.filter((each) => each.alert === alert);
  const cause = "explainedBy" in finding ? safe` <span class="quiet">(consequence)</span>` : NOTHING;
  return safe`<li class="${state}"><span class="badge ${TONES[severity]}">${severityWord(severity)}</span>
    <span><bdi>${withIds(distinctTitle(finding, alike, names))}</bdi>${state === "pending" ? safe` <span class="quiet">(pending)</span>` : cause}</span></li>`;
}

function factCells({ overview, target, isLost }: TargetView, { now, alone }: Surroundings): readonly Html[] {
  const { version, lag, peers, downtimeLeft, uptime } = overview;
  const isAlone = lag === undefined && alone.has(target.network ?? "");
  return [
    cell("Version", version?.replace(/^avalanchego\//, "").slice(0, VERSION_LIMIT)),
    isAlone
      ? safe`<span class="quiet"><i>Lag </i>needs a second node</span>`
      : cell("Lag", lag === undefined ? undefined : lagWords(lag, now), (lag?.blocks ?? 0) > 0 ? "mild" : undefined),
    cell("Peers", peers === undefined ? undefined : grouped(peers), peers === 0 ? "mild" : undefined),
    cell(
      "Downtime left",
      downtimeLeft === undefined ? undefined : leftText(downtimeLeft),
      isLost ? "grave" : undefined,
    ),
    cell("Uptime", uptime === undefined ? undefined : percent(uptime), isBelow(overview) ? "mild" : undefined),
  ];
}

function isBelow({ uptime = 1, required = 0 }: NodeOverview): boolean {
  return uptime < required;
}

/** Why a validator below its requirement has downtime left: the requirement counts at the end of its period. */
function requirementText({ overview, isLost }: TargetView): readonly string[] {
  const { required, downtimeLeft } = overview;
  if (required === undefined || downtimeLeft === undefined || isLost || !isBelow(overview)) return [];
  return [`needs ${percent(required)} at its end, within reach`];
}

/** A value with its short title, which wide screens replace by the title of the column. An unknown value is an empty cell. */
function cell(title: string, value: string | undefined, tone?: "mild" | "grave"): Html {
  if (value === undefined) return safe`<span></span>`;
  return safe`<span${tone === undefined ? NOTHING : safe` class="${tone}"`}><i>${title} </i>${value}</span>`;
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
  const { critical, warning, info, pages, pending, consequences } = view.problems;
  const urgent = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(pages > 0 ? [`${pages} critical pending`] : []),
    ...(warning > 0 ? [count(warning, "warning")] : []),
    ...answering(view),
    ...requirementText(view),
  ];
  const others = [
    ...(info > 0 ? [`${info} info`] : []),
    ...(consequences > 0 ? [count(consequences, "consequence")] : []),
    ...(pending > pages ? [`${pending - pages} pending`] : []),
  ];
  const tone = critical > 0 ? "grave" : pages + warning > 0 ? "mild" : "quiet";
  const words =
    urgent.length === 0 || others.length === 0
      ? safe`${[...urgent, ...others].join(", ")}`
      : safe`${urgent.join(", ")}<span class="minor">, ${others.join(", ")}</span>`;
  return safe`<span class="trouble ${tone}">${words}</span>`;
}

function answering({ target: { endpoints }, failing }: TargetView): readonly string[] {
  const of = (some: number, what: string) => [`${some} of ${count(endpoints.length, "endpoint")} ${what}`];
  if (failing > 0) return of(failing, "failing");
  const waiting = endpoints.filter(({ state }) => state === "waiting").length;
  return waiting === 0 ? [] : of(waiting, "not polled yet");
}

function nodeIdOf({ nodeId, validatorUnknown }: TargetStatus): Html {
  if (nodeId !== undefined) return idHtml(nodeId);
  return validatorUnknown === true
    ? safe`node ID unknown: its validator is not known until it answers once; set node_id or --storage.path`
    : safe`node ID unknown`;
}
