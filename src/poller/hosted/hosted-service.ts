import type { Client } from "../../api/transport/client.ts";
import { ApiError, type Resource } from "../../api/endpoint.ts";
import type { HostedApi, HostedEndpoint, Query, Service, Wanted } from "../../api/hosted/hosted.ts";
import type { ServiceRecord } from "../../self/hosted-record.ts";
import { unitsPerDay } from "../../api/hosted/hosted-endpoints.ts";
import type { Failure } from "../../api/reasons.ts";
import type { EndpointSettings, HostedConfig } from "../../config/config.ts";
import { newBudget, limited, refilled, take, waitFor, type Budget } from "./budget.ts";
import type { Clock } from "../../runtime/clock.ts";
import { recordOf } from "./hosted-account.ts";
import { isExpired } from "../grid.ts";
import {
  newQuestion,
  noteFailure,
  noteSuccess,
  questionId,
  urgency,
  type HostedTally,
  type Question,
} from "./hosted-question.ts";

/** What a service's work brings: an answer, a failure, or an answer that grew too old. */
export type ServiceEvents = {
  readonly answered: (question: Question, value: unknown, askedAt: number) => void;
  readonly failed: (question: Question, failure: Failure, seconds: number, defect: unknown) => void;
  readonly expired: (question: Question) => void;
};

export type HostedService = {
  readonly service: Service;
  readonly questions: ReadonlyMap<string, Question>;
  /** Takes another configuration; the budget, the pause and what is known of unchanged questions stay. */
  readonly apply: (config: HostedConfig, settings: Settings) => readonly Question[];
  /** Sends what is due and affordable. To be called once a second. */
  readonly tick: () => void;
  readonly record: () => ServiceRecord;
  /** What is left of the budget, for whoever asks the same service after this one. */
  readonly budget: () => Budget | undefined;
  readonly url: () => string;
  readonly up: () => boolean | undefined;
  readonly close: () => Promise<void>;
};

type Settings = Readonly<Record<string, EndpointSettings>>;

/** Requests under way at the same time. */
const AT_ONCE = 4;
/** Seconds to wait after a 429 that does not say how long, and after failures in a row of the service itself; doubled each time. */
const FIRST_PAUSE = 60;
const LONGEST_PAUSE = 900;
/** So many failures of the service in a row mean that it is out of order. */
const PATIENCE = 5;

/**
 * Asks one hosted service: what is due, the most urgent first, within the budget.
 * @param left what was left of the budget when the service was asked before; default: that of a start
 */
