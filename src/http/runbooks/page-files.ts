import { readFileSync } from "node:fs";
import { contentSecurityPolicy } from "../pages/page-files.ts";
import { STYLE as STATUS_STYLE } from "../status-page/page-files.ts";

/** The style of the runbooks: that of the status page, then their own. It is inlined, so that a page is one file. */
export const STYLE = STATUS_STYLE + readFileSync(new URL("./browser/runbook.css", import.meta.url), "utf8");

/** The pages have no script. */
export const CONTENT_SECURITY_POLICY = contentSecurityPolicy({ style: STYLE });
