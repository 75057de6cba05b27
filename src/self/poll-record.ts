import { record } from "../api/endpoint.ts";
import type { Reason } from "../api/reasons.ts";

/** What the exporter itself knows of its polls of one node: the one "answer" that no request is sent for. Times are Unix seconds. */
export type OwnRecord = {
  /** `undefined` until the first poll has ended. */
  readonly up: boolean | undefined;
  readonly endpoints: readonly EndpointRecord[];
  /** By blockchain ID, whether the node announces new heads; empty where that is not wanted. */
  readonly sockets: ReadonlyMap<string, boolean>;
};

/** Polls of one endpoint of one target, all its keys together. */
export type EndpointRecord = {
  readonly id: string;
  readonly optional: boolean;
  /** Seconds. */
  readonly every: number;
  /** Keys that it is asked about, and those of them that have not been asked yet. */
  readonly questions: number;
  readonly untried: number;
  /** True when the last poll of every key succeeded; `undefined` before the first, or when the server does not have it. */
  readonly up: boolean | undefined;
  readonly supported: boolean | undefined;
  /** Keys whose last poll failed, and keys whose answer goes on beyond what the configuration allows to read. */
  readonly failing: number;
  readonly truncated: number;
  /** The oldest of the keys that were asked; `undefined` when one of them never succeeded. */
  readonly lastSuccess: number | undefined;
  readonly polls: number;
  /** Requests of a hosted service: a poll may need several pages. */
  readonly requests: number;
  readonly failures: ReadonlyMap<Reason, number>;
};

export const OwnRecords = record<OwnRecord>({
  id: "exporter.polls",
  about: "The exporter's own record of its polls; no request is sent.",
  scope: "node",
});
