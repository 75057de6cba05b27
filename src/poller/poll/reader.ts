import type { Answer, Source, TargetFacts } from "../../api/endpoint.ts";
import { renderInSteps } from "../../exposition/format.ts";
import type { Exposition } from "../../exposition/exposition.ts";
import { isOptional, metricsOf, sourceOf } from "../../topics/define/catalogue.ts";
import type { Moment } from "../../topics/define/metric.ts";
import type { Need } from "../../topics/define/needs.ts";
import type { Topic } from "../../topics/define/topic.ts";
import type { Sample, Value } from "../../exposition/sample.ts";
import { inSteps } from "../../runtime/work.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log, PollEvents } from "../../runtime/events.ts";
import type { Store } from "./store.ts";
import type { TopicStates } from "./topic-states.ts";
import { createTimeSlices, type Job } from "../../runtime/time-slices.ts";

/** What a topic reads, and where its series belong. */
export type View = {
  /** Facts of the node or network; of a hosted service only its network. */
  readonly facts: TargetFacts | { readonly network: string };
  /** Name of the series' target in the exposition: a node, a network or a hosted service. */
  readonly target: string;
  /** The owner of a source's answers in the store. */
  readonly ownerOf: (source: Source<unknown>) => string | undefined;
  /** True while a label of its series is not settled: answers are counted and not exported yet. */
  readonly withheld?: boolean;
};

/** Whether a series of a comparison is exported, by its labels. */
export type Keep = (labels: Labels) => boolean;

/** What a comparison knows besides the answers: the name of the reference node, and which series it exports (default: all). */
type Comparison = { readonly reference?: string | undefined; readonly keep?: Keep | undefined };

type Labels = Readonly<Record<string, string>>;

export type Reader = {
  /** Reads a topic and replaces its series. `fresh`: an answer is new, which advances the state of a topic that counts. */
  readonly read: (topic: Topic, view: View, fresh: boolean) => void;
  /** Removes the series of a topic. */
  readonly hide: (topic: Topic, target: string) => void;
  /** Compares the nodes of a network. */
  readonly compare: (topic: Topic, network: string, members: readonly View[], options?: Comparison) => void;
  /** Whether a topic of this node or network is being read. */
  readonly isReading: (topic: Topic, target: string) => boolean;
  /** Drops the states and the series of a node or network. */
  readonly forget: (target: string) => void;
  /** Drops its series, and its states but those that topics save: a later reading continues from them. */
  readonly setAside: (target: string) => void;
  /** Whether everything that was read is published. */
  readonly idle: () => boolean;
};

type Gathered = Pick<Moment, "times" | "timesByKey" | "asked"> & { readonly data: Readonly<Record<string, unknown>> };

/** One reading of a topic: a newer one of the same topic and target supersedes it. */
type Reading = { readonly topic: Topic; readonly target: string; readonly keep?: Keep | undefined };

