import type { Config } from "../config/config.ts";
import { formatProblem, type Problem, type Result } from "../config/base/problem.ts";
import { catalogueOf } from "../catalogue/catalogue.ts";
import { TOPICS } from "../definitions/topics.ts";
import { networkEndpointIds } from "../catalogue/part.ts";
import { loadConfigured, type Configured, type SettingsSource } from "./settings.ts";
import type { System } from "../runtime/system.ts";

/** The configuration of a file, or the default one. `sharded`: several processes share it. */
export function configured(
  file: string | undefined,
  { env }: Pick<System, "env">,
  sharded = false,
): Result<Configured> {
  return loadConfigured({ configFile: file, ...endpointIds(), env, sharded });
}

/** The endpoints that a configuration can change, and those of them that only concern whole networks. */
export function endpointIds(): Pick<SettingsSource, "endpointIds" | "networkEndpointIds"> {
  const catalogue = catalogueOf(TOPICS);
  return {
    endpointIds: catalogue.endpoints.map(({ id }) => id),
    networkEndpointIds: networkEndpointIds(catalogue),
  };
}

/** The configuration for a command that polls by itself: nodes that the daemon only probes are included. */
export function polled(config: Config): Config {
  return { ...config, probe: { ...config.probe, only: false } };
}

export function problemText(problems: readonly Problem[]): string {
  return problems.map((problem) => `${formatProblem(problem)}\n`).join("");
}
