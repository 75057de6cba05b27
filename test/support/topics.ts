import type { Config, SubnetConfig } from "../../src/config/config.ts";
import { metricsOf } from "../../src/topics/define/catalogue.ts";
import type { Context } from "../../src/topics/define/metric.ts";
import type { Topic } from "../../src/topics/define/topic.ts";
import { factsReader } from "../../src/poller/node/facts-reader.ts";
import { configOf, nodeConfig } from "./engines.ts";

/** Reads topics as the poller does, without a poller. */

export type ContextOptions = {
  readonly node?: string;
  readonly nodeId?: string;
  readonly network?: string;
  readonly subnets?: readonly SubnetConfig[];
  readonly validators?: readonly string[];
  readonly validatorDetails?: Config["watch"]["validatorDetails"];
  readonly labels?: Readonly<Record<string, string>>;
  /** Unix seconds of the answers. */
  readonly time?: number;
};

/** The context of a read, for one node that serves every subnet in the options. */
export function contextOf(options: ContextOptions = {}): Context {
  const {
    node = "a",
    nodeId = "NodeID-own",
    network = "local",
    subnets = [],
    validators = [],
    validatorDetails = [],
    labels = {},
    time = 1_795_259_208,
  } = options;
  const watch: Config["watch"] = { ...configOf([]).watch, validators, validatorDetails };
  const config = nodeConfig(node, { subnets: subnets.map(({ id }) => id), labels });
  const known = { config, identity: { nodeId, networkName: network } };
  const facts = factsReader(configOf([], { subnets, watch }), [known])(known);
  return { ...facts, time, times: {}, timesByKey: {}, asked: {}, networkLabel: network };
}

/**
 * `name{labels}` → value of every sample of a topic, without the labels of its scope. A topic with a state advances once, from
 * `state` or its start.
 * @throws if a value is no number or infinitely low, a label is not a text or not declared, or a series is duplicated
 */
export function readTopic(topic: Topic, data: object, context: Context, state?: unknown): ReadonlyMap<string, number> {
  return samplesOf(
    topic,
    topic.start === undefined ? data : { ...data, state: nextState(topic, data, context, state) },
    context,
  );
}

/** The state of a topic after one more answer. */
export function nextState(topic: Topic, data: object, context: Context, state?: unknown): unknown {
  const before = (state ?? topic.start?.()) as never;
  return (topic.compare ?? topic.next)?.(before, data as never, context as never);
}

/** The sample of a value, or the two of a summary. */
function linesOf(name: string, raw: unknown): ReadonlyArray<readonly [string, number]> {
  if (typeof raw !== "object" || raw === null || !("sum" in raw) || !("count" in raw) || "buckets" in raw)
    return [[name, Number(raw)]];
  return [
    [`${name}_sum`, Number(raw.sum)],
    [`${name}_count`, Number(raw.count)],
  ];
}

function samplesOf(topic: Topic, data: object, context: Context): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const metric of metricsOf(topic)) {
    for (const [labels, raw] of metric.read(data as never, context as never)) {
      if (raw === undefined) continue;
      const shown = Object.entries(labels).map(([label, text]) => {
        if (typeof text !== "string") throw new Error(`${metric.name}: ${label} is ${typeof text}`);
        if (metric.labels.length > 0 && !metric.labels.some((each) => each === label))
          throw new Error(`${metric.name} declares no ${label}`);
        return `${label}=${JSON.stringify(text)}`;
      });
      for (const [family, value] of linesOf(metric.name, raw)) {
        if (Number.isNaN(value) || value === -Infinity) throw new Error(`${family} is ${value}`);
        const name = shown.length === 0 ? family : `${family}{${shown.join(",")}}`;
        if (samples.has(name)) throw new Error(`twice: ${name}`);
        samples.set(name, value);
      }
    }
  }
  return samples;
}

/** The samples whose names contain all words, as an object. */
export function only(
  samples: ReadonlyMap<string, number>,
  ...words: readonly string[]
): Readonly<Record<string, number>> {
  return Object.fromEntries([...samples].filter(([name]) => words.every((word) => name.includes(word))));
}
