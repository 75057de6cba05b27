import { makeId } from "../encoding/ids.ts";
import { AVAX, genesisMs, type Delegation, type GenesisMember, type World } from "./genesis.ts";
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
  /** Release from this time on; without it the node keeps its release. */
  readonly version?: string;
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

/** Segments of a node that have begun, oldest first. */
export const segmentsUntil = (network: Network, index: number, at: number): ReadonlyArray<Segment> =>
  (network.history[index] ?? []).filter(({ from }) => from <= at);

/** Since when a part of a node's behaviour is as it is: a later scenario that keeps this part does not begin it again. */
export function heldSince(network: Network, index: number, at: number, part: keyof Behaviour): number {
  const segments = segmentsUntil(network, index, at);
  const value = segments.at(-1)?.behaviour[part];
  const other = segments.findLastIndex(({ behaviour }) => behaviour[part] !== value);
  return segments[other + 1]?.from ?? ALWAYS.from;
}

/** Release of a member. */
export function versionAt(network: Network, index: number, at: number): string {
  const changed = segmentsUntil(network, index, at).findLast(({ version }) => version !== undefined);
  return changed?.version ?? network.world.members[index]?.version ?? network.world.settings.version;
}

// ---- stake ----

export type Stake = { readonly start: number; readonly end: number; readonly period: number };

/** Seconds from the change until the end of a stake. */
const STAKE_LEFT_SECONDS = { ending: 20 * 3600, "ending-soon": 20 * 60, renewing: 20 * 60 } as const;

/** Stake period of a member, in Unix seconds; `undefined` if it has no record in the set. Periods are consecutive. */
export function stakeOf(network: Network, index: number, at: number): Stake | undefined {
  const member = network.world.members[index];
  if (member === undefined || index >= network.world.settings.validators) return undefined;
  const period = Math.max(0, Math.floor((at / 1000 - member.stakeStart) / member.stakeSeconds));
  const start = member.stakeStart + period * member.stakeSeconds;
  const { stake, uptime } = behaviourAt(network, index, at);
  if (stake === "gone") return undefined;
  if (stake === "kept") return { start, end: start + member.stakeSeconds, period };
  const end = announcedEnd(network, index, at) ?? 0;
  if (at / 1000 < end) return { start, end, period };
  if (stake !== "renewing" || uptime === "poor") return undefined;
  const cycle = Math.floor((at / 1000 - end) / member.stakeSeconds);
  const begun = end + cycle * member.stakeSeconds;
  return { start: begun, end: begun + member.stakeSeconds, period: period + 1 + cycle };
}

/** The end that a scenario has set for the present stake of a member, Unix seconds. */
function announcedEnd(network: Network, index: number, at: number): number | undefined {
  const { stake } = behaviourAt(network, index, at);
  if (stake === "kept" || stake === "gone") return undefined;
  return Math.floor(heldSince(network, index, at, "stake") / 1000) + STAKE_LEFT_SECONDS[stake];
}

const LARGE_FIRST_SECONDS = 9 * 86_400;
const LARGE_SECONDS = 14 * 86_400;

/** The delegation that a scenario adds to a member. */
export function largeDelegation(network: Network, index: number, at: number): Delegation | undefined {
  const { world } = network;
  const member = world.members[index];
  if (member === undefined || behaviourAt(network, index, at).delegations !== "large") return undefined;
  const first = Math.floor(heldSince(network, index, at, "delegations") / 1000) + LARGE_FIRST_SECONDS;
  const end = first + Math.max(0, Math.floor((at / 1000 - first) / LARGE_SECONDS) + 1) * LARGE_SECONDS;
  const start = end - LARGE_SECONDS;
  const txId = makeId(world.settings.seed, "large delegation", index, start);
  return { txId, weight: 150_000 * AVAX, start, end, owner: member.owner };
}

type Roster = {
  readonly validators: ReadonlyArray<GenesisMember & { readonly stake: Stake }>;
  /** Total weight with delegations in nAVAX: as a double for shares, and exact. */
  readonly total: number;
  readonly exact: bigint;
};

/** With the range of Unix milliseconds for which the roster is valid. */
type CachedRoster = Roster & { readonly from: number; readonly until: number };

export const fullWeight = (member: GenesisMember): number => member.weight + member.delegated;

