import { setTimeout as pause } from "node:timers/promises";
import { catalogueOf, isOptional, nodeEndpoints, sourceOf } from "../topics/define/catalogue.ts";
import type { Config } from "../config/config.ts";
import { TOPICS } from "../topics/all/topics.ts";
import type { DiagnosisReport } from "../diagnosis/finding.ts";
import { systemClock, type Clock } from "../runtime/clock.ts";
import { everySecond } from "./every-second.ts";
import type { System } from "./system.ts";
import { createDaemon, type Daemon } from "./daemon.ts";
import { createLogger } from "./create-logger.ts";
import { aboutOf } from "./version.ts";

/**
 * Cadence of the compared endpoints, seconds: a comparison needs an answer that is younger than those of the other nodes. It is
 * longer for many nodes, so that a thousand are not polled at once.
 */
const AGAIN = { least: 2, perNode: 0.006 };
/** Cadence of all other endpoints: none is polled twice. Seconds. */
const NOT_AGAIN = 3600;
/** Nodes whose first polls run at the same time: a thousand would only wait for the CPU, until their deadlines. */
const AT_ONCE = 80;
/** Endpoints that nodes are compared by. */
const COMPARED: ReadonlySet<string> = new Set(
  TOPICS.filter(({ id }) => id === "lag").flatMap(({ needs }) =>
    Object.values(needs)
      .filter((need) => !isOptional(need))
      .map((need) => sourceOf(need).id),
  ),
);

type Examination = {
  /** Seconds. */
  readonly limit: number;
  readonly system: Pick<System, "err" | "nodeVersion" | "progress">;
  readonly clock?: Clock;
  /** Called with each step, and again while a step goes on. */
  readonly onStep?: (step: Step) => void;
};

/** How far an examination is. `done` and `total` count nodes. */
export type Step = {
  readonly name: "polling" | "comparing" | "diagnosing";
  readonly done: number;
  readonly total: number;
};

/** Milliseconds between two calls of `onStep`. */
const STEP_EVERY = 200;

/** Polls everything once and the compared endpoints once more, then diagnoses. */
export async function examine(
  given: Config,
  { limit, system, clock = systemClock, onStep }: Examination,
): Promise<DiagnosisReport> {
  const started = clock.now();
  const ofNodes = nodeEndpoints(catalogueOf(TOPICS)).map(({ id }) => id);
  const config = withCadence(given, ofNodes, NOT_AGAIN);
  const log = createLogger("error", "logfmt", system.err);
  const daemon = createDaemon({
    config: { ...config, nodes: config.nodes.slice(0, AT_ONCE) },
    log,
    ...aboutOf(system),
    exporterMetrics: false,
    attended: system.progress !== undefined,
    clock,
  });
  const scheduler = everySecond(daemon.poller.tick, log);
  const finished = new AbortController();
  let name: Step["name"] = "polling";
  const total = config.nodes.length;
  const report = (): void => onStep?.({ name, done: name === "polling" ? polledNodes(daemon, config) : total, total });
  const reporting = setInterval(report, STEP_EVERY);
  const everything = async (): Promise<boolean> => {
    await pollAll(daemon, config, finished.signal);
    name = "comparing";
    report();
    await pollComparedAgain(daemon, config, clock, finished.signal);
    return true;
  };
  const timeIsUp = pause(limit * 1000, false, { signal: finished.signal }).catch(() => false);
  try {
    const complete = await Promise.race([everything(), timeIsUp]);
    finished.abort();
    name = "diagnosing";
    report();
    const diagnosis = await daemon.doctor.diagnosis();
    const { poller } = daemon;
    const took = clock.now() - started;
    return { status: poller.status(), unknown: poller.unknown(), diagnosis, nodes: config.nodes, took, complete };
  } finally {
    finished.abort();
    clearInterval(reporting);
    scheduler.stop();
    await daemon.poller.close();
  }
}

/** Number of nodes whose polls have all ended; hosted services are no nodes. */
function polledNodes({ poller }: Pick<Daemon, "poller">, { nodes }: Config): number {
  const names = new Set(nodes.map(({ name }) => name));
  const targets = poller.status().targets.filter(({ name }) => names.has(name));
  return targets.filter(({ endpoints }) => endpoints.every(({ state }) => state !== "waiting")).length;
}

/** The configuration with other cadences of these endpoints, seconds. */
function withCadence(config: Config, ids: Iterable<string>, every: number): Config {
  const changed = Array.from(ids, (id) => [id, { ...config.endpoints[id], every }] as const);
  return { ...config, endpoints: { ...config.endpoints, ...Object.fromEntries(changed) } };
}

/** Resolves when every poll has ended once. Nodes are added when half of `AT_ONCE` are done. */
async function pollAll({ poller }: Daemon, config: Config, signal: AbortSignal): Promise<void> {
  for (let count = AT_ONCE; count < config.nodes.length && !signal.aborted;) {
    await pause(STEP_EVERY);
    const busy = Math.min(count, config.nodes.length) - polledNodes({ poller }, config);
    if (busy > AT_ONCE / 2) continue;
    count += AT_ONCE - busy;
    poller.apply({ ...config, nodes: config.nodes.slice(0, count) });
  }
  if (!signal.aborted) await poller.wholeRound();
}

/** Resolves when every node that answered has answered again, and the nodes have been compared since. */
async function pollComparedAgain({ poller }: Daemon, config: Config, clock: Clock, signal: AbortSignal): Promise<void> {
  if (config.nodes.length < 2 || signal.aborted) return;
  const from = clock.now();
  poller.apply(withCadence(config, COMPARED, Math.max(AGAIN.least, config.nodes.length * AGAIN.perNode)));
  const waiting = (): boolean =>
    poller
      .status()
      .targets.some(({ endpoints }) =>
        endpoints.some(({ id, state, lastSuccess = 0 }) => COMPARED.has(id) && state === "ok" && lastSuccess <= from),
      );
  while (waiting() && !signal.aborted) await pause(STEP_EVERY);
  poller.tick();
  await poller.firstRound();
}
