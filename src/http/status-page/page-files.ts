import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The style and script of the status page, inlined so that the page is one file. A bundle contains their text. */
export const STYLE = readFileSync(new URL("./browser/status-page.css", import.meta.url), "utf8");
export const SCRIPT = readFileSync(new URL("./browser/status-page.js", import.meta.url), "utf8");

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows only the inlined style, script and icon, and requests to this server. */
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
