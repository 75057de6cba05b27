import type { Endpoint } from "../../api/endpoint.ts";
import { nodeEndpoints, type Catalogue } from "../../catalogue/catalogue.ts";
import type { Clock } from "../../runtime/clock.ts";
import { desiredPolls } from "./desired-polls.ts";
import { reconcilePolls } from "../poll/reconcile-polls.ts";
import type { NodeTarget } from "./node-target.ts";
import type { Poll } from "../poll/poll.ts";
import type { Publisher } from "./publisher.ts";
import type { Runner } from "../poll/runner.ts";
import { auxiliaryEndpoints } from "../shard/auxiliary-endpoints.ts";
import { isReference, type State } from "./state.ts";
import type { Store } from "../poll/store.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** First polls are spread over this many seconds a new node, and no longer than `MOST_SPREAD`: a start must not be a stampede. */
const SPREAD_PER_NODE = 0.015;
const MOST_SPREAD = 15;

/** Brings the polls and the sockets of a node in line with what is to be asked of it now. */
export type ReconcileNode = (target: NodeTarget) => void;

/** What it works with. */
export type ReconcileNodeOptions = {
  readonly catalogue: Catalogue;
  readonly state: State;
  readonly store: Store;
  readonly runner: Pick<Runner, "due" | "disarm">;
  readonly publisher: Pick<Publisher, "refresh" | "record">;
  readonly subscriptions: Pick<Subscriptions, "follow">;
  readonly clock: Clock;
};

export function createReconcileNode({
  catalogue,
  state,
  store,
  runner,
  publisher,
  subscriptions,
  clock,
}: ReconcileNodeOptions): ReconcileNode {
  const endpoints = nodeEndpoints(catalogue);
  const auxiliary = auxiliaryEndpoints(catalogue);

  return (target) => {
    const { config } = state;
    const now = clock.now();
    const reference = isReference(state, target);
    const desired = desiredPolls(target, target.auxiliary ? auxiliary : endpoints, config, reference);
    const { added, removed } = reconcilePolls(target.polls, desired, now);
    for (const poll of removed) {
      runner.disarm(poll);
      // What was answered about a network stays until the next reference node answers it, or it is too old.
      if (poll.endpoint.scope === "network" && !reference && isStillAsked(target, poll)) continue;
      if (store.delete(poll.owner, poll.endpoint, poll.key)) publisher.refresh(target, poll.endpoint, false);
    }
    const spread = Math.min(MOST_SPREAD, state.joining * SPREAD_PER_NODE);
    for (const poll of added) {
      const held = store.get(poll.owner, poll.endpoint, poll.key);
      poll.heldSince = held?.answeredAt;
      // A chain is the same whichever node is asked: the next node goes on where the one before it ended.
      if (poll.endpoint.byChain === true) poll.previous = held?.value;
      runner.due(target, poll, now + (spread * poll.phase) / poll.every);
    }
    subscriptions.follow(target, config.evm.websocket && !target.auxiliary);
    if (added.length + removed.length > 0) publisher.record(target, now);
  };
}

/** Whether another node may go on with a question about a network; none does about a chain that is no longer configured. */
function isStillAsked({ facts }: NodeTarget, { endpoint, key }: Poll<Endpoint<unknown>>): boolean {
  return endpoint.byChain !== true || facts.evmChains.some(({ id }) => id === key);
}
