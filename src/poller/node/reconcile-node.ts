import type { Endpoint } from "../../api/endpoint.ts";
import { nodeEndpoints } from "../../catalogue/catalogue.ts";
import { desiredPolls } from "./desired-polls.ts";
import { reconcilePolls } from "../poll/reconcile-polls.ts";
import type { NodeTarget } from "./node-target.ts";
import type { Poll } from "../poll/poll.ts";
import type { Polling } from "./polling.ts";
import { auxiliaryEndpoints } from "../shard/auxiliary-endpoints.ts";
import { configOf, isReference } from "./state.ts";

/** First polls are spread over this many seconds per new node, at most `MOST_SPREAD`, to avoid a burst at the start. */
const SPREAD_PER_NODE = 0.015;
const MOST_SPREAD = 15;

/** Reconciles the polls and the sockets of a node with the desired ones. */
export type ReconcileNode = (target: NodeTarget) => void;

export function createReconcileNode(polling: Polling): ReconcileNode {
  const { catalogue, state, store, runner, publisher, subscriptions, clock } = polling;
  const endpoints = nodeEndpoints(catalogue);
  const auxiliary = auxiliaryEndpoints(catalogue);

  return (target) => {
    const config = configOf(state);
    const now = clock.now();
    const reference = isReference(state, target);
    const desired = desiredPolls(target, target.auxiliary ? auxiliary : endpoints, config, reference);
    const { added, removed } = reconcilePolls(target.polls, desired, now);
    for (const poll of removed) {
      runner.disarm(poll);
      // An answer about a network stays until the next reference node replaces it, or it expires.
      if (poll.endpoint.scope === "network" && !reference && isStillPolled(target, poll)) continue;
      if (store.delete(poll.owner, poll.endpoint, poll.key)) publisher.refresh(target, poll.endpoint, false);
    }
    const spread = Math.min(MOST_SPREAD, state.joining * SPREAD_PER_NODE);
    for (const poll of added) {
      const held = store.get(poll.owner, poll.endpoint, poll.key);
      poll.heldSince = held?.answeredAt;
      // A chain is the same on every node: the next node continues from the last answer of the previous one.
      if (poll.endpoint.byChain === true) poll.previous = held?.value;
      runner.due(target, poll, now + (spread * poll.phase) / poll.every);
    }
    subscriptions.follow(target, config.evm.websocket && !target.auxiliary);
    if (added.length + removed.length > 0) publisher.record(target, now);
  };
}

/** Whether another node may continue a poll about a network; none does for a chain that is no longer configured. */
function isStillPolled({ facts }: NodeTarget, { endpoint, key }: Poll<Endpoint<unknown>>): boolean {
  return endpoint.byChain !== true || facts.evmChains.some(({ id }) => id === key);
}
