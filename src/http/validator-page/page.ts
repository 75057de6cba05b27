import { span } from "../../config/base/age.ts";
import type { VerdictState } from "../../diagnosis/validator/validator-view.ts";
import { renderDocument } from "../pages/document.ts";
import { safe, type Html } from "../pages/html.ts";
import { VALIDATOR_PAGE } from "../pages/page-files.ts";
import { instant } from "./words.ts";

/** The document around the content of a page. @param at Unix seconds */
export function pageOf(title: string, at: number, content: Html): string {
  const body = safe`<header>
      <nav aria-label="Pages"><a href="/">Status</a> <a href="/validator/">Validators</a> <a href="/restart">Restarts</a></nav>
      <p>As of ${timeOf(at)}</p>
    </header>
    <main id="content">${content}</main>`;
  return renderDocument({ title, style: VALIDATOR_PAGE.style, body });
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

/** A term with its value; left out without one. */
export type Entry = readonly [term: string, value: Html | string | undefined];

const UNKNOWN = safe`<span class="quiet">unknown</span>`;

/** Terms and values. Unknown values are "unknown", because a missing line would look like a missing fact. */
export function factList(entries: readonly Entry[]): Html {
  return safe`<dl>${entries.map(
    ([term, value]) =>
      safe`<div><dt>${term}</dt><dd>${typeof value === "string" ? safe`<span class="whole">${value}</span>` : (value ?? UNKNOWN)}</dd></div>`,
  )}</dl>`;
}

/**
 * A table whose first column names the rows. On a phone each row is a block, so every cell carries the title of its column.
 */
export function tableOf(columns: readonly string[], rows: ReadonlyArray<ReadonlyArray<Html | string>>): Html {
  const cells = (row: ReadonlyArray<Html | string>) =>
    row.map((cell, index) =>
      index === 0
        ? safe`<th scope="row">${cell}</th>`
        : safe`<td data-title="${columns[index] ?? ""}"><span>${cell}</span></td>`,
    );
  return safe`<table>
    <thead><tr>${columns.map((title) => safe`<th scope="col">${title}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => safe`<tr>${cells(row)}</tr>`)}</tbody>
  </table>`;
}

/** A link to the page of a validator. The network is part of it where the node ID alone would be ambiguous. */
export function linkTo(name: string, network: string | undefined): string {
  const query = network === undefined ? "" : `?network=${encodeURIComponent(network)}`;
  return `/validator/${encodeURIComponent(name)}${query}`;
}
