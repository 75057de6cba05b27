import { nodesOf, type Shard } from "../daemon/shard/shard.ts";
import { createDaemon } from "../daemon/daemon.ts";
import { limitSockets } from "../api/transport/open-connection.ts";
import { openFilesLimit } from "../daemon/open-files-limit.ts";
import type { Flags } from "./flags.ts";
import { pagesOf, listenPlaces, type ListenPlaces } from "./listen-places.ts";
import { startAutoReload } from "../daemon/following/start-auto-reload.ts";
import { followCertificates } from "../daemon/following/follow-certificates.ts";
import { readAgain } from "../daemon/following/read-again.ts";
import { lastResort } from "../daemon/last-resort.ts";
import { createLogger } from "../daemon/create-logger.ts";
import { createReloading } from "../daemon/reloading.ts";
import { serve } from "../daemon/serve.ts";
import { loadSettings, type SettingsSource } from "../daemon/load-settings.ts";
import { keptMemory } from "../daemon/storage/kept-memory.ts";
import { systemClock } from "../runtime/clock.ts";
import { ownShard } from "../daemon/own-shard.ts";
import { createInspection } from "../http/inspection.ts";
import type { Log } from "../runtime/log.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { aboutOf, VERSION } from "../daemon/version.ts";
import { join, resolve } from "node:path";
import { readRegularFile, unreadable } from "../config/read/sources.ts";
import { replaceFile, wordsOf } from "../daemon/storage/open-kept-file.ts";
import { refuseFile } from "./text/refuse.ts";

const DEFAULT_LISTEN = ":9750";
/** Seconds; that of Prometheus. */
const AUTO_RELOAD_INTERVAL = 30;

/** Polls and serves until a signal ends it. */
export async function run(flags: Flags, system: System): Promise<ExitCode> {
  const plan = planOf(flags, system);
  if ("problem" in plan) {
    system.err(`${plan.problem}\n`);
    return plan.code;
  }
  const { shard, places, interval, calendarToken } = plan;
  const source: SettingsSource = {
    configFile: flags["config.file"],
    webFile: flags["web.config.file"],
    env: system.env,
    hostname: system.hostname,
    sharded: shard.total > 1,
  };
  const settings = loadSettings(source);
  if ("problems" in settings) return refuseFile(system, settings.problems);
  const { config, warnings } = settings.configured;
  const log = createLogger(flags["log.level"] ?? "info", flags["log.format"] ?? "logfmt", system.err);
  for (const warning of warnings) log.warn(warning, "configuration warning");
  if (flags["config.file"] === undefined)
    log.info(
      { url: config.nodes[0]?.url, name: config.nodes[0]?.name },
      "no configuration file: watching the local node",
    );
  if (system.isRoot) log.warn({}, "running as root: use an unprivileged account");

  if (shard.total > 1) log.info({ ...shard, nodes: nodesOf(config, shard).length }, "polling one shard of the nodes");
  const self = `process ${system.pid ?? "unknown"} on ${system.hostname}`;
  const kept = await keptMemory(flags["storage.path"], { shard, self, log });
  if ("problem" in kept) {
    system.err(`${kept.problem}\n`);
    return 1;
  }
  const descriptors = await openFilesLimit();
  if (descriptors !== undefined) limitSockets(descriptors);
  const daemon = createDaemon({
    config,
    shard,
    storage: kept.storage,
    watching: true,
    log,
    ...aboutOf(system),
    exporterMetrics: flags["web.disable-exporter-metrics"] !== true,
  });

  if (kept.isLocked) daemon.own.stored(false);

  system.onSignal("SIGUSR1", () => void writeDiagnosticReport(kept.folder, system, log));
  system.onUncaught?.(lastResort(daemon.own.events, log, systemClock));
  const { reload, masked, reads, certificates } = createReloading(source, settings, daemon, log);
  const served = await serve(daemon, system, log, {
    ...places,
    ...pagesOf(flags),
    calendarToken,
    configFile: flags["config.file"] === undefined ? undefined : resolve(flags["config.file"]),
    inspection: flags["web.enable-debug"] === true ? createInspection() : undefined,
    web: settings.web,
    descriptors,
    reload,
    onHandshake: followCertificates({ files: certificates, clock: systemClock, log }),
    follow:
      interval === undefined
        ? undefined
        : (again) => startAutoReload({ interval, reads, readAgain, reload: again, clock: systemClock, log }),
    maskedConfig: masked,
    onListening({ addresses }) {
      for (const address of addresses) log.info({ address, nodes: config.nodes.length, version: VERSION }, "listening");
    },
    onComplete() {
      daemon.poller.collect();
      log.info({ series: daemon.exposition.series() }, "first round of polls is complete");
    },
  });
  kept.release();
  if (served) log.info({}, "stopped");
  return served ? 0 : 1;
}

type Plan = {
  readonly shard: Shard;
  readonly places: ListenPlaces;
  /** Seconds between two looks at the files; they are not followed when undefined. */
  readonly interval: number | undefined;
  readonly calendarToken: string | undefined;
};

/** What the flags demand together, or why it is not possible. */
function planOf(flags: Flags, system: System): Plan | { readonly problem: string; readonly code: ExitCode } {
  const shard = ownShard(flags, system);
  if ("problem" in shard) return { ...shard, code: 2 };
  const places = listenPlaces(flags, system, DEFAULT_LISTEN);
  if ("problem" in places) return places;
  const isFollowing = flags["config.enable-auto-reload"] === true;
  const given = flags["config.auto-reload-interval"];
  if (!isFollowing && given !== undefined)
    return { problem: "--config.auto-reload-interval has no effect without --config.enable-auto-reload", code: 2 };
  if (isFollowing && flags["config.file"] === undefined && flags["web.config.file"] === undefined)
    return { problem: "--config.enable-auto-reload has no effect without --config.file or --web.config.file", code: 2 };
  const token = calendarTokenOf(flags["web.calendar-token-file"]);
  if ("problem" in token) return { ...token, code: 1 };
  return { shard, places, interval: isFollowing ? (given ?? AUTO_RELOAD_INTERVAL) : undefined, ...token };
}

/** A shorter token can be guessed. */
const SHORTEST_TOKEN = 16;

function calendarTokenOf(file: string | undefined): Pick<Plan, "calendarToken"> | { readonly problem: string } {
  if (file === undefined) return { calendarToken: undefined };
  try {
    const calendarToken = readRegularFile(file).trim();
    return calendarToken.length < SHORTEST_TOKEN
      ? { problem: `--web.calendar-token-file: the token in ${file} must have ${SHORTEST_TOKEN} characters at least` }
      : { calendarToken };
  } catch (error) {
    return { problem: `--web.calendar-token-file: cannot read ${file}: ${unreadable(error)}` };
  }
}

/**
 * Writes a report about the process: stacks, memory, handles, limits. It has no environment, which can hold secrets. The next one
 * replaces it, so that no number of signals fills a disk. Without a folder it goes to standard error. Never rejects: a failure is
 * logged.
 */
async function writeDiagnosticReport(folder: string | undefined, system: System, log: Log): Promise<void> {
  const report = `${system.diagnosticReport?.() ?? "{}"}\n`;
  if (folder === undefined) return system.err(report);
  const file = join(folder, "report.json");
  try {
    await replaceFile(file, report);
    log.info({ file }, "wrote a diagnostic report");
  } catch (error) {
    log.warn({ file, why: wordsOf(error) }, "cannot write the diagnostic report");
  }
}
