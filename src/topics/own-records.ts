import { record } from "../api/endpoint.ts";
import type { Reason } from "../api/reasons.ts";

/** The exporter's own record of its polls of one node. Times are Unix seconds. */
export type OwnRecord = {
  /** `undefined` until the first poll has ended. */
  readonly up: boolean | undefined;
  /** Whether the node that answers has the configured ID; `undefined` without one, and while nothing answers. */
  readonly idMatches: boolean | undefined;
  /** Whether it answers with the ID of another configured node, whose standby it is. */
  readonly standsIn?: boolean;
  readonly endpoints: readonly EndpointRecord[];
  /** Since the start, with those of endpoints that are not polled now: a counter must not shrink. `seconds` is the duration of all. */
  readonly polls: number;
  readonly seconds: number;
  readonly failures: ReadonlyMap<Reason, number>;
  /** Polls without a result, by reason. */
  readonly missed: Readonly<Record<MissedReason, number>>;
  /** Whether the WebSocket for new heads is up, by blockchain ID; empty where WebSockets are not configured. */
  readonly sockets: ReadonlyMap<string, boolean | undefined>;
  /** Expiry of the certificate that the node's API presented on its last TLS connection; `undefined` without one. */
  readonly certificateExpiry: number | undefined;
  /** Number of names in its answers that this release does not know; `undefined` until they were looked at. */
  readonly unknown?: number | undefined;
};

/**
 * Why a poll has no result. `running`: it was due while the previous poll of the same query was still running; `overloaded`: the
 * exporter was too busy to send it or to read the answer in time; `descriptors`: it had no file descriptor left to connect.
 */
export const MISSED_REASONS = ["running", "overloaded", "descriptors"] as const;
export type MissedReason = (typeof MISSED_REASONS)[number];

/** Polls of one endpoint of one target, over all its keys. */
export type EndpointRecord = {
  readonly id: string;
  readonly optional: boolean;
  /** Seconds. */
  readonly every: number;
  /** Number of keys, and of keys that were not polled yet. */
  readonly questions: number;
  readonly untried: number;
  /** True when the last poll of every key succeeded; `undefined` before the first, and when the server lacks the endpoint. */
  readonly up: boolean | undefined;
  readonly supported: boolean | undefined;
  /** Number of keys whose last poll failed, and whose answer has more pages than the configuration allows. */
  readonly failing: number;
  readonly truncated: number;
  /** The oldest of all polled keys; `undefined` when one of them never succeeded. */
  readonly lastSuccess: number | undefined;
  /** Requests of a hosted service: a poll can need several pages. */
  readonly requests: number;
  readonly failures: ReadonlyMap<Reason, number>;
  /** Rows of answers that were read without a field; `undefined` where rows cannot lack any. */
  readonly invalidRows?: number | undefined;
};

export const OwnRecords = record<OwnRecord>({
  id: "exporter.polls",
  about: "The exporter's own record of its polls; no request is sent.",
  scope: "node",
});
