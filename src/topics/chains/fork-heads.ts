/** A block that a node had as its last accepted one. */
export type Head = { readonly height: number; readonly id: string };

/** By node, the block that it had at one height. */
export type Blocks = ReadonlyMap<string, string>;

/** The heads of the nodes of one chain, as one of their interfaces names blocks. */
export type ForkHeads = {
  /** The last head of each node. */
  readonly last: ReadonlyMap<string, Head>;
  readonly byHeight: ReadonlyMap<number, Blocks>;
  /** The lowest known height at which nodes differ that have not agreed at a later one. */
  readonly fork: number | undefined;
  /** Until when a node without a head keeps its last one: it was silent, and its chains answer later than it does. Unix seconds. */
  readonly kept: ReadonlyMap<string, number>;
};

export const NO_HEADS: ForkHeads = { last: new Map(), byHeight: new Map(), fork: undefined, kept: new Map() };

/** Heights that are kept, some quarter of an hour of C-Chain blocks: nodes are not polled at the same height. */
const MOST_HEIGHTS = 512;

/** A node that has just returned has this time to answer about its chains. Seconds. */
const ANSWERS_WITHIN = 600;

/**
 * Adds the present heads. A node that is silent keeps its last one, for whoever is paged about a fork when one side dies. One that
 * answers without a head has none, and one whose height fell begins again: it resyncs.
 * @param silent whether each polled node is silent
 */
export function addHeads(
  before: ForkHeads,
  now: ReadonlyMap<string, Head>,
  silent: ReadonlyMap<string, boolean>,
  time: number,
): ForkHeads {
  const kept = new Map<string, number>();
  for (const node of before.last.keys()) {
    const until = silent.get(node) === true ? time + ANSWERS_WITHIN : (before.kept.get(node) ?? 0);
    if (!now.has(node) && silent.has(node) && until > time) kept.set(node, Math.min(until, time + ANSWERS_WITHIN));
  }
  const last = new Map([...[...before.last].filter(([node]) => kept.has(node)), ...now]);
  const byHeight = withoutNodes(
    before.byHeight,
    [...before.last].filter(([node, { height }]) => (last.get(node)?.height ?? -1) < height).map(([node]) => node),
  );
  // A height is copied once, however many of a thousand nodes reach it together.
  for (const [height, heads] of Map.groupBy(now, ([, head]) => head.height)) {
    const known = byHeight.get(height);
    const news = heads.filter(([node, { id }]) => known?.get(node) !== id).map(([node, { id }]) => [node, id] as const);
    if (news.length > 0) byHeight.set(height, new Map([...(known ?? []), ...news]));
  }
  const fork = forkOf(byHeight);
  const old = [...byHeight.keys()].sort((a, b) => b - a).slice(MOST_HEIGHTS);
  for (const height of old) if (height !== fork) byHeight.delete(height);
  return { last, byHeight, fork, kept };
}

function withoutNodes(byHeight: ForkHeads["byHeight"], nodes: readonly string[]): Map<number, Blocks> {
  if (nodes.length === 0) return new Map(byHeight);
  const rest = [...byHeight].map(
    ([height, blocks]) => [height, new Map([...blocks].filter(([node]) => !nodes.includes(node)))] as const,
  );
  return new Map(rest.filter(([, blocks]) => blocks.size > 0));
}

/** From the highest height down: nodes that agree have one history below, whatever they had there. */
function forkOf(byHeight: ForkHeads["byHeight"]): number | undefined {
  const differing = [...byHeight].filter(([, blocks]) => {
    const [first] = blocks.values();
    return blocks.values().some((id) => id !== first);
  });
  const heights = differing.map(([height]) => height).sort((a, b) => a - b);
  return heights.find((height) => sidesAt(byHeight, height).length > 1);
}

/** The nodes of each block at a height, with those that agree with one of them at a later height. */
export function sidesAt(byHeight: ForkHeads["byHeight"], height: number): ReadonlyArray<ReadonlySet<string>> {
  let sides = groups(byHeight.get(height));
  for (const [later, blocks] of byHeight) {
    if (later <= height) continue;
    for (const nodes of groups(blocks)) {
      const joined = sides.filter((side) => !side.isDisjointFrom(nodes));
      if (joined.length === 0) continue;
      const others = sides.filter((side) => !joined.includes(side));
      sides = [...others, new Set([...joined, nodes].flatMap((side) => [...side]))];
    }
  }
  return sides;
}

/** The nodes of each block. */
function groups(blocks: Blocks = new Map()): ReadonlyArray<ReadonlySet<string>> {
  return [...Map.groupBy(blocks, ([, id]) => id).values()].map((nodes) => new Set(nodes.map(([node]) => node)));
}
