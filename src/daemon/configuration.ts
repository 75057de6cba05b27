import type { Config } from "../config/config.ts";
import { formatProblem, type Problem, type Result } from "../config/base/problem.ts";
import { catalogueOf } from "../catalogue/catalogue.ts";
import { TOPICS } from "../definitions/topics.ts";
import { loadConfigured, type Configured } from "./settings.ts";
import type { System } from "../runtime/system.ts";

/** The configuration of a file, or the one that holds without a file. `sharded`: several processes are to share it. */
export function configured(
  file: string | undefined,
  { env }: Pick<System, "env">,
  sharded = false,
): Result<Configured> {
  return loadConfigured({ configFile: file, endpointIds: endpointIds(), env, sharded });
}

/** The endpoints that a configuration may change. */
export function endpointIds(): readonly string[] {
  return catalogueOf(TOPICS).endpoints.map(({ id }) => id);
}

/** The configuration for a command that looks for itself: nodes that are probed elsewhere are asked too. */
export function polled(config: Config): Config {
  return { ...config, probe: { ...config.probe, only: false } };
}

/** Every problem on a line of its own. */
export function problemText(problems: readonly Problem[]): string {
  return problems.map((problem) => `${formatProblem(problem)}\n`).join("");
}
