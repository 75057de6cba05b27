import { isRefusal } from "../../api/reasons.ts";
import { apply, type Target } from "./poll.ts";

/** For what polls once: a target that answers lacks what it has refused, in whatever words and in whatever order its answers came. */
export function concludeRound(targets: readonly Target[], now: number): void {
  for (const { policy, polls } of targets.filter(({ up }) => up === true))
    for (const poll of polls.values()) {
      const { last, succeededAt } = poll.state;
      const isRefused = last.is === "failing" && isRefusal(last.failure) && succeededAt === undefined;
      if (isRefused && poll.plan.endpoint.optional === true)
        apply(poll, { is: "failed", failure: last.failure, unsupported: true, at: policy.missingAt(poll, now) }, now);
    }
}
