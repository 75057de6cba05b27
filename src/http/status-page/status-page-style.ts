import { createHash } from "node:crypto";
import { SCRIPT } from "./status-page-script.ts";

/** The only style of the status page, inlined so that the page needs nothing else. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f6f3; --card: #fff; --ink: #1c1d20; --soft: #5b5f66; --line: #e3e3de;
  --bad: #b42318; --bad-ground: #fdf0ee; --warn: #8a5300; --warn-ground: #fcf4e4; --good: #1a6b3c; --good-ground: #eaf5ee;
  --link: #1f4fa8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131417; --card: #1c1e22; --ink: #e9eaec; --soft: #a0a5ad; --line: #2e3138;
    --bad: #ff9a8d; --bad-ground: #3a1e1b; --warn: #f2bd62; --warn-ground: #35290f; --good: #7fd6a0; --good-ground: #17301f;
    --link: #8fb4ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 74rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
a { color: var(--link); text-underline-offset: .2em; }
header { margin-bottom: 2.5rem; }
.top { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; color: var(--soft); font-size: 14px; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
h1 { margin: 1.75rem 0 .5rem; font-size: clamp(1.6rem, 4vw, 2.25rem); line-height: 1.2; font-weight: 650; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.05rem; font-weight: 650; }
h2 small, .facts { color: var(--soft); font-size: 14px; font-weight: 400; }
h3 { margin: 0; font-size: 1.15rem; font-weight: 650; letter-spacing: -.01em; }
p { margin: 0; }
.facts { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
bdi { unicode-bidi: isolate; }
.badge { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; font-size: 13px; font-weight: 600; line-height: 1.5; white-space: nowrap; }
.down { color: var(--bad); background: var(--bad-ground); }
.failing { color: var(--warn); background: var(--warn-ground); }
.healthy { color: var(--good); background: var(--good-ground); }
.unknown { color: var(--soft); background: var(--line); }
.troubled { color: var(--warn); background: var(--warn-ground); }
.trouble { display: block; font-weight: 600; font-size: 14px; }
.grave { color: var(--bad); }
.mild { color: var(--warn); }
form { display: flex; flex-wrap: wrap; gap: .5rem; margin: -1rem 0 1.5rem; }
input, select, button {
  font: inherit; font-size: 14px; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .35rem .65rem;
}
input { flex: 1 1 16rem; max-width: 28rem; }
#live:not(:empty)::before { content: ""; display: inline-block; width: .5rem; height: .5rem; margin: 0 .35rem 0 .75rem; border-radius: 50%; background: var(--warn); }
#live.on:not(:empty)::before { background: var(--good); }
.problem { padding-bottom: .9rem; border-left: 4px solid var(--line); }
.problem.critical { border-left-color: var(--bad); }
.problem.warning { border-left-color: var(--warn); }
.problem h3 { font-size: 1.05rem; }
.problem > p, .problem > ul, .problem > details { margin-top: .4rem; }
.problem ul { margin-bottom: 0; padding-left: 1.25rem; }
.problem .proof { list-style: none; padding-left: 1rem; margin-top: .4rem; font-size: 14px; }
summary.plain { display: inline-block; padding: 0; color: var(--link); }
summary.plain::before { content: none; }
summary.plain::after { content: " +"; color: var(--soft); }
details[open] > summary.plain::after { content: " -"; }
.fine { padding-left: 0; }
section > .note { padding-left: 0; padding-top: 0; }
article, .list { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
article { margin-bottom: 1rem; padding: 1.1rem 1.25rem .5rem; }
.title { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem .75rem; margin-bottom: .35rem; }
.scroll { overflow-x: auto; margin: .75rem -.75rem 0; }
table { width: 100%; min-width: 46rem; border-collapse: collapse; table-layout: fixed; font-size: 14px; }
th, td { padding: .4rem .75rem; text-align: left; vertical-align: top; font-weight: 400; }
thead th { color: var(--soft); font-size: 13px; }
tr { border-top: 1px solid var(--line); }
thead tr { border-top: 0; }
thead th:nth-child(1) { width: 25%; }
thead th:nth-child(2) { width: 19%; }
thead th:nth-child(6) { width: 10%; }
.why td { padding: .6rem .75rem .5rem; color: var(--ink); background: var(--bad-ground); border-radius: .3rem; }
.why b { color: var(--bad); font-weight: 600; }
.why code { display: block; color: var(--soft); }
.why ~ tr { border-top-color: transparent; }
.why ~ tr td:nth-child(3) { color: var(--bad); font-weight: 600; }
.quiet { color: var(--soft); }
summary, .line {
  display: grid; grid-template-columns: 1.1rem 5.25rem minmax(8rem, 1fr) 8.5rem 20.5rem minmax(12rem, 1fr); gap: .1rem .75rem; align-items: baseline; font-size: 14px;
  padding: .5rem 1.25rem .5rem 1rem;
}
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before, .line::before { content: ""; width: .5rem; height: .5rem; align-self: center; justify-self: center; }
summary::before { border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
details[open] > summary::before { transform: rotate(45deg); }
summary:hover b { text-decoration: underline; text-underline-offset: .2em; }
summary b, .line b { font-weight: 600; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: .3rem; }
.list > * + * { border-top: 1px solid var(--line); }
.inside { padding: 0 1.25rem 1rem 2.85rem; }
.note { padding: .6rem 1.25rem; color: var(--soft); font-size: 14px; }
@media (max-width: 64rem) {
  body { padding: 1.25rem 1rem 3rem; }
  summary, .line { grid-template-columns: 1.1rem 5.25rem 1fr; }
  summary > :nth-child(n + 3), .line > :nth-child(n + 3) { grid-column: 3; }
  .inside { padding-left: 1.25rem; }
}
@media (max-width: 48rem) {
  article { padding-left: 1rem; padding-right: 1rem; }
  table { min-width: 0; }
  table, tbody { display: block; }
  thead { display: none; }
  tr { display: grid; grid-template-columns: minmax(0, 1fr) 5.5rem 8.5rem; gap: 0 .5rem; padding: .4rem .75rem; }
  th, td { padding: 0; }
  td:nth-child(n + 4) { color: var(--soft); font-size: 13px; }
  td:nth-child(4)::before { content: "last success "; }
  td:nth-child(5)::before { content: "next "; }
  td:nth-child(6)::before { content: "every "; }
  td:nth-child(4) { grid-area: 2 / 1; }
  td:nth-child(5) { grid-area: 2 / 3; }
  td:nth-child(6) { grid-area: 2 / 2; white-space: nowrap; }
  .why { display: block; padding: 0; }
  .why td { display: block; }
}
`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Nothing but this style, this script and the icon, which are part of the page; it may ask this server alone. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");
