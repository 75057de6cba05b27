import { readFileSync } from "node:fs";
import { contentSecurityPolicy, styleOf } from "../pages/page-files.ts";

/** The style of the validator pages, inlined so that a page is one file. A bundle contains its text. */
export const STYLE = styleOf(readFileSync(new URL("./browser/validator-page.css", import.meta.url), "utf8"));

/** The pages have no script. */
export const CONTENT_SECURITY_POLICY = contentSecurityPolicy({ style: STYLE });
