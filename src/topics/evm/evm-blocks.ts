import { EvmBlocks, type FollowedChain, type FollowedBlock, type Tip } from "../../api/node/evm-blocks.ts";
import { toCoins } from "../../api/node/evm-wire.ts";
import { chainLabel } from "../labels.ts";
import { type Context, counters, histograms } from "../define/metric.ts";
import { reducer } from "../define/topic.ts";
import { WITHOUT_REFERENCE_NODE } from "../define/causes.ts";
import type { HistogramValue, Value } from "../../exposition/sample.ts";

const SOURCE = "(eth_getBlockByNumber,";
/** By blockchain ID. */
type State = ReadonlyMap<string, Count>;

export const evmBlocks = reducer(
  {
    id: "evm-blocks",
    about: "How many blocks and transactions does each EVM chain process, and how much gas and fees?",
    scope: "network",
    needs: { chains: EvmBlocks },
    start: (): State => new Map(),
    // No block is counted twice, because counted blocks are never above the tip.
    next: (state: State, { chains }): State => {
      const next = new Map(state);
      for (const [id, { blocks, startsOver }] of chains) {
        const count = counted(state.get(id), blocks, startsOver);
        if (count !== undefined) next.set(id, count);
      }
      return next;
    },
  },
  {
    blocks: counting(
      "avax_evm_blocks_total",
      `Blocks since the exporter started to follow the chain, skipped ones not included ${SOURCE} \`number\`).`,
      ({ blocks }) => blocks,
    ),
    transactions: counting(
      "avax_evm_transactions_total",
      `Transactions in the followed blocks ${SOURCE} \`transactions\`).`,
      ({ transactions }) => transactions,
    ),
    gas: {
      ...counting(
        "avax_evm_gas_used_total",
        `Gas used by the transactions of the followed blocks; of the C-Chain since Helicon by their receipts, and absent without them ${SOURCE} eth_getBlockReceipts, \`gasUsed\`).`,
        ({ gas }) => amount(gas),
      ),
      recurring: true,
    },
    gasLimits: counting(
      "avax_evm_gas_limit_taken_total",
      `Sum of the gas limits of the transactions of the followed blocks, at least the gas used: what the headers of the C-Chain have since Helicon; absent for chains whose headers have the gas used ${SOURCE} \`gasUsed\`).`,
      ({ gasLimits }) => amount(gasLimits),
    ),
    baseFees: counting(
      "avax_evm_base_fees_avax_total",
      `Base fee times gas used of the followed blocks, in AVAX or the chain's own coin, without tips; absent for the C-Chain since Helicon, whose headers have neither ${SOURCE} \`baseFeePerGas\`, \`gasUsed\`).`,
      ({ baseFees }) => coins(baseFees),
    ),
    fees: {
      ...counting(
        "avax_evm_fees_avax_total",
        "Fees that the transactions of the followed blocks paid, tips included, in AVAX, by their receipts: of the C-Chain since Helicon (eth_getBlockReceipts, `effectiveGasPrice`, `gasUsed`).",
        ({ fees }) => coins(fees),
      ),
      recurring: true,
    },
    mostBaseFees: counting(
      "avax_evm_base_fees_upper_bound_avax_total",
      `Upper bound of the base fees of the followed blocks, in AVAX: highest base fee that can apply times the gas limits of the transactions, by the headers of the C-Chain since Helicon; absent for other chains ${SOURCE} \`baseFeePerGas\`, \`gasUsed\`).`,
      ({ mostBaseFees }) => coins(mostBaseFees),
    ),
    skipped: counting(
      "avax_evm_blocks_skipped_total",
      `Blocks that were not read because more were made than one poll can catch up with; the other counters do not include them ${SOURCE} \`number\`).`,
      ({ skipped }) => skipped,
    ),
    histories: counting(
      "avax_evm_history_changes_total",
      `Number of times that new blocks did not descend from those followed before: the chain was reset, or it is another chain ${SOURCE} \`hash\`, \`parentHash\`).`,
      ({ histories }) => histories,
    ),
    intervals: histograms(
      "avax_evm_block_interval_seconds",
      `Time between two consecutive blocks ${SOURCE} \`timestampMilliseconds\`, else \`timestamp\`).`,
      ["chain"],
      (data, context) => rows(data, context, ({ intervals }) => intervals),
    ),
  },
  ({ histories }) => ({
    AvaxEvmHistoryChanged: {
      severity: "warning",
      when: { promql: ({ series }) => `max without (instance)(increase(${series(histories)}[15m])) > 0` },
      labels: ["network", "chain"],
      explainedBy: [WITHOUT_REFERENCE_NODE],
      summary: "Block history of {{ $labels.chain }} changed",
      over: "has kept its history for 15 minutes",
      description: "Accepted blocks are final: it is another chain, or was reset ({{ $labels.network }}).",
      meaning:
        "A block at a known height has another hash, or a new block has another parent. Blocks are final on this network: the same chain never does that.",
      confirm: "`avax_evm_chain_info` shows the chain ID of each node.",
      commands: {
        [`call <any-node> eth_getBlockByNumber '["0x1", false]' --chain=<chain>`]:
          "`hash` at the same height must be equal on all nodes, and unchanged.",
        "call <any-node> eth_chainId --chain=<chain>": "The ID of the chain that this node serves.",
      },
      action: "One node: stop serving from it and resync. All nodes: the network was reset.",
      falsePositives: "A development network was reset on purpose.",
    },
  }),
);

