import type { Entry, NewEntry } from "./entry.ts";

/** What is known of a node. Times are Unix seconds. */
export type NodeState = {
  readonly firstSeen: number;
  readonly up: boolean;
  /** Since when it answers or does not answer. */
  readonly upSince: number;
  /** The last known values. */
  readonly version?: string;
  readonly nodeId?: string;
  readonly ready?: boolean;
};

/** Changes of a history while one evaluation is added to it. */
export type Draft = {
  readonly at: number;
  readonly entries: Map<number, Entry>;
  readonly add: (entry: NewEntry) => void;
  readonly change: (entry: Entry) => void;
};
