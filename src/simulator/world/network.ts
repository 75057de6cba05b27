import type { ChainName, Member, World } from "./genesis.ts";
import { pairChance } from "./ids.ts";
import { UNSCHEDULED } from "./options.ts";
import { HEALTHY, type Behaviour, type ScenarioName } from "./scenarios.ts";

/**
 * The network at a moment: a pure function of the world, of when which scenario was set on whom, and of simulated time. Times are unix
 * milliseconds of simulated time unless a name says otherwise. The past can be asked too, which is how cached health results are answered.
 */

/** From when on a node behaves so. */
export type Segment = {
  readonly from: number;
  readonly names: ReadonlyArray<ScenarioName>;
  readonly behaviour: Behaviour;
};

export type Network = {
  readonly world: World;
  /** Per polled node, oldest first, never empty. */
  readonly history: ReadonlyArray<ReadonlyArray<Segment>>;
  /** Nodes (indices) that were ever anything but healthy: the only ones whose history needs a look. */
  readonly changed: ReadonlyArray<number>;
  /** Every moment at which some node's behaviour changed, ascending. */
  readonly switches: ReadonlyArray<number>;
  /** Answers that many requests share, each with the moment it holds for. Not state: emptying it changes no answer. */
  readonly cache: Map<string, { readonly stamp: number; readonly value: unknown }>;
};

/** The network with that history of its nodes. */
export function createNetwork(world: World, history: ReadonlyArray<ReadonlyArray<Segment>>): Network {
  const changed = history.flatMap((segments, index) =>
    segments.some(({ names }) => names.some((name) => name !== "healthy")) ? [index] : [],
  );
  const switches = [...new Set(history.flat().map(({ from }) => from))].sort((a, b) => a - b);
  return { world, history, changed, switches, cache: new Map() };
}

/** What `make` gives, made once for a key and stamp. */
export function remember<T>(network: Network, key: string, stamp: number, make: () => T): T {
  const found = network.cache.get(key);
  if (found?.stamp === stamp) return found.value as T;
  const value = make();
  network.cache.set(key, { stamp, value });
  return value;
}

const ALWAYS: Segment = { from: 0, names: ["healthy"], behaviour: HEALTHY };

/** How many switches lie before a time: what depends on behaviours alone is constant while this is. */
export function epoch(network: Network, at: number): number {
  return network.switches.filter((moment) => moment <= at).length;
}

/** What a node's scenarios were at a time; members that are no nodes are always healthy. */
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
export const BLOCK_SECONDS: Readonly<Record<ChainName, number>> = { P: 10, X: 3600, C: 2, perm1: 5, l1one: 5 };
export const CHAINS: ReadonlyArray<ChainName> = ["P", "X", "C", "perm1", "l1one"];
const LAG_BLOCKS = 25;
const LEFT_BEFORE_MS = 600_000;
/** Every chain's block 0, before the simulation's start. */
const CHAIN_AGE_MS = 40 * 86_400_000;

const genesis = (world: World): number => world.settings.start - CHAIN_AGE_MS;

/** When a block was made, unix seconds. */
export function blockSeconds(world: World, chain: ChainName, height: number): number {
  return genesis(world) / 1000 + height * BLOCK_SECONDS[chain];
}

/** The height that the network has reached on a chain. */
export function networkHeight(world: World, chain: ChainName, at: number): number {
  return Math.max(0, Math.floor((at - genesis(world)) / 1000 / BLOCK_SECONDS[chain]));
}

/** The last height that a node has accepted on a chain. */
export function heightOf(network: Network, index: number, chain: ChainName, at: number): number {
  const { from, behaviour } = segmentAt(network, index, at);
  if (behaviour.bootstrapping) return 0;
  const stands =
    behaviour.links === "down" ||
    behaviour.chains === "standing" ||
    ((behaviour.chains === "stuck" || behaviour.chains === "stalled") && chain === "C");
  // One that is left behind from the start was so before.
  const before = behaviour.chains === "standing" && from === network.world.settings.start ? LEFT_BEFORE_MS : 0;
  if (stands) return networkHeight(network.world, chain, Math.min(from, at) - before);
  const height = networkHeight(network.world, chain, at);
  return behaviour.chains === "lagging" ? Math.max(0, height - LAG_BLOCKS) : height;
}

// ---- stake ----

export type Stake = { readonly start: number; readonly end: number; readonly period: number };

/** A member's stake period at a time in unix seconds, or undefined when it has no record in the set. Periods follow one another. */
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

export type Roster = {
  readonly validators: ReadonlyArray<Member & { readonly stake: Stake }>;
  /** Weight of all with delegations, nAVAX: rounded for shares, and exact beyond 2^53. */
  readonly total: number;
  readonly exact: bigint;
};

/** With the unix milliseconds between which the set is this one, as far as stake periods go. */
type HeldRoster = Roster & { readonly from: number; readonly until: number };

export const fullWeight = (member: Member): number => member.weight + member.delegated;

/** nAVAX of all together; beyond 2^53 from half a dozen validators on. */
export const sumWeights = (members: ReadonlyArray<Member>): bigint =>
  members.reduce((sum, member) => sum + BigInt(fullWeight(member)), 0n);

/** The Primary Network's set, ordered by end of stake as the node does, with its weight in nAVAX (delegations included). */
export function rosterAt(network: Network, at: number): HeldRoster {
  // Cached health results ask for the past and everything else for the present, so one set serves the whole time between two changes.
  const held = remember<{ current?: HeldRoster }>(network, "roster", epoch(network, at), () => ({}));
  if (held.current === undefined || at < held.current.from || at >= held.current.until)
    held.current = makeRoster(network, at);
  return held.current;
}

