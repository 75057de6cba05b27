import type { Poll } from "./poll.ts";
import type { Store } from "./store.ts";
import type { Target } from "./target.ts";

/** What a node refuses is remembered, because each refusal is a line in its log, until another process, release or configuration can have it. */

/** What the last answer to a poll shows of the node's software and configuration. @param now Unix seconds */
export function servedBy(store: Store, { plan: { endpoint, owner, key } }: Poll, now: number): string | undefined {
  if (!("serves" in endpoint)) return undefined;
  const answer = store.get(owner, endpoint, now, key);
  return answer && endpoint.serves?.(answer.value);
}

/** Has the next requests ask again for what the node refused. */
export function forgetRefusals(store: Store, { polls }: Pick<Target, "polls">): void {
  for (const { plan } of polls.values()) {
    const { owner, endpoint, key } = plan;
    if ("afresh" in endpoint) store.revise(owner, endpoint, key, (value) => endpoint.afresh?.(value) ?? value);
  }
}
