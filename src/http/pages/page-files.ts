import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const BASE = readFileSync(new URL("./browser/base.css", import.meta.url), "utf8");

/** The style of a page: the base of all pages, then its own. It is inlined, so that a page is one file. */
export function styleOf(own: string): string {
  return BASE + own;
}

/** Allows only the inlined style, script and icon, forms to this server and, with a script, requests to it. */
export function contentSecurityPolicy({ style, script }: { readonly style: string; readonly script?: string }): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
    "img-src data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
