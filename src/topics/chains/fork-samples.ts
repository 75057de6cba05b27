/** A block that a node had as its last accepted one. */
export type Head = { readonly height: number; readonly id: string };

/** The heads of the nodes of one chain, as one of their interfaces names blocks. */
export type Heads = {
  /** The last head of each node. */
  readonly last: ReadonlyMap<string, Head>;
  /** By height, then by block, the nodes that had it. */
  readonly blocks: ReadonlyMap<number, Blocks>;
  /** The lowest known height at which nodes differ that have not agreed at a later one. */
  readonly fork: number | undefined;
};
type Blocks = ReadonlyMap<string, ReadonlySet<string>>;

export const NO_HEADS: Heads = { last: new Map(), blocks: new Map(), fork: undefined };

/** Heights that are kept, some quarter of an hour of C-Chain blocks: nodes are not polled at the same height. */
const MOST_HEIGHTS = 512;

/** Adds the present heads. A node that does not answer has none, and one whose height fell begins again: it resyncs. */
export function addHeads(before: Heads, now: ReadonlyMap<string, Head>): Heads {
  const gone = [...before.last].filter(([node, { height }]) => (now.get(node)?.height ?? -1) < height);
  const blocks = new Map(before.blocks);
  for (const [node] of gone) forget(blocks, node);
  for (const [node, head] of now) {
    const last = before.last.get(node);
    if (last?.height === head.height && last.id === head.id && blocks.get(head.height)?.get(head.id)?.has(node))
      continue;
    blocks.set(head.height, withHead(blocks.get(head.height), node, head.id));
  }
  const fork = forkOf(blocks);
  const old = [...blocks.keys()].sort((a, b) => b - a).slice(MOST_HEIGHTS);
  for (const height of old) if (height !== fork) blocks.delete(height);
  return { last: now, blocks, fork };
}

function forget(blocks: Map<number, Blocks>, node: string): void {
  for (const [height, ofHeight] of blocks) {
    const left = [...ofHeight]
      .map(([id, nodes]) => [id, new Set([...nodes].filter((each) => each !== node))] as const)
      .filter(([, nodes]) => nodes.size > 0);
    if (left.length === 0) blocks.delete(height);
    else blocks.set(height, new Map(left));
  }
}

/** A node has one block at a height: the last one that it had. */
function withHead(before: Blocks | undefined, node: string, id: string): Blocks {
  const others = [...(before ?? [])].map(
    ([block, nodes]) => [block, new Set([...nodes].filter((each) => each !== node))] as const,
  );
  const known = new Map(others.filter(([, nodes]) => nodes.size > 0));
  return known.set(id, new Set([...(known.get(id) ?? []), node]));
}

/** From the highest height down: nodes that agree have one history below, whatever they had there. */
function forkOf(blocks: ReadonlyMap<number, Blocks>): number | undefined {
  let fork: number | undefined;
  for (const [height, ofHeight] of [...blocks].sort(([a], [b]) => b - a)) {
    if (ofHeight.size < 2) continue;
    const sides = sidesAt(blocks, height);
    if (sides.length > 1) fork = height;
  }
  return fork;
}

/** The nodes of each block at a height, with those that agree with one of them at a later height. */
export function sidesAt(blocks: ReadonlyMap<number, Blocks>, height: number): ReadonlyArray<ReadonlySet<string>> {
  let sides: ReadonlyArray<ReadonlySet<string>> = [...(blocks.get(height)?.values() ?? [])];
  for (const [later, ofHeight] of blocks) {
    if (later <= height) continue;
    for (const nodes of ofHeight.values()) {
      const joined = sides.filter((side) => [...side].some((node) => nodes.has(node)));
      if (joined.length > 0)
        sides = [
          ...sides.filter((side) => !joined.includes(side)),
          new Set([...joined.flatMap((side) => [...side]), ...nodes]),
        ];
    }
  }
  return sides;
}
