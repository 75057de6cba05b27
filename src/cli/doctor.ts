import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { defaultConfig } from "../config/default-config.ts";
import { quoted } from "../config/words.ts";
import { reportOf } from "../diagnosis/report.ts";
import { unseenNodes, type Report } from "../diagnosis/seen.ts";
import { catalogueOf, endpointOf } from "../catalogue/catalogue.ts";
import { TOPICS } from "../definitions/topics.ts";
import { systemClock, type Clock } from "../runtime/clock.ts";
import { everySecond } from "../runtime/scheduler.ts";
import { configured, polled, problemText } from "../daemon/configuration.ts";
import { createDaemon, type Daemon } from "../daemon/daemon.ts";
import type { Flags } from "./flags.ts";
import { createLogger } from "../daemon/logger.ts";
import type { ExitCode, System } from "../runtime/system.ts";
import { aboutOf } from "../daemon/version.ts";

/**
 * Cadence of what nodes are compared by, seconds: a node is judged by an answer that is younger than the others'. Of many nodes
 * it is longer, so that a thousand are not asked all at once.
 */
const AGAIN = { least: 2, perNode: 0.006 };
/** One look asks once: nothing else is asked again while others are still waiting. Seconds. */
const NOT_AGAIN = 3600;
/** Nodes that are asked everything at the same time: more would only wait for the processor, until their deadlines. */
const AT_ONCE = 80;
/** Time that is given for everything unless a flag says otherwise, seconds. */
const PATIENCE = { least: 30, perNode: 0.09 };

/** Endpoints that comparisons of nodes are made of. */
const COMPARED: ReadonlySet<string> = new Set(
  TOPICS.filter(({ id }) => id === "lag").flatMap(({ needs }) =>
    Object.values(needs).map((need) => endpointOf(need).id),
  ),
);

/** Looks once, says what is wrong in plain words, and fails when something critical is, or a node could not be looked at. */
export async function doctor(flags: Flags, system: System, args: readonly string[]): Promise<ExitCode> {
  const config = chosen(flags, system, args);
  if ("usage" in config) {
    system.err(`avax-exporter doctor: ${config.usage}\n`);
    return 2;
  }
  if ("problems" in config) {
    system.err(config.problems);
    return 1;
  }
  const report = await examine(config, { limit: flags["doctor.timeout"] ?? patienceFor(config), system });
  system.out(reportOf(report, system.isTerminal === true && (system.env["NO_COLOR"] ?? "") === ""));
  return report.diagnosis.counts.critical > 0 || unseenNodes(report).length > 0 ? 1 : 0;
}

function patienceFor({ nodes }: Config): number {
  return Math.max(PATIENCE.least, nodes.length * PATIENCE.perNode);
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
export async function examine(given: Config, { limit, system, clock = systemClock }: Examination): Promise<Report> {
  const started = clock.now();
  const config = askedOnce(given);
  const log = createLogger("error", "logfmt", system.err);
  const daemon = createDaemon({
    config: { ...config, nodes: config.nodes.slice(0, AT_ONCE) },
    log,
    ...aboutOf(system),
    exporterMetrics: false,
    clock,
  });
  const scheduler = everySecond(daemon.engine.tick, log);
  daemon.engine.tick();
  const patience = new AbortController();
  const everything = Promise.all([firstSight(daemon, config, patience.signal), daemon.hosted.firstRound()])
    .then(() => secondSight(daemon, config, clock, patience.signal))
    .then(() => true);
  const timeIsUp = pause(limit * 1000, false, { signal: patience.signal }).catch(() => false);
  let complete = false;
  try {
    complete = await Promise.race([everything, timeIsUp]);
  } finally {
    patience.abort();
    scheduler.stop();
    // What is still on its way would only keep the judge waiting.
    await daemon.engine.close();
  }
  const diagnosis = await daemon.doctor.look();
  return { status: daemon.engine.status(), diagnosis, nodes: config.nodes, took: clock.now() - started, complete };
}

/** A configuration that asks everything it asks a single time. */
function askedOnce(config: Config): Config {
  const once = catalogueOf(TOPICS)
    .endpoints.filter(({ scope }) => scope !== "hosted")
    .map(({ id, every }) => {
      const settings = config.endpoints[id];
      return [id, { ...settings, every: Math.max(settings?.every ?? every, NOT_AGAIN) }] as const;
    });
  return { ...config, endpoints: { ...config.endpoints, ...Object.fromEntries(once) } };
}

/** How often it is seen to how far the polls are, milliseconds: of many nodes a glance takes a while itself. */
function glance({ nodes }: Config): number {
  return Math.min(Math.max(100, nodes.length), 250);
}

/** Resolves when every node was asked everything once: so many at a time, the next ones as soon as half of those are done. */
async function firstSight({ engine }: Daemon, config: Config, signal: AbortSignal): Promise<void> {
  for (let count = AT_ONCE; count < config.nodes.length && !signal.aborted;) {
    await pause(glance(config));
    const busy = engine.status().targets.filter(({ endpoints }) => endpoints.some(({ state }) => state === "waiting"));
    if (busy.length > AT_ONCE / 2) continue;
    count += AT_ONCE - busy.length;
    engine.apply({ ...config, nodes: config.nodes.slice(0, count) });
  }
  if (!signal.aborted) await engine.firstRound();
}

/** The configuration in which nodes are soon asked again what they are compared by, where they would be asked later. */
function comparing(config: Config): Config {
  const again = Math.max(AGAIN.least, config.nodes.length * AGAIN.perNode);
  const endpoints = Object.fromEntries(
    [...COMPARED].map((id) => {
      const settings = config.endpoints[id];
      return [id, { ...settings, every: Math.min(settings?.every ?? again, again) }];
    }),
  );
  return { ...config, endpoints: { ...config.endpoints, ...endpoints } };
}

/** Resolves when every node that answered has answered again, and the nodes have been compared since. */
async function secondSight({ engine }: Daemon, config: Config, clock: Clock, signal: AbortSignal): Promise<void> {
  if (config.nodes.length < 2 || signal.aborted) return;
  const from = clock.now();
  engine.apply(comparing(config));
  const waiting = (): boolean =>
    engine
      .status()
      .targets.some(({ endpoints }) =>
        endpoints.some(({ id, state, lastSuccess = 0 }) => COMPARED.has(id) && state === "ok" && lastSuccess <= from),
      );
  while (waiting() && !signal.aborted) await pause(glance(config));
  engine.tick();
  await engine.firstRound();
}
