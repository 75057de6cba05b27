import type { Polled } from "../../api/endpoint.ts";
import type { EndpointSettings } from "../../config/config.ts";
import { newPoll, pollId, type Planned, type Poll } from "./poll.ts";
import { fractionOf, nextOnGrid } from "./schedule.ts";

/** Cadence and deadline of an endpoint, and whether it is asked: the defaults, changed by the configuration. Seconds. */
export function settingsOf(
  { every, timeout, enabled = true }: Polled<unknown>,
  settings: EndpointSettings = {},
): { readonly every: number; readonly timeout: number; readonly enabled: boolean } {
  return {
    every: settings.every ?? every,
    timeout: settings.timeout ?? timeout,
    enabled: settings.enabled ?? enabled,
  };
}

/** Where on its grid a poll lies: seconds from 0 to `every`, the same after a restart. */
export function phaseOf(id: string, every: number): number {
  return fractionOf(id) * every;
}

export type Difference<P> = { readonly added: readonly P[]; readonly removed: readonly P[] };

/**
 * Makes a target's polls the desired ones. A poll whose question and owner are the same stays, with how it went; of another
 * cadence it keeps the nearer of the two next times.
 * @returns new polls, due at once, and those that went
 */
export function reconcilePolls<E extends Polled<unknown>>(
  polls: Map<string, Poll<E>>,
  desired: readonly Planned<E>[],
  now: number,
): Difference<Poll<E>> {
  const wanted = new Map(desired.map((planned) => [pollId(planned.endpoint, planned.key), planned]));
  const removed = [...polls].filter(([id]) => !wanted.has(id)).map(([, poll]) => poll);
  for (const { endpoint, key } of removed) polls.delete(pollId(endpoint, key));
  const added: Poll<E>[] = [];
  for (const [id, planned] of wanted) {
    const known = polls.get(id);
    if (known !== undefined && known.owner === planned.owner) {
      changeCadence(known, planned, now);
      continue;
    }
    if (known !== undefined) removed.push(known);
    const poll = newPoll(planned, now);
    polls.set(id, poll);
    added.push(poll);
  }
  return { added, removed };
}

function changeCadence(
  poll: Poll<Polled<unknown>>,
  { every, timeout, phase }: Planned<Polled<unknown>>,
  now: number,
): void {
  if (poll.every === every && poll.timeout === timeout) return;
  Object.assign(poll, { every, timeout, phase });
  poll.next = Math.min(poll.next, nextOnGrid(now, every, phase));
}
