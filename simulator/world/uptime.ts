import { pairChance } from "../encoding/ids.ts";
import { behaviourAt, heldSince, lostAfter, rank, runsSince, stakeOf, type Network } from "./network.ts";

/** Uptimes of validators as other nodes observe and report them: pure functions of the history of both. */

type Span = readonly [from: number, to: number];

/** Time ranges up to `until` without a connection to a peer, because of the behaviour of the node itself. */
function outages(network: Network, index: number, peer: number, until: number): Span[] {
  const segments = network.history[index] ?? [];
  return segments.flatMap((segment, i) => {
    if (segment.behaviour.links === "all") return [];
    const end = Math.min(until, segments[i + 1]?.from ?? until);
    const since = heldSince(network, index, segment.from, "links");
    const begin = Math.max(segment.from, since + lostAfter(segment.behaviour, ...rank(network, index, peer)));
    return begin < end ? [[begin, end] as const] : [];
  });
}

/** Time ranges up to `until` in which the process of a node did not run. */
function downtimes(network: Network, index: number, until: number): Span[] {
  const segments = network.history[index] ?? [];
  return segments.flatMap(({ from, behaviour }, i) => {
    const end = Math.min(until, segments[i + 1]?.from ?? until);
    return behaviour.links === "down" && from < end ? [[from, end] as const] : [];
  });
}

/** Milliseconds after `from` that any of the ranges covers. */
function covered(spans: ReadonlyArray<Span>, from: number): number {
  let reached = from;
  let sum = 0;
  for (const [begin, end] of spans.toSorted((left, right) => left[0] - right[0])) {
    if (end > reached) sum += end - Math.max(reached, begin);
    reached = Math.max(reached, end);
  }
  return sum;
}

/**
 * Milliseconds between `from` and `to` that an observer counts as downtime of a subject. For the time in which its own process did
 * not run, a node credits every validator with uptime.
 */
function unlinkedMs(network: Network, observer: number, subject: number, from: number, to: number): number {
  if (network.changed.length === 0) return 0;
  const own = downtimes(network, observer, to);
  const all = [...outages(network, observer, subject, to), ...outages(network, subject, observer, to)];
  return covered([...all, ...own], from) - covered(own, from);
}

const OBSERVED_UPTIME = { poor: 0.62, edge: 0.81 } as const;

/** Uptime of a validator in its stake period as a node observes it, 0 to 1; always 1 for the node itself. */
export function observedUptime(network: Network, observer: number, subject: number, at: number): number {
  const member = network.world.members[subject];
  const stake = stakeOf(network, subject, at);
  if (member === undefined || stake === undefined) return 0;
  const elapsed = at - stake.start * 1000;
  if (observer === subject || elapsed <= 0) return 1;
  const { uptime } = behaviourAt(network, subject, at);
  const before = uptime === "good" ? member.reliability : OBSERVED_UPTIME[uptime];
  const lost = unlinkedMs(network, observer, subject, stake.start * 1000, at) / elapsed;
  return Math.min(1, Math.max(0, before - 0.001 * pairChance(observer, subject) - lost));
}

/** Time after a restart until a node exchanges uptimes with its peers. Milliseconds. */
const EXCHANGE_DELAY_MS = 30_000;

/** Whether a node has restarted and not exchanged uptimes yet. */
const hasJustRestarted = (network: Network, index: number, at: number): boolean =>
  at - runsSince(network, index, at) < EXCHANGE_DELAY_MS;

/**
 * Uptime of `subject` that `observer` reports to it, whole percent; 0 without a report, or if the subject does not validate. A node
 * that bootstraps does not know uptimes and reports 0.
 */
export function reportedUptime(network: Network, observer: number, subject: number, at: number): number {
  if (hasJustRestarted(network, observer, at) || hasJustRestarted(network, subject, at)) return 0;
  if (behaviourAt(network, observer, at).bootstrapping) return 0;
  return Math.floor(observedUptime(network, observer, subject, at) * 100);
}
