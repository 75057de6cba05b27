import type { NodeLog } from "../poll/log-limit.ts";
import type { PollOutcome } from "../poll/poll.ts";
import type { NodeTarget } from "./state.ts";

/** Whether a node is up and reports itself healthy. */
type Health = { readonly up: boolean | undefined; readonly healthy: boolean };

/**
 * Logs that a node went down or is back, and that it began to report itself unhealthy.
 * @param failing its failing checks and their errors
 */
export function logTurns(
  lines: Pick<NodeLog, "note">,
  { config: { name: node } }: Pick<NodeTarget, "config">,
  before: Health,
  now: Health,
  outcome: PollOutcome,
  failing: () => string,
): void {
  if (before.healthy && !now.healthy) lines.note("warn", "node reports itself unhealthy", { node, failing: failing() });
  if (now.up === true && before.up === false) lines.note("info", "node is up again", { node });
  if (now.up === false && before.up !== false && "failure" in outcome) {
    const { reason, message: error } = outcome.failure;
    lines.note("warn", "node is down", { node, reason, error });
  }
}
