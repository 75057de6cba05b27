import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/events.ts";
import type { createLogLimit } from "../poll/log-limit.ts";
import type { Runner } from "../poll/runner.ts";
import { shortestInterval } from "../poll/schedule.ts";
import type { Store } from "../poll/store.ts";
import type { createEasing } from "./easing.ts";
import type { Publisher } from "./publisher.ts";
import { nodeKey, type NodeTarget } from "./state.ts";

/** Answers in a row with one node ID that show that it stays: of two nodes in turn behind one address, few series are as long. */
const CONFIRMED_BY = 8;

type Parts = {
  readonly store: Store;
  readonly runner: Pick<Runner, "due">;
  readonly easing: Pick<ReturnType<typeof createEasing>, "doubt">;
  readonly publisher: Pick<Publisher, "node">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly limit: ReturnType<typeof createLogLimit>;
};

/** What follows when the node ID at an address changes. */
export function createReplacement({ store, runner, easing, publisher, clock, log, limit }: Parts) {
  return {
    /** Another node answers at the address of this one: the answers of the earlier one are dropped. */
    replaced(target: NodeTarget, before: string): void {
      target.replaced = true;
      const owner = nodeKey(target.config.name);
      const { nodeId } = target.identity;
      const node = target.config.name;
      const omitted = limit(`replaced ${node}`);
      if (omitted !== undefined)
        log.warn({ node, before, now: nodeId, omitted }, "a different node answers at this address");
      store.deleteOwner(owner);
      easing.doubt(target, omitted === undefined ? "all" : undefined);
      for (const poll of target.polls.values()) {
        if (poll.owner === owner) Object.assign(poll, { heldSince: undefined, previous: undefined });
        if (omitted !== undefined) runner.due(target, poll, clock.now());
      }
      // Two nodes behind one address change the ID with each answer: everything is polled again once one of them stays.
      target.confirmations = omitted === undefined ? 0 : undefined;
      publisher.node(target);
    },

    /**
     * Polls everything about a node again whose ID changed more than once in a minute, and now stays the same. One of these polls
     * can change the ID again: nothing is polled more often than the endpoint with the shortest interval.
     */
    confirm(target: NodeTarget, nodeId: string): void {
      const { confirmations, identity, polls, polledAgainAt } = target;
      if (confirmations === undefined || identity.nodeId !== nodeId) return;
      const now = clock.now();
      target.confirmations = Math.min(confirmations + 1, CONFIRMED_BY);
      if (target.confirmations < CONFIRMED_BY || now - polledAgainAt < shortestInterval(polls.values())) return;
      target.confirmations = undefined;
      target.polledAgainAt = now;
      for (const poll of polls.values()) if (poll.heldSince === undefined) runner.due(target, poll, now);
    },
  };
}
