import { ApiError, keyedEndpoint, type Api, type CallOutcome, type TargetFacts } from "../endpoint.ts";
import { askInBatches, batchSize, nextMemory, valueIfAny, valueOf, type BatchMemory } from "./ask-in-batches.ts";
import type { EvmBlock, Executed } from "./evm-wire.ts";
import { positionAfter, type Position, type Positioned } from "../position.ts";
import { call, evmChainIds, evmMethods, hex, rpcPath } from "./evm-methods.ts";

/** The last block that was followed. */
export type Tip = { readonly number: number; readonly hash: string; readonly time: number };

/** A block; `executed` by its receipts, where the header has limits alone and the server has receipts. */
export type FollowedBlock = EvmBlock & { readonly executed?: Executed | undefined };

export type FollowedChain = Positioned & {
  /** In ascending order; the head is last if there are all blocks up to it. */
  readonly blocks: readonly FollowedBlock[];
  readonly tip: Tip;
  readonly memory: BatchMemory | undefined;
  /** Polls since the server refused `eth_getBlockReceipts`; `undefined` while it serves the method. */
  readonly receiptsMissing: number | undefined;
};

/** Position of a head relative to the tip. */
type HeadPosition =
  /** Without a tip, or when the head is of another history than the tip. */
  | { readonly kind: "start" }
  /** The tip itself, or an older block of the same chain: a node that is behind. */
  | { readonly kind: "idle" }
  /** Blocks from `from` on are new; those between the tip and `from` are skipped. */
  | { readonly kind: "ahead"; readonly from: number };

/**
 * Times never decrease along a chain: a lower block with a later time belongs to another history.
 * @param max maximum number of new blocks, the head included
 */
export function positionOf(tip: Tip | undefined, head: EvmBlock, max: number): HeadPosition {
  if (tip === undefined) return { kind: "start" };
  if (head.number > tip.number) return { kind: "ahead", from: Math.max(tip.number + 1, head.number - max + 1) };
  const other = head.number === tip.number ? head.hash !== tip.hash : head.time > tip.time;
  return { kind: other ? "start" : "idle" };
}

/**
 * Reads every block of a chain: the head, then the blocks between it and the last one that was read. No block past the head is
 * requested, because a node answers that with an error and writes it into its log.
 */
export const EvmBlocks = keyedEndpoint<FollowedChain>({
  id: "evm.blocks",
  about: "The blocks of each EVM chain since the previous poll.",
  scope: "network",
  methods: ["eth_getBlockByNumber", "eth_getBlockReceipts"],
  trace:
    "A node after Helicon that does not serve `eth_getBlockReceipts` writes an INFO line about it: for the first poll, after each start of the node and change of its software, then for one poll in 5,760 (a day).",
  every: 15,
  timeout: 15,
  byChain: true,
  keys: evmChainIds,
  follows: true,
  afresh: (followed) => ({ ...followed, memory: undefined, receiptsMissing: undefined }),
  ask: follow,
});

