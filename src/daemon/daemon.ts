import { EXPORTER_FAMILIES } from "../self/exporter-families.ts";
import type { Config } from "../config/config.ts";
import { createDoctor, type Doctor } from "../diagnosis/doctor.ts";
import { createExposition, type Exposition } from "../exposition/exposition.ts";
import { negotiate } from "../exposition/negotiate.ts";
import { exporterExposition } from "../self/exporter-exposition.ts";
import type { FleetNode, ScrapeRequest } from "../http/server/dependencies.ts";
import { catalogueOf } from "../catalogue/catalogue.ts";
import { TOPICS } from "../definitions/topics.ts";
import { catalogueWithin } from "../catalogue/remit.ts";
import { systemClock, type Clock } from "../runtime/clock.ts";
import { createEngine, type Engine } from "../poller/engine.ts";
import type { Log } from "../runtime/events.ts";
import { createHostedPoller, type HostedPoller } from "../poller/hosted/hosted.ts";
import { createExporterMetrics, type ExporterMetrics } from "../self/exporter-metrics.ts";
import { watchForSetBack } from "../poller/set-back.ts";
import { ALONE, nodesOf, remitOf, type Nodes, type Shard } from "../poller/shard/shard.ts";
import { fleetNodes } from "./fleet-nodes.ts";
import { createProbing, type Probing } from "./probing.ts";

export type Daemon = Pick<Probing, "probe" | "modules"> & {
  /** Polls the nodes, and the hosted services beside them. Its first round is that of the nodes: they do not wait for a budget. */
  readonly engine: Engine;
  readonly hosted: HostedPoller;
  readonly own: ExporterMetrics;
  readonly exposition: Exposition;
  /** Says what is wrong now. */
  readonly doctor: Doctor;
  /** Every configured node, those of other shards included. */
  readonly fleet: () => readonly FleetNode[];
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
  const whole = catalogueOf(TOPICS);
  const catalogue = catalogueWithin(remit, whole);
  const exposition = createExposition(catalogue.families);
  let current = config;
  const probing = createProbing({ catalogue: whole, config: () => current, clock, log, own: () => own });
  const own: ExporterMetrics = createExporterMetrics({
    ...about,
    shard,
    probing: probing.running,
    series: () => exposition.series(),
    endpoints: catalogue.endpoints.filter(({ scope }) => scope !== "hosted").map(({ id }) => id),
  });
  const poller = { catalogue, exposition, clock, log, events: own.events };
  const nodes = createEngine({ ...poller, remit, nodesOf: (next) => polledNodes(next, shard) });
  const hosted = createHostedPoller(poller);
  const engine = together(nodes, hosted, {
    clock,
    log,
    shard,
    current: () => current,
    applied(next) {
      current = next;
      own.knowModules(probing.modules());
    },
    probed: () => (current.probe.only ? current.nodes.length : 0),
  });
  engine.apply(config);
  own.reloaded(true, clock.now());
  const doctor = createDoctor({
    lines: (family) => exposition.lines(family),
    own: () =>
      Promise.all([EXPORTER_FAMILIES.reloadOk, EXPORTER_FAMILIES.reloadAt].map(({ name }) => ownLines(own, name))),
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
    probe: probing.probe,
    modules: probing.modules,
    fleet: () => fleetNodes(current, nodes.status()),
    async metrics({ accept, acceptEncoding, only }) {
      const started = clock.elapsed();
      const { format, gzip, contentType } = negotiate(accept, acceptEncoding);
      const wanted =
        only === undefined ? undefined : new Set([...only].flatMap((name) => families.get(name) ?? [name]));
      const self = exporterMetrics ? await exporterExposition(own.registry) : [];
      const extra = wanted === undefined ? self : self.filter(({ family }) => wanted.has(family.name));
      const { chunks, bytes } = await exposition.scrape({ format, gzip, only: wanted, extra });
      own.scraped(format, clock.elapsed() - started, bytes);
      return { contentType, contentEncoding: gzip ? "gzip" : undefined, chunks };
    },
  };
}

/** Nodes that are looked at when somebody asks are not polled beside that. */
function polledNodes(config: Config, shard: Shard): Nodes {
  return config.probe.only ? { own: [], helpers: [] } : nodesOf(config, shard);
}

async function ownLines({ registry }: ExporterMetrics, name: string): Promise<readonly [string, string]> {
  return [name, await registry.getSingleMetricAsString(name)];
}

type Surroundings = {
  readonly clock: Clock;
  readonly log: Log;
  readonly shard: Shard;
  /** The configuration that was applied last. */
  readonly current: () => Config;
  /** Told of every configuration before it is applied. */
  readonly applied: (config: Config) => void;
  /** Nodes that are not polled, because they are probed. */
  readonly probed: () => number;
};

function withoutHosted(config: Config): Config {
  return { ...config, dataApi: undefined, metricsApi: undefined };
}

/** One poller to those who drive it and show it. */
function together(nodes: Engine, hosted: HostedPoller, surroundings: Surroundings): Engine {
  const { clock, log, shard, current, applied, probed } = surroundings;

  function apply(config: Config): void {
    nodes.apply(config);
    // One budget is spent by one process.
    hosted.apply(shard.index === 0 ? config : withoutHosted(config));
  }

  // Of what was answered before nobody can say how old it is: it goes, and everything is asked anew.
  const lookAtClock = watchForSetBack(clock, (seconds) => {
    log.warn({ seconds }, "the clock was set back: everything is asked anew");
    apply({ ...withoutHosted(current()), nodes: [] });
    apply(current());
  });

  return {
    ...nodes,
    apply(config) {
      applied(config);
      apply(config);
    },
    tick() {
      lookAtClock();
      nodes.tick();
      hosted.tick();
    },
    status() {
      const status = nodes.status();
      return {
        ...status,
        ...(shard.total === 1 ? {} : { shard }),
        ...(probed() === 0 ? {} : { probed: probed() }),
        targets: [...status.targets, ...hosted.status()],
      };
    },
    async close() {
      await Promise.all([nodes.close(), hosted.close()]);
    },
  };
}