/** Reads answers with the catalogue's pure functions and hands the samples to the exposition. */
export function createReader(
  store: Store,
  exposition: Exposition,
  clock: Clock,
  log: Log,
  events: Pick<PollEvents, "defect" | "duplicates">,
  states: TopicStates,
): Reader {
  /** The readings under way, by target, then by topic: an older one must not overtake a newer one. */
  const latest = new Map<string, Map<string, Reading>>();
  const slices = createTimeSlices(clock);

  /** A read threw, which is a defect of the exporter. Only the series of this metric are absent. */
  function failed(topic: string, metric: string, error: unknown): void {
    log.error({ topic, metric, err: error }, "defect in a metric");
    events.defect("metric", topic);
  }

  function begin(reading: Reading, work: Job): void {
    const readings = latest.get(reading.target) ?? new Map<string, Reading>();
    latest.set(reading.target, readings.set(reading.topic.id, reading));
    slices.run(work);
  }

  function end(topic: Topic, target: string): void {
    const readings = latest.get(target);
    readings?.delete(topic.id);
    if (readings?.size === 0) latest.delete(target);
  }

  function isLatest(reading: Reading): boolean {
    return latest.get(reading.target)?.get(reading.topic.id) === reading;
  }

  /** Renders one metric per step. All families change together at the end, so that no scrape mixes two answers. */
  function* render(
    reading: Reading,
    base: Labels,
    data: unknown,
    context: Moment,
    ofNodes?: ReadonlyMap<string, Labels>,
  ): Generator<undefined, void> {
    const { topic, target, keep } = reading;
    const rendered: Array<readonly [family: string, text: string, series: number]> = [];
    for (const metric of metricsOf(topic)) {
      if (!isLatest(reading)) return;
      try {
        const samples = metric.read(data as never, context as never) as ReadonlyArray<Sample<string, Value>>;
        const kept = keep === undefined ? samples : samples.filter(([labels]) => keep(labels));
        const { text, series, duplicates } = yield* renderInSteps(metric, base, withLabelsOfNodes(kept, ofNodes));
        if (duplicates > 0) events.duplicates(metric.name, duplicates);
        rendered.push([metric.name, text, series]);
      } catch (error) {
        failed(topic.id, metric.name, error);
        rendered.push([metric.name, "", 0]);
      }
      yield;
    }
    if (!isLatest(reading)) return;
    for (const [family, text, series] of rendered) exposition.set(family, target, text, series);
    end(topic, target);
  }

  /** Collects the answers only when its turn comes, and in steps, because the nodes can be many. */
  function* comparison(
    reading: Reading,
    views: readonly View[],
    reference: string | undefined,
  ): Generator<undefined, void> {
    const { topic, target } = reading;
    const [first] = views;
    if (first === undefined || topic.compare === undefined || !isLatest(reading)) return;
    const members: Array<{ readonly facts: View["facts"]; readonly answers: Readonly<Record<string, unknown>> }> = [];
    yield* inSteps(views, (view) => members.push({ facts: view.facts, answers: answersOf(store, topic, view) }));
    const data = { members };
    const context = {
      ...contextOf(first.facts, { times: { compared: clock.now() }, timesByKey: {}, asked: {} }),
      reference,
    };
    try {
      const state = yield* topic.compare(states.get(topic, target) as never, data as never, context as never);
      if (!isLatest(reading)) return;
      states.put(topic, target, state);
      const base = { network: first.facts.network ?? "" };
      yield* render(reading, base, { ...data, state }, context, labelsByNode(views));
    } catch (error) {
      if (isLatest(reading)) hide(topic, target);
      failed(topic.id, "compare", error);
    }
  }

  function hide(topic: Topic, target: string): void {
    end(topic, target);
    for (const { name } of metricsOf(topic)) exposition.set(name, target, "", 0);
  }

  function hideAll(target: string): void {
    latest.delete(target);
    exposition.remove(target);
  }

  function advance(topic: Topic, target: string, data: unknown, context: Moment, fresh: boolean): unknown {
    const before = states.get(topic, target);
    if (!fresh || topic.next === undefined) return before;
    const after = topic.next(before as never, data as never, context as never);
    states.put(topic, target, after);
    return after;
  }

  return {
    hide,
    read(topic, { facts, target, ownerOf, withheld }, fresh) {
      const gathered = gather(store, topic, ownerOf);
      if (gathered === undefined) {
        hide(topic, target);
        return;
      }
      const context = contextOf(facts, gathered);
      const { data } = gathered;
      try {
        const all = topic.next === undefined ? data : { ...data, state: advance(topic, target, data, context, fresh) };
        const labels = withheld === true ? undefined : baseLabels(topic, facts);
        const reading = { topic, target };
        if (labels === undefined) hide(topic, target);
        else begin(reading, render(reading, labels, all, context));
      } catch (error) {
        hide(topic, target);
        failed(topic.id, "next", error);
      }
    },
    compare(topic, target, members, { reference, keep } = {}) {
      if (members.length === 0) {
        hide(topic, target);
        return;
      }
      const reading = { topic, target, keep };
      begin(reading, comparison(reading, members, reference));
    },
    isReading: (topic, target) => latest.get(target)?.has(topic.id) === true,
    forget(target) {
      states.forget(target);
      hideAll(target);
    },
    setAside(target) {
      states.setAside(target, clock.now());
      hideAll(target);
    },
    idle: () => slices.idle(),
  };
}

