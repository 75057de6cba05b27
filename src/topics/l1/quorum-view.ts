import type { Answer } from "../../api/endpoint.ts";
import { PRIMARY } from "../../api/node/platform.ts";
import type { ConnectedPeers } from "../../api/peer.ts";
import { checkedChain, comparedIds } from "../chain-ids.ts";
import { reachableStake, type Connected } from "../node/reachable-stake.ts";
import { chainsOf } from "../node/health-messages.ts";
import { awaySince, isWitness } from "../node/sights.ts";
import { isConnected } from "./is-connected.ts";
import { isActive, isWeighed, share, totalWeight, weightOf, type ValidatorSet } from "../stakes.ts";

/** Share of the weight below which a chain's health check fails, by AvalancheGo's default. */
export const DEFAULT_QUORUM_RATIO = 0.8;
/** Of the weight beyond the share without which a node sends no queries, health checks demand a fifth too (AvalancheGo, `MinPercentConnectedBuffer`). */
export const STOP = { factor: 1.25, offset: 0.25 } as const;
/** Share of the weight below which a chain accepts no blocks, by AvalancheGo's default. */
export const DEFAULT_STOP_RATIO = stopRatio(DEFAULT_QUORUM_RATIO);
/** Share of the weight that signs a message to other chains. */
export const SIGNATURE_RATIO = 0.67;

/** The share of the weight below which a chain accepts no blocks, from the share that its health check demands. */
export function stopRatio(requirement: number): number {
  return STOP.factor * requirement - STOP.offset;
}

/** A polled node with what it says of a quorum. */
export type QuorumMember = {
  readonly facts: Connected["facts"];
  readonly answers: Connected["answers"] & {
    readonly peers: Answer<ConnectedPeers> | undefined;
    /** The sets of a second node of the network. */
    readonly second?: ReadonlyMap<string, Answer<ValidatorSet>> | undefined;
  };
};

/** What a node is connected to. */
export type QuorumView = {
  /** Share of all weight. */
  readonly connected: number;
  /** How many validators, heaviest first, the quorum does not need; `undefined` without a quorum. */
  readonly spare: number | undefined;
};

/** Nodes that are asked about a quorum. They lack it together, or few of them do. */
const MOST_ASKED = 5;

/** The nodes that can say what is connected: the reference node first. */
export type Witnesses = {
  /** Those that can also say what is not: not cut off, with peers, and not just started. */
  readonly reliable: readonly QuorumMember[];
  readonly others: readonly QuorumMember[];
};

export function witnessesIn(members: readonly QuorumMember[], reference: string | undefined, now: number): Witnesses {
  const reachable = reachableStake(members);
  const isFirst = ({ facts }: QuorumMember): boolean => facts.node === reference;
  const answering = members.filter(({ answers }) => answers.peers !== undefined);
  const ordered = [...answering.filter(isFirst), ...answering.filter((member) => !isFirst(member))];
  const isReliable = (each: QuorumMember): boolean =>
    isWitness(each, reachable) && awaySince(each, now) === undefined && each.answers.peers?.value.peers.length !== 0;
  return { reliable: ordered.filter(isReliable), others: ordered.filter((member) => !isReliable(member)) };
}

/**
 * What is connected of a subnet: by the first node that has the quorum, whichever it is, else by the reliable one that is connected to
 * most. `undefined` where none can say.
 */
export function viewOf({ reliable, others }: Witnesses, subnet: string, required: number): QuorumView | undefined {
  // A node that does not serve the L1 keeps no connection to validators of the L1 alone.
  const serves = ({ facts }: QuorumMember): boolean =>
    subnet === PRIMARY || facts.subnets.some(({ id }) => id === subnet);
  const asked = (nodes: readonly QuorumMember[]): readonly QuorumMember[] => {
    const serving = nodes.filter(serves);
    return (serving.length > 0 ? serving : nodes).slice(0, MOST_ASKED);
  };
  let best: QuorumView | undefined;
  for (const each of asked(reliable)) {
    const view = viewOfNode(each, subnet, required);
    if (view?.spare !== undefined) return view;
    if (view !== undefined && view.connected > (best?.connected ?? -1)) best = view;
  }
  // A node that has just started or is cut off misses what is connected, and invents nothing.
  const views = asked(others).map((member) => viewOfNode(member, subnet, required));
  return views.find((view) => view?.spare !== undefined) ?? best;
}

/** By subnet, the highest requirement that a check of any node names: nodes can be configured differently. */
export function requirementsOf(members: readonly QuorumMember[]): ReadonlyMap<string, number> {
  const named = new Map<string, number>();
  for (const { facts, answers } of members)
    for (const { check, requiredRatio } of answers.report === undefined ? [] : chainsOf(answers.report.value)) {
      if (requiredRatio === undefined) continue;
      const subnet = checkedChain(facts, comparedIds(answers.ids), check)?.subnet;
      if (subnet !== undefined) named.set(subnet, Math.max(requiredRatio, named.get(subnet) ?? 0));
    }
  return named;
}

/** Parts of a share: a check names its percentage with six decimals. */
const PARTS = 100_000_000;

/** By the set of the reference node; where that lacks the quorum and a second node's has it, by that: one node alone can be wrong. */
function viewOfNode(member: QuorumMember, subnet: string, required: number): QuorumView | undefined {
  const [first, second] = [member.answers.sets, member.answers.second].map((sets) =>
    viewBy(sets?.get(subnet)?.value, member, subnet, required),
  );
  return first !== undefined && first.spare === undefined && second?.spare !== undefined ? second : first;
}

function viewBy(
  set: ValidatorSet | undefined,
  member: QuorumMember,
  subnet: string,
  required: number,
): QuorumView | undefined {
  if (set === undefined || !isWeighed(set)) return undefined;
  const total = totalWeight(set.validators);
  // Without any weight nobody can accept a block. The Primary Network always has some.
  if (total === 0n) return subnet === PRIMARY ? undefined : { connected: 0, spare: undefined };
  const active = set.validators.filter(isActive);
  const connections = active.map((each) => isConnected(member, subnet, each));
  if (connections.includes(undefined)) return undefined;
  const voting = active.filter((_, at) => connections[at] === true);
  const weights = voting.map(weightOf).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  return { connected: share(totalWeight(voting), total) ?? 0, spare: spareOf(weights, total, required) };
}

/** How many of the weights, heaviest first, a quorum does not need; `undefined` without a quorum. */
function spareOf(weights: readonly bigint[], total: bigint, required: number): number | undefined {
  const needed = total * BigInt(Math.round(required * PARTS));
  const suffices = (left: bigint): boolean => left * BigInt(PARTS) >= needed;
  let left = weights.reduce((sum, weight) => sum + weight, 0n);
  if (!suffices(left)) return undefined;
  for (const [count, weight] of weights.entries()) {
    left -= weight;
    if (!suffices(left)) return count;
  }
  return weights.length;
}
