import type { Connect } from "../../api/transport/client.ts";
import type { Connection } from "../../api/transport/connection.ts";
import { HOSTED_ENDPOINTS } from "../../api/hosted/hosted-endpoints.ts";
import { SERVICES, type Service } from "../../api/hosted/hosted.ts";
import { sourceOf, type Catalogue } from "../../topics/define/catalogue.ts";
import type { Config, HostedConfig } from "../../config/config.ts";
import { isNothing } from "../../config/schema/data-api.ts";
import type { Clock } from "../../runtime/clock.ts";
import { HostedRecords, type HostedRecord } from "../../topics/exporter/hosted-record.ts";
import type { Collector, View } from "../poll/collect.ts";
import type { Store } from "../poll/store.ts";
import { isRoundComplete } from "../poll/poll.ts";
import { createServiceTarget, serviceKey, type ServiceTarget } from "./service-target.ts";

type ServicesOptions = {
  readonly catalogue: Catalogue;
  readonly store: Store;
  readonly collector: Collector;
  readonly clock: Clock;
  readonly connect: Connect;
};

const MAX_RESPONSE = 16 * 1024 * 1024;
const CONNECTIONS = 4;
/** Store owner and exposition target of the record of the services. */
const RECORD = "hosted record";

/** The hosted services as targets of the poller, and the reading of their answers. */
export function createServices({ catalogue, store, collector, clock, connect }: ServicesOptions) {
  const targets = new Map<Service, ServiceTarget>();
  /** The last target of each service, which continues in the next one. */
  const closed = new Map<Service, ServiceTarget>();
  let names: HostedRecord["names"] = new Map();

  const hostedTopics = catalogue.topics.filter(({ scope }) => scope === "hosted");
  const isOfRecord = (topic: (typeof hostedTopics)[number]): boolean =>
    Object.values(topic.needs).some((need) => sourceOf(need) === HostedRecords);
  const ofRecord = hostedTopics.filter(isOfRecord);
  const ofAnswers = hostedTopics.filter((topic) => !isOfRecord(topic));

  /** Drops outdated parts of the stored answers. */
  function outdate(now: number): void {
    for (const endpoint of HOSTED_ENDPOINTS) {
      const owner = serviceKey(endpoint.service);
      for (const [key, { until, ...answer }] of store.all(owner, endpoint, now) ?? []) {
        const value = endpoint.still?.(answer.value, key, now);
        if (value !== undefined && value !== answer.value) store.put(owner, endpoint, key, { ...answer, value }, until);
      }
    }
  }

  const record = (): HostedRecord => ({ services: [...targets.values()].map((each) => each.record()), names });

  function stop(service: Service, target: ServiceTarget, isSameNetwork: boolean): void {
    void target.close();
    targets.delete(service);
    closed.set(service, target);
    if (isSameNetwork) return;
    // Series must not show values of one network under the label of another.
    store.deleteOwner(serviceKey(service));
    target.polls.clear();
  }

  function applyTo(service: Service, wanted: HostedConfig, endpoints: Config["endpoints"]): void {
    const before = targets.get(service);
    if (before !== undefined && isElsewhere(before.config(), wanted))
      stop(service, before, before.config().wanted.network === wanted.wanted.network);
    const target = targets.get(service) ?? create(service, wanted);
    targets.set(service, target);
    for (const { plan } of target.apply(wanted, endpoints)) store.delete(plan.owner, plan.endpoint, plan.key);
  }

  function create(service: Service, wanted: HostedConfig): ServiceTarget {
    const client = connect(connectionOf(wanted), () => undefined);
    return createServiceTarget(service, wanted, client, clock, store, closed.get(service));
  }

  return {
    targets: (): Iterable<ServiceTarget> => targets.values(),
    record,
    /** @param own by network, the validators of the polled nodes: a Data API with nothing else to ask about is asked about these */
    apply(
      { dataApi, metricsApi, endpoints }: Pick<Config, "dataApi" | "metricsApi" | "endpoints">,
      own: (network: string) => readonly string[],
    ): void {
      names = dataApi?.wanted.names ?? new Map();
      for (const service of SERVICES) {
        const wanted = service === "data" ? dataApi && withOwn(dataApi, own) : metricsApi;
        const target = targets.get(service);
        if (wanted !== undefined) applyTo(service, wanted, endpoints);
        else if (target !== undefined) stop(service, target, false);
      }
    },
    /** Reads everything about hosted services. */
    collect(now: number): void {
      outdate(now);
      for (const [service, target] of targets)
        for (const topic of ofAnswers)
          collector.read(topic, viewOf(serviceKey(service), target.config().wanted.network), now);
      if (targets.size === 0) return;
      store.put(RECORD, HostedRecords, "", { value: record(), askedAt: now, answeredAt: now }, Infinity);
      for (const topic of ofRecord) collector.read(topic, viewOf(RECORD, ""), now);
    },
    /** A service that pauses gets no more polls for minutes: those that wait are not waited for. */
    isRoundComplete: () => [...targets.values()].every((each) => isRoundComplete([each]) || each.isPaused()),
    async close(): Promise<void> {
      await Promise.all([...targets.values()].map((target) => target.close()));
    },
  };
}

function withOwn(api: HostedConfig, own: (network: string) => readonly string[]): HostedConfig {
  return isNothing(api.wanted) ? { ...api, wanted: { ...api.wanted, validators: own(api.wanted.network) } } : api;
}

function viewOf(owner: string, network: string): View {
  return { facts: { network }, target: owner, ownerOf: () => owner };
}

/** Whether another key, address or network needs another connection. */
function isElsewhere(a: HostedConfig, b: HostedConfig): boolean {
  return a.url !== b.url || a.key !== b.key || a.keyHeader !== b.keyHeader || a.wanted.network !== b.wanted.network;
}

function connectionOf({ url, key, keyHeader }: HostedConfig): Connection {
  return {
    url,
    headers: key === undefined ? {} : { [keyHeader]: key },
    maxResponseBytes: MAX_RESPONSE,
    connections: CONNECTIONS,
  };
}
