import type { Client, Connect } from "../../api/transport/client.ts";
import { ApiError, settingsOf, type Answer, type Resource } from "../../api/endpoint.ts";
import { HOSTED_ENDPOINTS, unitsPerDay } from "../../api/hosted/hosted-endpoints.ts";
import {
  keyHeaders,
  type HostedApi,
  type HostedEndpoint,
  type Priority,
  type SearchParameters,
  type HostedService,
} from "../../api/hosted/hosted.ts";
import type { Failure } from "../../api/reasons.ts";
import { maskedUrl } from "../../api/secrets.ts";
import type { Config, HostedConfig } from "../../config/config.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { ServiceRecord } from "../../topics/exporter/hosted-record.ts";
import {
  tallyOf,
  type Plan,
  type Poll,
  isUntried,
  reconcilePolls,
  unpolled,
  type FailurePolicy,
  type Target,
} from "../poll/poll.ts";
import type { TopicView } from "../poll/collect.ts";
import { fractionOf } from "../poll/schedule.ts";
import { endpointRecords, endpointStatus, type TargetStatus } from "../poll/status.ts";
import type { Store } from "../poll/store.ts";
import { newBudget, refilled, take, type Budget } from "./budget.ts";

type HostedPoll = Poll<HostedEndpoint<unknown>>;

/** One hosted service: due polls are sent in the order of their urgency, as far as the budget allows. */
export type ServiceTarget = Target & {
  readonly service: HostedService;
  readonly polls: Map<string, HostedPoll>;
  /** These are `undefined` while the service is not configured. */
  readonly view: () => TopicView | undefined;
  readonly record: () => ServiceRecord | undefined;
  readonly status: () => TargetStatus | undefined;
  /** Applies another configuration. The counts and the budget stay; of the same network the polls, and of the same server the pause. */
  readonly apply: (config: HostedConfig | undefined, endpoints: Config["endpoints"]) => void;
  /** Whether no poll is running and none is sent now, because the service refused or failed. */
  readonly isPaused: () => boolean;
  readonly close: () => Promise<void>;
};

const TITLES: Readonly<Record<HostedService, string>> = { data: "data-api", metrics: "metrics-api" };
/** Polls that run at the same time. */
const AT_ONCE = 4;
const MAX_RESPONSE = 16 * 1024 * 1024;
/** Seconds to pause after a 429 without Retry-After, or after `PATIENCE` failures of the service; doubled each time. */
const FIRST_PAUSE = 60;
const LONGEST_PAUSE = 900;
/** Failures of the service in a row after which polls pause. */
const PATIENCE = 5;
/** Seconds until a failed poll is retried: sooner than its cadence, doubled after each failure. */
const FIRST_RETRY = 60;
/** Upper bound of Retry-After for one poll. Seconds. */
const LONGEST_RETRY = 3600;
/** Seconds until an optional endpoint that the service does not have is polled again. */
const UNSUPPORTED_RETRY = 86_400;

/** Store owner and exposition target of a service. */
export const serviceKey = (service: HostedService): string => `hosted ${service}`;

/** What the topics of a hosted service read. */
export function viewOf(owner: string, network: string): TopicView {
  return { facts: { network }, target: owner, ownerOf: () => owner };
}

