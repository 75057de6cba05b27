import { EXPORTER_FAMILIES } from "../topics/exporter/exporter-families.ts";
import { ESSENTIAL_FAMILIES } from "../topics/all/essential-families.ts";
import type { Config } from "../config/config.ts";
import { createDoctor } from "../diagnosis/doctor.ts";
import { onDemand } from "../diagnosis/on-demand.ts";
import { samplesOf } from "../diagnosis/samples.ts";
import { restartFacts } from "../diagnosis/restart/restart-facts.ts";
import { nodePlans, USUAL_DOWN } from "../diagnosis/restart/plan.ts";
import { calendarOf } from "../diagnosis/validator/calendar.ts";
import { validatorViews } from "../diagnosis/validator/validator-views.ts";
import { createExposition, type Exposition, type ScrapeOptions } from "../exposition/exposition.ts";
import { negotiate } from "../http/negotiate.ts";
import { exporterExposition } from "./exporter-exposition.ts";
import type { ScrapeRequest } from "../http/dependencies.ts";
import { catalogueOf } from "../topics/define/catalogue.ts";
import { alertGroupsWith, alertSettings } from "../topics/all/alerts.ts";
import { TOPICS } from "../topics/all/topics.ts";
import { partOf } from "../topics/define/part.ts";
import { systemClock, type Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/events.ts";
import { createPoller, type Poller } from "../poller/poller.ts";
import { createExporterMetrics } from "./exporter-metrics.ts";
import { ALONE, nodesOf, partOfShard, type Shard } from "./shard/shard.ts";
import { fleetNodes } from "./fleet-nodes.ts";
import { createProber } from "./prober.ts";
import type { Build } from "./version.ts";
import type { Storage } from "./storage/storage.ts";
import { createWatching } from "./watching.ts";

/** Families of the process that alerts are about, whose conditions can be evaluated at once. */
const { reloadOk, reloadAt, utilization, restartSafe, restartBlocked } = EXPORTER_FAMILIES;

/** What `metrics: essential` exports. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  ...ESSENTIAL_FAMILIES,
  "process_cpu_seconds_total",
  "process_resident_memory_bytes",
]);

/** Facts of nodes, which are exported also where those of the process are not. */
const OF_NODES: ReadonlySet<string> = new Set([restartSafe.name, restartBlocked.name]);

export type Daemon = ReturnType<typeof createDaemon>;

type DaemonOptions = Build & {
  readonly config: Config;
  readonly log: Log;
  readonly exporterMetrics: boolean;
  /** Default: this process has the whole fleet. */
  readonly shard?: Shard;
  /** Default: nothing outlives the process. */
  readonly storage?: Storage | undefined;
  /** Diagnoses in the background, so that findings are pending until their `for` has passed. Default: on request only. */
  readonly watching?: boolean;
  readonly clock?: Clock;
};

/** Creates the poller and its exposition and starts polling; the caller serves them. */
export function createDaemon({
  config,
  log,
  exporterMetrics,
  shard = ALONE,
  storage,
  watching = false,
  clock = systemClock,
  ...about
}: DaemonOptions) {
  const part = partOfShard(shard);
  const whole = catalogueOf(TOPICS);
  const catalogue = partOf(whole, part);
  const exposition = createExposition(catalogue.families);
  let current = config;
  let alertGroups = alertGroupsWith(config.alerts);
  const own = createExporterMetrics({
    ...about,
    shard,
    probing: (): number => prober.running(),
    series: () => exposition.series(),
    storing: storage !== undefined,
    startedAt: clock.now(),
  });
  let settled = false;
  const watch = createWatching({ file: watching ? storage?.history : undefined, settled: () => settled, log });
  storage?.onWrite(own.stored);
  const { events, probes } = own;
  const prober = createProber({ catalogue: whole, config: () => current, clock, log, events, probes });
  const polling = createPoller({
    catalogue,
    exposition,
    clock,
    log,
    events,
    part,
    shard: shard.total === 1 ? "" : String(shard.index),
    // Nodes that are probed on request are not polled as well.
    nodesOf: (next) => (next.probe.only ? [] : nodesOf(next, shard)),
    ...(storage === undefined ? {} : { memory: storage.memory }),
  });
  const poller: Poller = {
    ...polling,
    apply(next) {
      current = next;
      alertGroups = alertGroupsWith(next.alerts);
      own.addModules(prober.modules());
      polling.apply(next);
    },
    tick() {
      polling.tick();
      doctor.tick(scraped);
      scraped = false;
      storage?.tick(polling.memory);
    },
    async close() {
      await storage?.close(polling.memory());
      await polling.close();
    },
    status: () => ({
      ...polling.status(),
      ...(shard.total === 1 ? {} : { shard }),
      ...(current.probe.only && current.nodes.length > 0 ? { probed: current.nodes.length } : {}),
    }),
  };
  const snapshot = (): Exposition["readings"] => {
    polling.collect();
    return exposition.readings;
  };
  const samples = () => samplesOf(snapshot(), clock.now());
  poller.apply(config);
  own.reloaded(true, clock.now());
  const doctor = createDoctor({
    snapshot,
    // One round of polls is busy by nature.
    own: () =>
      Promise.all(
        [reloadOk, reloadAt, ...(watching ? [utilization] : [])].map(
          async ({ name }) => [name, await own.readings(name)] as const,
        ),
      ),
    alerts: () => alertGroups.flatMap((group) => group.alerts),
    clock,
    who: "this exporter",
    words: polling.words,
    tracking: watching ? watch.tracking : undefined,
  });
  if (watching) void poller.firstRound().then(() => (settled = true));
  const families = new Map(
    catalogue.topics.map(({ id, metrics }) => [id, Object.values(metrics).map(({ name }) => name)]),
  );

  // Of all shards, so that one scrape configuration fits each of them.
  const selectable = new Set([
    ...whole.topics.map(({ id }) => id),
    ...whole.families.map(({ name }) => name),
    ...own.registry.getMetricsAsArray().map(({ name }) => name),
  ]);

  /** Reads what has changed, then joins and compresses once. */
  async function scrape(options: ScrapeOptions): Promise<Buffer> {
    const started = clock.elapsed();
    if (options.only === undefined || [...OF_NODES].some((name) => options.only?.has(name)))
      own.restarts(nodePlans(restartsNow(), { down: USUAL_DOWN }));
    else polling.collect();
    const all = await exporterExposition(own.registry);
    const extra = exporterMetrics ? all : all.filter(({ family }) => OF_NODES.has(family.name));
    const body = await exposition.scrape({ ...options, extra });
    own.scraped(options.format, clock.elapsed() - started, body.length);
    return body;
  }
  const shared = sharedScrapes(scrape);
  /** Whether a scrape has ended since the last tick. */
  let scraped = false;
  // One shard does not see the nodes of the others.
  const restartsNow = () => restartFacts(samples(), shard.total === 1);

  return {
    poller,
    own,
    /** A reload ended. */
    reloaded(ok: boolean) {
      own.reloaded(ok, clock.now());
      if (watching) watch.reloaded(ok, clock.now());
    },
    exposition,
    alertGroups: () => alertGroups,
    doctor,
    history: () => ({ history: watch.history(), now: clock.now() }),
    validators: onDemand(clock, () => validatorViews(samples(), alertSettings(current.alerts))),
    calendar: onDemand(clock, () => calendarOf(samples())),
    restarts: onDemand(clock, restartsNow),
    probe: prober.probe,
    modules: prober.modules,
    wallets: () => new Map(current.watch.addresses.map(({ name, address }) => [name, address] as const)),
    fleet: () => fleetNodes(current, poller.status()),
    selectable: () => selectable,
    async metrics({ accept, acceptEncoding, only }: ScrapeRequest) {
      const { format, gzip, contentType } = negotiate(accept, acceptEncoding);
      const usual = current.metrics === "essential" ? ESSENTIAL : undefined;
      const wanted = only === undefined ? usual : new Set([...only].flatMap((name) => families.get(name) ?? [name]));
      try {
        const body =
          only === undefined
            ? await shared({ format, gzip, only: usual })
            : await scrape({ format, gzip, only: wanted });
        return { contentType, contentEncoding: gzip ? ("gzip" as const) : undefined, chunks: [body] };
      } finally {
        scraped = true;
      }
    },
  };
}

/** Scrapes that come while one of the same form is under way get its bytes. */
function sharedScrapes(scrape: (options: ScrapeOptions) => Promise<Buffer>): typeof scrape {
  const underWay = new Map<string, Promise<Buffer>>();
  return (options) => {
    const form = `${options.format} ${options.gzip}`;
    const known = underWay.get(form) ?? scrape(options).finally(() => underWay.delete(form));
    underWay.set(form, known);
    return known;
  };
}
