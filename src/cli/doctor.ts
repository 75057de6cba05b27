import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { defaultConfig } from "../config/default-config.ts";
import { parseDuration } from "../config/units.ts";
import { quoted } from "../config/words.ts";
import { reportOf, type Report } from "../diagnosis/report.ts";
import { endpointOf } from "../metrics/catalogue.ts";
import { TOPICS } from "../metrics/index.ts";
import { systemClock, type Clock } from "../poller/clock.ts";
import { everySecond } from "../poller/scheduler.ts";
import { configured, polled, problemText } from "./configuration.ts";
import { createDaemon, type Daemon } from "./daemon.ts";
import type { Flags } from "./flags.ts";
import { createLogger } from "./logger.ts";
import type { ExitCode, System } from "./system.ts";
import { REVISION, VERSION } from "./version.ts";

/** Cadence of what nodes are compared by, seconds: a node is judged by an answer that is younger than the others'. */
const AGAIN = 2;

/** Endpoints that comparisons of nodes are made of. */
const COMPARED: ReadonlySet<string> = new Set(
  TOPICS.filter(({ id }) => id === "lag").flatMap(({ needs }) =>
    Object.values(needs).map((need) => endpointOf(need).id),
  ),
);

/** Looks once, says what is wrong in plain words, and fails when something critical is. */
export async function doctor(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  const limit = parseDuration(flags["doctor.timeout"] ?? "30s");
  const config =
    limit === undefined ? { usage: "--doctor.timeout is a duration such as 30s" } : chosen(flags, system, args);
  if ("usage" in config) {
    system.err(`avax-exporter doctor: ${config.usage}\n`);
    return 2;
  }
  if ("problems" in config) {
    system.err(config.problems);
    return 1;
  }
  const report = await examine(config, { limit: limit ?? 0, system });
  system.out(reportOf(report, system.isTerminal === true && (system.env["NO_COLOR"] ?? "") === ""));
  return report.diagnosis.counts.critical > 0 ? 1 : 0;
}

type Refusal = { readonly usage: string } | { readonly problems: string };

/** The nodes at the URLs, else those of the configuration, else the node of this machine. */
function chosen(flags: Flags, system: System, args: readonly string[]): Config | Refusal {
  if (args.length > 0 && flags["config.file"] !== undefined)
    return { usage: "it takes URLs or a configuration, not both" };
  if (args.length > 0) return nodesAt(args);
  const loaded = configured(flags["config.file"], system);
  return loaded.ok ? polled(loaded.loaded.config) : { problems: problemText(loaded.problems) };
}

/** A node for each URL, called by its host and port. */
export function nodesAt(args: readonly string[]): Config | { readonly usage: string } {
  const config = defaultConfig();
  const [model] = config.nodes;
  const urls = [...new Set(args)].map((text) => ({ text, url: URL.canParse(text) ? new URL(text) : undefined }));
  const wrong = urls.find(({ url }) => url?.protocol !== "http:" && url?.protocol !== "https:");
  if (wrong !== undefined) return { usage: `${quoted(wrong.text)} is no URL such as http://127.0.0.1:9650` };
  const nodes = urls.flatMap(({ url }) => {
    if (url === undefined || model === undefined) return [];
    const path = url.pathname.replace(/\/+$/, "");
    return [{ ...model, name: `${url.host}${path}`, url: `${url.origin}${path}` }];
  });
  if (urls.some(({ url }) => url !== undefined && (url.username !== "" || url.password !== "")))
    return { usage: "a URL carries credentials: write them into a configuration" };
  return { ...config, nodes };
}

export type Examination = {
  /** Seconds. */
  readonly limit: number;
  readonly system: Pick<System, "err" | "nodeVersion">;
  readonly clock?: Clock;
};

/** Polls everything once, and what nodes are compared by once more; then judges. */
export async function examine(config: Config, { limit, system, clock = systemClock }: Examination): Promise<Report> {
  const started = clock.now();
  const log = createLogger("error", "logfmt", system.err);
  const daemon = createDaemon({
    config: config.nodes.length > 1 ? comparing(config) : config,
    log,
    version: VERSION,
    revision: REVISION,
    nodeVersion: system.nodeVersion,
    exporterMetrics: false,
    clock,
  });
  const scheduler = everySecond(daemon.engine.tick, log);
  daemon.engine.tick();
  const patience = new AbortController();
  try {
    const everything = Promise.all([daemon.engine.firstRound(), daemon.hosted.firstRound()])
      .then(() => secondSight(daemon, clock, patience.signal))
      .then(() => true);
    const complete = await Promise.race([
      everything,
      pause(limit * 1000, false, { signal: patience.signal }).catch(() => false),
    ]);
    const diagnosis = await daemon.doctor.look();
    return { status: daemon.engine.status(), diagnosis, took: clock.now() - started, complete };
  } finally {
    patience.abort();
    scheduler.stop();
    await daemon.engine.close();
  }
}

/** Sooner than configured, where that is later, so that one look can tell who is behind. */
function comparing(config: Config): Config {
  const endpoints = Object.fromEntries(
    [...COMPARED].map((id) => {
      const settings = config.endpoints[id];
      return [id, { ...settings, every: Math.min(settings?.every ?? AGAIN, AGAIN) }];
    }),
  );
  return { ...config, endpoints: { ...config.endpoints, ...endpoints } };
}

/** Resolves when every node that answered has answered again, and the nodes have been compared since. */
async function secondSight(daemon: Daemon, clock: Clock, signal: AbortSignal): Promise<void> {
  const { engine } = daemon;
  const { targets } = engine.status();
  if (targets.length < 2) return;
  const from = clock.now();
  const waiting = (): boolean =>
    engine
      .status()
      .targets.some(({ endpoints }) =>
        endpoints.some(({ id, state, lastSuccess = 0 }) => COMPARED.has(id) && state === "ok" && lastSuccess <= from),
      );
  while (waiting() && !signal.aborted) await pause(100);
  engine.tick();
  await engine.firstRound();
}