export function createServiceTarget(
  service: HostedService,
  clock: Clock,
  store: Store,
  connect: Connect,
): ServiceTarget {
  const polls = new Map<string, HostedPoll>();
  /** Pages of running polls that wait for the budget; they go before any new poll. */
  const waiting: Array<{ readonly units: number; readonly go: () => void }> = [];
  let active: { readonly config: HostedConfig; readonly client: Client } | undefined;
  let settings: Config["endpoints"] = {};
  let budget: Budget | undefined;
  let pausedUntil = 0;
  let pauses = 0;
  let troubles = 0;

  /** One poll for each question about what is wanted. */
  function desired(wanted: HostedConfig["wanted"]): ReadonlyArray<Plan<HostedEndpoint<unknown>>> {
    return HOSTED_ENDPOINTS.filter((endpoint) => endpoint.service === service).flatMap((endpoint) => {
      const { enabled, ...planned } = settingsOf(endpoint, settings[endpoint.id]);
      const keys = new Set(enabled ? endpoint.keys(wanted) : []);
      const plan = { endpoint, owner: serviceKey(service), ...planned };
      return [...keys].map((key) => ({ ...plan, key, phase: fractionOf(`${endpoint.id} ${key}`) * plan.every }));
    });
  }

  function open({ url, key, keyHeader, proxyUrl, noProxy }: HostedConfig): Client {
    const headers = keyHeaders(key, keyHeader);
    const limits = { maxResponseBytes: MAX_RESPONSE, connections: AT_ONCE };
    return connect({ url, headers, proxyUrl, noProxy, ...limits, now: () => clock.now() }, () => undefined);
  }

  /** Takes units; false when the budget or a pause does not allow it. */
  function pay(units: number): boolean {
    if (budget === undefined || clock.now() < pausedUntil) return false;
    budget = refilled(budget, clock.now());
    const left = take(budget, units);
    budget = left ?? budget;
    return left !== undefined;
  }

  function paid(units: number): Promise<void> {
    if (waiting.length === 0 && pay(units)) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    waiting.push({ units, go: () => resolve(undefined) });
    return promise;
  }

  /** The API for one poll, whose first request was paid when it was admitted. */
  function apiOf({ plan: { endpoint, timeout } }: HostedPoll, client: Client): HostedApi {
    let isPaid = true;
    return {
      now: Math.floor(clock.now()),
      async get<R>(
        resource: Resource<R>,
        parts: Readonly<Record<string, string>>,
        query: SearchParameters = [],
      ): Promise<R> {
        if (!isPaid) await paid(endpoint.units);
        isPaid = false;
        if (client !== active?.client) throw new ApiError({ reason: "reset", message: "the configuration changed" });
        tallyOf(target.tallies, endpoint.id).requests++;
        const path = resource.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ""));
        return client.within(timeout, (api) => api.get({ ...resource, path }, query));
      },
    };
  }

  async function ask(poll: HostedPoll): Promise<unknown> {
    const { endpoint, key, owner } = poll.plan;
    // A service that is not configured has no polls.
    if (active === undefined) throw new ApiError({ reason: "reset", message: "the service is not configured" });
    const { config, client } = active;
    try {
      const answer = await endpoint.ask(apiOf(poll, client), key, config.wanted, store.last(owner, endpoint, key));
      [troubles, pauses] = [0, 0];
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (client === active?.client) judge(error.failure);
      throw error;
    }
  }

  function pause(retryAfter: number | undefined): void {
    // Concurrent polls fail alike: one pause for all of them.
    if (retryAfter === undefined && clock.now() < pausedUntil) return;
    const wait = Math.min(FIRST_PAUSE * 2 ** Math.min(pauses++, 10), LONGEST_PAUSE);
    pausedUntil = Math.max(pausedUntil, clock.now() + Math.max(retryAfter ?? wait, 1));
  }

  /** Pauses the polls if a failure concerns the whole service. */
  function judge(failure: Failure): void {
    const { reason, status, retryAfter } = failure;
    if (reason === "rate_limited") pause(retryAfter);
    // One HTTP 401 is of an endpoint that needs a key; only where nothing else answers, the service refuses the key itself.
    else if (isAnswer(failure) && status !== 401) troubles = 0;
    else if (++troubles >= PATIENCE) pause(retryAfter);
  }

  /** Ends the connection. Running polls are sent again; those of another network are dropped with their answers. */
  async function disconnect(network: string | undefined): Promise<void> {
    const client = active?.client;
    const isSameNetwork = active?.config.wanted.network === network;
    active = undefined;
    for (const { go } of waiting.splice(0)) go();
    [pausedUntil, pauses, troubles] = [0, 0, 0];
    Object.assign(target, { up: undefined, answeredAt: undefined, judgedAt: undefined });
    if (!isSameNetwork) {
      // Series must not show values of one network under the label of another.
      store.deleteOwner(serviceKey(service));
      polls.clear();
    }
    for (const { state, ...poll } of polls.values())
      if (state.wait.is === "running")
        polls.set(poll.id, { ...poll, state: { ...state, wait: { is: "due", at: clock.now() } } });
    await client?.close().catch(() => undefined);
  }

  const policy: FailurePolicy = {
    retryAt({ plan: { every } }, { reason, retryAfter = 0 }, failures, now) {
      const retry = Math.min(FIRST_RETRY * 2 ** Math.min(failures - 1, 10), every);
      const next = now + Math.max(retry, Math.min(retryAfter, LONGEST_RETRY));
      // The rate limit concerns the service, so the poll itself needs no longer wait.
      return reason === "rate_limited" ? Math.min(next, pausedUntil) : next;
    },
    isMissing: ({ status }) => status === 404,
    missingAt: (_poll, now) => now + UNSUPPORTED_RETRY,
  };

  const answerTo = ({ plan }: Pick<Poll, "plan">): Answer | undefined =>
    store.get(plan.owner, plan.endpoint, clock.now(), plan.key);

  /** Continues running polls that wait for the budget; new polls are sent when none of them still waits. */
  function gate(due: readonly Poll[], now: number): readonly Poll[] {
    for (let page = waiting[0]; page !== undefined && pay(page.units); page = waiting[0]) {
      waiting.shift();
      page.go();
    }
    if (waiting.length > 0) return [];
    const sent: HostedPoll[] = [];
    for (const poll of (due as readonly HostedPoll[]).toSorted((a, b) => urgency(b, now) - urgency(a, now))) {
      // The first poll waits for its admission: cheaper ones behind it must not overtake it forever.
      if (target.underWay.size + sent.length >= AT_ONCE || !pay(poll.plan.endpoint.units)) break;
      sent.push(poll);
    }
    return sent;
  }

  const target: ServiceTarget = {
    ...unpolled(),
    service,
    named: { api: service },
    polls,
    policy,
    gate,
    ask,
    upAfter: (failure) => failure === undefined || isAnswer(failure),
    view: () => active && viewOf(serviceKey(service), active.config.wanted.network),
    apply(config, nextSettings) {
      const now = clock.now();
      settings = nextSettings;
      if (config === undefined || (active !== undefined && isElsewhere(active.config, config)))
        void disconnect(config?.wanted.network);
      if (config === undefined) return;
      active = { config, client: active?.client ?? open(config) };
      budget = refilled(budget ?? newBudget(config.budget, now), now, config.budget);
      const { removed } = reconcilePolls(polls, desired(config.wanted), now, () => now);
      for (const { plan } of removed) store.delete(plan.owner, plan.endpoint, plan.key);
    },
    isPaused: () => pausedUntil > clock.now() && target.underWay.size === 0,
    status: () =>
      active && {
        name: TITLES[service],
        hosted: true,
        url: maskedUrl(active.config.url),
        network: undefined,
        nodeId: undefined,
        up: target.up,
        endpoints: [...polls.values()].map(endpointStatus),
      },
    record: () =>
      active && {
        service,
        up: target.up,
        ...queueOf([...polls.values()], clock.now()),
        keyAccepted: active.config.key === undefined ? undefined : isKeyAccepted(polls.values()),
        perMinute: active.config.budget.perMinute,
        perDay: active.config.budget.perDay,
        spent: budget?.spent ?? 0,
        demand: unitsPerDay(service, active.config.wanted, settings),
        pausedUntil: pausedUntil > clock.now() ? pausedUntil : undefined,
        endpoints: endpointRecords(polls.values(), target.tallies, (poll) => isTruncated(answerTo(poll))),
        answers: [...polls.values()].flatMap((poll) => {
          const answer = answerTo(poll);
          if (answer === undefined) return [];
          const { endpoint, key: query } = poll.plan;
          return [{ endpoint: endpoint.id, query, at: answer.answeredAt, truncated: isTruncated(answer) }];
        }),
      },
    close() {
      target.closed = true;
      return disconnect(undefined);
    },
  };
  return target;
}

