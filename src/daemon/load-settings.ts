import type { ConfigProblem, Result } from "../config/base/config-problem.ts";
import type { Config } from "../config/config.ts";
import { defaultConfig, localName } from "../config/default-config.ts";
import { loadConfig, type Loaded } from "../config/load-config.ts";
import { recordedSources, type Reads } from "../config/read/recorded-sources.ts";
import { nodeSources, type Sources } from "../config/read/sources.ts";
import { loadWebConfig, type CertificateFiles, type LoadedWeb } from "../config/web/load-web-config.ts";
import type { WebSecurity } from "../config/web/web-schema.ts";
import { tlsFault } from "../http/server/web-security.ts";
import type { System } from "./system.ts";
import { ALERT_LIMITS } from "../topics/all/alerts.ts";
import { TOPICS } from "../topics/all/topics.ts";
import { catalogueOf, metricsOf } from "../topics/define/catalogue.ts";
import { networkEndpointIds } from "../topics/define/part.ts";

/** The contents of the daemon's settings files. */
export type SettingsFiles = {
  readonly configured: Loaded;
  readonly web: WebSecurity | undefined;
  /** Files of the certificates in `web`. */
  readonly certificates: CertificateFiles;
  readonly reads: Reads;
};
/** `reads` is what was read all the same. */
type Refused = { readonly problems: readonly ConfigProblem[]; readonly reads: Reads };

/** Where settings are read from. */
export type SettingsSource = {
  /** `--config.file` and `--web.config.file`. */
  readonly configFile: string | undefined;
  readonly webFile: string | undefined;
  readonly env: System["env"];
  readonly hostname: System["hostname"];
  /** Whether several processes share the configuration. */
  readonly sharded: boolean;
};

function withoutFile(hostname: string): Loaded {
  const name = localName(hostname);
  const text = `# no configuration file: watching the local node\nnodes:\n  - name: ${JSON.stringify(name)}\n    url: http://127.0.0.1:9650\n`;
  return { config: defaultConfig(name), masked: () => text, warnings: [] };
}

/** The configuration of a file, or the default one. `sharded`: several processes share it. */
export function configured(
  file: string | undefined,
  { env, hostname }: Pick<System, "env" | "hostname">,
  sharded = false,
  sources = nodeSources(env),
): Result<Loaded> {
  if (file === undefined) return { ok: true, loaded: withoutFile(hostname) };
  const catalogue = catalogueOf(TOPICS);
  const endpointIds = catalogue.endpoints.map(({ id }) => id);
  return loadConfig(file, endpointIds, sources, {
    networkEndpointIds: networkEndpointIds(catalogue),
    alertLimits: ALERT_LIMITS,
    seriesLabels: TOPICS.flatMap(metricsOf).flatMap(({ labels }): readonly string[] => labels),
    sharded,
  });
}

/** The configuration for a command that polls by itself: nodes that the daemon only probes are included. */
export function polled(config: Config): Config {
  return { ...config, probe: { ...config.probe, only: false } };
}

/** Loads both files, and reports the problems of both together. Never throws for the content of a file. */
export function loadSettings(
  { configFile, webFile, env, hostname, sharded }: SettingsSource,
  from = nodeSources(env),
): SettingsFiles | Refused {
  const { sources, reads } = recordedSources(from);
  const main = configured(configFile, { env, hostname }, sharded, sources);
  const web = webFile === undefined ? undefined : loadWeb(webFile, sources);
  const problems = [main, web].flatMap((each) => (each?.ok === false ? each.problems : []));
  if (!main.ok || web?.ok === false) return { problems, reads: reads() };
  const warnings = [...main.loaded.warnings, ...(web?.loaded.warnings ?? [])];
  return {
    configured: { ...main.loaded, warnings },
    web: web?.loaded.web,
    certificates: web?.loaded.certificates ?? {},
    reads: reads(),
  };
}

/** The web configuration of a file, whose certificate and key fit together. */
export function loadWeb(file: string, sources: Sources): Result<LoadedWeb> {
  return loadWebConfig(file, sources, tlsFault);
}
