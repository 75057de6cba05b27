import type { Polled } from "../../api/endpoint.ts";
import type { EndpointSettings } from "../../config/config.ts";
import { newPoll, pollId, type Planned, type Poll } from "./poll.ts";
import { fractionOf, nextSlot } from "./schedule.ts";

/** The settings of an endpoint: its defaults, overridden by the configuration. Seconds. */
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

/** The offset of a poll's slots: seconds from 0 to `every`, the same after a restart. */
export function phaseOf(id: string, every: number): number {
  return fractionOf(id) * every;
}

/**
 * Replaces a target's polls by the desired ones. A poll with the same question and owner keeps its results; if its cadence
 * changes, its next slot is the earlier one of both cadences.
 * @returns the added polls, due at once, and the removed ones
 */
export function reconcilePolls<E extends Polled<unknown>>(
  polls: Map<string, Poll<E>>,
  desired: readonly Planned<E>[],
  now: number,
): { readonly added: readonly Poll<E>[]; readonly removed: readonly Poll<E>[] } {
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
  poll.next = Math.min(poll.next, nextSlot(now, every, phase));
}
