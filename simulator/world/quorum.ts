import {
  blockMs,
  genesisMs,
  isL1,
  isSubnetChain,
  validationsOf,
  type ChainName,
  type L1Validation,
} from "./genesis.ts";
import { paidUntil } from "./l1-balances.ts";
import {
  behaviourAt,
  fullWeight,
  remember,
  rosterAt,
  segmentsUntil,
  stakeOf,
  upgradeTimeAt,
  type Network,
  type Segment,
} from "./network.ts";

/**
 * Which members take part in a chain, and when a chain stands still for everybody because too little weight does (option `quorum`).
 * Pure functions of the whole history, so that heights of past times stay what they were.
 */

/** Share of the weight of a subnet below which the health checks of its chains fail (the default of a node). */
export const REQUIRED_SHARE = 0.8;
/** The share below which nodes send no queries, so that the chains stand still. */
const QUERIED_SHARE = 0.75;
/** Blocks that a node accepts at most before it executes them: it verifies none while execution is some seconds behind. */
export const MOST_UNEXECUTED = 3;

/** Since when the behaviour of a segment stops a chain on its node; `undefined` if it does not. */
function stopIn({ from, behaviour }: Segment, network: Network, chain: ChainName, at: number): number | undefined {
  const { chains, links, upgrade, executor, pluginHung } = behaviour;
  if (links === "none" || links === "cut" || links === "down" || chains === "standing") return from;
  if ((chains === "stuck" || chains === "stalled") && chain === "C") return from;
  if ((chains === "l1-dead" || pluginHung) && chain === "l1one") return from;
  if (executor === "stalled" && chain === "C") return from + MOST_UNEXECUTED * blockMs("C");
  if (upgrade !== "missed") return undefined;
  const activation = upgradeTimeAt(network, at) * 1000;
  return at >= activation ? Math.max(from, activation) : undefined;
}

/** Since when a node accepts no block of a chain because of its own behaviour; `undefined` if it accepts blocks. */
export function stoppedSince(network: Network, index: number, chain: ChainName, at: number): number | undefined {
  let since: number | undefined;
  for (const segment of segmentsUntil(network, index, at).toReversed()) {
    const stop = stopIn(segment, network, chain, at);
    if (stop === undefined) return since;
    since = stop;
    if (stop > segment.from) return since;
  }
  return since;
}

/** Whether the votes of a member count on a chain. */
function takesPart(network: Network, index: number, chain: ChainName, at: number): boolean {
  const { bootstrapping, pluginFailed } = behaviourAt(network, index, at);
  const runs = !bootstrapping && !(pluginFailed && isSubnetChain(chain));
  return runs && stoppedSince(network, index, chain, at) === undefined;
}

/** A validator of a chain with its weight, and its validation on the L1. */
export type Seat = { readonly member: number; readonly weight: number; readonly validation?: L1Validation };

/** The validators of the two subnets, or of the Primary Network. */
export function seatsOf(network: Network, chain: ChainName, at: number): ReadonlyArray<Seat> {
  const { world } = network;
  if (isSubnetChain(chain) && isL1(world, chain))
    return validationsOf(world, chain).map((validation) => ({
      member: validation.member,
      weight: validation.weight,
      validation,
    }));
  if (chain === "perm1")
    return world.permissioned
      .filter((member) => stakeOf(network, member, at) !== undefined)
      .map((member) => ({ member, weight: 20 }));
  return rosterAt(network, at).validators.map((member) => ({ member: member.index, weight: fullWeight(member) }));
}

/** A time range in which a chain stands still for everybody, Unix milliseconds; the end of the present one is infinite. */
type Halt = readonly [from: number, to: number];

/** Time ranges, ascending, in which a chain has no quorum; none without the option. */
export function haltsOf(network: Network, chain: ChainName): ReadonlyArray<Halt> {
  if (!network.world.settings.quorum) return [];
  return remember(network, `halts:${chain}`, 0, () => {
    const moments = momentsOf(network, chain);
    return moments.flatMap((from, i) =>
      hasQuorum(network, chain, from) ? [] : [[from, moments[i + 1] ?? Number.POSITIVE_INFINITY] as const],
    );
  });
}

/** Unix milliseconds at which a moment of a chain that never stood still is reached. */
export function delayed(halts: ReadonlyArray<Halt>, ms: number): number {
  return halts.reduce((moment, [from, to]) => (moment > from ? moment + (to - from) : moment), ms);
}

/** Milliseconds up to a time in which a chain stood still. */
export function haltedMs(halts: ReadonlyArray<Halt>, until: number): number {
  return halts.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, until) - from), 0);
}

function hasQuorum(network: Network, chain: ChainName, at: number): boolean {
  const seats = seatsOf(network, chain, at);
  const total = seats.reduce((sum, { weight }) => sum + weight, 0);
  const voting = seats
    .filter(({ validation }) => validation === undefined || at < usedUpAt(network, validation, at))
    .filter(({ member }) => takesPart(network, member, chain, at))
    .reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 || voting / total >= QUERIED_SHARE;
}

/** When the network's P-Chain uses up the balance of a validation: at its first block with that time. */
function usedUpAt(network: Network, validation: L1Validation, at: number): number {
  const until = paidUntil(network, validation, at) * 1000;
  const genesis = genesisMs(network.world);
  if (until < genesis) return until;
  const height = Math.ceil((until - genesis) / blockMs("P"));
  return delayed(haltsOf(network, "P"), genesis + height * blockMs("P"));
}

/** Every time at which a chain can lose or regain its quorum, ascending, from the start on. */
function momentsOf(network: Network, chain: ChainName): ReadonlyArray<number> {
  const { world, history, switches, changed } = network;
  const activations = switches.map((at) => upgradeTimeAt(network, at) * 1000);
  const ends = changed.flatMap((index) =>
    (history[index] ?? [])
      .filter(({ behaviour }) => behaviour.stake !== "kept")
      .flatMap(({ from }) => stakeOf(network, index, from) ?? [])
      .map(({ end }) => end * 1000),
  );
  const validations = isSubnetChain(chain) ? validationsOf(world, chain) : [];
  const empties = validations.flatMap((validation) =>
    [world.settings.start, ...(history[validation.member] ?? []).map(({ from }) => from)].map((at) =>
      usedUpAt(network, validation, at),
    ),
  );
  const all = [world.settings.start, ...switches, ...activations, ...ends, ...empties];
  return [...new Set(all)].filter((at) => at >= world.settings.start && Number.isFinite(at)).sort((a, b) => a - b);
}
