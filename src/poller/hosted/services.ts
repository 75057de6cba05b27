import { HOSTED_ENDPOINTS } from "../../api/hosted/hosted-endpoints.ts";
import { SERVICES } from "../../api/hosted/hosted-endpoint.ts";
import { sourceOf } from "../../topics/define/catalogue.ts";
import type { Topic } from "../../topics/define/topic.ts";
import type { HostedConfig } from "../../config/config.ts";
import { isNothing } from "../../config/schema/data-api-of.ts";
import { HostedRecords, type HostedRecord } from "../../topics/exporter/hosted-record.ts";
import { configOf, type PollerState } from "../node/poller-state.ts";
import type { Collector } from "../poll/collector.ts";
import { isRoundComplete } from "../poll/target.ts";
import { ServiceTarget, serviceKey, viewOf } from "./service-target.ts";

/** Store owner and exposition target of the record of the services. */
const RECORD = "hosted record";

/** The hosted services as targets of the poller, and the reading of their answers. */
export class Services {
  readonly targets: readonly ServiceTarget[];
  readonly #state: PollerState;
  readonly #collector: Collector;

  /** No service is polled for a part that is not `whole`. */
  constructor(state: PollerState, collector: Collector) {
    this.targets = (state.part === "whole" ? SERVICES : []).map((service) => new ServiceTarget(service, state));
    this.#state = state;
    this.#collector = collector;
  }

  /** Applies the configuration of the poller. */
  apply(): void {
    const { dataApi, metricsApi, endpoints } = configOf(this.#state);
    for (const target of this.targets)
      target.apply(target.service === "data" ? dataApi && this.#withOwn(dataApi) : metricsApi, endpoints);
  }

  /** The record of the requests to all services. */
  record(): HostedRecord {
    const names = this.#state.config?.dataApi?.wanted.names ?? new Map<string, string>();
    return { services: this.targets.flatMap((each) => each.record() ?? []), names };
  }

  /** Reads everything about hosted services. */
  collect(now: number): void {
    this.#outdate(now);
    const { catalogue, store } = this.#state;
    const configured = this.targets.flatMap((each) => each.view() ?? []);
    if (configured.length === 0) return;
    const record = { value: this.record(), askedAt: now, answeredAt: now };
    store.put(RECORD, HostedRecords, "", record, Infinity);
    for (const topic of catalogue.topics.filter(({ scope }) => scope === "hosted"))
      for (const view of isOfRecord(topic) ? [viewOf(RECORD, "")] : configured) this.#collector.read(topic, view, now);
  }

  /** A service that pauses gets no more polls for minutes: those that wait are not waited for. */
  isRoundComplete(): boolean {
    return this.targets.every((each) => isRoundComplete(each) || each.isPaused());
  }

  /** Ends the polls and the connections. */
  async close(): Promise<void> {
    await Promise.all(this.targets.map((target) => target.close()));
  }

  /** Drops outdated parts of the stored answers. */
  #outdate(now: number): void {
    const { store } = this.#state;
    for (const endpoint of HOSTED_ENDPOINTS) {
      const owner = serviceKey(endpoint.service);
      for (const [key, { until, ...answer }] of store.all(owner, endpoint, now) ?? []) {
        const value = endpoint.still?.(answer.value, key, now);
        if (value !== undefined && value !== answer.value) store.put(owner, endpoint, key, { ...answer, value }, until);
      }
    }
  }

  /** A Data API with nothing else to ask about is asked about the polled nodes of its network. */
  #withOwn(api: HostedConfig): HostedConfig {
    if (!isNothing(api.wanted)) return api;
    const members = [...this.#state.targets.values()].filter(({ facts }) => facts.knownNetwork === api.wanted.network);
    const validators = [...new Set(members.flatMap(({ facts }) => facts.nodeId ?? []))];
    return { ...api, wanted: { ...api.wanted, validators } };
  }
}

const isOfRecord = ({ needs }: Topic): boolean => Object.values(needs).some((need) => sourceOf(need) === HostedRecords);
