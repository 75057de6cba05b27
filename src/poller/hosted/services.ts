import type { Connect } from "../../api/transport/client.ts";
import { HOSTED_ENDPOINTS } from "../../api/hosted/hosted-endpoints.ts";
import { SERVICES } from "../../api/hosted/hosted.ts";
import { sourceOf, type Catalogue } from "../../topics/define/catalogue.ts";
import type { Config, HostedConfig } from "../../config/config.ts";
import { isNothing } from "../../config/schema/data-api.ts";
import type { Clock } from "../../runtime/clock.ts";
import { HostedRecords, type HostedRecord } from "../../topics/exporter/hosted-record.ts";
import type { Collector } from "../poll/collect.ts";
import type { Store } from "../poll/store.ts";
import { isRoundComplete } from "../poll/poll.ts";
import { createServiceTarget, serviceKey, viewOf } from "./service-target.ts";

/** Store owner and exposition target of the record of the services. */
const RECORD = "hosted record";

/** The hosted services as targets of the poller, and the reading of their answers. */
export function createServices(
  catalogue: Catalogue,
  store: Store,
  collector: Collector,
  clock: Clock,
  connect: Connect,
) {
  const targets = SERVICES.map((service) => createServiceTarget(service, clock, store, connect));
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

  const record = (): HostedRecord => ({ services: targets.flatMap((each) => each.record() ?? []), names });

  return {
    targets,
    record,
    /** @param own by network, the validators of the polled nodes: a Data API with nothing else to ask about is asked about these */
    apply(
      { dataApi, metricsApi, endpoints }: Pick<Config, "dataApi" | "metricsApi" | "endpoints">,
      own: (network: string) => readonly string[],
    ): void {
      names = dataApi?.wanted.names ?? new Map();
      for (const target of targets)
        target.apply(target.service === "data" ? dataApi && withOwn(dataApi, own) : metricsApi, endpoints);
    },
    /** Reads everything about hosted services. */
    collect(now: number): void {
      outdate(now);
      const configured = targets.flatMap((each) => each.view() ?? []);
      for (const view of configured) for (const topic of ofAnswers) collector.read(topic, view, now);
      if (configured.length === 0) return;
      store.put(RECORD, HostedRecords, "", { value: record(), askedAt: now, answeredAt: now }, Infinity);
      for (const topic of ofRecord) collector.read(topic, viewOf(RECORD, ""), now);
    },
    /** A service that pauses gets no more polls for minutes: those that wait are not waited for. */
    isRoundComplete: () => targets.every((each) => isRoundComplete(each) || each.isPaused()),
    close: () => Promise.all(targets.map((target) => target.close())),
  };
}

function withOwn(api: HostedConfig, own: (network: string) => readonly string[]): HostedConfig {
  return isNothing(api.wanted) ? { ...api, wanted: { ...api.wanted, validators: own(api.wanted.network) } } : api;
}
