import type { Config } from "../config/config.ts";
import { defaultConfig } from "../config/default-config.ts";
import { loadConfig, type Result } from "../config/load-config.ts";
import { nodeSources } from "../config/node-sources.ts";
import { formatProblem, type Problem } from "../config/problem.ts";
import { catalogueOf } from "../metrics/catalogue.ts";
import { TOPICS } from "../metrics/index.ts";
import type { System } from "./system.ts";

export type Configured = { readonly config: Config; readonly masked: string; readonly warnings: readonly Problem[] };

const NO_FILE =
  "# no configuration file: the node of this machine is watched\nnodes:\n  - name: local\n    url: http://127.0.0.1:9650\n";

/** The configuration of a file, or the one that holds without a file. `sharded`: several processes are to share it. */
export function configured(
  file: string | undefined,
  { env }: Pick<System, "env">,
  sharded = false,
): Result<Configured> {
  if (file === undefined) return { ok: true, loaded: { config: defaultConfig(), masked: NO_FILE, warnings: [] } };
  const endpointIds = catalogueOf(TOPICS).endpoints.map(({ id }) => id);
  return loadConfig(file, endpointIds, nodeSources(env), { sharded });
}

/** The configuration for a command that looks for itself: nodes that are probed elsewhere are asked too. */
export function polled(config: Config): Config {
  return { ...config, probe: { ...config.probe, only: false } };
}

/** Every problem on a line of its own. */
export function problemText(problems: readonly Problem[]): string {
  return problems.map((problem) => `${formatProblem(problem)}\n`).join("");
}
