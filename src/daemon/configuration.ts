import type { Config } from "../config/config.ts";
import { formatProblem, type Problem, type Result } from "../config/base/problem.ts";
import { catalogueOf } from "../topics/define/catalogue.ts";
import { ALERT_LIMITS } from "../topics/all/alerts.ts";
import { TOPICS } from "../topics/all/topics.ts";
import { networkEndpointIds } from "../topics/define/part.ts";
import { loadConfigured, type Configured, type SettingsSource } from "./settings.ts";
import type { System } from "../runtime/system.ts";

/** The configuration of a file, or the default one. `sharded`: several processes share it. */
export function configured(
  file: string | undefined,
  { env }: Pick<System, "env">,
  sharded = false,
): Result<Configured> {
  return loadConfigured({ configFile: file, ...accepted(), env, sharded });
}

/** What a configuration can change: endpoints, those of them that only concern whole networks, and limits of alerts. */
export function accepted(): Pick<SettingsSource, "endpointIds" | "networkEndpointIds" | "alertLimits"> {
  const catalogue = catalogueOf(TOPICS);
  return {
    endpointIds: catalogue.endpoints.map(({ id }) => id),
    networkEndpointIds: networkEndpointIds(catalogue),
    alertLimits: ALERT_LIMITS,
  };
}

/** The configuration for a command that polls by itself: nodes that the daemon only probes are included. */
export function polled(config: Config): Config {
  return { ...config, probe: { ...config.probe, only: false } };
}

export function problemText(problems: readonly Problem[]): string {
  return problems.map((problem) => `${formatProblem(problem)}\n`).join("");
}
