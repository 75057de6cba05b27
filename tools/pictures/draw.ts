import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { bodyOf, closeServer, listenOn } from "../../test/e2e/support/recording-server.ts";
import { PAGE, PUBLIC } from "./bundle.ts";
import { withFewColours } from "./few-colours.ts";
import type { Choice, Dashboard, Span, Theme } from "./page/dashboard.ts";
import { linesOf, placesOf } from "./page/layout.ts";
import { screenshot } from "./screenshot.ts";

/** What is drawn: a dashboard, what is chosen on its bar, and the width of the window in pixels. */
export type Picture = {
  readonly dashboard: Dashboard;
  readonly choice: Choice;
  readonly span: Span;
  readonly width: number;
  readonly dashboards: readonly string[];
  readonly theme: Theme;
  /** Draws closed rows open. */
  readonly allOpen: boolean;
  readonly file: string;
};

/** What the page says of itself: panels without data, and what went wrong. */
export type Report = { readonly empty: readonly string[]; readonly failed: readonly string[] };

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
};

const HTML = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/page/main.css">
<body style="margin:0;font-family:Inter,sans-serif"><div id="page"></div><script type="module" src="/page/main.js"></script>`;

/** Grafana's grid: cells of 38 pixels below a bar of 84, and an edge. */
function heightOf({ dashboard, allOpen }: Picture): number {
  return 84 + 16 + 38 * linesOf(placesOf(dashboard, allOpen));
}

/** Height of the lines of panels that a screen of this height shows whole. */
export function wholeLines({ dashboard, allOpen }: Picture, screen: number): number {
  const ends = placesOf(dashboard, allOpen).map(({ panel: { gridPos }, y }) => 84 + 38 * (y + gridPos.h));
  return Math.max(...ends.filter((end) => end <= screen));
}

/** Draws a dashboard from the data of a Prometheus. */
export async function drawPicture(picture: Picture, prometheus: string): Promise<Report> {
  const report: { empty: string[]; failed: string[] } = { empty: [], failed: [] };
  let reported = false;
  const server = createServer((request, response) => {
    void answer(request, response, picture, prometheus, (said) => {
      reported = true;
      report.empty.push(...(said.empty ?? []));
      report.failed.push(...(said.failed ?? []));
    });
  });
  const port = await listenOn(server);
  try {
    await screenshot(`http://127.0.0.1:${port}/`, {
      ...{ width: picture.width, height: heightOf(picture), file: picture.file },
      flags: ["--virtual-time-budget=30000", "--run-all-compositor-stages-before-draw"],
    });
  } finally {
    await closeServer(server);
  }
  await withFewColours(picture.file);
  if (!reported) report.failed.push("the page did not come to its end");
  return report;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { dashboard, choice, span, dashboards, theme, allOpen }: Picture,
  prometheus: string,
  said: (report: Partial<Report>) => void,
): Promise<void> {
  const path = request.url ?? "/";
  if (path === "/") return void response.writeHead(200, { "content-type": "text/html" }).end(HTML);
  if (path === "/job")
    return void response.writeHead(200).end(JSON.stringify({ dashboard, choice, span, dashboards, theme, allOpen }));
  if (path === "/report") {
    said(JSON.parse(await bodyOf(request)) as Partial<Report>);
    return void response.writeHead(204).end();
  }
  if (path.startsWith("/prometheus/")) {
    const asked = await fetch(`${prometheus}${path.slice("/prometheus".length)}`, {
      method: "POST",
      body: await bodyOf(request),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    return void response.writeHead(asked.status).end(await asked.text());
  }
  const file = path.startsWith("/public/")
    ? join(PUBLIC, normalize(path.replace(/^\/public\/(build\/)?/, "")))
    : join(PAGE, normalize(path.replace("/page/", "/")));
  if (!existsSync(file)) return void response.writeHead(404).end();
  response
    .writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
    .end(await readFile(file));
}
