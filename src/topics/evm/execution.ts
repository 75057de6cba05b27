import { z } from "zod";
import { EvmHead } from "../../api/node/evm-head.ts";
import { Health } from "../../api/node/health.ts";
import { chainIds } from "../chain-ids.ts";
import { EXECUTOR_STOPS } from "../define/alert-texts.ts";
import { NODE_OUT, REPLACED, SAME_NODE } from "../define/causes.ts";
import { perRow, type Context } from "../define/metric.ts";
import type { Data } from "../define/needs.ts";
import { threshold } from "../define/threshold.ts";
import { reducer } from "../define/topic.ts";
import { chainLabel } from "../labels.ts";
import { labelledChains } from "../node/health-messages.ts";

/** A height of a chain, accepted or executed, at a time by the exporter's clock, Unix seconds. */
type Height = { readonly height: number; readonly at: number };

/** What is known of the execution of a chain. */
export type Execution = {
  /** The last heads, the newest first. */
  readonly heads: readonly Height[];
  /** The node's time of the last run of its check that was compared. */
  readonly run?: number | undefined;
  /** Blocks that were accepted at that run, and not executed when a head was first read after it. */
  readonly blocks?: number | undefined;
  /** A block that was accepted at a run, and was not executed at the last head. */
  readonly waiting?: Height | undefined;
  /** How long the last one that was executed had waited. Seconds. */
  readonly waited: number;
};

type Executions = ReadonlyMap<string, Execution>;

/** A page must not end because the exporter restarts: a wait that can become one is saved. Seconds. */
const WORTH_SAVING = 60;
const SAVED = z.array(z.object({ chain: z.string(), height: z.number(), at: z.number() }));

const needs = { report: Health, ids: chainIds, heads: EvmHead };
const SOURCE =
  "(health API, chain check: `lastAcceptedHeight`, `timestamp`; HTTP header `Date`; eth_blockNumber, `result`).";

/** Heads that are kept: more than are read between a run of the check and the next answer with it. */
const KEPT = 5;
const NOTHING: Execution = { heads: [], waited: 0 };

/**
 * What is known after another answer. A head says nothing about a run of the check after it: the health answer is often the newer one,
 * and every busy chain would seem to have a backlog.
 */
export function executionAfter(before = NOTHING, run: Height & { readonly run: number }, head: Height): Execution {
  const heads = [head, ...before.heads.filter(({ at }) => at < head.at)].slice(0, KEPT);
  // A node that begins again with fewer blocks has lost the one that waited.
  const kept = before.waiting !== undefined && before.waiting.height <= run.height ? before.waiting : undefined;
  const first = run.run === before.run ? undefined : heads.findLast(({ at }) => at >= run.at);
  const waiting = kept ?? (first && run);
  const isDone = waiting !== undefined && head.height >= waiting.height;
  return {
    heads,
    run: first === undefined ? before.run : run.run,
    blocks: first === undefined ? before.blocks : Math.max(0, run.height - first.height),
    waiting: isDone ? undefined : waiting,
    waited: isDone ? Math.max(0, executedAt(waiting.height, heads) - waiting.at) : before.waited,
  };
}

/** When a block was executed, in the middle of its part of the time between the heads around it; long ago where none is below it. */
function executedAt(height: number, heads: readonly Height[]): number {
  const below = heads.findIndex((each) => each.height < height);
  const [before, after] = [heads[below], heads[below - 1]];
  if (before === undefined || after === undefined) return 0;
  return before.at + ((height - before.height - 0.5) / (after.height - before.height)) * (after.at - before.at);
}

/** Seconds for which the oldest block that is not executed waits, or the last one has waited. */
function waitOf({ waiting, waited, heads: [head] }: Execution): number {
  return Math.max(waited, waiting === undefined || head === undefined ? 0 : head.at - waiting.at);
}

function next(state: Executions, { report, ids, heads }: Data<typeof needs>, context: Context): Executions {
  const answeredAt = context.times["report"] ?? context.time;
  const checks = new Map(labelledChains(context, report, ids));
  return new Map(
    [...heads].flatMap(([id, head]) => {
      const { height, checkedAt } = checks.get(chainLabel(context, id)) ?? {};
      if (height === undefined || checkedAt === undefined) return [];
      // Both times of the age are the node's own. `Date` has whole seconds.
      const age = Math.max(0, (report.date ?? checkedAt) - checkedAt);
      const run = { run: checkedAt, height, at: answeredAt - age };
      const at = context.timesByKey["heads"]?.get(id) ?? context.time;
      return [[id, executionAfter(state.get(id), run, { height: head.height, at })] as const];
    }),
  );
}

