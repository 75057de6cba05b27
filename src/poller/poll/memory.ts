import { createHash } from "node:crypto";
import type { Outage } from "../../topics/reach.ts";

/** What a poller learned and a later one of the same nodes can use: plain data without secrets. Times are Unix seconds. */
export type Memory = { readonly nodes: readonly RememberedNode[]; readonly states: readonly RememberedState[] };

/** The identity of a node, as it answered last. */
export type RememberedNode = {
  readonly name: string;
  readonly address: string;
  readonly nodeId?: string | undefined;
  readonly networkName?: string | undefined;
  readonly networkId?: number | undefined;
  /** Its last outages and their number: for whoever restarts the exporter while the node is down. */
  readonly outages?: readonly Outage[] | undefined;
  readonly total?: number | undefined;
  readonly confirmedAt: number;
};

/** The saved state of a topic about a node or network. */
export type RememberedState = {
  /** The key of the node or network. */
  readonly of: string;
  readonly topic: string;
  readonly state: unknown;
  readonly confirmedAt: number;
};

export const NOTHING_REMEMBERED: Memory = { nodes: [], states: [] };

/** Seconds after which what was not confirmed is forgotten. */
const FORGOTTEN_AFTER = 30 * 86_400;
/** Times are rounded to an hour, so that a memory that learned nothing stays the same. */
const ROUNDED_TO = 3600;

/** A digest of a URL: its path can contain a key. */
export function addressOf(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 32);
}

/** @param at Unix seconds */
export function confirmedAt(at: number): number {
  return Math.floor(at / ROUNDED_TO) * ROUNDED_TO;
}

/** The part of a memory that is not too old. */
export function notForgotten({ nodes, states }: Memory, now: number): Memory {
  const isRecent = (each: { readonly confirmedAt: number }) => now - each.confirmedAt < FORGOTTEN_AFTER;
  return { nodes: nodes.filter(isRecent), states: states.filter(isRecent) };
}
