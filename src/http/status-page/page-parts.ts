import type { Severity } from "../../topics/define/alert.ts";
import { safe, type Html } from "../pages/html.ts";

/** Small pieces of the pages. */

/** The class of a severity's badge. */
export const TONES = {
  critical: "down",
  warning: "failing",
  info: "unknown",
  none: "unknown",
} as const satisfies Readonly<Record<Severity, string>>;

/** A relative time, with the absolute time as an attribute. @param seconds Unix seconds */
export function when(seconds: number | undefined, words: string): Html {
  if (seconds === undefined) return safe`${words}`;
  const exact = new Date(seconds * 1000).toISOString().slice(0, 19);
  return safe`<time datetime="${exact}Z" title="${exact.replace("T", " ")} UTC">${words}</time>`;
}

/** A node ID, or a subnet, blockchain or validation ID: long enough to need shortening. */
const ID = /(NodeID-[A-HJ-NP-Za-km-z1-9]{20,50}|\b[A-HJ-NP-Za-km-z1-9]{40,60}\b)/;

/** Text whose IDs are shortened on small screens. A selection contains them in full. */
export function withIds(text: string): Html {
  return safe`${text.split(ID).map((part, index) => (index % 2 === 1 ? idHtml(part) : safe`${part}`))}`;
}

export function idHtml(id: string): Html {
  return safe`<span class="id" title="${id}">${id}</span>`;
}

/** Renders the Markdown of this program's texts: code between backticks, bold and italic words between asterisks. */
export function prose(text: string): readonly Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? safe`<code>${part}</code>` : safe`${emphasis(part)}`));
}

function emphasis(text: string): readonly Html[] {
  return text.split(/(\*\*[^*]+\*\*|\*[\w ]+\*)/).map((part) => {
    if (part.startsWith("**") && part.endsWith("**") && part.length > 4) return safe`<b>${part.slice(2, -2)}</b>`;
    if (part.startsWith("*") && part.endsWith("*") && part.length > 2) return safe`<i>${part.slice(1, -1)}</i>`;
    return safe`${part}`;
  });
}
