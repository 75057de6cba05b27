import type { Connect } from "../../api/transport/client.ts";
import type { Connection } from "../../api/transport/connection.ts";
import { HOSTED_ENDPOINTS } from "../../api/hosted/hosted-endpoints.ts";
import { SERVICES, type Service } from "../../api/hosted/hosted.ts";
import type { Catalogue } from "../../topics/define/catalogue.ts";
import type { Topic } from "../../topics/define/topic.ts";
import type { Config, HostedConfig } from "../../config/config.ts";
import type { Clock } from "../../runtime/clock.ts";
import { HostedRecords, type HostedRecord } from "../../topics/exporter/hosted-record.ts";
import type { Outcome, Poll } from "../poll/poll.ts";
import type { Reader, View } from "../poll/reader.ts";
import type { Store } from "../poll/store.ts";
import { expire, isRoundComplete, takeOutcome } from "../poll/target.ts";
import type { Budget } from "./budget.ts";
import { createServiceTarget, serviceKey, type ServiceTarget } from "./service-target.ts";

type ServicesOptions = {
  readonly catalogue: Catalogue;
  readonly store: Store;
  readonly reader: Reader;
  readonly clock: Clock;
  readonly connect: Connect;
  /** Seconds between two publications: data that is polled every few minutes need not appear at once. */
  readonly publishEvery: number;
};

const MAX_RESPONSE = 16 * 1024 * 1024;
const CONNECTIONS = 4;
/** Seconds. */
const HOUR = 3600;
/** Store owner and exposition target of the record of the services. */
const RECORD = "hosted record";

/** The hosted services as targets of the poller, and the publication of their answers. */
export function createServices({ catalogue, store, reader, clock, connect, publishEvery }: ServicesOptions) {
  const targets = new Map<Service, ServiceTarget>();
  /** Remaining budgets of removed services, for a configuration that adds them again. */
  const budgets = new Map<Service, Budget>();
  const networks = new Map<Service, string>();
  const unread = new Map<Service, Set<Topic>>();
  let names: HostedRecord["names"] = new Map();
  let appliedAt = -Infinity;
  let publishedAt = -Infinity;
  let hour = Math.floor(clock.now() / HOUR);

  /** Marks the topics that use an endpoint for the next publication. */
  function touch(service: Service, endpoint: string): void {
    const topics = unread.get(service) ?? new Set<Topic>();
    unread.set(service, topics);
    for (const topic of catalogue.topicsBySource.get(endpoint) ?? []) topics.add(topic);
  }

  /** Drops outdated parts of the stored answers at each full hour. */
  function outdate(now: number): void {
    if (Math.floor(now / HOUR) === hour) return;
    hour = Math.floor(now / HOUR);
    for (const endpoint of HOSTED_ENDPOINTS) {
      const owner = serviceKey(endpoint.service);
      for (const [key, answer] of store.all(owner, endpoint) ?? []) {
        const value = endpoint.still?.(answer.value, key, now);
        if (value === undefined || value === answer.value) continue;
        store.put(owner, endpoint, key, { ...answer, value });
        touch(endpoint.service, endpoint.id);
      }
    }
  }

  /** Reads the topics with changes. A topic covers many chains whose answers arrive one by one: it is read once for all. */
  function publish(): void {
    publishedAt = clock.now();
    for (const [service, topics] of unread) {
      const target = targets.get(service);
      if (target === undefined) continue;
      const view = viewOf(serviceKey(service), networks.get(service) ?? "");
      for (const topic of topics) reader.read(topic, view, true);
    }
    unread.clear();
    const value = record();
    if (value.services.length === 0) store.deleteOwner(RECORD);
    else store.put(RECORD, HostedRecords, "", { value, askedAt: publishedAt, answeredAt: publishedAt });
    for (const topic of catalogue.topicsBySource.get(HostedRecords.id) ?? [])
      reader.read(topic, viewOf(RECORD, ""), true);
  }

  const record = (): HostedRecord => ({ services: [...targets.values()].map((each) => each.record()), names });

  function stop(service: Service, target: ServiceTarget): void {
    const budget = target.budget();
    if (budget !== undefined) budgets.set(service, budget);
    void target.close();
    targets.delete(service);
    forget(service);
    unread.delete(service);
  }

  function forget(service: Service): void {
    store.deleteOwner(serviceKey(service));
    reader.forget(serviceKey(service));
  }

  function applyTo(service: Service, wanted: HostedConfig, endpoints: Config["endpoints"]): void {
    const connected = (config: HostedConfig) => connect(connectionOf(config), () => undefined);
    const target = targets.get(service) ?? createServiceTarget(service, clock, connected, budgets.get(service));
    targets.set(service, target);
    const { network } = wanted.wanted;
    if (networks.get(service) !== network) {
      // Series must not show values of one network under the label of another.
      forget(service);
      for (const poll of target.polls.values())
        Object.assign(poll, { previous: undefined, heldSince: undefined, next: clock.now() });
    }
    networks.set(service, network);
    for (const { endpoint, key } of target.apply(wanted, endpoints)) {
      store.delete(serviceKey(service), endpoint, key);
      touch(service, endpoint.id);
    }
  }

  return {
    targets: (): Iterable<ServiceTarget> => targets.values(),
    record,
    publish,
    apply({ dataApi, metricsApi, endpoints }: Pick<Config, "dataApi" | "metricsApi" | "endpoints">): void {
      appliedAt = clock.now();
      names = dataApi?.wanted.names ?? new Map();
      for (const service of SERVICES) {
        const wanted = service === "data" ? dataApi : metricsApi;
        const target = targets.get(service);
        if (wanted !== undefined) applyTo(service, wanted, endpoints);
        else if (target !== undefined) stop(service, target);
      }
      publish();
    },
    /** Applies the outcome of a poll. */
    ended(target: ServiceTarget, poll: Poll, outcome: Outcome): void {
      if (takeOutcome(store, target, poll, outcome, clock.now()) !== "none") touch(target.service, poll.endpoint.id);
    },
    /** Must be called once a second: removes expired answers and publishes changes. */
    tick(): void {
      const now = clock.now();
      for (const { service, polls } of targets.values())
        for (const poll of polls.values()) if (expire(store, poll, now)) touch(service, poll.endpoint.id);
      outdate(now);
      // Often after a start or a reload, then less and less often.
      if (now - publishedAt >= Math.min(publishEvery, Math.max(1, publishedAt - appliedAt))) publish();
    },
    isRoundComplete: () => isRoundComplete(targets.values()),
    async close(): Promise<void> {
      await Promise.all([...targets.values()].map((target) => target.close()));
    },
  };
}

function viewOf(owner: string, network: string): View {
  return { facts: { network }, target: owner, ownerOf: () => owner };
}

function connectionOf({ url, key, keyHeader }: HostedConfig): Connection {
  return {
    url,
    headers: key === undefined ? {} : { [keyHeader]: key },
    maxResponseBytes: MAX_RESPONSE,
    connections: CONNECTIONS,
  };
}
