import { Health } from "../../api/node/health.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Outcome, Poll } from "../poll/poll.ts";
import type { Runner } from "../poll/runner.ts";
import { nextSlot, repace } from "../poll/schedule.ts";
import type { Store } from "../poll/store.ts";
import { isOurs } from "../poll/target.ts";
import { nodeKey, type NodeTarget } from "./state.ts";

/**
 * Requests settled answers less often (`settled` of an endpoint). They hold until the node shows a sign of a restart or a
 * failure; then they are requested at once, and at their own interval until they are settled again.
 */
export function createEasing({ store, runner, clock }: Parts) {
  /**
   * The settled answers of a node are in doubt: each counts as one that was requested at its own interval.
   * @param later the poll whose failure is the sign, which is sent at its next slot; `all` sends every one at its next slot
   */
  function doubt(target: NodeTarget, later?: Poll | "all"): void {
    const now = clock.now();
    for (const poll of target.polls.values()) {
      if (!poll.eased) continue;
      poll.eased = false;
      repace(poll);
      if (poll.heldSince !== undefined) poll.heldSince = Math.max(poll.heldSince, now - poll.every);
      if (later === "all" || poll === later) poll.next = nextSlot(now, poll.every, poll.phase);
      else runner.due(target, poll, now);
    }
  }

  function isUnhealthy({ config }: NodeTarget): boolean {
    return store.get(nodeKey(config.name), Health)?.value.healthy === false;
  }

  return {
    doubt,
    /** Follows the outcome of a poll, once it is recorded. */
    ended(target: NodeTarget, poll: Poll, outcome: Outcome): void {
      if (isSign(poll, outcome) || isUnhealthy(target)) {
        doubt(target, "failure" in outcome ? poll : undefined);
        return;
      }
      const { endpoint } = poll;
      if (!("value" in outcome) || !("settled" in endpoint) || endpoint.settled?.(outcome.value) !== true) return;
      if (poll.eased) return;
      poll.eased = true;
      repace(poll);
      poll.next = nextSlot(clock.now(), poll.every, poll.phase);
    },
  };
}

type Parts = {
  readonly store: Store;
  readonly runner: Pick<Runner, "due">;
  readonly clock: Clock;
};

/**
 * Whether the outcome of a poll is a sign that the node has restarted or fails: a poll that begins to fail. One that goes on
 * failing is none, and neither is an endpoint that the node lacks. A server that limits requests must not get more of them.
 */
function isSign({ failures }: Poll, outcome: Outcome): boolean {
  return "failure" in outcome && !isOurs(outcome) && failures === 1 && outcome.failure.reason !== "rate_limited";
}