function makeRoster(network: Network, at: number): HeldRoster {
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

/** Where a peer stands in a node's order: 0 is the neighbour that it keeps longest. */
function rank(network: Network, index: number, peer: number): number {
  const count = network.world.members.length;
  return ((peer - index + count) % count) - 1;
}

/** How long after the switch a node in this behaviour loses the peer of that rank, ms; infinite when it keeps it. */
function lostAfter(behaviour: Behaviour, place: number, peers: number): number {
  switch (behaviour.links) {
    case "all":
      return Number.POSITIVE_INFINITY;
    case "few":
      return place < 2 ? Number.POSITIVE_INFINITY : 0;
    case "losing":
      return place === 0 ? Number.POSITIVE_INFINITY : (peers - place) * LOSS_MS;
    case "none":
    case "down":
      return 0;
  }
}

/** The times up to `until` at which a node kept no connection to a peer, by its own doing. */
function gaps(network: Network, index: number, peer: number, until: number): Span[] {
  const segments = network.history[index] ?? [];
  const place = rank(network, index, peer);
  return segments.flatMap((segment, i) => {
    const end = Math.min(until, segments[i + 1]?.from ?? until);
    const begin = segment.from + lostAfter(segment.behaviour, place, network.world.members.length - 1);
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

/** Validators that a node is not connected to. Only nodes with a history can be missing, unless the node itself has lost its links. */
export function disconnected(network: Network, index: number, at: number): Member[] {
  const { validators } = rosterAt(network, at);
  const whole = behaviourAt(network, index, at).links === "all";
  if (whole && network.changed.length === 0) return [];
  const changed = new Set(network.changed);
  return validators.filter(
    (member) => (whole ? changed.has(member.index) : true) && !linked(network, index, member.index, at),
  );
}

// ---- uptime ----

/** Milliseconds between `from` and `to` that two members were not connected. */
function unlinkedMs(network: Network, a: number, b: number, from: number, to: number): number {
  if (network.changed.length === 0) return 0;
  const spans = [...gaps(network, a, b, to), ...gaps(network, b, a, to)].sort((left, right) => left[0] - right[0]);
  let covered = from;
  let sum = 0;
  for (const [begin, end] of spans) {
    if (end > covered) sum += end - Math.max(covered, begin);
    covered = Math.max(covered, end);
  }
  return sum;
}

const OBSERVED_UPTIME = { poor: 0.62, edge: 0.81 } as const;
/** What a node that sees badly sees of the others' uptime. */
const NEAR_SIGHT = 0.5;

/** The share of its stake period that an observer saw a validator up, 0 to 1. To itself a node is always up. */
export function uptimeSeen(network: Network, observer: number, subject: number, at: number): number {
  const member = network.world.members[subject];
  const stake = stakeOf(network, subject, at);
  if (member === undefined || stake === undefined) return 0;
  const elapsed = at - stake.start * 1000;
  if (observer === subject || elapsed <= 0) return 1;
  const { uptime } = behaviourAt(network, subject, at);
  const sight = behaviourAt(network, observer, at).nearSighted ? NEAR_SIGHT : 1;
  const before = (uptime === "good" ? member.reliability : OBSERVED_UPTIME[uptime]) * sight;
  const lost = unlinkedMs(network, observer, subject, stake.start * 1000, at) / elapsed;
  return Math.min(1, Math.max(0, before - 0.001 * pairChance(observer, subject) - lost));
}

/** For that long after a restart a node knows nothing of what its peers think of it, and says nothing. Milliseconds. */
const SILENCE_MS = 30_000;

/** Whether a node restarted so recently that it has not exchanged uptimes yet. */
export function silent(network: Network, index: number, at: number): boolean {
  const { from, behaviour } = segmentAt(network, index, at);
  return behaviour.restarted && at - from < SILENCE_MS;
}

/** Whole percent of uptime that `observer` reports to `subject` about it; 0 when it has not spoken or the subject does not validate. */
export function reported(network: Network, observer: number, subject: number, at: number): number {
  if (silent(network, observer, at) || silent(network, subject, at)) return 0;
  return Math.floor(uptimeSeen(network, observer, subject, at) * 100);
}

/** Unix milliseconds since when a node's process runs. */
export function runsSince(network: Network, index: number, at: number): number {
  const { from, behaviour } = segmentAt(network, index, at);
  return behaviour.restarted || behaviour.bootstrapping ? from : genesis(network.world);
}

const UPGRADE_LEAD_SECONDS = 3600;

/** When Helicon activates as far as a member knows, unix seconds; UNSCHEDULED when it knows of no date. */
export function heliconKnown(network: Network, index: number, at: number): number {
  const { settings, members } = network.world;
  const own = segmentAt(network, index, at);
  if (own.behaviour.upgrade === "unknown") return UNSCHEDULED;
  if (own.behaviour.upgrade === "alone") return Math.floor(own.from / 1000) + UPGRADE_LEAD_SECONDS;
  const ignorant = members.length > settings.nodes && index === members.length - 1;
  if (ignorant) return settings.heliconTime;
  return remember(network, "schedule", epoch(network, at), () =>
    network.changed.reduce((time, node) => {
      const { from, behaviour } = segmentAt(network, node, at);
      return behaviour.upgrade === "none" || behaviour.upgrade === "alone"
        ? time
        : Math.min(time, Math.floor(from / 1000) + UPGRADE_LEAD_SECONDS);
    }, settings.heliconTime),
  );
}

/** Whether Helicon is in force for a node. */
export const heliconActive = (network: Network, index: number, at: number): boolean =>
  at / 1000 >= heliconKnown(network, index, at);
