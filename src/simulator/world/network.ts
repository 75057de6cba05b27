import type { ChainName, Member, World } from "./genesis.ts";
import { pairChance } from "./ids.ts";
import { UNSCHEDULED } from "./options.ts";
import { HEALTHY, type Behaviour, type ScenarioName } from "./scenarios.ts";

/**
 * State of the network: pure functions of the world, the scenario changes and simulated time. Times are Unix milliseconds of simulated
 * time unless stated otherwise. Past times are valid too: cached health results need them.
 */

/** Behaviour of a node from a time on. */
export type Segment = {
  readonly from: number;
  readonly names: ReadonlyArray<ScenarioName>;
  readonly behaviour: Behaviour;
};

export type Network = {
  readonly world: World;
  /** Per node, oldest first, never empty. */
  readonly history: ReadonlyArray<ReadonlyArray<Segment>>;
  /** Indices of nodes with a scenario other than healthy at any time. */
  readonly changed: ReadonlyArray<number>;
  /** Times of all behaviour changes, ascending. */
  readonly switches: ReadonlyArray<number>;
  /** Cached values of `remember`. Not state: clearing it changes no answer. */
  readonly cache: Map<string, { readonly stamp: number; readonly value: unknown }>;
};

export function createNetwork(world: World, history: ReadonlyArray<ReadonlyArray<Segment>>): Network {
  const changed = history.flatMap((segments, index) =>
    segments.some(({ names }) => names.some((name) => name !== "healthy")) ? [index] : [],
  );
  const switches = [...new Set(history.flat().map(({ from }) => from))].sort((a, b) => a - b);
  return { world, history, changed, switches, cache: new Map() };
}

/** The result of `make`, cached for a key and stamp. */
export function remember<T>(network: Network, key: string, stamp: number, make: () => T): T {
  const found = network.cache.get(key);
  if (found?.stamp === stamp) return found.value as T;
  const value = make();
  network.cache.set(key, { stamp, value });
  return value;
}

const ALWAYS: Segment = { from: 0, names: ["healthy"], behaviour: HEALTHY };

/** Number of behaviour changes up to a time: a cache stamp for values that depend only on behaviours. */
export function epoch(network: Network, at: number): number {
  return network.switches.filter((moment) => moment <= at).length;
}

/** Behaviour of a member at a time; members that are not nodes are always healthy. */
export function segmentAt(network: Network, index: number, at: number): Segment {
  const segments = network.history[index];
  if (segments === undefined) return ALWAYS;
  let found = segments[0] ?? ALWAYS;
  for (const segment of segments) if (segment.from <= at) found = segment;
  return found;
}

export const behaviourAt = (network: Network, index: number, at: number): Behaviour =>
  segmentAt(network, index, at).behaviour;

// ---- chains ----

/** Seconds between blocks. */
const BLOCK_SECONDS: Readonly<Record<ChainName, number>> = { P: 10, X: 3600, C: 2, perm1: 5, l1one: 5 };
export const CHAINS: ReadonlyArray<ChainName> = ["P", "X", "C", "perm1", "l1one"];
const LAG_BLOCKS = 25;
const LEFT_BEFORE_MS = 600_000;
/** Age of block 0 of every chain at the start of the simulation. */
const CHAIN_AGE_MS = 40 * 86_400_000;

const genesis = (world: World): number => world.settings.start - CHAIN_AGE_MS;

/** Time of a block, Unix seconds. */
export function blockSeconds(world: World, chain: ChainName, height: number): number {
  return genesis(world) / 1000 + height * BLOCK_SECONDS[chain];
}

/** Height of a chain in the network. */
export function networkHeight(world: World, chain: ChainName, at: number): number {
  return Math.max(0, Math.floor((at - genesis(world)) / 1000 / BLOCK_SECONDS[chain]));
}

/** Height of the last accepted block of a node on a chain. */
export function heightOf(network: Network, index: number, chain: ChainName, at: number): number {
  const { from, behaviour } = segmentAt(network, index, at);
  if (behaviour.bootstrapping) return 0;
  const isStopped =
    behaviour.links === "down" ||
    behaviour.chains === "standing" ||
    ((behaviour.chains === "stuck" || behaviour.chains === "stalled") && chain === "C");
  // A node that stands from the start of the simulation is already behind then.
  const before = behaviour.chains === "standing" && from === network.world.settings.start ? LEFT_BEFORE_MS : 0;
  if (isStopped) return networkHeight(network.world, chain, Math.min(from, at) - before);
  const height = networkHeight(network.world, chain, at);
  return behaviour.chains === "lagging" ? Math.max(0, height - LAG_BLOCKS) : height;
}

