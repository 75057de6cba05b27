import type { Config } from "../config/config.ts";
import { defaultConfig } from "../config/default-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { nodeSources } from "../config/read/node-sources.ts";
import type { Problem, Result } from "../config/base/problem.ts";
import { loadWebConfig } from "../config/web/load-web-config.ts";
import type { WebSecurity } from "../config/web/web-schema.ts";
import type { System } from "../runtime/system.ts";

export type Configured = { readonly config: Config; readonly masked: string; readonly warnings: readonly Problem[] };

/** The contents of the daemon's settings files. */
export type Settings = { readonly configured: Configured; readonly web: WebSecurity | undefined };
export type Refused = { readonly problems: readonly Problem[] };

/** Where settings are read from: plain data, which can be passed to another thread. */
export type SettingsSource = {
  /** `--config.file` and `--web.config.file`. */
  readonly configFile: string | undefined;
  readonly webFile: string | undefined;
  /** The endpoints that the section `endpoints` accepts. */
  readonly endpointIds: readonly string[];
  /** Those of them that only facts of whole networks need. */
  readonly networkEndpointIds: readonly string[];
  readonly env: System["env"];
  /** Whether several processes share the configuration. */
  readonly sharded: boolean;
};

const NO_FILE =
  "# no configuration file: watching the local node\nnodes:\n  - name: local\n    url: http://127.0.0.1:9650\n";

/** The configuration of a file, or the default one. */
export function loadConfigured({
  configFile,
  endpointIds,
  networkEndpointIds,
  env,
  sharded,
}: Omit<SettingsSource, "webFile">): Result<Configured> {
  return configFile === undefined
    ? { ok: true, loaded: { config: defaultConfig(), masked: NO_FILE, warnings: [] } }
    : loadConfig(configFile, endpointIds, nodeSources(env), { sharded, networkEndpointIds });
}

/** Loads both files, and reports the problems of both together. Never throws for the content of a file. */
export function loadSettings(source: SettingsSource): Settings | Refused {
  const main = loadConfigured(source);
  const web = source.webFile === undefined ? undefined : loadWebConfig(source.webFile, nodeSources(source.env));
  if (!main.ok || web?.ok === false) {
    return { problems: [...(main.ok ? [] : main.problems), ...(web === undefined || web.ok ? [] : web.problems)] };
  }
  return { configured: main.loaded, web: web?.loaded.web };
}
