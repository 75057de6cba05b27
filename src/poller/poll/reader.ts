import type { Answer, Source, TargetFacts } from "../../api/endpoint.ts";
import { renderInSteps } from "../../exposition/format.ts";
import type { Exposition } from "../../exposition/exposition.ts";
import { isOptional, metricsOf, sourceOf } from "../../catalogue/catalogue.ts";
import { SCOPE_LABELS, type Metric, type Moment } from "../../catalogue/metric.ts";
import type { Need } from "../../catalogue/needs.ts";
import type { Topic } from "../../catalogue/topic.ts";
import type { Sample, Value } from "../../exposition/sample.ts";
import { inSteps } from "../../runtime/work.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "./store.ts";
import { createTimeSlices, type Job } from "../../runtime/time-slices.ts";

/** What a topic reads, and where its series belong: the owner of a source's answers in the store. */
export type View = {
  /** What is known of the node or network; of a hosted service, its network alone. */
  readonly facts: TargetFacts | ServiceFacts;
  /** Name of the series' target in the exposition: a node, a network or a hosted service. */
  readonly target: string;
  readonly ownerOf: (source: Source<unknown>) => string | undefined;
};

/** What is known of a hosted service. */
export type ServiceFacts = { readonly network: string };

/** Whether a series of a comparison is exported, by its labels. */
export type Keep = (labels: Readonly<Record<string, string>>) => boolean;

export type ReaderEvents = {
  /** A defect of the exporter: a read threw. The metric is absent, everything else goes on. */
  readonly failed: (topic: string, metric: string, error: unknown) => void;
  readonly duplicates: (metric: string, count: number) => void;
};

export type Reader = {
  /**
   * Reads a topic again and replaces its series. `fresh` says that an answer is new, which is when a topic that counts
   * moves on; without it only the reading is repeated.
   */
  readonly read: (topic: Topic, view: View, fresh: boolean) => void;
  /** Removes the series of a topic. */
  readonly hide: (topic: Topic, target: string) => void;
  /** Compares the nodes of a network; series are shown where `keep` says so of their labels. */
  readonly compare: (topic: Topic, network: string, members: readonly View[], keep?: Keep) => void;
  /** Forgets what was counted and shown for a node or network. */
  readonly forget: (target: string) => void;
  /** Whether everything read is shown. */
  readonly idle: () => boolean;
};

type Times = Readonly<Record<string, number>>;
type Gathered = { readonly data: Readonly<Record<string, unknown>>; readonly times: Times; readonly asked: Times };

/** Reads answers with the catalogue's pure functions and hands the samples to the exposition. */
export function createReader(store: Store, exposition: Exposition, events: ReaderEvents, clock: Clock): Reader {
  /** By target, then by topic. */
  const states = new Map<string, Map<string, unknown>>();
  /** The last reading of each topic that is still being rendered, by target, then by topic: an older one must not overtake it. */
  const latest = new Map<string, Map<string, object>>();
  const slices = createTimeSlices(clock);

  function supersede(topic: Topic, target: string, reading: object | undefined): void {
    const readings = latest.get(target) ?? new Map<string, object>();
    if (reading === undefined) readings.delete(topic.id);
    else readings.set(topic.id, reading);
    if (readings.size === 0) latest.delete(target);
    else latest.set(target, readings);
  }

  function isLatest(reading: object, topic: Topic, target: string): boolean {
    return latest.get(target)?.get(topic.id) === reading;
  }

  /** Gives work to the turns that is given up once a newer reading of the same topic begins. */
  function begin(topic: Topic, target: string, work: (reading: object) => Job): void {
    const reading = {};
    supersede(topic, target, reading);
    slices.run(work(reading));
  }

  function show(
    topic: Topic,
    target: string,
    base: Readonly<Record<string, string>>,
    data: unknown,
    context: Moment,
    keep?: Keep,
  ): void {
    begin(topic, target, (reading) => render(reading, topic, target, base, data, context, keep));
  }

  /** A metric a step. All families of a topic change together, at the end: a scrape sees the old answer whole, or the new one. */
  function* render(
    reading: object,
    topic: Topic,
    target: string,
    base: Readonly<Record<string, string>>,
    data: unknown,
    context: Moment,
    keep: Keep | undefined,
  ): Generator<undefined, void> {
    const rendered: Array<readonly [family: string, text: string, series: number]> = [];
    for (const metric of metricsOf(topic)) {
      if (!isLatest(reading, topic, target)) return;
      const { text, series } = yield* renderMetric(topic, metric, base, data, context, keep, events);
      rendered.push([metric.name, text, series]);
      yield;
    }
    if (!isLatest(reading, topic, target)) return;
    for (const [family, text, series] of rendered) exposition.set(family, target, text, series);
    supersede(topic, target, undefined);
  }

  /** Compares the nodes as they are when its turn comes: with many of them to look at them is work too. */
  function* comparison(
    reading: object,
    topic: Topic,
    network: string,
    members: readonly View[],
    keep: Keep | undefined,
  ): Generator<undefined, void> {
    const [first] = members;
    if (first === undefined || topic.compare === undefined || !isLatest(reading, topic, network)) return;
    const looked: Array<{ readonly facts: View["facts"]; readonly answers: Readonly<Record<string, unknown>> }> = [];
    yield* inSteps(members, (view) => looked.push({ facts: view.facts, answers: answersOf(store, topic, view) }));
    const data = { members: looked };
    const context = contextOf(first.facts, { times: { compared: clock.now() }, asked: {} });
    try {
      const state = yield* topic.compare(stateOf(topic, network) as never, data as never, context as never);
      if (!isLatest(reading, topic, network)) return;
      keepState(topic, network, state);
      yield* render(reading, topic, network, {}, { ...data, state }, context, keep);
    } catch (error) {
      if (isLatest(reading, topic, network)) hide(topic, network);
      events.failed(topic.id, "compare", error);
    }
  }

  function hide(topic: Topic, target: string): void {
    supersede(topic, target, undefined);
    for (const { name } of metricsOf(topic)) exposition.set(name, target, "", 0);
  }

  function stateOf(topic: Topic, target: string): unknown {
    const known = states.get(target);
    return known?.has(topic.id) === true ? known.get(topic.id) : topic.start?.();
  }

  function keepState(topic: Topic, target: string, state: unknown): void {
    const known = states.get(target) ?? new Map<string, unknown>();
    states.set(target, known.set(topic.id, state));
  }

  function advance(topic: Topic, target: string, data: unknown, context: Moment, fresh: boolean): unknown {
    if (topic.next === undefined) return undefined;
    const before = stateOf(topic, target);
    if (!fresh) return before;
    const after = topic.next(before as never, data as never, context as never);
    keepState(topic, target, after);
    return after;
  }

  return {
    hide,
    read(topic, view, fresh) {
      const labels = baseLabels(topic, view.facts);
      const gathered = labels === undefined ? undefined : gather(store, topic, view);
      if (labels === undefined || gathered === undefined) {
        hide(topic, view.target);
        return;
      }
      const context = contextOf(view.facts, gathered);
      try {
        const state = advance(topic, view.target, gathered.data, context, fresh);
        show(
          topic,
          view.target,
          labels,
          topic.next === undefined ? gathered.data : { ...gathered.data, state },
          context,
        );
      } catch (error) {
        hide(topic, view.target);
        events.failed(topic.id, "next", error);
      }
    },
    compare(topic, network, members, keep) {
      if (members.length === 0) {
        hide(topic, network);
        return;
      }
      begin(topic, network, (reading) => comparison(reading, topic, network, members, keep));
    },
    forget(target) {
      states.delete(target);
      latest.delete(target);
      exposition.remove(target);
    },
    idle: () => slices.idle(),
  };
}

