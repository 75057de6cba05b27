import { IsBootstrapped } from "../api/node/info.ts";
import { isNodesAnswer, type Reason } from "../api/reasons.ts";
import type { Fleet } from "./fleet.ts";
import { isExpired } from "./grid.ts";
import { learn } from "./learning.ts";
import { idOf } from "./planning.ts";
import type { Outcome } from "./runner.ts";
import { refresh, showRecord, showRecordSoon } from "./showing.ts";
import { reconsider } from "./speaking.ts";
import { upAfter, type Poll, type Target } from "./target.ts";

/** Takes in how a poll ended: the answer or its failure, whether the node is up, and what follows for others. */
export function ended(fleet: Fleet, target: Target, poll: Poll, outcome: Outcome): void {
  const now = fleet.clock.now();
  // It may have been planned away while it was running: its answer has no place any more.
  if (target.polls.get(idOf(poll.endpoint, poll.key)) !== poll) return;
  const failure = "failure" in outcome ? outcome.failure : undefined;
  count(target, poll, failure?.reason);
  const wasUp = target.up;
  if (failure === undefined || isNodesAnswer(failure.reason)) target.lastAnswer = now;
  target.up = upAfter(target, failure, now);
  if ("value" in outcome) {
    fleet.store.put(poll.owner, poll.endpoint.id, poll.key, {
      value: outcome.value,
      askedAt: outcome.askedAt,
      answeredAt: now,
    });
    poll.heldSince = now;
    learn(fleet, target, poll.endpoint, outcome.value);
    refresh(fleet, target, poll.endpoint, true);
  } else {
    expire(fleet, target, poll, now);
  }
  if (target.up !== wasUp) turned(fleet, target, wasUp, now);
  if (target.up !== wasUp || poll.endpoint.id === IsBootstrapped.id) reconsider(fleet, target);
  if (target.up !== wasUp) showRecord(fleet, target, now);
  else showRecordSoon(fleet, target, now);
}

/** Removes an answer that is too old, and what was read from it. */
export function expire(fleet: Fleet, target: Target, poll: Poll, now: number): void {
  if (poll.heldSince === undefined || !isExpired(poll.heldSince, now, poll.every, poll.timeout, poll.failures)) return;
  poll.heldSince = undefined;
  if (fleet.store.delete(poll.owner, poll.endpoint.id, poll.key)) refresh(fleet, target, poll.endpoint, false);
}

function count(target: Target, { endpoint, unsupported }: Poll, reason: Reason | undefined): void {
  const tally = target.tallies.get(endpoint.id) ?? { polls: 0, failures: new Map<Reason, number>() };
  target.tallies.set(endpoint.id, tally);
  tally.polls++;
  if (reason !== undefined && !unsupported) tally.failures.set(reason, (tally.failures.get(reason) ?? 0) + 1);
}

/** A node that came back is asked everything at once instead of when the back-off ends. */
function turned({ log, runner }: Fleet, target: Target, wasUp: boolean | undefined, now: number): void {
  const node = target.config.name;
  if (target.up === true && wasUp === false) {
    log.info({ node }, "node is up again");
    for (const poll of target.polls.values()) if (poll.failures > 0) runner.due(target, poll, now);
  } else if (target.up === false) {
    const error = [...target.polls.values()].find((poll) => poll.error !== undefined)?.error;
    log.warn({ node, reason: error?.reason, error: error?.message }, "node is down");
  }
}
