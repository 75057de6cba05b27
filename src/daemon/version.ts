import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { System } from "./system.ts";
import { revisionOf } from "./revision-of.ts";

/** The commit of a build and its time (ISO, UTC), defined by `scripts/bundle.ts` and undefined in a clone. */
declare const AVAX_EXPORTER_REVISION: string | undefined;
declare const AVAX_EXPORTER_DATE: string | undefined;

export const VERSION: string = manifest.version;

/** Short commit of the build or of the clone; "unknown" without either. */
export const REVISION: string =
  typeof AVAX_EXPORTER_REVISION === "string" ? AVAX_EXPORTER_REVISION : revisionOf(join(import.meta.dirname, "../.."));

/** When the build was made; undefined in a clone, which is not built. */
const BUILD_DATE: string | undefined = typeof AVAX_EXPORTER_DATE === "string" ? AVAX_EXPORTER_DATE : undefined;

/** What the daemon's own metrics tell about the program. */
export type Build = {
  readonly version: string;
  readonly revision: string;
  /** ISO time in UTC; absent in a clone. */
  readonly buildDate?: string | undefined;
  readonly nodeVersion: string;
};

/** The labels of the daemon's build in its own metrics. */
export function aboutOf({ nodeVersion }: Pick<System, "nodeVersion">): Build {
  return { version: VERSION, revision: REVISION, buildDate: BUILD_DATE, nodeVersion };
}

/** The line of `--version`. */
export function versionText({ version, revision, buildDate, nodeVersion }: Build): string {
  const build = buildDate === undefined ? revision : `${revision}, built ${buildDate}`;
  return `avax-exporter ${version} (${build}), node ${nodeVersion}`;
}