type Counts = { readonly chains: ReadonlyMap<string, FollowedChain>; readonly state: State };

const amount = (gas: bigint | undefined): Value => (gas === undefined ? undefined : Number(gas));
const coins = (wei: bigint | undefined): Value => (wei === undefined ? undefined : toCoins(wei));

function rows<V>({ chains, state }: Counts, context: Context, read: (count: Count) => V) {
  return [...chains.keys()].flatMap((id) => {
    const count = state.get(id);
    return count === undefined ? [] : [[{ chain: chainLabel(context, id) }, read(count)] as const];
  });
}

function counting(name: `${string}_total`, help: string, read: (count: Count) => Value) {
  return counters(name, help, ["chain"], (data: Counts, context: Context) => rows(data, context, read));
}

/** Upper bounds of the times between two blocks, seconds. */
const BOUNDS = [0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 3600] as const;

const NO_INTERVALS: HistogramValue = { buckets: BOUNDS.map((bound) => [bound, 0] as const), sum: 0, count: 0 };

/** Gas and fees in wei: those that a block has. */
type Spent = { readonly [K in "gas" | "gasLimits" | "baseFees" | "fees" | "mostBaseFees"]?: bigint | undefined };

const NOTHING = {
  blocks: 0,
  transactions: 0,
  /** Blocks that were not read. */
  skipped: 0,
  /** Number of times that another history replaced the followed one. */
  histories: 0,
  intervals: NO_INTERVALS,
};

/** Counts of one chain since the exporter began to follow it. Immutable. */
export type Count = Readonly<typeof NOTHING> & Spent & { readonly tip: Tip };

/**
 * The count after some blocks in ascending order. The very first block is where counting begins and is not counted. Blocks at
 * or below the tip were counted before. Missing heights are counted as skipped.
 * @param startsOver the tip was wrong: the first block takes its place
 */
export function counted(
  before: Count | undefined,
  blocks: readonly FollowedBlock[],
  startsOver = false,
): Count | undefined {
  let count = before;
  // A new history has no gap behind it, at whatever height it continues.
  let begun = false;
  for (const block of blocks) {
    if (count === undefined) count = { ...NOTHING, ...begunBy(block), tip: tipOf(block) };
    else if (block.number > count.tip.number) {
      count = advanced(count, block, begun);
    } else if (isOther(block, count.tip) || (startsOver && !begun && block.number < count.tip.number)) {
      count = { ...count, tip: tipOf(block), histories: count.histories + 1 };
      begun = true;
    }
  }
  return count;
}

/** Whether a block that is not above the tip is of another history. */
const isOther = (block: FollowedBlock, tip: Tip): boolean =>
  block.number === tip.number ? block.hash !== tip.hash : block.time > tip.time;

function advanced(count: Count, block: FollowedBlock, begun: boolean): Count {
  const { tip } = count;
  const gap = block.number - tip.number - 1;
  const child = gap === 0 && (block.parentHash === undefined || block.parentHash === tip.hash);
  return {
    tip: tipOf(block),
    blocks: count.blocks + 1,
    transactions: count.transactions + block.transactions,
    ...added(count, spentBy(block)),
    skipped: count.skipped + (begun ? 0 : gap),
    histories: count.histories + (gap === 0 && !child ? 1 : 0),
    // A genesis block without a time is no beginning of an interval.
    intervals: child && tip.time > 0 ? observed(count.intervals, Math.max(0, block.time - tip.time)) : count.intervals,
  };
}

function spentBy({ worstCase, gasUsed, baseFee = 0n, executed }: FollowedBlock): Spent {
  const gas = BigInt(gasUsed);
  if (!worstCase) return { gas, baseFees: baseFee * gas };
  return { gas: executed?.gas, fees: executed?.fees, gasLimits: gas, mostBaseFees: baseFee * gas };
}

/** What a block has is added; what it lacks is unknown, and counts from 0 when a later block has it: Prometheus reads a new beginning. */
function added(sums: Spent, more: Spent): Spent {
  const sum = (key: keyof Spent) => (more[key] === undefined ? undefined : (sums[key] ?? 0n) + more[key]);
  return {
    gas: sum("gas"),
    gasLimits: sum("gasLimits"),
    baseFees: sum("baseFees"),
    fees: sum("fees"),
    mostBaseFees: sum("mostBaseFees"),
  };
}

/** The sums before the first block that counts. */
const begunBy = ({ worstCase }: FollowedBlock): Spent =>
  worstCase ? { gasLimits: 0n, mostBaseFees: 0n } : { gas: 0n, baseFees: 0n };

function observed({ buckets, sum, count }: HistogramValue, seconds: number): HistogramValue {
  return {
    buckets: buckets.map(([bound, below]) => [bound, seconds <= bound ? below + 1 : below] as const),
    // Headers have milliseconds; further digits are rounding errors.
    sum: Number((sum + seconds).toFixed(3)),
    count: count + 1,
  };
}

const tipOf = ({ number, hash, time }: FollowedBlock): Tip => ({ number, hash, time });
