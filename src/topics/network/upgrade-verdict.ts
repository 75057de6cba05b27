import { z } from "zod";
import type { Member } from "../define/needs.ts";
import type { Saved } from "../define/topic.ts";
import { isSilent, type Reaches } from "../reach.ts";
import { STANDINGS, type Standing } from "./known-upgrade.ts";

/** Blocks of this time show whether a node follows the network: before, none may have been made since. Seconds. */
const SETTLED = 600;

/** What the network's upgrade means for a node: alerts, pages and dashboards have it from here. */
export type UpgradeVerdict = {
  readonly state: Standing["state"];
  /** When the node forks off, ahead or past; Infinity while it is ready, and once its blocks show that it follows the network. Unix seconds. */
  readonly forksAt: number;
  /** Blocks that it is behind since it forked off; `undefined` where that is unknown. */
  readonly leftBehind: number | undefined;
};

/** @param lag blocks behind the network; `undefined` without another node to compare. @param now Unix seconds */
export function verdictOf({ state, parting }: Standing, lag: number | undefined, now: number): UpgradeVerdict {
  if (parting === undefined) return { state, forksAt: Infinity, leftBehind: 0 };
  if (now < parting) return { state, forksAt: parting, leftBehind: 0 };
  return { state, forksAt: lag === 0 && now - parting > SETTLED ? Infinity : parting, leftBehind: lag };
}

/** The last verdict about a node, and the ID that it had. */
type Known = UpgradeVerdict & { readonly nodeId: string | undefined };
/** By configured name of the node. */
export type Verdicts = ReadonlyMap<string, Known>;

/** The verdicts now. That of a silent node stays. */
export function verdictsAfter(
  before: Verdicts,
  members: ReadonlyArray<Member<{ reach: typeof Reaches }>>,
  now: (node: string) => UpgradeVerdict | undefined,
): Verdicts {
  const next = new Map<string, Known>();
  for (const { facts, answers } of members) {
    const { node, nodeId } = facts;
    const known = before.get(node);
    const verdict = isSilent(answers.reach?.value) && known?.nodeId === nodeId ? known : now(node);
    if (verdict !== undefined) next.set(node, { ...verdict, nodeId });
  }
  return next;
}

const saved = z.array(
  z.object({
    node: z.string(),
    nodeId: z.string().optional(),
    state: z.enum(STANDINGS),
    forksAt: z.number().optional(),
    leftBehind: z.number().optional(),
  }),
);

/** For whoever restarts the exporter while a node is down that is not ready: the page goes on. */
export const SAVED_VERDICTS: Saved<Verdicts> = {
  save: (verdicts) =>
    [...verdicts]
      .filter(([, { state }]) => state !== "in_line")
      .map(([node, { nodeId, state, forksAt, leftBehind }]) => ({
        ...{ node, nodeId, state },
        ...(forksAt === Infinity ? {} : { forksAt }),
        ...(leftBehind === undefined ? {} : { leftBehind: rounded(leftBehind) }),
      })),
  restore: (text) =>
    new Map(
      saved
        .parse(text)
        .map(({ node, nodeId, state, forksAt = Infinity, leftBehind }) => [
          node,
          { nodeId, state, forksAt, leftBehind },
        ]),
    ),
};

/** At most this many blocks, a power of two: a figure that moves with each block would be written with each. */
const rounded = (blocks: number): number => (blocks < 1 ? 0 : 2 ** Math.floor(Math.log2(blocks)));
