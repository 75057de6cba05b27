import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;
/** Commit of a packaged build; a clone runs what is checked out. */
export const REVISION = "source";
