import type { Config } from "../config/config.ts";
import { nodeSources } from "../config/node-sources.ts";
import { loadWebConfig } from "../config/web-config.ts";
import { startServer } from "../http/server.ts";
import type { WebSecurity } from "../http/web-security.ts";
import { systemClock } from "../poller/clock.ts";
import { everySecond } from "../poller/scheduler.ts";
import { configured, problemText } from "./configuration.ts";
import { createDaemon } from "./daemon.ts";
import type { Flags } from "./flags.ts";
import { createLogger, isLogFormat, isLogLevel, LOG_FORMATS } from "./logger.ts";
import type { ExitCode, System } from "./system.ts";
import { REVISION, VERSION } from "./version.ts";

export const DEFAULT_LISTEN = ":9750";

/** Polls and serves until a signal ends it. */
export async function run(flags: Flags, system: System): Promise<ExitCode> {
  const level = flags["log.level"] ?? "info";
  const format = flags["log.format"] ?? "logfmt";
  if (!isLogLevel(level) || !isLogFormat(format)) {
    system.err(`--log.level is debug, info, warn or error; --log.format is ${LOG_FORMATS.join(" or ")}\n`);
    return 2;
  }
  const file = flags["config.file"];
  const loaded = configured(file, system);
  const security = webSecurity(flags["web.config.file"], system);
  if (!loaded.ok || !security.ok) {
    system.err(problemText([...(loaded.ok ? [] : loaded.problems), ...(security.ok ? [] : security.problems)]));
    return 1;
  }
  const log = createLogger(level, format, system.err);
  let masked = loaded.loaded.masked;
  for (const problem of loaded.loaded.warnings) log.warn(problem, "configuration warning");
  if (file === undefined) log.info({ url: loaded.loaded.config.nodes[0]?.url }, "no configuration file: watching the node of this machine");
  if (system.isRoot) log.warn({}, "running as root is not needed: use an account without privileges");

  const daemon = createDaemon({
    config: loaded.loaded.config,
    log,
    version: VERSION,
    revision: REVISION,
    nodeVersion: system.nodeVersion,
    exporterMetrics: flags["web.disable-exporter-metrics"] !== true,
  });
  const { engine, own } = daemon;
  const round = { done: false };
  void engine.firstRound().then(() => {
    round.done = true;
    log.info({ series: daemon.exposition.series() }, "first round of polls is complete");
  });

  const reload = (): Promise<{ ok: true } | { ok: false; message: string }> => {
    const next = configured(file, system);
    own.reloaded(next.ok, systemClock.now());
    if (!next.ok) {
      log.error({ problems: next.problems.length, first: problemText(next.problems.slice(0, 1)).trim() }, "configuration not reloaded, the old one stays");
      return Promise.resolve({ ok: false, message: problemText(next.problems) });
    }
    masked = next.loaded.masked;
    engine.apply(next.loaded.config);
    log.info({ nodes: next.loaded.config.nodes.length }, "configuration reloaded");
    return Promise.resolve({ ok: true });
  };

  const server = await startServer(
    {
      listen: flags["web.listen-address"] ?? DEFAULT_LISTEN,
      web: security.web,
      ...(flags["web.max-requests"] === undefined ? {} : { maxRequests: Number(flags["web.max-requests"]) }),
    },
    {
      metrics: daemon.metrics,
      status: engine.status,
      ready: () => ({ ready: round.done, why: round.done ? "every endpoint has been polled" : "the first round of polls is not complete" }),
      reload,
      maskedConfig: () => masked,
      about: { version: VERSION, revision: REVISION, telemetryPath: flags["web.telemetry-path"] ?? "/metrics" },
      log,
    },
  ).catch(async (error: unknown) => {
    await engine.close();
    system.err(`${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  });
  if (server === undefined) return 1;
  announce(loaded.loaded.config, server.address);

  const scheduler = everySecond(engine.tick);
  engine.tick();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  system.onSignal("SIGINT", () => stop(undefined));
  system.onSignal("SIGTERM", () => stop(undefined));
  system.onSignal("SIGHUP", () => void reload());
  await stopped;
  log.info({}, "stopping");
  scheduler.stop();
  await Promise.all([server.close(), engine.close()]);
  return 0;

  function announce(config: Config, address: string): void {
    log.info({ address, nodes: config.nodes.length, version: VERSION }, "listening");
  }
}

function webSecurity(
  file: string | undefined,
  { env }: System,
): { ok: true; web: WebSecurity | undefined } | { ok: false; problems: Parameters<typeof problemText>[0] } {
  if (file === undefined) return { ok: true, web: undefined };
  const loaded = loadWebConfig(file, nodeSources(env));
  return loaded.ok ? { ok: true, web: loaded.loaded.web as unknown as WebSecurity } : { ok: false, problems: loaded.problems };
}
