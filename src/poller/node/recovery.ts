import type { Log } from "../../runtime/events.ts";
import type { createLogLimit } from "../poll/log-limit.ts";
import type { Runner } from "../poll/runner.ts";
import type { NodeTarget } from "./state.ts";

/** What is polled again when a node answers again, and what is logged when it is up or down. */
export function createRecovery(
  runner: Pick<Runner, "due">,
  log: Pick<Log, "info" | "warn">,
  limit: ReturnType<typeof createLogLimit>,
) {
  /** What failed, or seemed to be missing, is polled at once instead of after the back-off. */
  function retry(target: NodeTarget, now: number): void {
    for (const poll of target.polls.values()) if (poll.failures > 0 || poll.unsupported) runner.due(target, poll, now);
  }

  return {
    retry,
    /** Where one poll succeeds again others will: their back-off ends, but none is sent more often than by its cadence. */
    retryOverdue(target: NodeTarget, now: number): void {
      for (const poll of target.polls.values()) {
        const { failures, lastAttempt = now, every } = poll;
        const soonest = Math.max(now, lastAttempt + every);
        if (failures > 0 && !poll.running && poll.next > soonest) runner.due(target, poll, soonest);
      }
    },
    /** A recovered node is polled at once. */
    turned(target: NodeTarget, wasUp: boolean | undefined, now: number): void {
      const node = target.config.name;
      if (target.up === true && wasUp === false) {
        const omitted = limit(`up ${node}`);
        if (omitted !== undefined) log.info({ node, omitted }, "node is up again");
        retry(target, now);
      } else if (target.up === false) {
        const error = [...target.polls.values()].find((poll) => poll.error !== undefined)?.error;
        const omitted = limit(`down ${node}`);
        if (omitted !== undefined)
          log.warn({ node, reason: error?.reason, error: error?.message, omitted }, "node is down");
      }
    },
  };
}
