import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The style of the validator pages, inlined so that a page is one file. A bundle contains its text. */
export const STYLE = readFileSync(new URL("./browser/validator-page.css", import.meta.url), "utf8");

/** Allows only the inlined style and forms to this server; the pages have no script. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");
