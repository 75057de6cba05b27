import { ApiError, keyedEndpoint, type Api, type TargetFacts } from "../endpoint.ts";
import {
  askInBatches,
  batchSize,
  isRpcError,
  nextMemory,
  valueIfAny,
  valueOf,
  type BatchMemory,
} from "./ask-in-batches.ts";
import type { EvmBlock } from "./evm-wire.ts";
import { call, evmChainIds, evmMethods, hex, rpcPath } from "./evm-methods.ts";

type Checkpoint = { readonly height: number; readonly hash: string | undefined };
/** Blocks between two checkpoints, a minute of C-Chain blocks: one more request a minute. */
const CHECKPOINT_BLOCKS = 32;

/** The head of a chain on one node. */
type Head = {
  readonly height: number;
  readonly head: EvmBlock;
  /** The last block whose height is a multiple of 32, so that nodes can be compared at one height; without hash where refused. */
  readonly checkpoint: Checkpoint;
  /** Wei. */
  readonly baseFee: bigint | undefined;
  readonly priorityFee: bigint | undefined;
  readonly txpool: { readonly pending: number; readonly queued: number } | undefined;
  /** Accepted calls per request. */
  readonly batchLimit: number;
  readonly memory: BatchMemory | undefined;
  /** Polls since the server refused `txpool_status`; `undefined` while it serves the method. */
  readonly txpoolMissing: number | undefined;
};

/** Polls before a missing method is tried again, a day by default: the node writes each refusal into its log. */
export const RETRY_AFTER_POLLS = 8_640;

export const EvmHead = keyedEndpoint<Head>({
  id: "evm.head",
  about: "The last block of each EVM chain, fees and waiting transactions, in one batch.",
  scope: "node",
  methods: ["eth_blockNumber", "eth_getBlockByNumber", "eth_baseFee", "eth_maxPriorityFeePerGas", "txpool_status"],
  trace:
    "A node that does not serve `txpool_status`, which before Helicon is the default, writes an INFO line about it: for the first poll of each chain, after each start of the node and change of its software, then for one poll in 8,640 (a day), and for each probe.",
  every: 10,
  keys: evmChainIds,
  follows: true,
  afresh: (head) => ({ ...head, memory: undefined, txpoolMissing: undefined }),
  ask: askHead,
});

async function askHead(api: Api, chain: string, { evm }: TargetFacts, previous: Head | undefined): Promise<Head> {
  const { blockNumber, block, baseFee, priorityFee, txpool } = evmMethods;
  const missing = previous?.txpoolMissing;
  const asksPool = missing === undefined || missing >= RETRY_AFTER_POLLS;
  const always = [call(blockNumber), call(block, "latest", false), call(baseFee), call(priorityFee)] as const;
  const calls = asksPool ? ([...always, call(txpool)] as const) : always;
  const { outcomes, limit } = await askInBatches(api, rpcPath(chain), calls, batchSize(evm.batch, previous?.memory));
  const [number, latest, base, priority] = outcomes;
  const head = valueOf(latest);
  if (head === undefined) throw new ApiError({ reason: "schema", message: "eth_getBlockByNumber: no latest block" });
  const waiting = outcomes.length === 5 ? outcomes[4] : undefined;
  const pool = waiting && valueIfAny(waiting);
  // A proxy that refuses it writes nothing into the node's log.
  const isMissing = waiting !== undefined && "error" in waiting && isRpcError(waiting.error.failure);
  return {
    height: Math.max(valueOf(number), head.number),
    head,
    checkpoint: await checkpointOf(api, chain, head, previous),
    baseFee: valueIfAny(base) ?? undefined,
    priorityFee: valueIfAny(priority),
    txpool: pool,
    batchLimit: limit,
    memory: nextMemory(evm.batch, limit, previous?.memory),
    txpoolMissing: asksPool ? (isMissing ? 0 : undefined) : missing + 1,
  };
}

/** The block at the last common height: that of the previous answer while it is the same. A refusal is an answer. */
async function checkpointOf(api: Api, chain: string, head: EvmBlock, previous: Head | undefined): Promise<Checkpoint> {
  const height = head.number - (head.number % CHECKPOINT_BLOCKS);
  if (height === head.number) return { height, hash: head.hash };
  const known = previous?.checkpoint;
  // After a reset of the chain the head is below the previous one, or is another block at its height.
  if (known?.height === height && (previous?.head.number ?? 0) <= head.number) return known;
  const { outcomes } = await askInBatches(api, rpcPath(chain), [call(evmMethods.block, hex(height), false)], 1);
  return { height, hash: valueIfAny(outcomes[0])?.hash };
}
