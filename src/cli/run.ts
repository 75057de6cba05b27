import { nodeSources } from "../config/node-sources.ts";
import type { Problem } from "../config/problem.ts";
import { loadWebConfig } from "../config/web-config.ts";
import { parseListenAddress } from "../http/listen-address.ts";
import type { Running } from "../http/server.ts";
import type { WebSecurity } from "../http/web-security.ts";
import { systemClock } from "../poller/clock.ts";
import { nodesOf, type Shard } from "../poller/shard.ts";
import { configured, problemText, type Configured } from "./configuration.ts";
import { createDaemon } from "./daemon.ts";
import type { Flags } from "./flags.ts";
import { createLogger, isLogFormat, isLogLevel, LOG_FORMATS } from "./logger.ts";
import { serve } from "./serve.ts";
import { shardOfFlags } from "./shard-flags.ts";
import type { ExitCode, System } from "./system.ts";
import { webFlagsProblem } from "./web-flags.ts";
import { REVISION, VERSION } from "./version.ts";

const DEFAULT_LISTEN = ":9750";

type Settings = { readonly configured: Configured; readonly web: WebSecurity | undefined };

/** Polls and serves until a signal ends it. */
export async function run(flags: Flags, system: System): Promise<ExitCode> {
  const level = flags["log.level"] ?? "info";
  const format = flags["log.format"] ?? "logfmt";
  const listen = flags["web.listen-address"] ?? DEFAULT_LISTEN;
  if (!isLogLevel(level) || !isLogFormat(format)) {
    system.err(`--log.level is debug, info, warn or error; --log.format is ${LOG_FORMATS.join(" or ")}\n`);
    return 2;
  }
  if (parseListenAddress(listen) === undefined) {
    system.err(`--web.listen-address is host:port, :port or [IPv6]:port, not ${JSON.stringify(listen)}\n`);
    return 2;
  }
  const shard = shardOfFlags(flags, system);
  const wrong = "problem" in shard ? shard.problem : webFlagsProblem(flags);
  if ("problem" in shard || wrong !== undefined) {
    system.err(`${wrong ?? ""}\n`);
    return 2;
  }
  const settings = load(flags, system, shard);
  if ("problems" in settings) {
    system.err(problemText(settings.problems));
    return 1;
  }
  const { config, warnings } = settings.configured;
  let { masked } = settings.configured;
  const log = createLogger(level, format, system.err);
  for (const warning of warnings) log.warn(warning, "configuration warning");
  if (flags["config.file"] === undefined)
    log.info({ url: config.nodes[0]?.url }, "no configuration file: watching the node of this machine");
  if (system.isRoot) log.warn({}, "running as root is not needed: use an account without privileges");

  if (shard.total > 1) {
    const { own, helpers } = nodesOf(config, shard);
    log.info({ ...shard, nodes: own.length, helpers: helpers.length }, "sharing the nodes with other processes");
  }
  const daemon = createDaemon({
    config,
    shard,
    log,
    version: VERSION,
    revision: REVISION,
    nodeVersion: system.nodeVersion,
    exporterMetrics: flags["web.disable-exporter-metrics"] !== true,
  });

  const reload = (server: Running): { ok: true } | { ok: false; message: string } => {
    const next = load(flags, system, shard);
    const refused = "problems" in next ? problemText(next.problems) : secure(server, next.web);
    daemon.own.reloaded(refused === undefined, systemClock.now());
    if (refused !== undefined || "problems" in next) {
      log.error({ problem: (refused ?? "").split("\n")[0] }, "configuration not reloaded, the old one stays");
      return { ok: false, message: refused ?? "" };
    }
    masked = next.configured.masked;
    daemon.engine.apply(next.configured.config);
    for (const warning of next.configured.warnings) log.warn(warning, "configuration warning");
    log.info({ nodes: next.configured.config.nodes.length }, "configuration reloaded");
    return { ok: true };
  };

  const served = await serve(daemon, flags, system, log, {
    listen,
    web: settings.web,
    reload: (server) => Promise.resolve(reload(server)),
    maskedConfig: () => masked,
    onListening: ({ address }) => log.info({ address, nodes: config.nodes.length, version: VERSION }, "listening"),
    onComplete: () => log.info({ series: daemon.exposition.series() }, "first round of polls is complete"),
  });
  if (served) log.info({}, "stopped");
  return served ? 0 : 1;
}

/** Both files at once, so that a person sees the problems of both at once. */
function load(flags: Flags, system: System, { total }: Shard): Settings | { readonly problems: readonly Problem[] } {
  const main = configured(flags["config.file"], system, total > 1);
  const file = flags["web.config.file"];
  const web = file === undefined ? undefined : loadWebConfig(file, nodeSources(system.env));
  if (!main.ok || web?.ok === false) {
    return { problems: [...(main.ok ? [] : main.problems), ...(web === undefined || web.ok ? [] : web.problems)] };
  }
  return { configured: main.loaded, web: web?.loaded.web };
}

/** Changes certificates, users and headers; what cannot be changed without a restart comes back as a sentence. */
function secure(server: Running, web: WebSecurity | undefined): string | undefined {
  try {
    server.secure(web);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
