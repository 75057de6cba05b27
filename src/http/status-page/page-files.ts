import { readFileSync } from "node:fs";
import { contentSecurityPolicy, styleOf } from "../pages/page-files.ts";

const PARTS = [
  readFileSync(new URL("./browser/status-page.css", import.meta.url), "utf8"),
  readFileSync(new URL("./browser/status-page-media.css", import.meta.url), "utf8"),
];

/** The style and script of the status page, inlined so that the page is one file. A bundle contains their text. */
export const STYLE = styleOf(PARTS.join(""));
export const SCRIPT = readFileSync(new URL("./browser/status-page.js", import.meta.url), "utf8");

export const CONTENT_SECURITY_POLICY = contentSecurityPolicy({ style: STYLE, script: SCRIPT });
