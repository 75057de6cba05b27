import type { Polled } from "../../api/endpoint.ts";
import { apply, newPoll, type Plan, type Poll, pollId } from "./poll.ts";

/**
 * Replaces a target's polls by the desired ones. A poll with the same question and owner keeps its results.
 * @param firstAt when an added poll is first due
 */
export function reconcilePolls<E extends Polled<unknown>>(
  polls: Map<string, Poll<E>>,
  desired: ReadonlyArray<Plan<E>>,
  now: number,
  firstAt: (plan: Plan<E>) => number,
): { readonly added: ReadonlyArray<Poll<E>>; readonly removed: ReadonlyArray<Poll<E>> } {
  const wanted = new Map(desired.map((plan) => [pollId(plan.endpoint, plan.key), plan]));
  const removed = [...polls.values()].filter(({ id }) => !wanted.has(id));
  for (const { id } of removed) polls.delete(id);
  const added: Array<Poll<E>> = [];
  for (const [id, plan] of wanted) {
    const known = polls.get(id);
    if (known?.plan.owner === plan.owner) {
      if (known.plan.every === plan.every && known.plan.timeout === plan.timeout) continue;
      known.plan = plan;
      apply(known, { is: "replanned" }, now);
      continue;
    }
    if (known !== undefined) removed.push(known);
    const poll = newPoll(plan, firstAt(plan));
    polls.set(id, poll);
    added.push(poll);
  }
  return { added, removed };
}
