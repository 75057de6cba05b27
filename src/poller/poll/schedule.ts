import type { Polled } from "../../api/endpoint.ts";
import type { Config, EndpointSettings } from "../../config/config.ts";
import { EASED_INTERVALS, stretched } from "./interval.ts";
import { newPoll, pollId, type Planned, type Poll } from "./poll.ts";

/**
 * When a poll is due. The slots of a poll lie one interval apart, with a phase that is hashed from its question: a thousand
 * nodes do not fire together, a restart keeps the phase, and slots do not drift, because they are counted from the Unix epoch.
 */

/** Hashes a text to a number from 0 (inclusive) to 1 (exclusive): FNV-1a with a final mix, so that similar texts differ. */
export function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return (hash >>> 0) / 2 ** 32;
}

/**
 * The first slot after `now`. All in seconds.
 * @param phase 0 to `every`
 */
export function nextSlot(now: number, every: number, phase: number): number {
  const slot = phase + Math.ceil((now - phase) / every) * every;
  // Rounding can give `now` itself, a slot that was served.
  return slot > now ? slot : slot + every;
}

/** Failures in a row that keep the full cadence: a lost packet must not slow polls down. */
const PATIENT = 2;
/** Longest back-off, unless the cadence itself is slower. Seconds. */
export const SLOWEST_RETRY = 60;

/** Seconds to wait after the n-th failure in a row: doubles from the third, never beyond a minute or the cadence itself. */
export function backOff(every: number, failures: number): number {
  const doubled = every * 2 ** Math.min(Math.max(0, failures - PATIENT), 20);
  return Math.min(doubled, Math.max(every, SLOWEST_RETRY));
}

/** The settings of an endpoint: its defaults, overridden by the configuration. Seconds. */
export function settingsOf(endpoint: Polled<unknown>, settings: EndpointSettings = {}) {
  const { every = endpoint.every, timeout = endpoint.timeout, enabled = endpoint.enabled ?? true } = settings;
  return { every, timeout, enabled };
}

/** The longest deadline that is configured for a poll, in seconds: a connection may take as long. */
export function longestDeadline({ endpoints }: Pick<Config, "endpoints">): number {
  return Math.max(0, ...Object.values(endpoints).map(({ timeout = 0 }) => timeout));
}

/** The offset of a poll's slots: seconds from 0 to `every`, the same after a restart. */
export function phaseOf(id: string, every: number): number {
  return fractionOf(id) * every;
}

type Pace = Pick<Poll, "configured" | "eased" | "stretch">;

/** The interval of a poll without a stretch, in seconds. */
export function unstretched({ configured, eased }: Pick<Pace, "configured" | "eased">): number {
  return configured * (eased ? EASED_INTERVALS : 1);
}

/** Gives a poll the interval that follows from its state. Its slots keep their place within the interval. */
export function repace(poll: Pace & Pick<Poll, "every" | "phase">): void {
  const every = stretched(unstretched(poll), poll.stretch);
  poll.phase *= every / poll.every;
  poll.every = every;
}

/** Multiplies the intervals of polls. A longer one counts from the last poll, a shorter one from now: none waits for longer than an interval and a quarter. */
export function stretchPolls(polls: Iterable<Poll>, factor: number, now: number): void {
  for (const poll of polls) {
    const before = poll.every;
    poll.stretch = factor;
    repace(poll);
    // What runs, is due, fails or is missing keeps its next time.
    if (poll.every === before || poll.running || poll.cancel !== undefined) continue;
    if (poll.lastAttempt === undefined || poll.failures > 0 || poll.unsupported) continue;
    if (poll.every > before)
      poll.next = Math.max(poll.next, nextSlot(poll.lastAttempt + poll.every / 4, poll.every, poll.phase));
    else poll.next = Math.min(poll.next, nextSlot(now, poll.every, poll.phase));
  }
}

/**
 * Replaces a target's polls by the desired ones. A poll with the same question and owner keeps its results; if its cadence
 * changes, its next slot is the earlier one of both cadences.
 * @param stretch of the intervals of added polls
 * @returns the added polls, due at once, and the removed ones
 */
export function reconcilePolls<E extends Polled<unknown>>(
  polls: Map<string, Poll<E>>,
  desired: readonly Planned<E>[],
  now: number,
  stretch = 1,
): { readonly added: readonly Poll<E>[]; readonly removed: readonly Poll<E>[] } {
  const wanted = new Map(desired.map((planned) => [pollId(planned.endpoint, planned.key), planned]));
  const removed = [...polls].filter(([id]) => !wanted.has(id)).map(([, poll]) => poll);
  for (const { endpoint, key } of removed) polls.delete(pollId(endpoint, key));
  const added: Poll<E>[] = [];
  for (const [id, planned] of wanted) {
    const known = polls.get(id);
    if (known?.owner === planned.owner) {
      const { every, timeout, phase } = planned;
      if (known.configured === every && known.timeout === timeout) continue;
      Object.assign(known, { configured: every, every, timeout, phase });
      repace(known);
      known.next = Math.min(known.next, nextSlot(now, known.every, known.phase));
      continue;
    }
    if (known !== undefined) removed.push(known);
    const poll = newPoll(planned, now, stretch);
    polls.set(id, poll);
    added.push(poll);
  }
  return { added, removed };
}

/** The shortest interval of these polls, seconds; 0 without any. */
export function shortestInterval(polls: Iterable<Pick<Poll, "every">>): number {
  let shortest = Infinity;
  for (const { every } of polls) shortest = Math.min(shortest, every);
  return Number.isFinite(shortest) ? shortest : 0;
}