/** Total weight in nAVAX; exceeds 2^53 with a few validators. */
export const sumWeights = (members: ReadonlyArray<GenesisMember>): bigint =>
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
    if (stake === undefined) return [];
    const large = largeDelegation(network, member.index, at);
    if (large === undefined) return [{ ...member, stake }];
    return [{ ...member, stake, delegated: member.delegated + large.weight, delegators: member.delegators + 1 }];
  });
  // A roster of a future time lacks the members that end before it.
  const ended = network.changed.map((index) => announcedEnd(network, index, at) ?? 0).filter((end) => end * 1000 <= at);
  validators.sort((a, b) => a.stake.end - b.stake.end || a.index - b.index);
  const exact = sumWeights(validators);
  return {
    validators,
    total: Number(exact),
    exact,
    from: 1000 * Math.max(0, ...ended, ...validators.map(({ stake }) => stake.start)),
    until: validators.reduce((soonest, { stake }) => Math.min(soonest, stake.end * 1000), Number.POSITIVE_INFINITY),
  };
}

// ---- links ----

const LOSS_MS = 30_000;
/** Time without an answer to a ping after which a node drops a connection. */
const PING_TIMEOUT_MS = 30_000;

/** Rank of a peer of a node (0 is the peer that it keeps longest), and the number of its peers. */
export function rank(network: Network, index: number, peer: number): readonly [rank: number, peers: number] {
  const count = network.world.members.length;
  return [((peer - index + count) % count) - 1, count - 1];
}

/** Milliseconds after the change until a node loses the peer of a rank; infinite if it keeps the peer. */
export function lostAfter(behaviour: Behaviour, peerRank: number, peers: number): number {
  switch (behaviour.links) {
    case "all":
      return Number.POSITIVE_INFINITY;
    case "few":
      return peerRank < 2 ? Number.POSITIVE_INFINITY : 0;
    case "losing":
      return peerRank === 0 ? Number.POSITIVE_INFINITY : (peers - peerRank) * LOSS_MS;
    case "cut":
      return PING_TIMEOUT_MS;
    case "none":
    case "down":
      return 0;
  }
}

/** Whether two members are connected. */
export function linked(network: Network, a: number, b: number, at: number): boolean {
  if (a === b) return true;
  const holds = (index: number, peer: number): boolean => {
    const behaviour = behaviourAt(network, index, at);
    if (behaviour.links === "all") return true;
    return at < heldSince(network, index, at, "links") + lostAfter(behaviour, ...rank(network, index, peer));
  };
  return holds(a, b) && holds(b, a);
}

/** Validators to which a node is not connected: only members in `changed`, unless the behaviour of the node itself cuts its links. */
export function disconnected(network: Network, index: number, at: number): GenesisMember[] {
  const { validators } = rosterAt(network, at);
  const hasAllLinks = behaviourAt(network, index, at).links === "all";
  if (hasAllLinks && network.changed.length === 0) return [];
  const changed = new Set(network.changed);
  return validators.filter(
    (member) => (hasAllLinks ? changed.has(member.index) : true) && !linked(network, index, member.index, at),
  );
}

// ---- process and upgrade ----

/** Whether the process of a node starts with a segment. */
const starts = ({ behaviour }: Segment, before: Behaviour | undefined): boolean =>
  behaviour.links !== "down" &&
  (behaviour.restarted || before?.links === "down" || (behaviour.bootstrapping && before?.bootstrapping !== true));

/** Start of the process of a node, Unix milliseconds. */
export function runsSince(network: Network, index: number, at: number): number {
  const segments = segmentsUntil(network, index, at);
  const start = segments.findLast((segment, i) => starts(segment, segments[i - 1]?.behaviour));
  return start?.from ?? genesisMs(network.world);
}

/** Activation time of Helicon in the network, Unix seconds; UNSCHEDULED if it has none. */
export function upgradeTimeAt(network: Network, at: number): number {
  const { heliconTime, upgradeLead } = network.world.settings;
  return remember(network, "schedule", epoch(network, at), () =>
    network.changed.reduce((time, node) => {
      const { upgrade } = behaviourAt(network, node, at);
      if (upgrade === "none") return time;
      // A node cannot miss an upgrade that is not scheduled: without a time in the options, its scenario schedules one.
      if (upgrade !== "ahead" && heliconTime !== UNSCHEDULED) return time;
      return Math.min(time, Math.floor(heldSince(network, node, at, "upgrade") / 1000) + upgradeLead);
    }, heliconTime),
  );
}

/** Activation time of Helicon in the schedule of a member, Unix seconds; UNSCHEDULED if it has none. */
export function heliconTimeAt(network: Network, index: number, at: number): number {
  const { settings, members } = network.world;
  const { upgrade } = behaviourAt(network, index, at);
  if (upgrade === "unknown" || upgrade === "missed") return UNSCHEDULED;
  const isUnaware = members.length > settings.nodes && index === members.length - 1;
  return isUnaware ? settings.heliconTime : upgradeTimeAt(network, at);
}

/** Whether Helicon is active on a node. */
export const heliconActive = (network: Network, index: number, at: number): boolean =>
  at / 1000 >= heliconTimeAt(network, index, at);
