import { OWN_FAMILIES } from "../alerts/own-families.ts";
import type { Config } from "../config/config.ts";
import { createDoctor, type Doctor } from "../diagnosis/doctor.ts";
import { createExposition, type Exposition } from "../exposition/exposition.ts";
import { negotiate } from "../exposition/negotiate.ts";
import { selfFamilies } from "../exposition/self-metrics.ts";
import type { ScrapeRequest } from "../http/dependencies.ts";
import { catalogueOf } from "../metrics/catalogue.ts";
import { TOPICS } from "../metrics/index.ts";
import { catalogueWithin } from "../metrics/remit.ts";
import { systemClock, type Clock } from "../poller/clock.ts";
import { createEngine, type Engine } from "../poller/engine.ts";
import type { Log } from "../poller/events.ts";
import { createHostedPoller, type HostedPoller } from "../poller/hosted.ts";
import { createOwnMetrics, type OwnMetrics } from "../poller/own-metrics.ts";
import { ALONE, nodesOf, remitOf, type Shard } from "../poller/shard.ts";

export type Daemon = {
  /** Polls the nodes, and the hosted services beside them. Its first round is that of the nodes: they do not wait for a budget. */
  readonly engine: Engine;
  readonly hosted: HostedPoller;
  readonly own: OwnMetrics;
  readonly exposition: Exposition;
  /** Says what is wrong now. */
  readonly doctor: Doctor;
  /** Answers one scrape; `only` holds names of topics and families. */
  readonly metrics: (request: ScrapeRequest) => Promise<{
    readonly contentType: string;
    readonly contentEncoding: "gzip" | undefined;
    readonly chunks: readonly Buffer[];
  }>;
};

export type DaemonOptions = {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  readonly revision: string;
  readonly nodeVersion: string;
  readonly exporterMetrics: boolean;
  /** Which of several processes this is; the only one when left out. */
  readonly shard?: Shard;
  readonly clock?: Clock;
};

/** The poller and its exposition, put together and started; serving them is the caller's. */
export function createDaemon({
  config,
  log,
  exporterMetrics,
  shard = ALONE,
  clock = systemClock,
  ...about
}: DaemonOptions): Daemon {
  const remit = remitOf(shard);
  const catalogue = catalogueWithin(remit, catalogueOf(TOPICS));
  const exposition = createExposition(catalogue.families);
  const own = createOwnMetrics({
    ...about,
    shard,
    series: () => exposition.series(),
    endpoints: catalogue.endpoints.filter(({ scope }) => scope !== "hosted").map(({ id }) => id),
  });
  const poller = { catalogue, exposition, clock, log, events: own.events };
  const nodes = createEngine({ ...poller, remit, nodesOf: (next) => nodesOf(next, shard) });
  const hosted = createHostedPoller(poller);
  const engine = together(nodes, hosted, shard);
  engine.apply(config);
  own.reloaded(true, clock.now());
  const doctor = createDoctor({
    lines: (family) => exposition.lines(family),
    own: () => Promise.all([OWN_FAMILIES.reloadOk, OWN_FAMILIES.reloadAt].map(({ name }) => ownLines(own, name))),
    clock,
    who: "this exporter",
  });
  const families = new Map(
    catalogue.topics.map(({ id, metrics }) => [id, Object.values(metrics).map(({ name }) => name)]),
  );

  return {
    engine,
    hosted,
    own,
    exposition,
    doctor,
    async metrics({ accept, acceptEncoding, only }) {
      const started = clock.now();
      const { format, gzip, contentType } = negotiate(accept, acceptEncoding);
      const wanted =
        only === undefined ? undefined : new Set([...only].flatMap((name) => families.get(name) ?? [name]));
      const self = exporterMetrics ? await selfFamilies(own.registry) : [];
      const extra = wanted === undefined ? self : self.filter(({ family }) => wanted.has(family.name));
      const { chunks, bytes } = await exposition.scrape({ format, gzip, only: wanted, extra });
      own.scraped(format, clock.now() - started, bytes);
      return { contentType, contentEncoding: gzip ? "gzip" : undefined, chunks };
    },
  };
}

async function ownLines({ registry }: OwnMetrics, name: string): Promise<readonly [string, string]> {
  return [name, await registry.getSingleMetricAsString(name)];
}

/** One poller to those who drive it and show it. */
function together(nodes: Engine, hosted: HostedPoller, shard: Shard): Engine {
  return {
    ...nodes,
    apply(config) {
      nodes.apply(config);
      // One budget is spent by one process.
      hosted.apply(shard.index === 0 ? config : { ...config, dataApi: undefined, metricsApi: undefined });
    },
    tick() {
      nodes.tick();
      hosted.tick();
    },
    status() {
      const status = nodes.status();
      return {
        ...status,
        ...(shard.total === 1 ? {} : { shard }),
        targets: [...status.targets, ...hosted.status()],
      };
    },
    async close() {
      await Promise.all([nodes.close(), hosted.close()]);
    },
  };
}