const NOTHING = { text: "", series: 0 };

/** The lines of one metric. A reading that throws is a defect of that metric alone. */
function* renderMetric(
  topic: Topic,
  metric: Metric<never, string, never>,
  base: Readonly<Record<string, string>>,
  data: unknown,
  context: Moment,
  keep: Keep | undefined,
  events: ReaderEvents,
): Generator<undefined, { readonly text: string; readonly series: number }> {
  try {
    const samples = metric.read(data as never, context as never) as ReadonlyArray<Sample<string, Value>>;
    const kept = keep === undefined ? samples : samples.filter(([labels]) => keep(labels));
    const rendered = yield* renderInSteps(metric, base, kept);
    if (rendered.duplicates > 0) events.duplicates(metric.name, rendered.duplicates);
    return rendered;
  } catch (error) {
    events.failed(topic.id, metric.name, error);
    return NOTHING;
  }
}

/** The labels that the scope puts first; nothing while the network of a network fact is not known. */
function baseLabels(topic: Topic, facts: View["facts"]): Readonly<Record<string, string>> | undefined {
  const labels: Record<string, string> = {};
  for (const label of SCOPE_LABELS[topic.scope]) {
    const value = label === "node" && "node" in facts ? facts.node : facts.network;
    if (value === undefined) return undefined;
    labels[label] = value;
  }
  return labels;
}

function contextOf(facts: View["facts"], { times, asked }: Pick<Gathered, "times" | "asked">): Moment {
  return { ...facts, networkLabel: facts.network ?? "", times, asked, time: Math.min(...Object.values(times)) };
}

/** The answers to a topic's needs, or nothing when one that it cannot do without is missing. */
function gather(store: Store, topic: Topic, view: View): Gathered | undefined {
  const data: Record<string, unknown> = {};
  const times: Record<string, number> = {};
  const asked: Record<string, number> = {};
  for (const [name, need] of Object.entries(topic.needs)) {
    const answers = answersTo(store, need, view);
    if (answers === undefined) {
      if (!isOptional(need)) return undefined;
      data[name] = undefined;
      continue;
    }
    data[name] = sourceOf(need).keyed
      ? new Map([...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { value }]) => [key, value]))
      : answers.values().next().value?.value;
    const [first, ...others] = answers.values();
    if (first === undefined) continue;
    const oldest = others.reduce((old, each) => (each.answeredAt < old.answeredAt ? each : old), first);
    times[name] = oldest.answeredAt;
    asked[name] = oldest.askedAt;
  }
  return { data, times, asked };
}

/** For a comparison: the answers themselves, with their times. */
function answersOf(store: Store, topic: Topic, view: View): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(topic.needs).map(([name, need]) => {
      const answers = answersTo(store, need, view);
      return [name, sourceOf(need).keyed ? answers : answers?.values().next().value];
    }),
  );
}

function answersTo(store: Store, need: Need, view: View): ReadonlyMap<string, Answer> | undefined {
  const source = sourceOf(need);
  const owner = view.ownerOf(source);
  return owner === undefined ? undefined : store.all(owner, source);
}
