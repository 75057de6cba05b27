import type { Client } from "../../api/transport/client.ts";
import { ApiError, settingsOf, type Answer } from "../../api/endpoint.ts";
import { HOSTED_ENDPOINTS, unitsPerDay } from "../../api/hosted/hosted-endpoints.ts";
import { keyHeaders } from "../../api/hosted/hosted-endpoint.ts";
import type { HostedApi, HostedEndpoint, HostedService, Priority } from "../../api/hosted/hosted-endpoint.ts";
import type { Failure } from "../../api/reasons.ts";
import { maskedUrl } from "../../api/hide-secrets.ts";
import type { Config, HostedConfig } from "../../config/config.ts";
import type { ServiceRecord } from "../../topics/exporter/hosted-record.ts";
import type { PollerState } from "../node/poller-state.ts";
import type { TopicView } from "../poll/collector.ts";
import { newlyInvalid, takeOutcome } from "../poll/take-outcome.ts";
import { isUntried, type Plan, type Poll, type PollOutcome } from "../poll/poll.ts";
import { reconcilePolls } from "../poll/reconcile-polls.ts";
import { fractionOf } from "../poll/schedule.ts";
import { endpointRecords, endpointStatus, type TargetStatus } from "../poll/status.ts";
import { tallyOf } from "../poll/poll-tally.ts";
import { type FailurePolicy, type Target, TargetState } from "../poll/target.ts";
import { Allowance, isAnswer } from "./allowance.ts";
import { logService } from "./log-service.ts";

type HostedPoll = Poll<HostedEndpoint<unknown>>;

/** What a service uses of its poller. */
type ServiceParts = Pick<PollerState, "attended" | "clock" | "connect" | "lines" | "log" | "store">;

const TITLES: Readonly<Record<HostedService, string>> = { data: "data-api", metrics: "metrics-api" };
/** Polls that run at the same time. */
const AT_ONCE = 4;
const MAX_RESPONSE = 16 * 1024 * 1024;
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

