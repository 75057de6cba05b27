import { ApiError, keyedEndpoint, type Api, type Outcome, type TargetFacts } from "../endpoint.ts";
import { askAll, batchSize, remembered, valueOf, type BatchMemory } from "./evm-batch.ts";
import type { Block } from "./evm-wire.ts";
import { call, evmChainIds, evmMethods, hex, rpcPath } from "./evm.ts";

/** The last block that was followed. */
export type Tip = { readonly number: number; readonly hash: string; readonly time: number };

export type Followed = {
  /** In ascending order, the head last when everything up to it was fetched. */
  readonly blocks: readonly Block[];
  readonly tip: Tip;
  /** Blocks since the poll before, with which the next poll begins its guess. */
  readonly advanced: number;
  readonly memory: BatchMemory | undefined;
};

/** How a head stands to what was followed before it. */
export type Standing =
  /** Nothing was followed yet, or it is the head of another history than the one that was followed. */
  | { readonly kind: "start" }
  /** The same head, or an older one of the same chain: a node that is behind. */
  | { readonly kind: "idle" }
  /** Blocks from `from` on are new; those between the tip and `from` are skipped when `from` is beyond the tip's child. */
  | { readonly kind: "ahead"; readonly from: number };

/**
 * What a new head means. Times never fall along a chain: a lower block that is younger belongs to another history.
 * @param most blocks that are caught up at most, the head included
 */
export function standingOf(tip: Tip | undefined, head: Block, most: number): Standing {
  if (tip === undefined) return { kind: "start" };
  if (head.number > tip.number) return { kind: "ahead", from: Math.max(tip.number + 1, head.number - most + 1) };
  const other = head.number === tip.number ? head.hash !== tip.hash : head.time > tip.time;
  return { kind: other ? "start" : "idle" };
}

/**
 * Follows a chain from head to head. Blocks that are probably there are asked for together with the head, so that a chain
 * of even pace costs one request a poll.
 */
export const EvmBlocks = keyedEndpoint<Followed>({
  id: "evm.blocks",
  about: "The blocks of each EVM chain since the poll before.",
  scope: "network",
  methods: ["eth_getBlockByNumber"],
  every: 15,
  timeout: 15,
  byChain: true,
  keys: evmChainIds,
  ask: follow,
});

async function follow(
  api: Api,
  chain: string,
  { evm }: TargetFacts,
  previous: Followed | undefined,
): Promise<Followed> {
  const asked = batchSize(evm.batch, previous?.memory);
  const path = rpcPath(chain);
  const tip = previous?.tip;
  const latest = call(evmMethods.block, "latest", false);
  const first = guess(previous, Math.min(asked, evm.maxBlocksPerPoll));
  const opening = await askAll(api, path, [latest, ...first.map(blockCall)], asked);
  const [headOutcome, ...guessed] = opening.outcomes as readonly Outcome<Block | undefined>[];
  const head = headOutcome === undefined ? undefined : valueOf(headOutcome);
  if (head === undefined) throw new ApiError({ reason: "schema", message: "eth_getBlockByNumber: no latest block" });
  const standing = standingOf(tip, head, evm.maxBlocksPerPoll);
  const known = new Map([[head.number, head]]);
  for (const outcome of guessed) keep(known, outcome);
  let { limit } = opening;
  if (standing.kind === "ahead") {
    const wanted = range(standing.from, head.number).filter((height) => !known.has(height));
    // Beyond a gap nothing links the blocks to the tip: the tip's own height tells whether it is still the same chain.
    if (standing.from > (tip?.number ?? 0) + 1 && tip !== undefined) wanted.unshift(tip.number);
    const more = await askAll(api, path, wanted.map(blockCall), limit);
    for (const outcome of more.outcomes) keep(known, outcome);
    limit = more.limit;
  }
  const blocks = contiguous(known, standing, tip, head);
  const last = blocks.at(-1);
  const reached = standing.kind === "idle" || last === undefined ? tip : tipOf(last);
  return {
    blocks,
    tip: reached ?? tipOf(head),
    advanced: standing.kind === "ahead" && reached !== undefined && tip !== undefined ? reached.number - tip.number : 0,
    memory: remembered(evm.batch, asked, limit, previous?.memory),
  };
}

/** Heights that are probably there by now: as many as came last time, where they fit into the batch with the head. */
function guess(previous: Followed | undefined, size: number): readonly number[] {
  if (previous === undefined) return [];
  const { tip, advanced } = previous;
  return range(tip.number + 1, tip.number + 1 + Math.min(advanced, size - 1));
}

const blockCall = (height: number) => call(evmMethods.block, hex(height), false);
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
const tipOf = ({ number, hash, time }: Block): Tip => ({ number, hash, time });

/** A block beyond what is accepted is `null` or an error, as a guess may well be: then it is not there yet. */
function keep(known: Map<number, Block>, outcome: Outcome<Block | undefined>): void {
  if ("error" in outcome && outcome.error.failure.reason === "schema") throw outcome.error;
  const found = "value" in outcome ? outcome.value : undefined;
  if (found !== undefined) known.set(found.number, found);
}

/** The blocks to count: without a hole, never beyond the head, and up to where the server has them. */
function contiguous(
  known: ReadonlyMap<number, Block>,
  standing: Standing,
  tip: Tip | undefined,
  head: Block,
): readonly Block[] {
  if (standing.kind !== "ahead") return [head];
  const blocks: Block[] = [];
  const anchor = tip === undefined || standing.from === tip.number + 1 ? undefined : known.get(tip.number);
  if (anchor !== undefined) blocks.push(anchor);
  for (let height = standing.from; height <= head.number; height++) {
    const found = known.get(height);
    if (found === undefined) break;
    blocks.push(found);
  }
  return blocks;
}
