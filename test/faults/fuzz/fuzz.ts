import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { catalogueOf } from "../../../src/topics/define/catalogue.ts";
import { diagnose } from "../../../src/diagnosis/diagnose.ts";
import { rulesOf } from "../../../src/diagnosis/rules.ts";
import { samplesOf } from "../../../src/diagnosis/samples.ts";
import { defaultConfig, defaultNode } from "../../../src/config/default-config.ts";
import type { Config } from "../../../src/config/config.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import { createExposition } from "../../../src/exposition/exposition.ts";
import { createPoller } from "../../../src/poller/poller.ts";
import { parseExposition } from "../../e2e/support/exposition.ts";
import { loadRecording, RECORDING_NAMES } from "../../e2e/support/recording.ts";
import { createPlayer } from "../../e2e/support/recording-server.ts";
import { openMetricsProblems, readExposition } from "../../exposition/parse.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { unsound } from "../support/sanity.ts";
import { mutated, mutation, type Mutation } from "./mutation.ts";
import { setResponder, type Made, type Sent } from "./answering-client.ts";
import { createTold } from "./told.ts";
import { watchTurns, type Turns } from "./turns.ts";

export type FuzzOptions = {
  /** Answers. */
  readonly runs: number;
  readonly seed: number;
  readonly progress: (text: string) => void;
};

export type FuzzResult = {
  readonly answers: number;
  /** What does not hold, with how often it was seen. */
  readonly problems: ReadonlyMap<string, number>;
  readonly series: { readonly first: number; readonly most: number };
  /** Bytes of the heap, after a collection. */
  readonly heap: { readonly first: number; readonly most: number };
  readonly longest: ReturnType<Turns["longest"]>;
  readonly logged: ReadonlyMap<string, number>;
  /** The last exposition. */
  readonly text: string;
};

/** Answers to one check of everything that is exported. */
const BETWEEN_CHECKS = 2_000;
/** Answers without a measurement: their code is not compiled yet. */
const WARM_UP = 4_000;
/** Milliseconds of processor time that answers below 1 MB can hold the thread for. */
const LONGEST_TURN = 25;
/** Times as many series as the recordings have. */
const MOST_SERIES = 5;
/** Bytes. */
const MOST_HEAP = 150e6;
const EVERY = { every: 2, timeout: 10 };
/** Seconds: three polls of a lie, and three polls after it, of which one can be late because polls that failed back off. */
const LIED = 6;
/** A page lasts longer than the poll for which a question that moves to another node is not confirmed. */
const MOVED = 3;
const HEALED = 12;
const SETTLED = 12;

