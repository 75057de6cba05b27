import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { System } from "../runtime/system.ts";
import { revisionOf } from "./revision.ts";

/** The commit of a build: `scripts/build.ts` puts it here. A clone has no such constant. */
declare const AVAX_EXPORTER_REVISION: string | undefined;

export const VERSION: string = manifest.version;

/** Short commit that the exporter was built from, or that is checked out; "unknown" where neither is known. */
export const REVISION: string =
  typeof AVAX_EXPORTER_REVISION === "string" ? AVAX_EXPORTER_REVISION : revisionOf(join(import.meta.dirname, "../.."));

/** What a daemon reports of itself in its own metrics. */
export function aboutOf({ nodeVersion }: Pick<System, "nodeVersion">) {
  return { version: VERSION, revision: REVISION, nodeVersion };
}
