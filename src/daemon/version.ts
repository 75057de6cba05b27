import type { System } from "../runtime/system.ts";
import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;
/** Commit of a packaged build; a clone runs what is checked out. */
export const REVISION = "source";

/** What a daemon says of itself in its own metrics. */
export function aboutOf({ nodeVersion }: Pick<System, "nodeVersion">) {
  return { version: VERSION, revision: REVISION, nodeVersion };
}