/** Plays mutated recordings to the whole exporter but its sockets, on a clock of its own. */
export async function fuzz({ runs, seed, progress }: FuzzOptions): Promise<FuzzResult> {
  const problems = new Map<string, number>();
  const note = (problem: string) => problems.set(problem, (problems.get(problem) ?? 0) + 1);
  const logged = new Map<string, number>();
  const turns = watchTurns();
  const mutations = mutationsOf(seed);
  let answers = 0;
  let calm = true;

  const players = RECORDING_NAMES.map((name) => createPlayer(loadRecording(name)));
  const clock = fakeClock({ start: 1_795_300_000 });
  const told = createTold(seed, clock.now);
  const nodeOf = (origin: string) => Number(/\d+/.exec(new URL(origin).hostname)?.[0] ?? 0);
  setResponder((origin: string, { path, method, body }: Sent): Made =>
    turns.aside(() => {
      answers++;
      turns.about(`#${answers} ${method} ${path} ${body.slice(0, 90)}`);
      if (told.isTold(origin)) return told.respond(origin, { path, method, body });
      const { reply } = (players[nodeOf(origin)] ?? never)(method, path, body);
      return calm ? { ...reply, body: Buffer.from(reply.body) } : mutated(reply, mutations());
    }),
  );

  const catalogue = catalogueOf(TOPICS);
  const exposition = createExposition(catalogue.families);
  const rules = rulesOf();
  const log = (level: string) => (data: object, message: string) => {
    logged.set(`${level}: ${message}`, (logged.get(`${level}: ${message}`) ?? 0) + 1);
    if (level === "error") note(`logged as an error: ${message}: ${errorOf(data)}`);
  };
  const poller = createPoller({
    catalogue,
    exposition,
    clock,
    log: { debug: () => undefined, info: log("info"), warn: log("warn"), error: log("error") },
    events: {
      polled: () => undefined,
      defect: (place, what) => note(`a defect was counted: ${place} ${what}`),
      duplicates: () => undefined,
    },
  });

  async function seconds(count: number): Promise<void> {
    for (let second = 0; second < count; second++) {
      // As of a scrape its time grows with the number of nodes: the bench measures both.
      turns.aside(() => poller.tick());
      await clock.pass(1);
      for (let wait = 0; wait < 400 && poller.busy(); wait++) await turn();
    }
  }

  /** One node of each network that lies does so for some polls, and is honest for three. */
  async function round(): Promise<void> {
    told.begin();
    await seconds(LIED);
    const early = new Set(await judged(told.during));
    await seconds(MOVED);
    for (const problem of await judged(told.during)) if (early.has(problem)) note(problem);
    told.end();
    await seconds(HEALED);
    for (const problem of await judged(told.after)) note(problem);
  }

  async function judged(found: typeof told.during): Promise<readonly string[]> {
    const text = await scrape("text");
    return turns.aside(() => {
      const { diagnosis } = diagnose(rules, samplesOf(exposition.readings, clock.now()), "this exporter");
      return found(parseExposition(text), diagnosis);
    });
  }

  const scrape = (format: "text" | "openmetrics") =>
    Promise.resolve(turns.aside(() => (poller.collect(), exposition.scrape({ format, gzip: false }))).toString());

  async function check(): Promise<{ readonly count: number; readonly text: string }> {
    const text = await scrape("text");
    return turns.aside(() => {
      attempt(
        () => readExposition(text),
        (problem) => note(`exposition: ${problem.slice(0, 200)}`),
      );
      const series = parseExposition(text);
      for (const { name, labels, value } of series.values()) {
        const problem = unsound(name, labels, value);
        if (problem !== undefined) note(`${name}: ${problem.replace(/-?\d[\d.e+-]*/, "n")}`);
      }
      return { count: series.size, text };
    });
  }

  poller.apply(configFor(players.length, told));
  await seconds(SETTLED);
  const first = await check();
  const heap = { first: turns.aside(heapUsed), most: 0 };
  let [most, next, last] = [0, BETWEEN_CHECKS, first];
  calm = false;
  const start = answers;
  let warm = false;
  while (answers - start < runs) {
    await round();
    if (!warm && answers - start > Math.min(WARM_UP, runs / 2)) {
      warm = true;
      turns.reset();
    }
    if (answers - start < next) continue;
    next += BETWEEN_CHECKS;
    last = await check();
    most = Math.max(most, last.count);
    heap.most = Math.max(heap.most, turns.aside(heapUsed));
    if (next % (BETWEEN_CHECKS * 5) === 0)
      progress(
        `${answers - start} answers, ${last.count} series, ${Math.round(heap.most / 1e6)} MB, ${problems.size} problems`,
      );
  }
  turns.stop();
  for (const problem of openMetricsProblems(await scrape("openmetrics"))) note(`OpenMetrics: ${problem.slice(0, 200)}`);
  await poller.close();
  const [longest] = turns.longest();
  if (longest !== undefined && longest[0] > LONGEST_TURN)
    note(`a turn of ${longest[0].toFixed(0)} ms of processor time: ${longest[1]}`);
  if (most > first.count * MOST_SERIES) note(`${most} series, ${first.count} with unchanged answers`);
  if (heap.most - heap.first > MOST_HEAP) note(`${heap.most} bytes of heap, ${heap.first} before`);
  return {
    answers: answers - start,
    problems,
    series: { first: first.count, most },
    heap,
    longest: turns.longest(),
    logged,
    text: last.text,
  };
}

/** Mutations one after the other, the same for the same seed. */
function mutationsOf(seed: number): () => Mutation {
  const batch = 1_000;
  let drawn: Mutation[] = [];
  let batches = 0;
  return () => {
    if (drawn.length === 0) drawn = fc.sample(mutation, { seed: seed + batches++, numRuns: batch });
    const taken = drawn.pop();
    if (taken === undefined) throw new Error("no mutations");
    return taken;
  };
}

function configFor(nodes: number, told: ReturnType<typeof createTold>): Config {
  const config = defaultConfig();
  const ids = catalogueOf(TOPICS).endpoints.map(({ id }) => id);
  return {
    ...config,
    nodes: [
      ...Array.from({ length: nodes }, (_, index) => ({
        ...defaultNode(`node-${index}`, `http://node-${index}.test:9650`),
        // Every other node learns its network from its own answers.
        ...(index % 2 === 0 ? { network: `n${index >> 2}` } : {}),
      })),
      ...told.nodes,
    ],
    subnets: told.subnets,
    watch: { ...config.watch, validators: ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"] },
    endpoints: Object.fromEntries(ids.map((id) => [id, EVERY])),
    evm: { ...config.evm, proofProbe: true },
  };
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function errorOf(data: object): string {
  const { err, endpoint, metric, topic } = data as Readonly<Record<string, unknown>>;
  const where = [endpoint, topic, metric].filter((each) => typeof each === "string").join(" ");
  const [line = "", at = ""] = err instanceof Error ? (err.stack ?? err.message).split("\n") : [JSON.stringify(err)];
  return `${where} ${line.slice(0, 160)} ${at.trim()}`.trim();
}

function attempt(work: () => unknown, failed: (message: string) => void): void {
  try {
    work();
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
  }
}

function never(): never {
  throw new Error("no such node");
}
