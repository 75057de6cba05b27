import { safe, trusted, type Html } from "../../http/pages/html.ts";
import type { Cell, Column, Document, Section } from "./document.ts";

const STYLE = trusted(`
:root { color-scheme: light; --good: #1a7f37; --warning: #9a6700; --bad: #cf222e; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2328; background: #fff; max-width: 62em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin: 0; }
h2 { font-size: 1.1em; margin: 2em 0 0.4em; }
p { margin: 0.4em 0; color: #59636e; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.25em 1.2em 0.25em 0; text-align: left; border-bottom: 1px solid #d1d9e0; vertical-align: top; }
th { font-weight: 600; color: #59636e; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
.right { text-align: right; white-space: nowrap; }
.good { color: var(--good); } .warning { color: var(--warning); } .bad { color: var(--bad); font-weight: 600; }
@media print {
  body { font-size: 10pt; margin: 0; max-width: none; }
  h2 { break-after: avoid; } tr { break-inside: avoid; } thead { display: table-header-group; }
}
`);

/** The report as a page without scripts and without other files, for a browser, a printer or a mail. */
export function htmlOf({ title, subtitle, sections }: Document): string {
  const page = safe`
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>${STYLE}</style>
    </head>
    <body>
    <h1>${title}</h1>
    <p>${subtitle}</p>
    ${sections.map(sectionHtml)}
    </body>
    </html>
  `;
  return `${page.markup.trim()}\n`;
}

function sectionHtml({ title, columns, rows, notes }: Section): Html {
  return safe`
    <section>
    <h2>${title}</h2>
    ${rows.length === 0 ? [] : [tableHtml(columns, rows)]}
    ${notes.map((note) => safe`<p>${note}</p>`)}
    </section>
  `;
}

function tableHtml(columns: readonly Column[], rows: Section["rows"]): Html {
  return safe`
    <div class="table"><table>
    <thead><tr>${columns.map(({ title, align }) => safe`<th scope="col" class="${align ?? "left"}">${title}</th>`)}</tr></thead>
    <tbody>
    ${rows.map((row) => safe`<tr>${row.map((cell, at) => cellHtml(cell, columns[at]))}</tr>`)}
    </tbody>
    </table></div>
  `;
}

function cellHtml(cell: Cell, column: Column | undefined): Html {
  const { text, tone } = typeof cell === "string" ? { text: cell, tone: "" } : cell;
  return safe`<td class="${`${column?.align ?? "left"} ${tone}`.trim()}">${text}</td>`;
}