// ---- stake ----

export type Stake = { readonly start: number; readonly end: number; readonly period: number };

/** Stake period of a member, in Unix seconds; `undefined` if it has no record in the set. Periods are consecutive. */
export function stakeOf(network: Network, index: number, at: number): Stake | undefined {
  const member = network.world.members[index];
  if (member === undefined || index >= network.world.settings.validators) return undefined;
  const period = Math.max(0, Math.floor((at / 1000 - member.stakeStart) / member.stakeSeconds));
  const start = member.stakeStart + period * member.stakeSeconds;
  const { from, behaviour } = segmentAt(network, index, at);
  if (behaviour.stake === "gone") return undefined;
  if (behaviour.stake === "kept") return { start, end: start + member.stakeSeconds, period };
  const end = Math.floor(from / 1000) + 20 * 3600;
  return at / 1000 < end ? { start, end, period } : undefined;
}

type Roster = {
  readonly validators: ReadonlyArray<Member & { readonly stake: Stake }>;
  /** Total weight with delegations in nAVAX: as a double for shares, and exact. */
  readonly total: number;
  readonly exact: bigint;
};

/** With the range of Unix milliseconds for which the roster is valid. */
type CachedRoster = Roster & { readonly from: number; readonly until: number };

export const fullWeight = (member: Member): number => member.weight + member.delegated;

/** Total weight in nAVAX; exceeds 2^53 with a few validators. */
export const sumWeights = (members: ReadonlyArray<Member>): bigint =>
  members.reduce((sum, member) => sum + BigInt(fullWeight(member)), 0n);

/** Validators of the Primary Network in the order of a node, by end of stake. */
export function rosterAt(network: Network, at: number): CachedRoster {
  // One cached roster per range: health results need past times, all other answers the present.
  const cached = remember<{ current?: CachedRoster }>(network, "roster", epoch(network, at), () => ({}));
  if (cached.current === undefined || at < cached.current.from || at >= cached.current.until)
    cached.current = makeRoster(network, at);
  return cached.current;
}

function makeRoster(network: Network, at: number): CachedRoster {
  const validators = network.world.members.flatMap((member) => {
    const stake = stakeOf(network, member.index, at);
    return stake === undefined ? [] : [{ ...member, stake }];
  });
  validators.sort((a, b) => a.stake.end - b.stake.end || a.index - b.index);
  const exact = sumWeights(validators);
  return {
    validators,
    total: Number(exact),
    exact,
    from: validators.reduce((latest, { stake }) => Math.max(latest, stake.start * 1000), 0),
    until: validators.reduce((soonest, { stake }) => Math.min(soonest, stake.end * 1000), Number.POSITIVE_INFINITY),
  };
}

// ---- links ----

type Span = readonly [from: number, to: number];
const LOSS_MS = 30_000;

/** Rank of a peer of a node: 0 is the peer that it keeps longest. */
function rank(network: Network, index: number, peer: number): number {
  const count = network.world.members.length;
  return ((peer - index + count) % count) - 1;
}

/** Milliseconds after the change until a node loses the peer of a rank; infinite if it keeps the peer. */
function lostAfter(behaviour: Behaviour, peerRank: number, peers: number): number {
  switch (behaviour.links) {
    case "all":
      return Number.POSITIVE_INFINITY;
    case "few":
      return peerRank < 2 ? Number.POSITIVE_INFINITY : 0;
    case "losing":
      return peerRank === 0 ? Number.POSITIVE_INFINITY : (peers - peerRank) * LOSS_MS;
    case "none":
    case "down":
      return 0;
  }
}

/** Time ranges up to `until` without a connection to a peer, because of the behaviour of the node itself. */
function outages(network: Network, index: number, peer: number, until: number): Span[] {
  const segments = network.history[index] ?? [];
  const peerRank = rank(network, index, peer);
  return segments.flatMap((segment, i) => {
    const end = Math.min(until, segments[i + 1]?.from ?? until);
    const begin = segment.from + lostAfter(segment.behaviour, peerRank, network.world.members.length - 1);
    return begin < end ? [[begin, end] as const] : [];
  });
}

/** Whether two members are connected. */
export function linked(network: Network, a: number, b: number, at: number): boolean {
  if (a === b) return true;
  const holds = (index: number, peer: number): boolean => {
    const { from, behaviour } = segmentAt(network, index, at);
    return at < from + lostAfter(behaviour, rank(network, index, peer), network.world.members.length - 1);
  };
  return holds(a, b) && holds(b, a);
}

