import type { Config } from "../config/config.ts";
import { createDoctor, type Doctor } from "../diagnosis/doctor.ts";
import { onDemand } from "../diagnosis/on-demand.ts";
import { samplesOf, type Readings, type Samples } from "../diagnosis/samples.ts";
import { restartFacts, type RestartFacts } from "../diagnosis/restart/restart-facts.ts";
import { calendarOf } from "../diagnosis/validator/calendar-of.ts";
import { validatorViews } from "../diagnosis/validator/validator-views.ts";
import { createExposition, type Exposition } from "../exposition/exposition.ts";
import type { DaemonFunctions } from "../http/http-dependencies.ts";
import { catalogueOf } from "../topics/define/catalogue.ts";
import { alertGroupsWith, alertSettings, type AlertGroup } from "../topics/all/alerts.ts";
import { TOPICS } from "../topics/all/topics.ts";
import { partOf } from "../topics/define/part.ts";
import { EXPORTER_FAMILIES } from "../topics/exporter/exporter-families.ts";
import { systemClock, type Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { createPoller, type Poller } from "../poller/poller.ts";
import { ExporterMetrics } from "./exporter-metrics.ts";
import { ALONE, nodesOf, partOfShard, type Shard } from "./shard/shard.ts";
import { fleetNodes } from "./fleet-nodes.ts";
import { createProber, type Prober } from "./prober.ts";
import { Scraper } from "./scraper.ts";
import type { Build } from "./version.ts";
import type { Storage } from "./storage/storage.ts";
import { createWatching } from "./watching.ts";

/** Families of the process that alerts are about, whose conditions can be evaluated at once. */
const JUDGED = [EXPORTER_FAMILIES.reloadOk.name, EXPORTER_FAMILIES.reloadAt.name];

/** What its HTTP server needs of a daemon, and what drives it. */
export type Daemon = DaemonFunctions & {
  readonly poller: Poller;
  /** Metrics of the process itself. */
  readonly own: ExporterMetrics;
  readonly exposition: Exposition;
  readonly doctor: Doctor;
  /** Must be called after each reload of the configuration. */
  readonly reloaded: (ok: boolean) => void;
};

type DaemonOptions = Build & {
  readonly config: Config;
  readonly log: Log;
  readonly exporterMetrics: boolean;
  /** Default: this process has the whole fleet. */
  readonly shard?: Shard;
  /** Default: nothing outlives the process. */
  readonly storage?: Storage | undefined;
  /**
   * Diagnoses in the background, so that findings are pending until their `for` has passed, and from what a scrape reads. Default: on
   * request only, and everything is read.
   */
  readonly watching?: boolean;
  /** Whether a person waits for one round at a terminal. Default: no. */
  readonly attended?: boolean;
  readonly clock?: Clock;
};

/** What changes while a daemon runs. */
type State = {
  config: Config;
  /** With the thresholds of the configuration. */
  alertGroups: readonly AlertGroup[];
  /** Whether all nodes have been polled. */
  settled: boolean;
};

/** Creates the poller and its exposition and starts polling; the caller serves them. */
export function createDaemon(options: DaemonOptions): Daemon {
  const { config, log, exporterMetrics, shard = ALONE, storage, watching = false, clock = systemClock } = options;
  const state: State = { config, alertGroups: [], settled: false };
  const whole = catalogueOf(TOPICS);
  const part = partOfShard(shard);
  const catalogue = partOf(whole, part);
  const exposition = createExposition(catalogue.families);
  const isAlone = shard.total === 1;
  const own: ExporterMetrics = new ExporterMetrics({
    ...options,
    shard,
    probing: () => prober.running(),
    series: () => exposition.series(),
    storing: storage !== undefined,
    startedAt: clock.now(),
  });
  storage?.onWrite((ok) => own.stored(ok));
  const { events, probes } = own;
  const prober = createProber({ catalogue: whole, config: () => state.config, clock, log, events, probes });
  const polling = createPoller({
    catalogue,
    exposition,
    clock,
    log,
    events,
    part,
    attended: options.attended ?? false,
    shard: isAlone ? "" : String(shard.index),
    // Nodes that are probed on request are not polled as well.
    nodesOf: (next) => (next.probe.only ? [] : nodesOf(next, shard)),
    ...(storage === undefined ? {} : { memory: storage.memory }),
  });
  const snapshot = (): Readings => {
    polling.collect(watching);
    return exposition.readings;
  };
  const samples = (): Samples => samplesOf(snapshot(), clock.now());
  // One shard does not see the nodes of the others.
  const restarts = (): RestartFacts => restartFacts(samples(), isAlone);
  const watch = createWatching({ file: watching ? storage?.history : undefined, settled: () => state.settled, log });
  const judged = watching ? [...JUDGED, EXPORTER_FAMILIES.utilization.name] : JUDGED;
  const doctor = createDoctor({
    snapshot,
    own: () => Promise.all(judged.map(async (name) => [name, await own.readings(name)] as const)),
    alerts: () => state.alertGroups.flatMap(({ alerts }) => alerts),
    clock,
    who: "this exporter",
    words: polling.words,
    tracking: watching ? watch.tracking : undefined,
  });
  const collect = (): void => polling.collect(true);
  const scraper = new Scraper({ exposition, own, exporterMetrics, clock, collect, isAlone });
  const poller = drivenPoller(polling, state, options, { own, prober, doctor });
  poller.apply(config);
  own.reloaded(true, clock.now());
  if (watching) void poller.firstRound().then(() => (state.settled = true));
  return {
    poller,
    own,
    exposition,
    doctor,
    reloaded(ok) {
      own.reloaded(ok, clock.now());
      if (watching) watch.reloaded(ok, clock.now());
    },
    alertGroups: () => state.alertGroups,
    history: () => ({ history: watch.history(), now: clock.now() }),
    validators: onDemand(clock, () => validatorViews(samples(), alertSettings(state.config.alerts))),
    calendar: onDemand(clock, () => calendarOf(samples())),
    restarts: onDemand(clock, restarts),
    probe: prober.probe,
    modules: prober.modules,
    wallets: () => new Map(state.config.watch.addresses.map(({ name, address }) => [name, address])),
    fleet: () => fleetNodes(state.config, poller.status()),
    selectable: () => scraper.selectable,
    metrics: (request) => scraper.metrics(request, state.config.metrics === "essential"),
  };
}

type Parts = Pick<Daemon, "own" | "doctor"> & { readonly prober: Prober };

/** The poller, whose calls are those of the other parts too. */
function drivenPoller(
  polling: Poller,
  state: State,
  { shard = ALONE, storage }: DaemonOptions,
  { own, prober, doctor }: Parts,
): Poller {
  return {
    ...polling,
    apply(next) {
      state.config = next;
      state.alertGroups = alertGroupsWith(next.alerts);
      own.addModules(prober.modules());
      polling.apply(next);
    },
    tick() {
      polling.tick();
      doctor.tick();
      storage?.tick(polling.memory);
    },
    async close() {
      await storage?.close(polling.memory());
      await polling.close();
    },
    status() {
      const { nodes, probe } = state.config;
      return {
        ...polling.status(),
        ...(shard.total === 1 ? {} : { shard }),
        ...(probe.only && nodes.length > 0 ? { probed: nodes.length } : {}),
      };
    },
  };
}
