import { nodesOf } from "../poller/shard/shard.ts";
import { endpointIds, problemText } from "../daemon/configuration.ts";
import { createDaemon } from "../daemon/daemon.ts";
import type { Flags } from "./flags.ts";
import { createLogger } from "../daemon/logger.ts";
import { createReloading } from "../daemon/reloading.ts";
import { serve } from "../daemon/serve.ts";
import { loadSettings, type SettingsSource } from "../daemon/settings.ts";
import { ownShard } from "../daemon/own-shard.ts";
import type { ExitCode, System } from "../runtime/system.ts";
import { aboutOf, VERSION } from "../daemon/version.ts";

const DEFAULT_LISTEN = ":9750";

/** Polls and serves until a signal ends it. */
export async function run(flags: Flags, system: System): Promise<ExitCode> {
  const shard = ownShard(flags, system);
  if ("problem" in shard) {
    system.err(`${shard.problem}\n`);
    return 2;
  }
  const source: SettingsSource = {
    configFile: flags["config.file"],
    webFile: flags["web.config.file"],
    ...endpointIds(),
    env: system.env,
    sharded: shard.total > 1,
  };
  const settings = loadSettings(source);
  if ("problems" in settings) {
    system.err(problemText(settings.problems));
    return 1;
  }
  const { config, warnings } = settings.configured;
  const log = createLogger(flags["log.level"] ?? "info", flags["log.format"] ?? "logfmt", system.err);
  for (const warning of warnings) log.warn(warning, "configuration warning");
  if (flags["config.file"] === undefined)
    log.info({ url: config.nodes[0]?.url }, "no configuration file: watching the local node");
  if (system.isRoot) log.warn({}, "running as root: use an unprivileged account");

  if (shard.total > 1) {
    const { own, auxiliary } = nodesOf(config, shard);
    log.info({ ...shard, nodes: own.length, auxiliary: auxiliary.length }, "polling one shard of the nodes");
  }
  const daemon = createDaemon({
    config,
    shard,
    log,
    ...aboutOf(system),
    exporterMetrics: flags["web.disable-exporter-metrics"] !== true,
  });

  const { reload, masked } = createReloading(source, settings.configured, daemon, log);
  const served = await serve(daemon, system, log, {
    listen: flags["web.listen-address"] ?? DEFAULT_LISTEN,
    maxRequests: flags["web.max-requests"],
    telemetryPath: flags["web.telemetry-path"],
    web: settings.web,
    reload,
    maskedConfig: masked,
    onListening: ({ address }) => log.info({ address, nodes: config.nodes.length, version: VERSION }, "listening"),
    onComplete: () => log.info({ series: daemon.exposition.series() }, "first round of polls is complete"),
  });
  if (served) log.info({}, "stopped");
  return served ? 0 : 1;
}
