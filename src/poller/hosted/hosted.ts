import { createClient, type Client } from "../../api/transport/client.ts";
import type { Connection } from "../../api/transport/connection.ts";
import type { Subject } from "../../api/endpoint.ts";
import { SERVICES, type Service } from "../../api/hosted/hosted.ts";
import { HOSTED_ENDPOINTS } from "../../api/hosted/hosted-endpoints.ts";
import { HostedRecords, type HostedRecord } from "../../self/hosted-record.ts";
import type { Config, HostedConfig } from "../../config/config.ts";
import { DEFAULT_EVM } from "../../config/default-config.ts";
import type { Exposition } from "../../exposition/exposition.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Topic } from "../../catalogue/metric.ts";
import type { Budget } from "./budget.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log, PollEvents } from "../../runtime/events.ts";
import { createHostedService, type HostedService, type ServiceEvents } from "./hosted-service.ts";
import type { Question } from "./hosted-question.ts";
import { createReader, type Place } from "../reader.ts";
import type { EndpointStatus, TargetStatus } from "../status.ts";
import { createStore } from "../store.ts";

export type HostedPollerOptions = {
  readonly catalogue: Catalogue;
  readonly exposition: Exposition;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: PollEvents;
  /** Replaced in tests. */
  readonly connect?: (connection: Connection) => Client;
  /** Seconds between two readings of what changed, default 15: what is asked every few minutes need not be shown at once. */
  readonly shownEvery?: number;
};