async function follow(api: Api, chain: string, { evm }: TargetFacts, previous: FollowedChain | undefined) {
  const path = rpcPath(chain);
  const tip = previous?.tip;
  const opening = await askInBatches(
    api,
    path,
    [call(evmMethods.block, "latest", false)],
    batchSize(evm.batch, previous?.memory),
  );
  const head = valueOf(opening.outcomes[0]);
  if (head === undefined) throw new ApiError({ reason: "schema", message: "eth_getBlockByNumber: no latest block" });
  const now = api.now?.() ?? Infinity;
  const seen = positionAfter(previous?.position, { height: head.number, time: head.time }, now);
  const position = positionOf(seen.startsOver === true ? undefined : tip, head, evm.maxBlocksPerPoll);
  const known = new Map([[head.number, head]]);
  let { limit } = opening;
  if (position.kind === "ahead") {
    const wanted = range(position.from, head.number).filter((height) => !known.has(height));
    // After a gap the parent hashes do not reach the tip: the block at its height shows whether this is still the same chain.
    if (position.from > (tip?.number ?? 0) + 1 && tip !== undefined) wanted.unshift(tip.number);
    const more = await askInBatches(api, path, wanted.map(blockCall), limit);
    for (const outcome of more.outcomes) keep(known, outcome);
    limit = more.limit;
  }
  const headers = contiguous(known, position, tip, head);
  // The first head is where counting begins, and blocks up to the tip were counted.
  const isRead = ({ number, worstCase }: EvmBlock) =>
    evm.receipts && worstCase && tip !== undefined && number > tip.number;
  const { blocks, ...read } = await withReceipts(api, path, headers, isRead, limit, previous?.receiptsMissing);
  const last = blocks.at(-1);
  const reached = position.kind === "idle" || last === undefined ? tip : tipOf(last);
  // Blocks below the head can be missing.
  const heldPosition = (): Position => {
    if (position.kind === "idle") return seen.position;
    return last === undefined ? (previous?.position ?? seen.position) : { height: last.number, at: now };
  };
  return {
    ...seen,
    blocks,
    tip: reached ?? tipOf(head),
    position: heldPosition(),
    memory: nextMemory(evm.batch, read.limit, previous?.memory),
    receiptsMissing: read.receiptsMissing,
  };
}

/** Polls before a server without receipts is asked for them again, a day by default: it writes each refusal into its log. */
const RECEIPTS_AGAIN = 5_760;

/** The blocks with what their receipts say, up to the first one whose receipts the server lacks: the next poll reads it again. */
async function withReceipts(
  api: Api,
  path: string,
  headers: readonly EvmBlock[],
  isRead: (block: EvmBlock) => boolean,
  size: number,
  missing: number | undefined,
) {
  const asked = headers.filter((block) => isRead(block) && block.transactions > 0);
  if (missing !== undefined && missing < RECEIPTS_AGAIN)
    return { blocks: headers, limit: size, receiptsMissing: missing + 1 };
  const calls = asked.map(({ number }) => call(evmMethods.receipts, hex(number)));
  const { outcomes, limit } = await askInBatches(api, path, calls, size);
  const byNumber = new Map(asked.map(({ number }, index) => [number, outcomes[index]]));
  const blocks: FollowedBlock[] = [];
  for (const block of headers) {
    if (!isRead(block)) blocks.push(block);
    else if (block.transactions === 0) blocks.push({ ...block, executed: { gas: 0n, fees: 0n } });
    else {
      const outcome = byNumber.get(block.number);
      if (outcome === undefined || ("value" in outcome && outcome.value === undefined)) break;
      blocks.push({ ...block, executed: valueIfAny(outcome) });
    }
  }
  const isMissing = outcomes.some((each) => "error" in each && each.error.failure.reason === "unsupported");
  return { blocks, limit, receiptsMissing: isMissing ? 0 : undefined };
}

const blockCall = (height: number) => call(evmMethods.block, hex(height), false);
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
const tipOf = ({ number, hash, time }: EvmBlock): Tip => ({ number, hash, time });

/** Adds the block of an outcome, if the server has it: servers behind a load balancer differ in their head. */
function keep(known: Map<number, EvmBlock>, outcome: CallOutcome<EvmBlock | undefined>): void {
  if ("error" in outcome && outcome.error.failure.reason === "schema") throw outcome.error;
  const found = "value" in outcome ? outcome.value : undefined;
  if (found !== undefined) known.set(found.number, found);
}

/** The blocks to count: consecutive, up to the head or to the first block that the server lacks. */
function contiguous(
  known: ReadonlyMap<number, EvmBlock>,
  position: HeadPosition,
  tip: Tip | undefined,
  head: EvmBlock,
): readonly EvmBlock[] {
  if (position.kind !== "ahead") return [head];
  const blocks: EvmBlock[] = [];
  const anchor = tip === undefined || position.from === tip.number + 1 ? undefined : known.get(tip.number);
  if (anchor !== undefined) blocks.push(anchor);
  for (let height = position.from; height <= head.number; height++) {
    const found = known.get(height);
    if (found === undefined) break;
    blocks.push(found);
  }
  return blocks;
}
