import { nodePlans, USUAL_DOWN } from "../diagnosis/restart/restart-plan.ts";
import { restartFacts } from "../diagnosis/restart/restart-facts.ts";
import { samplesOf } from "../diagnosis/samples.ts";
import type { Exposition, ScrapeOptions } from "../exposition/exposition.ts";
import type { EncodedExposition, ScrapeRequest } from "../http/http-dependencies.ts";
import { negotiate } from "../http/negotiate.ts";
import type { Clock } from "../runtime/clock.ts";
import { ESSENTIAL_FAMILIES } from "../topics/all/essential-families.ts";
import { TOPICS } from "../topics/all/topics.ts";
import { metricsOf } from "../topics/define/catalogue.ts";
import { EXPORTER_FAMILIES } from "../topics/exporter/exporter-families.ts";
import { exporterExposition } from "./exporter-exposition.ts";
import type { ExporterMetrics } from "./exporter-metrics.ts";

type ScraperOptions = {
  readonly exposition: Exposition;
  readonly own: ExporterMetrics;
  /** Whether the metrics of the process are exported. */
  readonly exporterMetrics: boolean;
  readonly clock: Clock;
  /** Reads the topics whose answers changed. */
  readonly collect: () => void;
  /** Whether this process sees every node of the fleet. */
  readonly isAlone: boolean;
};

/** What `metrics: essential` exports. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  ...ESSENTIAL_FAMILIES,
  "process_cpu_seconds_total",
  "process_resident_memory_bytes",
]);

/** Facts of nodes, which are exported also where those of the process are not. */
const OF_NODES = [EXPORTER_FAMILIES.restartSafe.name, EXPORTER_FAMILIES.restartBlocked.name];

/** The families of each topic. */
const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map(
  TOPICS.map((topic) => [topic.id, metricsOf(topic).map(({ name }) => name)]),
);

/** Answers the scrapes of a daemon. */
export class Scraper {
  readonly #options: ScraperOptions;
  /** Scrapes of everything that are under way, by their form. */
  readonly #underWay = new Map<string, Promise<Buffer>>();
  /** Topics and families, those of all shards, so that one scrape configuration fits each of them. */
  readonly selectable: ReadonlySet<string>;

  constructor(options: ScraperOptions) {
    this.#options = options;
    this.selectable = new Set([
      ...[...FAMILIES].flat(2),
      ...options.own.registry.getMetricsAsArray().map(({ name }) => name),
    ]);
  }

  /** @param isEssential whether only the essential families are exported, unless the request selects others */
  async metrics(request: ScrapeRequest, isEssential: boolean): Promise<EncodedExposition> {
    const { format, gzip, contentType } = negotiate(request.accept, request.acceptEncoding);
    const body =
      request.only === undefined
        ? await this.#shared({ format, gzip, only: isEssential ? ESSENTIAL : undefined })
        : await this.#scrape({ format, gzip, only: familiesOf(request.only) });
    return { contentType, contentEncoding: gzip ? "gzip" : undefined, chunks: [body] };
  }

  /**
   * Scrapes that come while one of the same form is under way get its bytes, of two servers of Prometheus the second. It does not give
   * way, so they are read in the turn of the event loop after it.
   */
  #shared(options: ScrapeOptions): Promise<Buffer> {
    const form = `${options.format} ${options.gzip}`;
    const end = (): unknown => setImmediate(() => setImmediate(() => this.#underWay.delete(form)));
    const known = this.#underWay.get(form) ?? this.#scrape(options).finally(end);
    this.#underWay.set(form, known);
    return known;
  }

  /** Reads what has changed, then joins and compresses once. */
  async #scrape(options: ScrapeOptions): Promise<Buffer> {
    const { exposition, own, exporterMetrics, clock, collect, isAlone } = this.#options;
    const started = clock.elapsed();
    collect();
    if (options.only === undefined || OF_NODES.some((name) => options.only?.has(name)))
      own.restarts(nodePlans(restartFacts(samplesOf(exposition.readings, clock.now()), isAlone), { down: USUAL_DOWN }));
    const all = await exporterExposition(own.registry);
    const extra = exporterMetrics ? all : all.filter(({ family }) => OF_NODES.includes(family.name));
    const body = exposition.scrape({ ...options, extra });
    own.scraped(options.format, clock.elapsed() - started, body.length);
    return body;
  }
}

/** The families of what a request selects: topics and families. */
function familiesOf(selected: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...selected].flatMap((name) => FAMILIES.get(name) ?? [name]));
}
