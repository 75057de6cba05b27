import { z } from "zod";
import type { IsBootstrapped } from "../../api/node/info.ts";
import type { Member } from "../define/needs.ts";
import { chainLabel } from "../labels.ts";
import { isSilent, type Reaches } from "../reach.ts";
import { topOf, type Behind, type Remembered } from "./behind.ts";
import type { Doubted } from "./doubted-height.ts";
import type { ByNode, HeightHistory } from "./height-history.ts";

/** Nodes that were there before a start of the exporter have this time to answer: their chain can have begun again from genesis. Seconds. */
const AWAITED = 600;

/** Whether a node is behind its network. Unix seconds. */
export type BehindVerdict = {
  /** Since when, on the chain that is behind longest; missing while the node keeps up. */
  readonly since?: number | undefined;
  /** Until when this was known, while the node does not answer. */
  readonly to?: number | undefined;
};

export const SAVED_VERDICTS = z
  .array(z.tuple([z.string(), z.object({ since: z.number(), to: z.number().optional() })]))
  .transform((each): ByNode<BehindVerdict> => new Map(each));

/** What is known of one chain. */
export type ComparedChain = {
  readonly nodes: ByNode<HeightHistory>;
  readonly behind: Behind;
  /** What an earlier process knew of `behind`, until its nodes have answered. */
  readonly remembered?: Remembered | undefined;
  /** The history of such a node ends with its last height that was believed. */
  readonly doubted?: Doubted | undefined;
};
type Chains = ReadonlyMap<string, ComparedChain>;

/** A polled node with what decides whether its chains count. */
type Compared = Member<{ reach: typeof Reaches; done: typeof IsBootstrapped }>;

/** Chains that the node reports as not bootstrapped: they follow no blocks yet. */
export function bootstrappingOf({ facts, answers: { done } }: Compared): ReadonlySet<string> {
  const without = [...(done ?? [])].filter(([, { value }]) => !value.isBootstrapped);
  return new Set(without.map(([id]) => chainLabel(facts, id)));
}

/** Whether each node is behind; without an entry it is unknown. */
export function verdictsAfter(
  before: ByNode<BehindVerdict>,
  members: readonly Compared[],
  chains: Chains,
  now: number,
): ByNode<BehindVerdict> {
  return new Map(
    members.flatMap((member): ReadonlyArray<readonly [string, BehindVerdict]> => {
      const { node } = member.facts;
      const verdict = verdictOf(member, before.get(node), chains, now);
      return verdict === undefined ? [] : [[node, verdict]];
    }),
  );
}

/** Seconds that a node is behind; 0 while it keeps up. */
export function secondsBehind({ since, to }: BehindVerdict, now: number): number {
  return since === undefined ? 0 : Math.max(0, (to ?? now) - since);
}

function verdictOf(
  member: Compared,
  last: BehindVerdict | undefined,
  chains: Chains,
  now: number,
): BehindVerdict | undefined {
  if (isSilent(member.answers.reach?.value)) return last && { ...last, to: last.to ?? now };
  const present = presentOf(member, chains);
  if (last?.since === undefined || !isAwaited(member, chains)) return present;
  // What was known before a start of the exporter stays until the node is compared with the nodes of that time.
  const held = { ...last, to: last.to ?? now };
  if (now - held.to > AWAITED) return present;
  return secondsBehind(present ?? {}, now) > secondsBehind(held, now) ? present : held;
}

/** Whether the node was behind before a start of the exporter, and is still below what another one had then, or not read. */
function isAwaited({ facts: { node } }: Compared, chains: Chains): boolean {
  return [...chains.values()].some(
    ({ nodes, remembered }) =>
      remembered?.since.has(node) === true && (nodes.get(node)?.height ?? 0) < topOf(remembered),
  );
}

/** The verdict by the present heights alone. */
function presentOf(member: Compared, chains: Chains): BehindVerdict | undefined {
  const { node } = member.facts;
  const bootstrapping = bootstrappingOf(member);
  const known = [...chains].filter(
    ([chain, { nodes, doubted }]) =>
      !bootstrapping.has(chain) && doubted?.node !== node && nodes.get(node)?.lag !== undefined,
  );
  // A node that bootstraps follows no chain yet: what it was before its restart is over.
  if (known.length === 0) return bootstrapping.size > 0 ? {} : undefined;
  const since = Math.min(...known.map(([, { behind }]) => behind.since.get(node) ?? Infinity));
  return since === Infinity ? {} : { since };
}
