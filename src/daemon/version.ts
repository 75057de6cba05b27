import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { System } from "../runtime/system.ts";
import { revisionOf } from "./revision.ts";

/** The commit of a build, defined by `scripts/build.ts` and undefined in a clone. */
declare const AVAX_EXPORTER_REVISION: string | undefined;

export const VERSION: string = manifest.version;

/** Short commit of the build or of the clone; "unknown" without either. */
export const REVISION: string =
  typeof AVAX_EXPORTER_REVISION === "string" ? AVAX_EXPORTER_REVISION : revisionOf(join(import.meta.dirname, "../.."));

/** The labels of the daemon's build in its own metrics. */
export function aboutOf({ nodeVersion }: Pick<System, "nodeVersion">) {
  return { version: VERSION, revision: REVISION, nodeVersion };
}