/** Validators to which a node is not connected: only members in `changed`, unless the behaviour of the node itself cuts its links. */
export function disconnected(network: Network, index: number, at: number): Member[] {
  const { validators } = rosterAt(network, at);
  const hasAllLinks = behaviourAt(network, index, at).links === "all";
  if (hasAllLinks && network.changed.length === 0) return [];
  const changed = new Set(network.changed);
  return validators.filter(
    (member) => (hasAllLinks ? changed.has(member.index) : true) && !linked(network, index, member.index, at),
  );
}

// ---- uptime ----

/** Milliseconds between `from` and `to` that two members were not connected. */
function unlinkedMs(network: Network, a: number, b: number, from: number, to: number): number {
  if (network.changed.length === 0) return 0;
  const spans = [...outages(network, a, b, to), ...outages(network, b, a, to)].sort(
    (left, right) => left[0] - right[0],
  );
  let covered = from;
  let sum = 0;
  for (const [begin, end] of spans) {
    if (end > covered) sum += end - Math.max(covered, begin);
    covered = Math.max(covered, end);
  }
  return sum;
}

const OBSERVED_UPTIME = { poor: 0.62, edge: 0.81 } as const;
/** Factor on all uptimes that a node with the scenario near-sighted observes. */
const UNDERREPORTING_FACTOR = 0.5;

/** Uptime of a validator in its stake period as a node observes it, 0 to 1; always 1 for the node itself. */
export function observedUptime(network: Network, observer: number, subject: number, at: number): number {
  const member = network.world.members[subject];
  const stake = stakeOf(network, subject, at);
  if (member === undefined || stake === undefined) return 0;
  const elapsed = at - stake.start * 1000;
  if (observer === subject || elapsed <= 0) return 1;
  const { uptime } = behaviourAt(network, subject, at);
  const factor = behaviourAt(network, observer, at).underreportsUptime ? UNDERREPORTING_FACTOR : 1;
  const before = (uptime === "good" ? member.reliability : OBSERVED_UPTIME[uptime]) * factor;
  const lost = unlinkedMs(network, observer, subject, stake.start * 1000, at) / elapsed;
  return Math.min(1, Math.max(0, before - 0.001 * pairChance(observer, subject) - lost));
}

/** Time after a restart until a node exchanges uptimes with its peers. Milliseconds. */
const EXCHANGE_DELAY_MS = 30_000;

/** Whether a node has restarted and not exchanged uptimes yet. */
function hasJustRestarted(network: Network, index: number, at: number): boolean {
  const { from, behaviour } = segmentAt(network, index, at);
  return behaviour.restarted && at - from < EXCHANGE_DELAY_MS;
}

/** Uptime of `subject` that `observer` reports to it, whole percent; 0 without a report, or if the subject does not validate. */
export function reportedUptime(network: Network, observer: number, subject: number, at: number): number {
  if (hasJustRestarted(network, observer, at) || hasJustRestarted(network, subject, at)) return 0;
  return Math.floor(observedUptime(network, observer, subject, at) * 100);
}

/** Start of the process of a node, Unix milliseconds. */
export function runsSince(network: Network, index: number, at: number): number {
  const { from, behaviour } = segmentAt(network, index, at);
  return behaviour.restarted || behaviour.bootstrapping ? from : genesis(network.world);
}

const UPGRADE_LEAD_SECONDS = 3600;

/** Activation time of Helicon in the schedule of a member, Unix seconds; UNSCHEDULED if it has none. */
export function heliconTimeAt(network: Network, index: number, at: number): number {
  const { settings, members } = network.world;
  const own = segmentAt(network, index, at);
  if (own.behaviour.upgrade === "unknown") return UNSCHEDULED;
  if (own.behaviour.upgrade === "alone") return Math.floor(own.from / 1000) + UPGRADE_LEAD_SECONDS;
  const isUnaware = members.length > settings.nodes && index === members.length - 1;
  if (isUnaware) return settings.heliconTime;
  return remember(network, "schedule", epoch(network, at), () =>
    network.changed.reduce((time, node) => {
      const { from, behaviour } = segmentAt(network, node, at);
      return behaviour.upgrade === "none" || behaviour.upgrade === "alone"
        ? time
        : Math.min(time, Math.floor(from / 1000) + UPGRADE_LEAD_SECONDS);
    }, settings.heliconTime),
  );
}

/** Whether Helicon is active on a node. */
export const heliconActive = (network: Network, index: number, at: number): boolean =>
  at / 1000 >= heliconTimeAt(network, index, at);