/** One hosted service: due polls are sent in the order of their urgency, as far as the budget allows. */
export class ServiceTarget extends TargetState implements Target {
  readonly service: HostedService;
  readonly named: { readonly api: HostedService };
  readonly polls = new Map<string, HostedPoll>();
  readonly policy: FailurePolicy = {
    retryAt: ({ plan: { every } }, { reason, retryAfter = 0 }, failures, now) => {
      const retry = Math.min(FIRST_RETRY * 2 ** Math.min(failures - 1, 10), every);
      const next = now + Math.max(retry, Math.min(retryAfter, LONGEST_RETRY));
      // The rate limit concerns the service, so the poll itself needs no longer wait.
      return reason === "rate_limited" ? Math.min(next, this.#allowance.pausedUntil) : next;
    },
    isMissing: ({ status }) => status === 404,
    missingAt: (_poll, now) => now + UNSUPPORTED_RETRY,
  };
  readonly #parts: ServiceParts;
  readonly #allowance: Allowance;
  /** `undefined` while the service is not configured. */
  #active: { readonly config: HostedConfig; readonly client: Client } | undefined;
  /** The configured cadences and deadlines. */
  #settings: Config["endpoints"] = {};

  constructor(service: HostedService, parts: ServiceParts) {
    super();
    this.service = service;
    this.named = { api: service };
    this.#parts = parts;
    this.#allowance = new Allowance(parts.attended);
  }

  /** Applies another configuration. The counts and the budget stay; of the same network the polls, and of the same server the pause. */
  apply(config: HostedConfig | undefined, settings: Config["endpoints"]): void {
    const { clock, store } = this.#parts;
    const now = clock.now();
    this.#settings = settings;
    if (config === undefined || (this.#active !== undefined && isElsewhere(this.#active.config, config)))
      void this.#disconnect(config?.wanted.network);
    if (config === undefined) return;
    this.#active = { config, client: this.#active?.client ?? this.#open(config) };
    this.#allowance.limit(config.budget, now);
    const { removed } = reconcilePolls(this.polls, this.#desired(config.wanted), now, () => now);
    for (const { plan } of removed) store.delete(plan.owner, plan.endpoint, plan.key);
  }

  /** Sends the requests of a poll, whose first one the gate has paid. @throws ApiError */
  async ask(poll: HostedPoll): Promise<unknown> {
    const { endpoint, key, owner } = poll.plan;
    // A service that is not configured has no polls.
    if (this.#active === undefined) throw new ApiError({ reason: "reset", message: "the service is not configured" });
    const { config, client } = this.#active;
    const { clock, store } = this.#parts;
    try {
      const last = store.last(owner, endpoint, key);
      const answer = await endpoint.ask(this.#apiOf(poll, client), key, config.wanted, last);
      this.#allowance.note(undefined, clock.now());
      return answer;
    } catch (error) {
      if (error instanceof ApiError && client === this.#active?.client)
        this.#allowance.note(error.failure, clock.now());
      throw error;
    }
  }

  /** Applies the outcome of a poll, and logs what is new in it. */
  end(poll: Poll, outcome: PollOutcome): void {
    const { clock, store, log, lines } = this.#parts;
    logService(log, lines.limit, this, poll, outcome);
    const invalid = newlyInvalid(store, poll, outcome, clock.now());
    if (invalid !== undefined) log.warn({ ...this.named, ...invalid }, "rows of an answer have invalid fields");
    takeOutcome(store, this, poll, outcome, clock.now());
  }

  /** Whether the service answered, even if with an error about the question. */
  upAfter(failure: Failure | undefined): boolean {
    return failure === undefined || isAnswer(failure);
  }

  /** New polls are sent when no page of a running one waits for the budget. */
  gate(due: readonly HostedPoll[], now: number): readonly HostedPoll[] {
    if (!this.#allowance.resume(now)) return [];
    const sent: HostedPoll[] = [];
    for (const poll of due.toSorted((a, b) => urgency(b, now) - urgency(a, now))) {
      // The first poll waits for its admission: cheaper ones behind it must not overtake it forever.
      if (this.underWay.size + sent.length >= AT_ONCE || !this.#allowance.pay(poll.plan.endpoint.units, now)) break;
      sent.push(poll);
    }
    return sent;
  }

  /** Whether no poll is running and none is sent now, because the service refused or failed. */
  isPaused(): boolean {
    return this.#allowance.pausedUntil > this.#parts.clock.now() && this.underWay.size === 0;
  }

  /** What its topics read; `undefined` while the service is not configured, as `status` and `record`. */
  view(): TopicView | undefined {
    return this.#active && viewOf(serviceKey(this.service), this.#active.config.wanted.network);
  }

  /** The service as the status page shows it. */
  status(): TargetStatus | undefined {
    if (this.#active === undefined) return undefined;
    const url = maskedUrl(this.#active.config.url);
    const endpoints = [...this.polls.values()].map(endpointStatus);
    const name = TITLES[this.service];
    return { name, hosted: true, url, network: undefined, nodeId: undefined, up: this.up, endpoints };
  }

  /** The record of the requests to the service. */
  record(): ServiceRecord | undefined {
    if (this.#active === undefined) return undefined;
    const { key, budget, wanted } = this.#active.config;
    const { pausedUntil, spent } = this.#allowance;
    const now = this.#parts.clock.now();
    const polls = [...this.polls.values()];
    return {
      service: this.service,
      up: this.up,
      ...queueOf(polls, now),
      keyAccepted: key === undefined ? undefined : isKeyAccepted(polls),
      perMinute: budget.perMinute,
      perDay: budget.perDay,
      spent,
      demand: unitsPerDay(this.service, wanted, this.#settings),
      pausedUntil: pausedUntil > now ? pausedUntil : undefined,
      endpoints: endpointRecords(polls, this.tallies, (poll) => isTruncated(this.#answerTo(poll))),
      answers: polls.flatMap((poll) => {
        const answer = this.#answerTo(poll);
        if (answer === undefined) return [];
        const { endpoint, key: query } = poll.plan;
        return [{ endpoint: endpoint.id, query, at: answer.answeredAt, truncated: isTruncated(answer) }];
      }),
    };
  }

  /** Ends the polls and the connection. */
  close(): Promise<void> {
    this.closed = true;
    return this.#disconnect(undefined);
  }

  /** One poll for each question about what is wanted. */
  #desired(wanted: HostedConfig["wanted"]): ReadonlyArray<Plan<HostedEndpoint<unknown>>> {
    return HOSTED_ENDPOINTS.filter(({ service }) => service === this.service).flatMap((endpoint) => {
      const { enabled, ...planned } = settingsOf(endpoint, this.#settings[endpoint.id]);
      const keys = new Set(enabled ? endpoint.keys(wanted) : []);
      const plan = { endpoint, owner: serviceKey(this.service), ...planned };
      return [...keys].map((key) => ({ ...plan, key, phase: fractionOf(`${endpoint.id} ${key}`) * plan.every }));
    });
  }

  #open({ url, key, keyHeader, proxyUrl, noProxy }: HostedConfig): Client {
    const { clock, connect } = this.#parts;
    const headers = keyHeaders(key, keyHeader);
    const limits = { maxResponseBytes: MAX_RESPONSE, connections: AT_ONCE };
    return connect({ url, headers, proxyUrl, noProxy, ...limits, now: () => clock.now() }, () => undefined);
  }

  #answerTo({ plan }: Pick<Poll, "plan">): Answer | undefined {
    return this.#parts.store.get(plan.owner, plan.endpoint, this.#parts.clock.now(), plan.key);
  }

  /** The API for one poll, whose first request was paid when it was admitted. */
  #apiOf({ plan: { endpoint, timeout } }: HostedPoll, client: Client): HostedApi {
    const { clock } = this.#parts;
    let isPaid = true;
    return {
      now: Math.floor(clock.now()),
      get: async (resource, parts, query = []) => {
        if (!isPaid) await this.#allowance.paid(endpoint.units, clock.now());
        isPaid = false;
        if (client !== this.#active?.client)
          throw new ApiError({ reason: "reset", message: "the configuration changed" });
        tallyOf(this.tallies, endpoint.id).requests++;
        const path = resource.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ""));
        return client.within(timeout, (api) => api.get({ ...resource, path }, query));
      },
    };
  }

  /** Ends the connection. Running polls are sent again; those of another network are dropped with their answers. */
  async #disconnect(network: string | undefined): Promise<void> {
    const { clock, store } = this.#parts;
    const { polls } = this;
    const client = this.#active?.client;
    const isSameNetwork = this.#active?.config.wanted.network === network;
    this.#active = undefined;
    this.#allowance.reset();
    Object.assign(this, { up: undefined, answeredAt: undefined, judgedAt: undefined });
    if (!isSameNetwork) {
      // Series must not show values of one network under the label of another.
      store.deleteOwner(serviceKey(this.service));
      polls.clear();
    }
    for (const { state, ...poll } of polls.values())
      if (state.wait.is === "running")
        polls.set(poll.id, { ...poll, state: { ...state, wait: { is: "due", at: clock.now() } } });
    await client?.close().catch(() => undefined);
  }
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
