import type { Failure, Reason } from "../../api/reasons.ts";
import type { Log } from "../../runtime/log.ts";
import type { LogLimit } from "../poll/log-limit.ts";
import type { Poll, PollOutcome } from "../poll/poll.ts";
import type { Target } from "../poll/target.ts";

/**
 * Logs when polls of a hosted service begin to fail for a reason, such as a refused key, a rate limit or a redirect, and when the last
 * of them succeeds again: whoever changed a key looks there first. Must be called before the outcome is applied.
 */
export function logService(
  log: Pick<Log, "info" | "warn">,
  limit: LogLimit,
  { named, polls }: Pick<Target, "named" | "polls">,
  poll: Pick<Poll, "id" | "plan" | "state">,
  outcome: PollOutcome,
): void {
  const before = failureOf(poll)?.reason;
  const failure = "failure" in outcome ? outcome.failure : undefined;
  if (before === failure?.reason) return;
  const isAlone = (reason: Reason, message: string): boolean =>
    !polls.values().some((each) => each.id !== poll.id && failureOf(each)?.reason === reason) &&
    limit(`${message} ${JSON.stringify(named)} ${reason}`);
  const { id: endpoint, optional } = poll.plan.endpoint;
  if (failure === undefined) {
    if (before !== undefined && isAlone(before, "again"))
      log.info({ ...named, reason: before }, "polls of a hosted service succeed again");
    return;
  }
  const { reason, message: error, status } = failure;
  // A service that lacks an optional endpoint does not fail.
  if (!(status === 404 && optional === true) && isAlone(reason, "fail"))
    log.warn({ ...named, reason, endpoint, error }, "polls of a hosted service fail");
}

function failureOf({ state: { last } }: Pick<Poll, "state">): Failure | undefined {
  return last.is === "failing" ? last.failure : undefined;
}
