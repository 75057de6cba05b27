import type { Failure, Reason } from "../../api/reasons.ts";
import type { Log } from "../../runtime/events.ts";
import type { LogLimit } from "../poll/log-limit.ts";
import type { Outcome, Poll } from "../poll/poll.ts";
import type { ServiceTarget } from "./service-target.ts";

/**
 * Logs when polls of a hosted service begin to fail for a reason, such as a refused key, a rate limit or a redirect, and when the last
 * of them succeeds again: whoever changed a key looks there first. Must be called before the outcome is applied.
 */
export function logService(
  log: Pick<Log, "info" | "warn">,
  limit: LogLimit,
  { named, polls }: Pick<ServiceTarget, "named" | "polls">,
  poll: Pick<Poll, "id" | "plan" | "state">,
  outcome: Outcome,
): void {
  const before = failureOf(poll)?.reason;
  const failure = "failure" in outcome ? outcome.failure : undefined;
  if (before === failure?.reason) return;
  const others = [...polls.values()].filter(({ id }) => id !== poll.id).map((each) => failureOf(each)?.reason);
  const note = (level: "info" | "warn", reason: Reason, data: object, message: string) => {
    if (others.includes(reason)) return;
    if (limit(`${message} ${JSON.stringify(named)} ${reason}`)) log[level]({ ...named, reason, ...data }, message);
  };
  if (before !== undefined && failure === undefined)
    note("info", before, {}, "polls of a hosted service succeed again");
  // A service that lacks an optional endpoint does not fail.
  const isMissing = failure?.status === 404 && poll.plan.endpoint.optional === true;
  if (failure !== undefined && !isMissing) {
    const { reason, message: error } = failure;
    note("warn", reason, { endpoint: poll.plan.endpoint.id, error }, "polls of a hosted service fail");
  }
}

function failureOf({ state: { last } }: Pick<Poll, "state">): Failure | undefined {
  return last.is === "failing" ? last.failure : undefined;
}