const ofChain = perRow({
  labels: ["chain"],
  of: ({ state }: { readonly state: Executions }, context: Context) =>
    [...state].map(([id, execution]) => [{ chain: chainLabel(context, id) }, execution] as const),
});

const late = threshold(
  "execution-wait",
  "seconds",
  "when the accepted blocks of a chain wait longer than this for their execution",
  { standard: 2, least: 1, most: 3_600 },
);
const stalled = threshold(
  "execution-stalled",
  "seconds",
  "when a chain has not executed an accepted block for longer than this",
  { standard: 300, least: 60, most: 86_400 },
);

const COMMANDS = {
  "call <node> eth_blockNumber --chain=<chain>":
    "The executed height, below `lastAcceptedHeight` in the check of the chain in `/ext/health`.",
};
const WITNESS =
  "The node's own metrics, where they are scraped: the row Execution shows its queue, and how long a block takes.";

/** Since Helicon the C-Chain accepts a block first and executes it later: `latest` is the last executed one. */
export const execution = reducer(
  {
    id: "evm-backlog",
    about: "Does each EVM chain execute the blocks that it has accepted?",
    scope: "node",
    needs,
    start: (): Executions => new Map(),
    next,
    saved: {
      save: (state: Executions) =>
        [...state].flatMap(([chain, each]) =>
          each.waiting === undefined || waitOf(each) < WORTH_SAVING
            ? []
            : [{ chain, height: each.waiting.height, at: each.waiting.at }],
        ),
      restore: (saved: unknown): Executions =>
        new Map(SAVED.parse(saved).map(({ chain, ...waiting }) => [chain, { ...NOTHING, waiting }])),
    },
  },
  {
    blocks: {
      ...ofChain.gauge(
        "avax_chain_execution_backlog_blocks",
        `Blocks that an EVM chain had accepted at the last run of its health check and not executed when its head was first read after it: a lower bound. A node accepts some three at most; 0 where blocks are executed before they are accepted, as before Helicon ${SOURCE}`,
        ({ blocks }) => blocks,
      ),
      recurring: true,
    },
    wait: {
      ...ofChain.gauge(
        "avax_chain_execution_wait_seconds",
        `How long an accepted block of an EVM chain waits for its execution: from a run of the health check until a head has its accepted height, by the heads around that. It grows while the node executes none, and is near 0 where blocks are executed in time ${SOURCE}`,
        waitOf,
      ),
      recurring: true,
    },
  },
  ({ wait }) => ({
    AvaxChainExecutionStalled: {
      severity: "critical",
      when: { of: wait, above: stalled },
      labels: ["node", "network", "chain"],
      for: "2m",
      impact: "The node accepts three more blocks and then none: a validator does not vote on newer ones.",
      explainedBy: [REPLACED],
      summary: "{{ $labels.node }} has executed no block of {{ $labels.chain }} for {{ $value | humanizeDuration }}",
      over: "executes the blocks of {{ $labels.chain }} again",
      description: "Its health check can still pass.",
      meaning:
        "Since Helicon a node accepts a block of the C-Chain first and executes it later. The part that executes stands: the node falls behind, and its API serves an old state.",
      confirm: `\`avax_chain_execution_backlog_blocks\` stays at 2 or 3, and the executed height does not rise. ${WITNESS} \`avalanche_meterchainvm_verify_err_count\` rises.`,
      commands: COMMANDS,
      action: `Restart the node. ${EXECUTOR_STOPS}`,
      falsePositives: "No known false positives: a block that was accepted minutes ago is not executed.",
    },
    AvaxChainExecutionBacklog: {
      severity: "warning",
      when: { of: wait, above: late },
      labels: ["node", "network", "chain"],
      for: "5m",
      explainedBy: [
        {
          alert: "AvaxChainExecutionStalled",
          equal: [...SAME_NODE, "chain"],
          why: "The node executes no block at all.",
        },
        ...NODE_OUT,
      ],
      summary: "{{ $labels.node }} executes blocks of {{ $labels.chain }} {{ $value | humanizeDuration }} late",
      over: "executes {{ $labels.chain }} in time again",
      meaning:
        "Since Helicon a node accepts a block of the C-Chain first and executes it later. This one executes too slowly: it soon accepts blocks late, too, and falls behind.",
      confirm: `\`avax_chain_execution_wait_seconds\` of the other nodes is near 0. ${WITNESS}`,
      commands: COMMANDS,
      action: `Check the machine's CPU and disk, and heavy API requests such as \`debug_trace*\`. Send users to another node until it is 0. ${EXECUTOR_STOPS}`,
      falsePositives: "The node has just finished its start and executes what it accepted meanwhile.",
    },
  }),
);
