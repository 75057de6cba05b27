import { NodeId } from "../../api/node/info.ts";
import { SLOWEST_RETRY } from "../poll/schedule.ts";
import type { Outcome, Poll } from "../poll/poll.ts";
import { SILENT_INTERVALS } from "../poll/interval.ts";
import { nodeKey, type NodeTarget } from "./state.ts";
import type { Store } from "../poll/store.ts";

/** Records whether an answer with this node ID came from the configured node. */
export function noteNodeId(target: NodeTarget, nodeId: string | undefined, at: number): void {
  const expected = target.config.nodeId;
  if (expected === undefined || nodeId === undefined) return;
  target.idMatch = { matches: nodeId === expected, at };
}

/** Records what the outcome of a poll shows of the node's ID: the client rejects every answer of another node. */
export function noteIdOfOutcome(store: Store, target: NodeTarget, poll: Poll, outcome: Outcome, at: number): void {
  if ("failure" in outcome) {
    if (outcome.failure.reason === "wrong_node") target.idMatch = { matches: false, at };
  } else if (poll.endpoint.id === NodeId.id)
    noteNodeId(target, store.get(nodeKey(target.config.name), NodeId)?.value.nodeID, at);
}

/**
 * Whether the configured node answers; `undefined` without a configured ID, and after three intervals without an answer. Each
 * answer has the ID, so the interval is that of the most frequent poll; failing polls wait up to a minute.
 */
export function idMatchOf({ idMatch, polls }: NodeTarget, now: number): boolean | undefined {
  if (idMatch === undefined) return undefined;
  const shortest = [...polls.values()].reduce((least, { every }) => Math.min(least, every), Infinity);
  const limit = SILENT_INTERVALS * Math.max(SLOWEST_RETRY, shortest);
  return now - idMatch.at <= limit ? idMatch.matches : undefined;
}
