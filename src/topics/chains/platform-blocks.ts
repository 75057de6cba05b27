import { BLOCK_KINDS, TRANSACTION_KINDS, type PlatformBlock } from "../../api/node/platform-block.ts";
import { PlatformBlocks, type BlockRun } from "../../api/node/platform-blocks.ts";
import { toAvax } from "../../api/wire.ts";
import { counter, counters, gauge } from "../define/metric.ts";
import { reducer } from "../define/topic.ts";
import { NETWORK_HALTED, WITHOUT_REFERENCE_NODE } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";

/** Longer than any pause between blocks of a network in use. */
const stalled = threshold("p-chain-stalled", "seconds", "when the newest P-Chain block is older than this", {
  standard: 3600,
  least: 60,
  most: 30 * 86_400,
});
const SOURCE = "(platform.getBlockByHeight,";

/** Counts of a network's P-Chain since the exporter started. */
export type Counted = {
  /** Height of the last counted block, or of the last block when counting began; `undefined` before the first answer. */
  readonly height: number | undefined;
  /** Unix seconds of that block. */
  readonly time: number | undefined;
  readonly blocks: ReadonlyMap<string, number>;
  readonly transactions: ReadonlyMap<string, number>;
  readonly skipped: number;
  /** AVAX that was exported to other chains; unknown from the first block on of which it is. */
  readonly exported: number | undefined;
};

const EMPTY: Counted = {
  height: undefined,
  time: undefined,
  blocks: zeros(BLOCK_KINDS),
  transactions: zeros(TRANSACTION_KINDS),
  skipped: 0,
  exported: 0,
};

/**
 * Counts each height once: another reference node can repeat blocks, be behind, or begin after a gap. A lower head with a
 * later time is another chain, such as a test network that was restarted from genesis: counting continues from there.
 */
export function counted(state: Counted, run: BlockRun): Counted {
  // Without its first block, which the node can lack, a run does not define where counting begins.
  if (state.height === undefined && run.blocks.length === 0 && run.time === undefined) return state;
  if (state.height === undefined) return { ...state, height: run.to, time: run.time };
  const { height } = state;
  if (run.to < height) {
    const isOtherChain = run.time !== undefined && state.time !== undefined && run.time > state.time;
    return isOtherChain || run.startsOver === true ? { ...state, height: run.to, time: run.time } : state;
  }
  const fresh = run.blocks.filter((block) => block.height > height);
  const [first] = fresh;
  if (first === undefined) return state;
  return {
    height: run.to,
    time: run.time ?? state.time,
    blocks: sums(state.blocks, fresh, ({ kind }) => [kind]),
    transactions: sums(state.transactions, fresh, ({ transactions }) => transactions),
    skipped: state.skipped + (first.height - height - 1),
    exported: fresh.reduce((sum, block) => withExports(sum, block, run.asset), state.exported),
  };
}

function withExports(
  sum: number | undefined,
  { exported }: PlatformBlock,
  avax: string | undefined,
): number | undefined {
  if (sum === undefined || exported === undefined || (avax === undefined && exported.length > 0)) return undefined;
  const amounts = exported.filter(({ asset }) => asset === avax).map(({ amount }) => amount);
  return amounts.reduce<number | undefined>(
    (all, amount) => (all === undefined || amount === undefined ? undefined : all + toAvax(amount)),
    sum,
  );
}

function zeros(kinds: readonly string[]): ReadonlyMap<string, number> {
  return new Map(kinds.map((kind) => [kind, 0]));
}

function sums(
  before: Counted["blocks"],
  blocks: readonly PlatformBlock[],
  kindsOf: (block: PlatformBlock) => readonly string[],
) {
  const after = new Map(before);
  for (const kind of blocks.flatMap(kindsOf)) after.set(kind, (after.get(kind) ?? 0) + 1);
  return after;
}

export const platformBlocks = reducer(
  {
    id: "platform-blocks",
    about: "How many blocks and transactions of each kind does the P-Chain have, and when was the last block?",
    scope: "network",
    needs: { run: PlatformBlocks },
    start: (): Counted => EMPTY,
    next: (state: Counted, { run }): Counted => counted(state, run),
  },
  {
    blocks: counters(
      "avax_platform_blocks_total",
      `P-Chain blocks since the exporter started, by kind; blocks that decide a proposal are commit or abort ${SOURCE} fields of \`block\`).`,
      ["kind"],
      ({ state }) => [...state.blocks].map(([kind, value]) => [{ kind }, value]),
    ),
    transactions: counters(
      "avax_platform_transactions_total",
      `Transactions in P-Chain blocks since the exporter started, by kind, inferred from their fields; unknown if the server encodes blocks only as hex ${SOURCE} fields of \`unsignedTx\`).`,
      ["kind"],
      ({ state }) => [...state.transactions].map(([kind, value]) => [{ kind }, value]),
    ),
    exported: counter(
      "avax_platform_exported_avax_total",
      `AVAX that export transactions moved from the P-Chain to other chains since the exporter started; absent while the asset ID of AVAX is unknown, or the server encodes blocks only as hex ${SOURCE} \`exportedOutputs\`).`,
      ({ state }) => state.exported,
    ),
    skipped: counter(
      "avax_platform_blocks_skipped_total",
      `P-Chain blocks that were not counted because the exporter or its node was too far behind to read each ${SOURCE} heights between two answers).`,
      ({ state }) => state.skipped,
    ),
    height: gauge(
      "avax_platform_counted_height",
      `Height of the P-Chain up to which blocks were counted ${SOURCE} \`height\`).`,
      ({ state }) => state.height,
    ),
    time: gauge(
      "avax_platform_last_block_timestamp_seconds",
      `Time of the highest P-Chain block that was read; absent for blocks without a time ${SOURCE} \`time\`).`,
      ({ state }) => state.time,
    ),
  },
  ({ time }) => ({
    AvaxPlatformStalled: {
      severity: "warning",
      when: { of: time, longerThan: stalled },
      labels: ["network"],
      for: "5m",
      explainedBy: [NETWORK_HALTED, WITHOUT_REFERENCE_NODE],
      summary: "{{ $labels.network }} has had no P-Chain block for {{ $value | humanizeDuration }}",
      over: "has P-Chain blocks again",
      meaning:
        "The reference node is stalled, or the whole network makes no P-Chain blocks. Exported uptimes, stakes and L1 balances are as old.",
      confirm:
        '`avax_chain_lag_blocks{chain="P"}`: if another node is ahead, only the reference node is stalled. `avax_platform_clock_timestamp_seconds` of every node; an explorer for the network\'s real height.',
      commands: {
        "call <any-node> platform.getHeight":
          "Query every polled node: if one is higher, only the reference node is stalled.",
        "call <any-node> platform.getTimestamp": "The P-Chain time, which advances with its blocks.",
      },
      action:
        "All behind an explorer: check peers, version, upgrades. The network stands still: wait. One node is behind: see AvaxNodeLagging.",
      falsePositives: "A quiet test network makes blocks only for transactions: silence the alert there.",
    },
  }),
);
