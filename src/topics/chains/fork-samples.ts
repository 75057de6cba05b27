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
  const { blocks, add, remove } = editing(before.blocks);
  for (const [node, { height }] of before.last)
    if ((now.get(node)?.height ?? -1) < height) for (const each of [...blocks.keys()]) remove(each, node);
  for (const [node, { height, id }] of now) if (blocks.get(height)?.get(id)?.has(node) !== true) add(height, node, id);
  const fork = forkOf(blocks);
  const old = blocks.size > MOST_HEIGHTS ? [...blocks.keys()].sort((a, b) => b - a).slice(MOST_HEIGHTS) : [];
  for (const height of old) if (height !== fork) blocks.delete(height);
  return { last: now, blocks, fork };
}

/** Copies of blocks. A height is copied once, however many of a thousand nodes reach it together. */
function editing(before: ReadonlyMap<number, Blocks>) {
  const blocks = new Map<number, Blocks>(before);
  const copies = new Map<number, Map<string, Set<string>>>();
  function copyOf(height: number): Map<string, Set<string>> {
    const copy =
      copies.get(height) ??
      new Map([...(before.get(height) ?? [])].map(([id, nodes]) => [id, new Set(nodes)] as const));
    copies.set(height, copy);
    blocks.set(height, copy);
    return copy;
  }
  function remove(height: number, node: string): void {
    if (
      !blocks
        .get(height)
        ?.values()
        .some((nodes) => nodes.has(node))
    )
      return;
    const copy = copyOf(height);
    for (const [id, nodes] of copy) if (nodes.delete(node) && nodes.size === 0) copy.delete(id);
    if (copy.size === 0) blocks.delete(height);
  }
  /** A node has one block at a height: the last one that it had. */
  function add(height: number, node: string, id: string): void {
    remove(height, node);
    const copy = copyOf(height);
    copy.set(id, (copy.get(id) ?? new Set<string>()).add(node));
  }
  return { blocks, add, remove };
}

/** From the highest height down: nodes that agree have one history below, whatever they had there. */
function forkOf(blocks: ReadonlyMap<number, Blocks>): number | undefined {
  let fork: number | undefined;
  const differing = [...blocks].filter(([, ofHeight]) => ofHeight.size > 1);
  for (const [height] of differing.sort(([a], [b]) => b - a)) {
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