/** Whether another key, address, proxy or network needs another connection. */
function isElsewhere(a: HostedConfig, b: HostedConfig): boolean {
  const isOther = (["url", "key", "keyHeader", "proxyUrl", "noProxy"] as const).some(
    (option) => a[option] !== b[option],
  );
  return isOther || a.wanted.network !== b.wanted.network;
}

/** Whether more pages followed an answer than the configuration allows to read. */
function isTruncated(answer: Answer | undefined): boolean {
  const value = answer?.value;
  return typeof value === "object" && value !== null && "truncated" in value && value.truncated === true;
}

/** The number of due polls that wait, and the largest lateness among them, in intervals. */
function queueOf(polls: readonly HostedPoll[], now: number): Pick<ServiceRecord, "postponed" | "overdue"> {
  const due = polls.filter(({ state: { wait } }) => wait.is === "due" && wait.at < now - 1);
  return { postponed: due.length, overdue: due.reduce((most, each) => Math.max(most, lateness(each, now)), 0) };
}

function isKeyAccepted(polls: Iterable<HostedPoll>): boolean | undefined {
  const tried = [...polls].filter(({ state }) => !isUntried(state));
  const isRefused = ({ state: { last } }: HostedPoll): boolean =>
    last.is === "failing" && last.failure.reason === "unauthorized";
  return tried.length === 0 ? undefined : !tried.some(isRefused);
}

/** Whether only the question failed: the service answered with an error about it, or with an answer that cannot be read. */
function isAnswer({ reason, status }: Failure): boolean {
  return reason === "schema" || reason === "internal" || (status !== undefined && status < 500 && status !== 429);
}

/** The advantage of each priority over lower ones, in intervals of lateness. */
const HEAD_START: Readonly<Record<Priority, number>> = { 1: 0.6, 2: 0.4, 3: 0.2, 4: 0 };
/** Additional urgency of a poll that was never sent, and the factor of its head start. */
const NEVER_SENT = 1;
const FIRST_FACTOR = 5;

/** How late a poll is, in its own intervals. */
function lateness({ plan: { every }, state: { wait } }: HostedPoll, now: number): number {
  return wait.is === "due" ? Math.max(0, now - wait.at) / every : 0;
}

/** The urgency of a poll; the largest goes first. Only lateness grows without bound, so no poll waits forever. */
function urgency(poll: HostedPoll, now: number): number {
  const start = HEAD_START[poll.plan.endpoint.priority];
  return lateness(poll, now) + (isUntried(poll.state) ? NEVER_SENT + FIRST_FACTOR * start : start);
}
