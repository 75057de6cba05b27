import { safe, type Html } from "../pages/html.ts";

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