/** Polls the hosted services beside the engine that polls the nodes. */
export type HostedPoller = {
  readonly apply: (config: Config) => void;
  /** To be called once a second. */
  readonly tick: () => void;
  /** The services as the status page shows targets. */
  readonly status: () => readonly TargetStatus[];
  readonly record: () => HostedRecord;
  /** Resolves when every question has been tried once. */
  readonly firstRound: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const MAX_RESPONSE = 16 * 1024 * 1024;
const CONNECTIONS = 4;
/** Seconds. */
const HOUR = 3600;
const TITLES: Readonly<Record<Service, string>> = { data: "data-api", metrics: "metrics-api" };

export function createHostedPoller(options: HostedPollerOptions): HostedPoller {
  const { catalogue, exposition, clock, log, events, connect = createClient, shownEvery = 15 } = options;
  const store = createStore();
  const reader = createReader(
    store,
    exposition,
    {
      failed(topic, metric, error) {
        log.error({ topic, metric, err: error }, "metric is defective");
        events.readFailed(topic);
      },
      duplicates: events.duplicates,
    },
    clock,
  );
  const services = new Map<Service, HostedService>();
  /** What was left for services that are not asked any more: a configuration that takes them up again spends from it. */
  const budgets = new Map<Service, Budget>();
  const places = new Map<Service, Place>(SERVICES.map((service) => [service, placeOf(service, "")]));
  const own: Place = { subject: subjectOf(""), target: "hosted record", ownerOf: () => "hosted record" };
  const waiting: Array<() => void> = [];
  const unread = new Map<Service, Set<Topic>>();
  let names: HostedRecord["names"] = new Map();
  let appliedAt = -Infinity;
  let shownAt = -Infinity;
  let hour = Math.floor(clock.now() / HOUR);

  /** What an endpoint's answers concern is to be read again. */
  function touch(service: Service, endpoint: string): void {
    const topics = unread.get(service) ?? new Set<Topic>();
    unread.set(service, topics);
    for (const topic of catalogue.topicsByEndpoint.get(endpoint) ?? []) topics.add(topic);
  }

  /** Drops what does not hold any more of the answers at hand, at each full hour. */
  function outdate(now: number): void {
    if (Math.floor(now / HOUR) === hour) return;
    hour = Math.floor(now / HOUR);
    for (const endpoint of HOSTED_ENDPOINTS) {
      const owner = ownerOf(endpoint.service);
      for (const [key, answer] of store.of(owner, endpoint.id) ?? []) {
        const value = endpoint.still?.(answer.value, key, now);
        if (value === undefined || value === answer.value) continue;
        store.put(owner, endpoint.id, key, { ...answer, value });
        touch(endpoint.service, endpoint.id);
      }
    }
  }

  /** Reads what changed. Answers come one by one and a topic holds those of many chains: together they are read once. */
  function show(now: number): void {
    shownAt = now;
    for (const [service, topics] of unread) {
      const place = places.get(service);
      if (place !== undefined && services.has(service)) for (const topic of topics) reader.read(topic, place, true);
    }
    unread.clear();
    showRecord(now);
  }

  function create(service: Service): HostedService {
    const endpoints = HOSTED_ENDPOINTS.filter((endpoint) => endpoint.service === service);
    const connected = (config: HostedConfig) => connect(connectionOf(config));
    return createHostedService(service, endpoints, clock, connected, eventsOf(service), budgets.get(service));
  }

  function eventsOf(service: Service): ServiceEvents {
    const owner = ownerOf(service);
    return {
      answered({ endpoint, key }, value, askedAt) {
        const answeredAt = clock.now();
        events.polled(endpoint.id, answeredAt - askedAt, undefined);
        store.put(owner, endpoint.id, key, { value, askedAt, answeredAt });
        touch(service, endpoint.id);
        announce();
      },
      failed({ endpoint, key }, failure, seconds, defect) {
        events.polled(endpoint.id, seconds, failure);
        const about = { api: service, endpoint: endpoint.id, key, reason: failure.reason, error: failure.message };
        if (defect !== undefined) log.error({ ...about, err: defect }, "endpoint is defective");
        else log.debug(about, "poll failed");
        announce();
      },
      expired({ endpoint, key }) {
        if (store.delete(owner, endpoint.id, key)) touch(service, endpoint.id);
      },
    };
  }

  function showRecord(now: number): void {
    const value: HostedRecord = record();
    const owner = "hosted record";
    if (value.services.length === 0) store.deleteOwner(owner);
    else store.put(owner, HostedRecords.id, "", { value, askedAt: now, answeredAt: now });
    for (const topic of catalogue.topicsByEndpoint.get(HostedRecords.id) ?? []) reader.read(topic, own, true);
  }

  const record = (): HostedRecord => ({ services: [...services.values()].map((each) => each.record()), names });

  function isRoundComplete(): boolean {
    return [...services.values()].every(({ questions }) =>
      [...questions.values()].every(({ lastAttempt }) => lastAttempt !== undefined),
    );
  }

  function announce(): void {
    if (waiting.length === 0 || !isRoundComplete()) return;
    show(clock.now());
    for (const resolve of waiting.splice(0)) resolve();
  }

  function stop(service: Service): void {
    const budget = services.get(service)?.budget();
    if (budget !== undefined) budgets.set(service, budget);
    void services.get(service)?.close();
    services.delete(service);
    store.deleteOwner(ownerOf(service));
    reader.forget(ownerOf(service));
    unread.delete(service);
  }

  return {
    apply(config) {
      appliedAt = clock.now();
      names = config.dataApi?.wanted.names ?? new Map();
      for (const service of SERVICES) {
        const wanted = service === "data" ? config.dataApi : config.metricsApi;
        if (wanted === undefined) {
          if (services.has(service)) stop(service);
          continue;
        }
        const known = services.get(service) ?? create(service);
        services.set(service, known);
        const before = places.get(service)?.subject.network;
        if (before !== wanted.wanted.network) {
          // Figures of one network must not stand under the name of another.
          store.deleteOwner(ownerOf(service));
          reader.forget(ownerOf(service));
          for (const question of known.questions.values()) {
            Object.assign(question, { previous: undefined, heldSince: undefined, next: clock.now() });
          }
        }
        places.set(service, placeOf(service, wanted.wanted.network));
        for (const { endpoint, key } of known.apply(wanted, config.endpoints)) {
          store.delete(ownerOf(service), endpoint.id, key);
          touch(service, endpoint.id);
        }
      }
      show(clock.now());
      announce();
    },
    tick() {
      for (const service of services.values()) service.tick();
      const now = clock.now();
      outdate(now);
      // Soon after a start or a reload, then ever more seldom.
      if (now - shownAt >= Math.min(shownEvery, Math.max(1, shownAt - appliedAt))) show(now);
    },
    status: () => [...services.values()].map(targetOf),
    record,
    firstRound() {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      waiting.push(() => resolve(undefined));
      announce();
      return promise;
    },
    async close() {
      await Promise.all([...services.values()].map((service) => service.close()));
    },
  };
}

/** Store owner and place in the exposition of a service. */
const ownerOf = (service: Service): string => `hosted ${service}`;

function placeOf(service: Service, network: string): Place {
  return { subject: subjectOf(network), target: ownerOf(service), ownerOf: () => ownerOf(service) };
}

/** A hosted topic reads nothing of a node; of its subject the network alone is meant. */
function subjectOf(network: string): Subject {
  return {
    node: "",
    network,
    nodeId: undefined,
    chains: [],
    subnets: [],
    watch: [],
    networkSubnets: [],
    watchNetwork: [],
    watchConfigured: [],
    addresses: [],
    evmChains: [],
    evm: DEFAULT_EVM,
    aliases: [],
    healthTransport: "get",
    dialect: "auto",
    labels: {},
  };
}

function connectionOf({ url, key, keyHeader }: HostedConfig): Connection {
  return {
    url,
    headers: key === undefined ? {} : { [keyHeader]: key },
    maxResponseBytes: MAX_RESPONSE,
    connections: CONNECTIONS,
  };
}

function targetOf(service: HostedService): TargetStatus {
  return {
    name: TITLES[service.service],
    url: service.url(),
    network: undefined,
    nodeId: undefined,
    up: service.up(),
    endpoints: [...service.questions.values()].map(statusOf),
  };
}

function statusOf(question: Question): EndpointStatus {
  const { endpoint, key, lastAttempt, unsupported, error } = question;
  return {
    id: endpoint.id,
    key,
    state: lastAttempt === undefined ? "waiting" : unsupported ? "unsupported" : error === undefined ? "ok" : "failing",
    every: question.every,
    lastAttempt,
    lastSuccess: question.lastSuccess,
    next: question.next,
    failures: question.failures,
    error,
  };
}
