import { record } from "../api/endpoint.ts";
import type { Service } from "../api/hosted/hosted.ts";
import type { EndpointRecord } from "./poll-record.ts";

/** What the exporter itself knows of its requests to the hosted services. Times are Unix seconds. */
export type HostedRecord = {
  readonly services: readonly ServiceRecord[];
  /** What people call the addresses that the Data API is asked about, by address. */
  readonly names: ReadonlyMap<string, string>;
};

export type ServiceRecord = {
  readonly service: Service;
  /** `undefined` until the first request has ended. */
  readonly up: boolean | undefined;
  /** `undefined` where no key is configured, or nothing has been answered yet. */
  readonly keyAccepted: boolean | undefined;
  readonly perMinute: number;
  readonly perDay: number;
  readonly spent: number;
  /** Units a day that the configuration asks for. */
  readonly demand: number;
  /** Questions that are due and wait. */
  readonly postponed: number;
  /** How late the latest question is, in its own intervals. */
  readonly overdue: number;
  readonly pausedUntil: number | undefined;
  readonly endpoints: readonly EndpointRecord[];
};

export const HostedRecords = record<HostedRecord>({
  id: "exporter.hosted",
  about: "The exporter's own record of its requests to the hosted services; no request is sent.",
  scope: "hosted",
});
