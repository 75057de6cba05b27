import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The style of a page, its script, and its content security policy. Both are inlined, so that a page is one file. */
type PageFiles = { readonly style: string; readonly script: string; readonly policy: string };

// A bundle contains these texts.
const BASE = readFileSync(new URL("./browser/base.css", import.meta.url), "utf8");
const STATUS = readFileSync(new URL("../status-page/browser/status-page.css", import.meta.url), "utf8");
const STATUS_MEDIA = readFileSync(new URL("../status-page/browser/status-page-media.css", import.meta.url), "utf8");
const SCRIPT = readFileSync(new URL("../status-page/browser/status-page.js", import.meta.url), "utf8");
const RUNBOOK = readFileSync(new URL("../runbooks/browser/runbook.css", import.meta.url), "utf8");
const VALIDATOR = readFileSync(new URL("../validator-page/browser/validator-page.css", import.meta.url), "utf8");

export const STATUS_PAGE = filesOf(BASE + STATUS + STATUS_MEDIA, SCRIPT);
export const RUNBOOK_PAGE = filesOf(BASE + STATUS + STATUS_MEDIA + RUNBOOK);
export const VALIDATOR_PAGE = filesOf(BASE + VALIDATOR);

/** The policy allows only the inlined style, script and icon, forms to this server and, with a script, requests to it. */
function filesOf(style: string, script = ""): PageFiles {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === "" ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
    "img-src data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return { style, script, policy: policy.join("; ") };
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