export function createHostedService(
  service: Service,
  endpoints: ReadonlyArray<HostedEndpoint<unknown>>,
  clock: Clock,
  connect: (config: HostedConfig) => Client,
  events: ServiceEvents,
  left?: Budget,
): HostedService {
  const questions = new Map<string, Question>();
  const tallies = new Map<string, HostedTally>();
  /** Questions under way, also those that were planned away meanwhile: planned again, they wait for that end. */
  const underWay = new Set<string>();
  /** Pages of polls under way that wait for the budget; before any new poll. */
  const waiting: Array<{ readonly units: number; readonly go: () => void }> = [];
  let config: HostedConfig | undefined;
  let settings: Settings = {};
  let client: Client | undefined;
  let budget = left;
  let pausedUntil = 0;
  let pauses = 0;
  let troubles = 0;
  let up: boolean | undefined;

  /** True when the units were taken. */
  function pay(units: number): boolean {
    if (budget === undefined || clock.now() < pausedUntil) return false;
    budget = refilled(budget, clock.now());
    if (waitFor(budget, units) > 0) return false;
    budget = take(budget, units);
    return true;
  }

  function paid(units: number): Promise<void> {
    if (waiting.length === 0 && pay(units)) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    waiting.push({ units, go: () => resolve(undefined) });
    return promise;
  }

  function apiOf(question: Question, from: Client, firstIsPaid: boolean): HostedApi {
    let isPaid = firstIsPaid;
    const { endpoint } = question;
    return {
      now: Math.floor(clock.now()),
      async get<R>(resource: Resource<R>, parts: Readonly<Record<string, string>>, query: Query = []): Promise<R> {
        if (!isPaid) await paid(endpoint.units);
        isPaid = false;
        if (from !== client) throw new ApiError({ reason: "reset", message: "the configuration changed" });
        tally(endpoint.id).requests++;
        const path = resource.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ""));
        return from.within(question.timeout, (api) => api.get({ ...resource, path }, query));
      },
    };
  }

  function tally(id: string): HostedTally {
    const known = tallies.get(id) ?? { requests: 0, failures: new Map() };
    tallies.set(id, known);
    return known;
  }

  async function ask(question: Question, wanted: Wanted, from: Client): Promise<void> {
    const askedAt = clock.now();
    const id = questionId(question.endpoint.id, question.key);
    question.running = true;
    underWay.add(id);
    let end: { readonly value: unknown } | { readonly failure: Failure; readonly defect?: unknown };
    try {
      const { endpoint, key, previous } = question;
      end = { value: await endpoint.fetch(apiOf(question, from, true), key, wanted, previous) };
    } catch (error) {
      end =
        error instanceof ApiError
          ? { failure: masked(error.failure) }
          : {
              failure: { reason: "internal", message: "a defect of the exporter; its log has the details" },
              defect: error,
            };
    }
    underWay.delete(id);
    question.running = false;
    if (question.removed || from !== client) {
      // What a changed configuration left behind is asked anew, and nothing of it is shown.
      question.next = clock.now();
      return;
    }
    if ("value" in end) succeeded(question, end.value, askedAt);
    else fail(question, end.failure, clock.now() - askedAt, end.defect);
    tick();
  }

  function succeeded(question: Question, value: unknown, askedAt: number): void {
    up = true;
    troubles = 0;
    pauses = 0;
    noteSuccess(question, value as { truncated?: boolean }, clock.now());
    events.answered(question, value, askedAt);
  }

  function fail(question: Question, failure: Failure, seconds: number, defect: unknown): void {
    const now = clock.now();
    noteFailure(question, failure, now);
    if (!question.unsupported) {
      const { failures } = tally(question.endpoint.id);
      failures.set(failure.reason, (failures.get(failure.reason) ?? 0) + 1);
    }
    const own = isAnswer(failure);
    up = own;
    if (failure.reason === "rate_limited" || failure.status === 401) pause(failure.retryAfter);
    else if (own) troubles = 0;
    else if (++troubles >= PATIENCE) pause(failure.retryAfter);
    // The service made us wait; the question itself is not to blame.
    if (failure.reason === "rate_limited") question.next = Math.min(question.next, pausedUntil);
    events.failed(question, failure, seconds, defect);
    if (isTooOld(question, now)) drop(question);
  }

  function pause(retryAfter: number | undefined): void {
    // Others that were under way say the same again: one pause for all of them.
    if (retryAfter === undefined && clock.now() < pausedUntil) return;
    const wait = Math.min(FIRST_PAUSE * 2 ** Math.min(pauses++, 10), LONGEST_PAUSE);
    pausedUntil = Math.max(pausedUntil, clock.now() + Math.max(retryAfter ?? wait, 1));
  }

  /** A service that repeats what it was sent must not put the key on a page. */
  function masked(failure: Failure): Failure {
    const key = config?.key;
    return key === undefined ? failure : { ...failure, message: failure.message.replaceAll(key, "<secret>") };
  }

  function isTooOld({ heldSince, every, timeout, failures }: Question, now: number): boolean {
    return heldSince !== undefined && isExpired(heldSince, now, every, timeout, failures);
  }

  function drop(question: Question): void {
    question.heldSince = undefined;
    events.expired(question);
  }

  /** Sends the pages that wait, then new polls, as far as the budget and the number of sockets reach. */
  function send(now: number): void {
    for (let page = waiting[0]; page !== undefined && pay(page.units); page = waiting[0]) {
      waiting.shift();
      page.go();
    }
    if (waiting.length > 0 || client === undefined || config === undefined) return;
    const due = [...questions].filter(([id, { next }]) => !underWay.has(id) && next <= now).map(([, each]) => each);
    due.sort((a, b) => urgency(b, now) - urgency(a, now));
    for (const question of due) {
      // The most urgent one waits until it can be paid: a cheaper one behind it must not take its units for ever.
      if (underWay.size >= AT_ONCE || !pay(question.endpoint.units)) return;
      void ask(question, config.wanted, client);
    }
  }

  function tick(): void {
    const now = clock.now();
    send(now);
    for (const question of questions.values()) if (isTooOld(question, now)) drop(question);
  }

  function replan(next: HostedConfig): readonly Question[] {
    const now = clock.now();
    const wanted = new Set<string>();
    for (const endpoint of endpoints) {
      const {
        every = endpoint.every,
        timeout = endpoint.timeout,
        enabled = endpoint.enabled ?? true,
      } = settings[endpoint.id] ?? {};
      for (const key of enabled ? new Set(endpoint.questions(next.wanted)) : []) {
        const id = questionId(endpoint.id, key);
        wanted.add(id);
        const known = questions.get(id);
        if (known === undefined) questions.set(id, newQuestion(endpoint, key, { every, timeout }, now));
        else {
          if (known.every > every) known.next = Math.min(known.next, now + every);
          Object.assign(known, { every, timeout });
        }
      }
    }
    const removed = [...questions]
      .filter(([id]) => !wanted.has(id))
      .map(([id, question]) => {
        questions.delete(id);
        question.removed = true;
        return question;
      });
    return removed;
  }

  return {
    service,
    questions,
    apply(next, nextSettings) {
      const now = clock.now();
      const before = config;
      config = next;
      settings = nextSettings;
      budget = budget === undefined ? newBudget(next.budget, now) : limited(budget, next.budget, now);
      if (client === undefined || before === undefined || isElsewhere(before, next)) {
        void client?.close().catch(() => undefined);
        client = connect(next);
        for (const { go } of waiting.splice(0)) go();
        up = undefined;
        // Another key or address: what the old one was told to wait for is over.
        pausedUntil = 0;
        pauses = 0;
      }
      return replan(next);
    },
    tick,
    budget: () => budget,
    url: () => config?.url ?? "",
    up: () => up,
    record: () =>
      recordOf(service, [...questions.values()], tallies, clock.now(), {
        up,
        hasKey: config?.key !== undefined,
        perMinute: config?.budget.perMinute ?? 0,
        perDay: config?.budget.perDay ?? 0,
        spent: budget?.spent ?? 0,
        demand: config === undefined ? 0 : unitsPerDay(service, config.wanted, settings),
        pausedUntil: pausedUntil > clock.now() ? pausedUntil : undefined,
      }),
    async close() {
      const last = client;
      client = undefined;
      for (const { go } of waiting.splice(0)) go();
      for (const question of questions.values()) question.removed = true;
      await last?.close().catch(() => undefined);
    },
  };
}

/** The service is well and this question is not: an answer about the question, or one that cannot be understood. */
function isAnswer({ reason, status }: Failure): boolean {
  return reason === "schema" || reason === "internal" || (status !== undefined && status < 500 && status !== 429);
}

function isElsewhere(a: HostedConfig, b: HostedConfig): boolean {
  return a.url !== b.url || a.key !== b.key || a.keyHeader !== b.keyHeader || a.wanted.network !== b.wanted.network;
}
