import { everySecond } from "../daemon/every-second.ts";
import { configured, polled } from "../daemon/load-settings.ts";
import { createDaemon } from "../daemon/daemon.ts";
import type { Flags } from "./flags.ts";
import { createLogger } from "../daemon/create-logger.ts";
import { ownShard } from "../daemon/own-shard.ts";
import { metricsOf } from "../topics/define/catalogue.ts";
import { TOPICS } from "../topics/all/topics.ts";
import type { EndpointStatus, TargetStatus } from "../poller/poll/status.ts";
import type { ExitCode, System } from "../daemon/system.ts";
import { aboutOf } from "../daemon/version.ts";
import { withProgress } from "./text/with-progress.ts";
import { refuse, refuseFile } from "./text/refuse.ts";

/** Families that describe polls which repeat: in one round their series depend on which answer came first. */
const RECURRING: ReadonlySet<string> = new Set(
  TOPICS.flatMap((topic) => metricsOf(topic)).flatMap(({ name, recurring }) => (recurring === true ? [name] : [])),
);

/** Default timeout, seconds. */
const DEFAULT_TIMEOUT = 60;

/** Polls everything once, prints the exposition, and prints the failures to standard error. */
export async function once(flags: Flags, system: System): Promise<ExitCode> {
  const shard = ownShard(flags, system);
  if ("problem" in shard) return refuse(system, "once", shard.problem);
  const loaded = configured(flags["config.file"], system, shard.total > 1);
  if (!loaded.ok) return refuseFile(system, loaded.problems);
  const log = createLogger(flags["log.level"] ?? "error", "logfmt", system.err);
  const daemon = createDaemon({
    config: polled(loaded.loaded.config),
    log,
    ...aboutOf(system),
    exporterMetrics: false,
    attended: system.progress !== undefined,
    shard,
  });
  const scheduler = everySecond(daemon.poller.tick, log);
  const { promise: timedOut, resolve } = Promise.withResolvers<"timeout">();
  const timer = setTimeout(() => resolve("timeout"), (flags["once.timeout"] ?? DEFAULT_TIMEOUT) * 1000);
  const end = await withProgress(system, "polling", Promise.race([daemon.poller.wholeRound(), timedOut]));
  clearTimeout(timer);
  scheduler.stop();
  const only = new Set([...daemon.selectable()].filter((name) => name.startsWith("avax_") && !RECURRING.has(name)));
  const { chunks } = await daemon.metrics({ accept: undefined, acceptEncoding: undefined, only });
  system.out(Buffer.concat(chunks).toString());
  const failures = daemon.poller.status().targets.flatMap(failuresOf);
  for (const line of failures) system.err(`${line}\n`);
  await daemon.poller.close();
  return failures.length > 0 || end === "timeout" ? 1 : 0;
}

/** A line for each failed poll; polls that a pausing service did not get are one line. */
function failuresOf({ name, hosted, endpoints }: TargetStatus): readonly string[] {
  const failing = endpoints.filter(({ state }) => state === "failing");
  const waiting = endpoints.filter(({ state }) => state === "waiting");
  const paused = hosted === true && failing.length > 0 && waiting.every(({ lastAttempt }) => lastAttempt === undefined);
  const lineOf = ({ id, key, error }: EndpointStatus): string =>
    `${name}: ${id}${key === "" ? "" : ` ${key}`}: ${error === undefined ? "no answer before the timeout" : `${error.reason}: ${error.message}`}`;
  const unsent = `${name}: ${waiting.length} other polls were not sent: the service refused or failed`;
  return [...failing.map(lineOf), ...(!paused ? waiting.map(lineOf) : waiting.length === 0 ? [] : [unsent])];
}
