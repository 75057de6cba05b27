import { ApiError, keyedEndpoint, type Api, type TargetFacts } from "../endpoint.ts";
import { askAll, batchSize, remembered, valueIfAny, valueOf, type BatchMemory } from "./evm-batch.ts";
import type { Block } from "./evm-wire.ts";
import { call, evmChainIds, evmMethods, rpcPath } from "./evm.ts";

/** The head of a chain as one node has it. */
export type Head = {
  readonly height: number;
  readonly head: Block;
  /** Wei; absent where the server does not say. */
  readonly baseFee: bigint | undefined;
  readonly priorityFee: bigint | undefined;
  readonly syncing: boolean | undefined;
  readonly txpool: { readonly pending: number; readonly queued: number } | undefined;
  /** Calls in a batch that the server takes. */
  readonly batchLimit: number;
  readonly memory: BatchMemory | undefined;
  /** Polls since the server said that it has no `txpool_status`; `undefined` while it has. */
  readonly txpoolMissing: number | undefined;
};

/** Polls after which a method that was missing is tried again: an hour by default. */
const MISSING_FOR = 360;

/** Everything that one node says about a chain at one moment: one request where batches are taken. */
export const EvmHead = keyedEndpoint<Head>({
  id: "evm.head",
  about: "The last block of each EVM chain, fees and waiting transactions, in one batch.",
  scope: "node",
  methods: [
    "eth_blockNumber",
    "eth_getBlockByNumber",
    "eth_baseFee",
    "eth_maxPriorityFeePerGas",
    "eth_syncing",
    "txpool_status",
  ],
  every: 10,
  timeout: 10,
  keys: evmChainIds,
  ask: askHead,
});

async function askHead(api: Api, chain: string, { evm }: TargetFacts, previous: Head | undefined): Promise<Head> {
  const { blockNumber, block, baseFee, priorityFee, syncing, txpool } = evmMethods;
  const missing = previous?.txpoolMissing;
  const asksPool = missing === undefined || missing >= MISSING_FOR;
  const always = [
    call(blockNumber),
    call(block, "latest", false),
    call(baseFee),
    call(priorityFee),
    call(syncing),
  ] as const;
  const calls = asksPool ? ([...always, call(txpool)] as const) : always;
  const asked = batchSize(evm.batch, previous?.memory);
  const { outcomes, limit } = await askAll(api, rpcPath(chain), calls, asked);
  const [number, latest, base, priority, sync] = outcomes;
  const head = valueOf(latest);
  if (head === undefined) throw new ApiError({ reason: "schema", message: "eth_getBlockByNumber: no latest block" });
  const pool = outcomes.length === 6 ? valueIfAny(outcomes[5]) : undefined;
  return {
    height: Math.max(valueOf(number), head.number),
    head,
    baseFee: valueIfAny(base) ?? undefined,
    priorityFee: valueIfAny(priority),
    syncing: valueIfAny(sync),
    txpool: pool,
    batchLimit: limit,
    memory: remembered(evm.batch, asked, limit, previous?.memory),
    txpoolMissing: asksPool ? (pool === undefined ? 0 : undefined) : missing + 1,
  };
}
