import type { GenesisMember } from "./genesis.ts";
import { disconnected, epoch, fullWeight, heliconTimeAt, linked, remember, rosterAt, versionAt } from "./network.ts";
import { atLeast } from "./options.ts";
import { since, type View } from "./wire.ts";

/** Peers of a node, and the upgrades that they announce. */

/** Members that a node lists as peers, by rank, at most `peersPerNode`. */
export function peersOf({ network, index, at }: View): GenesisMember[] {
  const { members, settings } = network.world;
  const peers: GenesisMember[] = [];
  for (let step = 1; step < members.length && peers.length < settings.peersPerNode; step += 1) {
    const member = members[(index + step) % members.length];
    if (member !== undefined && linked(network, index, member.index, at)) peers.push(member);
  }
  return peers;
}

/** Time of the last upgrade before Helicon, Unix seconds: releases without Helicon announce it. */
const lastUpgrade = (networkId: number): number => (networkId === 1 ? 1_763_568_000 : 1_607_144_400);

/** The upgrade time that a member announces to its peers, Unix seconds; 0 for releases that announce none. */
export function announcedUpgrade({ network, at }: View, member: GenesisMember): number {
  const version = versionAt(network, member.index, at);
  if (!atLeast(version, "1.14.1")) return 0;
  if (!atLeast(version, "1.15.0")) return lastUpgrade(network.world.settings.network.id);
  return heliconTimeAt(network, member.index, at);
}

/** Stake by announced upgrade time among a node's connected validators, in nAVAX. */
export function upgradeVotes(view: View): Map<number, bigint> {
  const { network, index, at } = view;
  const roster = rosterAt(network, at);
  // The votes of all validators are cached for all nodes; those without a connection to this node are subtracted.
  const allVotes = remember(network, "votes", epoch(network, at) + roster.from, () => count(view, roster.validators));
  const absent = count(view, [
    ...disconnected(network, index, at),
    ...roster.validators.filter((member) => member.index === index),
  ]);
  const left = [...allVotes].map(([time, weight]) => [time, weight - (absent.get(time) ?? 0n)] as const);
  return new Map(left.filter(([, weight]) => weight > 0n));
}

function count(view: View, validators: ReadonlyArray<GenesisMember>): Map<number, bigint> {
  const votes = new Map<number, bigint>();
  for (const member of validators) {
    const time = announcedUpgrade(view, member);
    votes.set(time, (votes.get(time) ?? 0n) + BigInt(fullWeight(member)));
  }
  return votes;
}

/** Proposals that release 1.15.0 lists and supports. */
const LISTED = [194, 224, 236, 247, 267, 273, 283, 285];
export const SUPPORTED: ReadonlyArray<number> = [194, 236, 267, 273, 283, 285];

export const listedProposals = (view: View): ReadonlyArray<number> => (since(view, "1.15.0") ? LISTED : []);
export const supportedProposals = ({ network, at }: View, member: GenesisMember): ReadonlyArray<number> =>
  atLeast(versionAt(network, member.index, at), "1.15.0") ? SUPPORTED : [];
