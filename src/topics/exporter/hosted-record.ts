import { record } from "../../api/endpoint.ts";
import type { HostedService } from "../../api/hosted/hosted-endpoint.ts";
import type { EndpointRecord } from "../own-records.ts";

/** The exporter's own record of its requests to the hosted services. Times are Unix seconds. */
export type HostedRecord = {
  readonly services: readonly ServiceRecord[];
  /** Configured names of the addresses that the Data API is polled for, by address. */
  readonly names: ReadonlyMap<string, string>;
};

export type ServiceRecord = {
  readonly service: HostedService;
  /** `undefined` until the first request has ended. */
  readonly up: boolean | undefined;
  /** `undefined` without a configured key, and before the first answer. */
  readonly keyAccepted: boolean | undefined;
  readonly perMinute: number;
  readonly perDay: number;
  readonly spent: number;
  /** Units a day that the configured polls need. */
  readonly demand: number;
  /** Polls that are due and wait. */
  readonly postponed: number;
  /** Delay of the most overdue poll, in its own intervals. */
  readonly overdue: number;
  readonly pausedUntil: number | undefined;
  readonly endpoints: readonly EndpointRecord[];
  /** The current answers. `query` is the network, chain, address or node ID, joined by spaces. */
  readonly answers: ReadonlyArray<{
    readonly endpoint: string;
    readonly query: string;
    readonly at: number;
    readonly truncated: boolean;
  }>;
};

export const HostedRecords = record<HostedRecord>({
  id: "exporter.hosted",
  about: "The exporter's own record of its requests to the hosted services; no request is sent.",
  scope: "hosted",
});