/** The labels of the topic's scope; `undefined` while the network of a fact that needs one is unknown. */
function baseLabels({ scope }: Topic, facts: View["facts"]): Labels | undefined {
  if (scope === "hosted") return {};
  if (facts.network === undefined && scope !== "node") return undefined;
  const network = facts.network ?? "";
  if (!("node" in facts) || scope === "network") return { network };
  return { node: facts.node, network, ...(scope === "node" ? facts.seriesLabels : {}) };
}

/** The configured labels of nodes that have any, by node; `undefined` without such nodes. */
function labelsByNode(views: readonly View[]): ReadonlyMap<string, Labels> | undefined {
  const labels = new Map<string, Labels>();
  for (const { facts } of views)
    if ("node" in facts && Object.keys(facts.seriesLabels).length > 0) labels.set(facts.node, facts.seriesLabels);
  return labels.size === 0 ? undefined : labels;
}

function withLabelsOfNodes<V>(
  samples: ReadonlyArray<Sample<string, V>>,
  ofNodes: ReadonlyMap<string, Labels> | undefined,
): ReadonlyArray<Sample<string, V>> {
  if (ofNodes === undefined) return samples;
  return samples.map(([labels, value]) => [{ ...labels, ...ofNodes.get(labels["node"] ?? "") }, value]);
}

function contextOf(facts: View["facts"], { times, timesByKey, asked }: Omit<Gathered, "data">): Moment {
  return {
    ...facts,
    networkLabel: facts.network ?? "",
    times,
    timesByKey,
    asked,
    time: Math.min(...Object.values(times)),
  };
}

/** The answers to a topic's needs; `undefined` when a required one is missing. */
function gather(store: Store, topic: Topic, ownerOf: View["ownerOf"]): Gathered | undefined {
  const data: Record<string, unknown> = {};
  const times: Record<string, number> = {};
  const timesByKey: Record<string, ReadonlyMap<string, number>> = {};
  const asked: Record<string, number> = {};
  for (const [name, need] of Object.entries(topic.needs)) {
    const answers = answersTo(store, need, ownerOf);
    if (answers === undefined) {
      if (!isOptional(need)) return undefined;
      data[name] = undefined;
      continue;
    }
    data[name] = sourceOf(need).keyed
      ? new Map([...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { value }]) => [key, value]))
      : answers.values().next().value?.value;
    if (sourceOf(need).keyed)
      timesByKey[name] = new Map([...answers].map(([key, { answeredAt }]) => [key, answeredAt]));
    // The store has no empty lists of answers.
    const oldest = [...answers.values()].reduce((old, each) => (each.answeredAt < old.answeredAt ? each : old));
    times[name] = oldest.answeredAt;
    asked[name] = oldest.askedAt;
  }
  return { data, times, timesByKey, asked };
}

/** The answers with their times, for a comparison. */
function answersOf(store: Store, topic: Topic, { ownerOf }: View): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(topic.needs).map(([name, need]) => {
      const answers = answersTo(store, need, ownerOf);
      return [name, sourceOf(need).keyed ? answers : answers?.values().next().value];
    }),
  );
}

function answersTo(store: Store, need: Need, ownerOf: View["ownerOf"]): ReadonlyMap<string, Answer> | undefined {
  const source = sourceOf(need);
  const owner = ownerOf(source);
  return owner === undefined ? undefined : store.all(owner, source);
}
