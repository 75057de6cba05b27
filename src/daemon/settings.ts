import { recordedSources, type Reads } from "../config/read/recorded-sources.ts";
import type { Config } from "../config/config.ts";
import type { AlertLimit } from "../config/base/alert-limit.ts";
import { defaultConfig } from "../config/default-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { nodeSources } from "../config/read/node-sources.ts";
import type { Problem, Result } from "../config/base/problem.ts";
import { loadWebConfig, type CertificateFiles } from "../config/web/load-web-config.ts";
import type { WebSecurity } from "../config/web/web-schema.ts";
import type { Sources } from "../config/read/sources.ts";
import { tlsFault } from "../http/server/web-security.ts";
import type { System } from "../runtime/system.ts";

export type Configured = { readonly config: Config; readonly masked: string; readonly warnings: readonly Problem[] };

/** The contents of the daemon's settings files. */
export type Settings = {
  readonly configured: Configured;
  readonly web: WebSecurity | undefined;
  /** Files of the certificates in `web`. */
  readonly certificates: CertificateFiles;
  readonly reads: Reads;
};
/** `reads` is what was read all the same. */
export type Refused = { readonly problems: readonly Problem[]; readonly reads: Reads };

/** Where settings are read from. */
export type SettingsSource = {
  /** `--config.file` and `--web.config.file`. */
  readonly configFile: string | undefined;
  readonly webFile: string | undefined;
  /** The endpoints that the section `endpoints` accepts. */
  readonly endpointIds: readonly string[];
  /** Those of them that only facts of whole networks need. */
  readonly networkEndpointIds: readonly string[];
  /** The thresholds and durations that the section `alerts` accepts. */
  readonly alertLimits: readonly AlertLimit[];
  readonly env: System["env"];
  /** Whether several processes share the configuration. */
  readonly sharded: boolean;
};

const NO_FILE =
  "# no configuration file: watching the local node\nnodes:\n  - name: local\n    url: http://127.0.0.1:9650\n";

/** The configuration of a file, or the default one. */
export function loadConfigured(
  { configFile, endpointIds, networkEndpointIds, alertLimits, env, sharded }: Omit<SettingsSource, "webFile">,
  sources = nodeSources(env),
): Result<Configured> {
  return configFile === undefined
    ? { ok: true, loaded: { config: defaultConfig(), masked: NO_FILE, warnings: [] } }
    : loadConfig(configFile, endpointIds, sources, { sharded, networkEndpointIds, alertLimits });
}

/** Loads both files, and reports the problems of both together. Never throws for the content of a file. */
export function loadSettings(source: SettingsSource): Settings | Refused {
  const { sources, reads } = recordedSources(nodeSources(source.env));
  const main = loadConfigured(source, sources);
  const web = source.webFile === undefined ? undefined : loadWeb(source.webFile, sources);
  if (!main.ok || web?.ok === false) {
    const problems = [main, ...(web === undefined ? [] : [web])].flatMap((each) => (each.ok ? [] : each.problems));
    return { problems, reads: reads() };
  }
  return {
    configured: main.loaded,
    web: web?.loaded.web,
    certificates: web?.loaded.certificates ?? {},
    reads: reads(),
  };
}

/** The web configuration of a file, whose certificate and key fit together. */
export function loadWeb(file: string, sources: Sources): ReturnType<typeof loadWebConfig> {
  const result = loadWebConfig(file, sources);
  if (!result.ok || result.loaded.web.tls === undefined) return result;
  const fault = tlsFault(result.loaded.web.tls);
  return fault === undefined
    ? result
    : { ok: false, problems: [{ ...result.loaded.tlsAt, message: `tls_server_config: ${fault}` }] };
}
