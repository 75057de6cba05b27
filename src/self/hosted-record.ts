import { endpoint } from "../api/endpoint.ts";
import type { Service } from "../api/hosted/hosted.ts";
import type { Reason } from "../api/reasons.ts";

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
  readonly endpoints: readonly HostedEndpointRecord[];
};

export type HostedEndpointRecord = {
  readonly id: string;
  readonly every: number;
  readonly questions: number;
  /** False when the last poll of a question failed; `undefined` before the first, or where the service does not have it. */
  readonly up: boolean | undefined;
  readonly failing: number;
  readonly truncated: number;
  /** Of the question that was answered longest ago; `undefined` when one never was. */
  readonly lastSuccess: number | undefined;
  readonly requests: number;
  readonly failures: ReadonlyMap<Reason, number>;
};

export const HostedRecords = endpoint<HostedRecord>({
  id: "exporter.hosted",
  about: "The exporter's own record of its requests to the hosted services; nobody is asked.",
  scope: "hosted",
  methods: [],
  every: 1,
  timeout: 1,
  internal: true,
  ask: () => Promise.reject(new Error("the exporter's own record is never asked for")),
});
