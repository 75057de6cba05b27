import { z } from "zod";
import { sidesAt, type ForkHeads } from "./fork-heads.ts";

/** What names blocks. */
export const INTERFACES = ["check", "evm"] as const;
export type ForkInterface = (typeof INTERFACES)[number];

/** By chain, and by the interface whose IDs are compared. */
export type Forks = ReadonlyMap<string, ReadonlyMap<ForkInterface, ForkHeads>>;

type Forked = ForkHeads & { readonly fork: number };

/** The heads of the interface that shows a fork at the lowest height. */
export function forkIn(by: ReadonlyMap<ForkInterface, ForkHeads>): Forked | undefined {
  const [first] = [...by.values()].filter(isForked).sort((a, b) => a.fork - b.fork);
  return first;
}

const isForked = (heads: ForkHeads): heads is Forked => heads.fork !== undefined;

const saved = z.array(
  z.object({
    chain: z.string(),
    by: z.enum(INTERFACES),
    height: z.number(),
    blocks: z.array(z.tuple([z.string(), z.string()])),
  }),
);

/** The forks as data for JSON: the block of each node at the height of the fork. */
export function savedForks(state: Forks): z.input<typeof saved> {
  return [...state].flatMap(([chain, byInterface]) =>
    [...byInterface].flatMap(([by, heads]) =>
      isForked(heads) ? [{ chain, by, height: heads.fork, blocks: blocksOf(heads) }] : [],
    ),
  );
}

/** A node that was not at that height has the block of the side that it is on. */
function blocksOf({ byHeight, fork }: Forked): Array<[node: string, block: string]> {
  const blocks = byHeight.get(fork);
  return sidesAt(byHeight, fork).flatMap((side) => {
    const block = [...side].map((node) => blocks?.get(node)).find((each) => each !== undefined);
    return block === undefined ? [] : [...side].map((node): [string, string] => [node, block]);
  });
}

/** The forks of saved data. Their nodes are on their sides until they have answered. */
export function restoredForks(data: unknown): Forks {
  const forks = saved.parse(data).map(({ chain, by, height, blocks }) => {
    const heads: ForkHeads = {
      last: new Map(blocks.map(([node, id]) => [node, { height, id }])),
      byHeight: new Map([[height, new Map(blocks)]]),
      fork: height,
      kept: new Map(blocks.map(([node]) => [node, Infinity])),
    };
    return { chain, by, heads };
  });
  return new Map(
    [...Map.groupBy(forks, ({ chain }) => chain)].map(([chain, each]) => [
      chain,
      new Map(each.map(({ by, heads }) => [by, heads])),
    ]),
  );
}
