import type { Config, NodeConfig } from "../../src/config/config.ts";
import { defaultConfig, defaultNode } from "../../src/config/default-config.ts";
import { createExposition } from "../../src/exposition/exposition.ts";
import { catalogueOf, type Catalogue } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import type { Topic } from "../../src/topics/define/topic.ts";
import { createPoller, type Poller, type PollerOptions } from "../../src/poller/poller.ts";
import { fakeClock, type FakeClock, type FakeClockOptions } from "./fake-clock.ts";
import { fakeConnect, fakeNode, type FakeNode } from "./fake-client.ts";

const ANSWERED = /^(health|info|exporter|platform\.(getHeight|getCurrentValidators))\b/;

/** All topics and `more`, limited to the endpoints that a fake node answers. */
export function coreCatalogue(...more: readonly Topic[]): Catalogue {
  const catalogue = catalogueOf([...TOPICS, ...more]);
  return { ...catalogue, endpoints: catalogue.endpoints.filter(({ id }) => ANSWERED.test(id)) };
}

/** A poller on a fake clock with fake nodes; a node's name is its host. */
export type Bench = {
  readonly poller: Poller;
  readonly clock: FakeClock;
  readonly nodes: Map<string, FakeNode>;
  /** The node with a name. @throws if there is none */
  readonly node: (name: string) => FakeNode;
  /** Lets the seconds pass, with a tick in each, or every so many. */
  readonly run: (seconds: number, every?: number) => Promise<void>;
  /** A scrape now. */
  readonly text: () => Promise<string>;
  /** `name{labels}` → value, as in a scrape now. */
  readonly series: () => Promise<ReadonlyMap<string, number>>;
  /** The same as in a scrape of a daemon, which takes what ticks have read lately. */
  readonly scraped: () => Promise<ReadonlyMap<string, number>>;
  readonly value: (series: string) => Promise<number | undefined>;
  /** Polls that were missed, of all nodes. */
  readonly missed: () => Promise<number>;
  readonly logged: string[];
  /** The same with their data. */
  readonly details: string[];
  readonly counted: { polls: number; defects: string[]; duplicates: number };
};

type BenchOptions = FakeClockOptions &
  Pick<PollerOptions, "part" | "nodesOf" | "memory"> & {
    readonly catalogue?: Catalogue;
    /** Replaces the fake nodes of the names. */
    readonly nodes?: Map<string, FakeNode>;
    readonly clock?: FakeClock;
    /** In place of fake nodes. */
    readonly connect?: PollerOptions["connect"];
  };

export function benchOf(names: readonly string[], options: BenchOptions = {}): Bench {
  const { catalogue = coreCatalogue(), part, nodesOf, memory } = options;
  const clock = options.clock ?? fakeClock(options);
  const nodes = options.nodes ?? new Map(names.map((name) => [name, fakeNode(name)]));
  const exposition = createExposition(catalogue.families);
  const logged: string[] = [];
  const details: string[] = [];
  const counted = { polls: 0, defects: [] as string[], duplicates: 0 };
  const note = (data: object, message: string) => {
    logged.push(message);
    details.push(`${message} ${JSON.stringify(data)}`);
  };
  const poller = createPoller({
    catalogue,
    exposition,
    clock,
    log: { debug: () => undefined, info: note, warn: note, error: note },
    events: {
      polled: () => void counted.polls++,
      defect: (_place, what) => void counted.defects.push(what),
      duplicates: (_metric, count) => void (counted.duplicates += count),
    },
    ...(part === undefined ? {} : { part }),
    ...(nodesOf === undefined ? {} : { nodesOf }),
    ...(memory === undefined ? {} : { memory }),
    connect: options.connect ?? fakeConnect(nodes, clock),
  });
  const textOf = (isSparing: boolean): Promise<string> => {
    poller.collect(isSparing);
    return Promise.resolve(exposition.scrape({ format: "text", gzip: false }).toString());
  };
  const text = () => textOf(false);
  const series = async () => seriesOf(await text());
  return {
    poller,
    clock,
    nodes,
    node(name) {
      const found = nodes.get(name);
      if (found === undefined) throw new Error(`no node ${name}`);
      return found;
    },
    async run(seconds, every = 1) {
      for (let passed = 0; passed < seconds; passed += every) {
        poller.tick();
        await clock.pass(every);
      }
    },
    text,
    series,
    scraped: async () => seriesOf(await textOf(true)),
    value: async (name) => valueOf(await series(), name),
    missed: async () => {
      const counters = [...(await series())].filter(([key]) => key.startsWith("avax_polls_missed_total"));
      if (counters.length === 0) throw new Error("no node counts missed polls");
      return counters.reduce((sum, [, value]) => sum + value, 0);
    },
    logged,
    details,
    counted,
  };
}

/** The value of a series; the label `network` may be left out. @throws if several series match */
export function valueOf(series: ReadonlyMap<string, number>, name: string): number | undefined {
  const exact = series.get(name);
  if (exact !== undefined) return exact;
  const found = [...series].filter(([key]) => withoutNetwork(key) === name);
  if (found.length > 1) throw new Error(`several: ${found.map(([key]) => key).join(" ")}`);
  return found[0]?.[1];
}

/** A series without its label `network`. */
export function withoutNetwork(key: string): string {
  return key
    .replace(/([{,])network="[^"]*",?/, "$1")
    .replace(/,?\}$/, "}")
    .replace("{}", "");
}

/** `name{labels}` → value of every sample in the text format. */
export function seriesOf(text: string): ReadonlyMap<string, number> {
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

export function configOf(names: readonly string[], more: Partial<Config> = {}): Config {
  return { ...defaultConfig(), nodes: names.map((name) => nodeConfig(name)), ...more };
}

export function nodeConfig(name: string, more: Partial<NodeConfig> = {}): NodeConfig {
  return { ...defaultNode(name, `http://${name}:9650`), maxResponseBytes: 1_000_000, ...more };
}
