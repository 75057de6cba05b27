import { problemText } from "../../config/base/config-problem.ts";
import type { Config } from "../../config/config.ts";
import { nodeSources } from "../../config/read/sources.ts";
import { configured } from "../../daemon/load-settings.ts";
import type { System } from "../../daemon/system.ts";
import { refuse, refuseFile } from "../text/refuse.ts";

/** The configuration that the text of a file would make, checked as `check-config` does; prints its problems. */
export function checked(file: string, text: string, system: System): Config | undefined {
  const sources = nodeSources(system.env);
  const readFile = (path: string): string => (path === file ? text : sources.readFile(path));
  const result = configured(file, system, false, { ...sources, readFile });
  if (result.ok) {
    system.err(problemText(result.loaded.warnings));
    return result.loaded.config;
  }
  refuseFile(system, result.problems);
  refuse(system, "init", "the answers make no valid configuration, so nothing was written");
  return undefined;
}
