import { safe, trusted, type Html } from "../../http/pages/html.ts";
import type { ReportCell, ReportColumn, Document, Section } from "./report-document.ts";

const STYLE = trusted(`
:root { color-scheme: light; --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --page: #fff; --good: #1a7f37; --warning: #9a6700; --bad: #cf222e; }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --text: #e6edf3; --soft: #9aa4ae; --line: #3d444d; --page: #0d1117; --good: #3fb950; --warning: #d29922; --bad: #ff7b72; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); max-width: 62em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin: 0; }
h2 { font-size: 1.1em; margin: 2em 0 0.4em; }
p { margin: 0.4em 0; color: var(--soft); }
table { border-collapse: collapse; }
th, td { padding: 0.25em 1.2em 0.25em 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); white-space: nowrap; }
td { font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
.right { text-align: right; white-space: nowrap; }
.good { color: var(--good); } .warning { color: var(--warning); } .bad { color: var(--bad); font-weight: 600; }
@media screen and (max-width: 48em) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr { display: block; }
  tr { padding: 0.4em 0; border-bottom: 1px solid var(--line); }
  td, .right { display: flex; justify-content: space-between; gap: 1em; padding: 0.1em 0; border: 0; text-align: right; white-space: normal; overflow-wrap: anywhere; }
  td::before { content: attr(data-title); color: var(--soft); font-weight: 400; text-align: left; white-space: nowrap; }
  td:first-child { font-weight: 600; text-align: left; }
  td:first-child::before, td:empty { content: none; display: none; }
}
@media print {
  body { font-size: 10pt; margin: 0; max-width: none; }
  h2 { break-after: avoid; } tr { break-inside: avoid; } thead { display: table-header-group; }
}
`);

/** The report as a page without scripts and without other files, for a browser, a printer or a mail. */
export function documentHtml({ title, subtitle, sections }: Document): string {
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
    <main>
    <h1>${title}</h1>
    <p>${subtitle}</p>
    ${sections.map(sectionHtml)}
    </main>
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

function tableHtml(columns: readonly ReportColumn[], rows: Section["rows"]): Html {
  return safe`
    <table>
    <thead><tr>${columns.map(({ title, align }) => safe`<th scope="col" class="${align ?? "left"}">${title}</th>`)}</tr></thead>
    <tbody>
    ${rows.map((row) => safe`<tr>${row.map((cell, at) => cellHtml(cell, columns[at]))}</tr>`)}
    </tbody>
    </table>
  `;
}

function cellHtml(cell: ReportCell, column: ReportColumn | undefined): Html {
  const { text, tone } = typeof cell === "string" ? { text: cell, tone: "" } : cell;
  return safe`<td class="${`${column?.align ?? "left"} ${tone}`.trim()}" data-title="${column?.title ?? ""}">${text}</td>`;
}
