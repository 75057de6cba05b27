import { endpoint } from "../api/endpoint.ts";
import type { Reason } from "../api/reasons.ts";

/** What the exporter itself knows of its polls of one node: the one "answer" that nobody is asked for. Times are Unix seconds. */
export type OwnRecord = {
  /** `undefined` until the first poll has ended. */
  readonly up: boolean | undefined;
  readonly endpoints: readonly EndpointRecord[];
  /** By blockchain ID, whether the node announces new heads; empty where that is not wanted. */
  readonly sockets: ReadonlyMap<string, boolean>;
};

/** Polls of one endpoint of one node, all its keys together. */
export type EndpointRecord = {
  readonly id: string;
  readonly optional: boolean;
  /** Seconds. */
  readonly every: number;
  /** True when the last poll of every key succeeded; `undefined` before the first, or when the server does not have it. */
  readonly up: boolean | undefined;
  readonly supported: boolean | undefined;
  /** The oldest of its keys; `undefined` when one of them never succeeded. */
  readonly lastSuccess: number | undefined;
  readonly polls: number;
  readonly failures: ReadonlyMap<Reason, number>;
};

export const OwnRecords = endpoint<OwnRecord>({
  id: "exporter.polls",
  about: "The exporter's own record of its polls; nobody is asked.",
  scope: "node",
  methods: [],
  every: 1,
  timeout: 1,
  internal: true,
  ask: () => Promise.reject(new Error("the exporter's own record is never asked for")),
});
