import { span } from "../../config/base/durations.ts";
import type { VerdictState } from "../../diagnosis/validator/reward-verdict.ts";
import { renderDocument } from "../pages/render-document.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { VALIDATOR_PAGE } from "../pages/page-files.ts";
import { grouped } from "../status-page/count.ts";
import { instant } from "./answer-texts.ts";

/** The document around the content of a page. @param at Unix seconds */
export function pageOf(title: string, at: number, content: Html): string {
  const body = safe`<header>
      <nav aria-label="Pages"><a href="/">Status</a> <a href="/validator/">Validators</a> <a href="/restart">Restarts</a></nav>
      <p>As of ${timeOf(at)}</p>
    </header>
    <main id="content">${content}</main>`;
  return renderDocument({ title, style: VALIDATOR_PAGE.style, body });
}

/** A part of a page that its title names. */
export function sectionOf(id: string, title: string, content: readonly Html[], tone = ""): Html {
  return safe`<section${tone === "" ? NOTHING : safe` class="${tone}"`} aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

/** A moment, for people and machines. @param seconds Unix seconds */
export function timeOf(seconds: number): Html {
  const words = instant(seconds);
  return words === "unknown"
    ? safe`unknown`
    : safe`<time datetime="${new Date(seconds * 1000).toISOString().slice(0, 19)}Z">${words}</time>`;
}

/** A moment with its distance from `at`. */
export function momentOf(time: number, at: number): Html {
  const distance = time > at ? `in ${span(time - at)}` : `${span(at - time)} ago`;
  return safe`${timeOf(time)} <span class="distance">${distance}</span>`;
}

export function pill(state: VerdictState, words: string): Html {
  return safe`<span class="pill ${state}">${words}</span>`;
}

export function note(text: string): Html {
  return safe`<p class="quiet">${text}</p>`;
}

export type PageCell = Html | string | undefined;

/** What a value is in words; `undefined` is unknown. */
export function known<A, B>(value: A | undefined, words: (value: A) => B): B | undefined {
  return value === undefined ? undefined : words(value);
}

export type PageEntry = readonly [term: string, value: PageCell];

const UNKNOWN = safe`<span class="quiet">unknown</span>`;

/** Terms and values. Unknown values are "unknown", because a missing line would look like a missing fact. */
export function factList(entries: ReadonlyArray<PageEntry | undefined>): Html {
  return safe`<dl>${entries
    .filter((entry) => entry !== undefined)
    .map(
      ([term, value]) =>
        safe`<div><dt>${term}</dt><dd>${typeof value === "string" ? safe`<span class="whole">${value}</span>` : (value ?? UNKNOWN)}</dd></div>`,
    )}</dl>`;
}

/** The title of a column, and what it has in a row. */
export type PageColumn<A> = readonly [title: string, cell: (row: A) => PageCell];

/**
 * A table whose first column names the rows; nothing without rows. On a phone each row is a block, so every cell carries the title of
 * its column. @param most rows; the rest is counted @param all where all of them are
 */
export function tableOf<A>(
  rows: readonly A[],
  columns: ReadonlyArray<PageColumn<A>>,
  most = Infinity,
  all?: string,
): Html {
  if (rows.length === 0) return NOTHING;
  const more = rows.length - most;
  const cells = (row: A) =>
    columns.map(([title, cell], index) =>
      index === 0
        ? safe`<th scope="row">${cell(row) ?? "unknown"}</th>`
        : safe`<td data-title="${title}"><span>${cell(row) ?? "unknown"}</span></td>`,
    );
  return safe`<table>
    <thead><tr>${columns.map(([title]) => safe`<th scope="col">${title}</th>`)}</tr></thead>
    <tbody>${rows.slice(0, most).map((row) => safe`<tr>${cells(row)}</tr>`)}</tbody>
  </table>
  ${more > 0 ? safe`<p class="quiet">and ${grouped(more)} more${all === undefined ? NOTHING : safe`: <a href="${all}">all as JSON</a>`}</p>` : NOTHING}`;
}

/** A link to the page of a validator. With its network a node ID is not ambiguous. */
export function linkTo(name: string, network: string | undefined): string {
  const query = network === undefined ? "" : `?network=${encodeURIComponent(network)}`;
  return `/validator/${encodeURIComponent(name)}${query}`;
}
