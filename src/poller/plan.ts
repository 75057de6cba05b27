import type { Fleet } from "./fleet.ts";
import { replan } from "./planning.ts";
import { refresh, showRecord } from "./showing.ts";
import type { Poll, Target } from "./target.ts";

/** First polls are spread over this many seconds a new node, and no longer than `MOST_SPREAD`: a start must not be a stampede. */
const SPREAD_PER_NODE = 0.015;
const MOST_SPREAD = 15;

/** Brings a node's polls in line with what is to be asked of it now. */
export function plan(fleet: Fleet, target: Target): void {
  const { catalogue, helperEndpoints, config, speakers, clock, runner, store } = fleet;
  const now = clock.now();
  const speaks = speakers.get(target.subject.network ?? "") === target.config.name;
  const { added, removed } = replan(target, target.helps ? helperEndpoints : catalogue.endpoints, config, speaks, now);
  for (const poll of removed) {
    runner.disarm(poll);
    // What was said about a network stays until the next speaker says it anew, or it is too old.
    if (poll.endpoint.scope === "network" && !speaks && isAskedStill(target, poll)) continue;
    if (store.delete(poll.owner, poll.endpoint.id, poll.key)) refresh(fleet, target, poll.endpoint, false);
  }
  const spread = Math.min(MOST_SPREAD, fleet.joining * SPREAD_PER_NODE);
  for (const poll of added) {
    const held = store.of(poll.owner, poll.endpoint.id)?.get(poll.key);
    poll.heldSince = held?.answeredAt;
    // A chain is the same whoever is asked: the next node goes on where the one before it ended.
    if (poll.endpoint.byChain === true) poll.previous = held?.value;
    runner.due(target, poll, now + (spread * poll.phase) / poll.every);
  }
  fleet.subscriptions.follow(target, config.evm.websocket && !target.helps);
  if (added.length + removed.length > 0) showRecord(fleet, target, now);
}

/** Whether somebody else may go on with a question about a network; nobody does about a chain that is not configured any more. */
function isAskedStill({ subject }: Target, { endpoint, key }: Poll): boolean {
  return endpoint.byChain !== true || subject.evmChains.some(({ id }) => id === key);
}
