import { setTimeout as pause } from "node:timers/promises";
import { catalogueOf, sourceOf } from "../catalogue/catalogue.ts";
import type { Config } from "../config/config.ts";
import { TOPICS } from "../definitions/topics.ts";
import type { Report } from "../diagnosis/seen.ts";
import { systemClock, type Clock } from "../runtime/clock.ts";
import { everySecond } from "../runtime/scheduler.ts";
import type { System } from "../runtime/system.ts";
import { createDaemon, type Daemon } from "./daemon.ts";
import { createLogger } from "./logger.ts";
import { aboutOf } from "./version.ts";

/**
 * Cadence of what nodes are compared by, seconds: a node is judged by an answer that is younger than the others'. Of many nodes
 * it is longer, so that a thousand are not asked all at once.
 */
const AGAIN = { least: 2, perNode: 0.006 };
/** One look asks once: nothing else is asked again while others are still waiting. Seconds. */
const NOT_AGAIN = 3600;
/** Nodes that are asked everything at the same time: more would only wait for the processor, until their deadlines. */
const AT_ONCE = 80;
/** Endpoints that comparisons of nodes are made of. */
const COMPARED: ReadonlySet<string> = new Set(
  TOPICS.filter(({ id }) => id === "lag").flatMap(({ needs }) => Object.values(needs).map((need) => sourceOf(need).id)),
);

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
  const scheduler = everySecond(daemon.poller.tick, log);
  daemon.poller.tick();
  const patience = new AbortController();
  const everything = Promise.all([firstSight(daemon, config, patience.signal), daemon.poller.firstHostedRound()])
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
    await daemon.poller.close();
  }
  const diagnosis = await daemon.doctor.look();
  return { status: daemon.poller.status(), diagnosis, nodes: config.nodes, took: clock.now() - started, complete };
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
async function firstSight({ poller }: Daemon, config: Config, signal: AbortSignal): Promise<void> {
  for (let count = AT_ONCE; count < config.nodes.length && !signal.aborted;) {
    await pause(glance(config));
    const busy = poller.status().targets.filter(({ endpoints }) => endpoints.some(({ state }) => state === "waiting"));
    if (busy.length > AT_ONCE / 2) continue;
    count += AT_ONCE - busy.length;
    poller.apply({ ...config, nodes: config.nodes.slice(0, count) });
  }
  if (!signal.aborted) await poller.firstRound();
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
async function secondSight({ poller }: Daemon, config: Config, clock: Clock, signal: AbortSignal): Promise<void> {
  if (config.nodes.length < 2 || signal.aborted) return;
  const from = clock.now();
  poller.apply(comparing(config));
  const waiting = (): boolean =>
    poller
      .status()
      .targets.some(({ endpoints }) =>
        endpoints.some(({ id, state, lastSuccess = 0 }) => COMPARED.has(id) && state === "ok" && lastSuccess <= from),
      );
  while (waiting() && !signal.aborted) await pause(glance(config));
  poller.tick();
  await poller.firstRound();
}
