import { z } from "zod";
import { EvmHead } from "../../api/node/evm-head.ts";
import { setTime } from "../../api/wire.ts";
import { gauge, gauges, type Context } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { threshold } from "../define/threshold.ts";
import { comparingTopic } from "../define/topic.ts";
import { chainLabel, isOnInternet, knownChain } from "../labels.ts";
import { isSilent, Reaches } from "../reach.ts";

const WEEK = 7 * 86_400;
/** Pauses of which the usual one is judged: with fewer, a quiet chain that was seen for an hour would seem to be busy. */
const LEARNED = 30;
/** A chain has stopped after this many of its usual pauses. */
const PAUSES = 2;

const publicStalled = threshold(
  "c-chain-stalled",
  "seconds",
  "when the newest C-Chain block of mainnet or fuji is older than this",
  { standard: 300, least: 30, most: 86_400 },
);

const stalledFor = threshold(
  "evm-chain-stalled",
  "seconds",
  "when the newest block of an EVM chain is older than this, and than two of its usual pauses",
  { standard: 600, least: 30, most: 86_400 },
);

/** The two longest pauses of a week, the longest first. Seconds. */
const longest = z.array(z.number()).max(2).readonly();

const learned = z.object({
  /** Number of the present week, by the time of the newest block that ended a pause. */
  week: z.number(),
  present: longest,
  previous: longest,
  /** Number of pauses. */
  count: z.number().max(LEARNED),
});

type Newest = { readonly madeAt: number; readonly seenAt: number };

/** What is known of a chain's pauses. Times are Unix seconds. */
type Pauses = Readonly<z.infer<typeof learned>> & {
  /** When the newest block was made, and when it was last asked for and was the newest; absent in a remembered state. */
  readonly newest?: Newest;
  /** When the newest block was made that a node has now; `undefined` while no node answers. */
  readonly head?: number | undefined;
  /** When the last block was made of a chain that has stopped, 0 while it makes blocks; `undefined` while that is unknown. */
  readonly stoppedAt?: number | undefined;
};
type State = ReadonlyMap<string, Pauses>;

const needs = { heads: EvmHead, reach: Reaches };
const UNKNOWN: Pauses = { week: 0, present: [], previous: [], count: 0 };

const SAVED = z.array(learned.extend({ chain: z.string(), stoppedAt: z.number().optional() }));

/** How long chains rest between two blocks, and whether one has stopped: a chain that makes a block an hour is not dead after ten minutes. */
export const evmPauses = comparingTopic(
  {
    id: "evm-pauses",
    about: "How long does each EVM chain usually rest between two blocks, and has it stopped?",
    needs,
    start: (): State => new Map(),
    compare: (state: State, data: ComparedData<typeof needs>, { time }: Context): State => {
      const newest = newestOf(data);
      const someSilent = data.members.some(({ answers: { reach } }) => isSilent(reach?.value));
      const chains = new Set([...state.keys(), ...newest.keys()]);
      return new Map(
        [...chains].map((chain) => {
          const head = newest.get(chain);
          const before = state.get(chain) ?? UNKNOWN;
          const pauses = head === undefined ? before : advanced(before, head);
          return [
            chain,
            { ...pauses, head: head?.madeAt, stoppedAt: stoppedAt(before, pauses, head, { time, someSilent }) },
          ];
        }),
      );
    },
    saved: {
      save: (state: State) =>
        [...state].map(([chain, { week, present, previous, count, stoppedAt: at }]) => ({
          ...{ chain, week, present, previous, count },
          ...(at === undefined || at === 0 ? {} : { stoppedAt: at }),
        })),
      restore: (saved: unknown): State => new Map(SAVED.parse(saved).map(({ chain, ...rest }) => [chain, rest])),
    },
    formulas: [
      {
        metric: "avax_chain_usual_pause_seconds",
        formula:
          "second longest pause of the present and the previous week; a pause is the age of the newest block when it was last seen before the next one, and weeks are those of the blocks' time",
        example: "The chain paused for 40 s, for 55 s, for a day when it was broken, and for 12 s thirty times.",
        result: 55,
      },
    ],
  },
  {
    usual: gauges(
      "avax_chain_usual_pause_seconds",
      `Longest time between two blocks of an EVM chain that is usual: the second longest of one to two weeks, because a pause that happened once can be an outage; absent until ${LEARNED} pauses were seen, before a restart of the exporter only with a state file (eth_getBlockByNumber latest, \`timestamp\`).`,
      ["chain", "subnet"],
      ({ state }, context) =>
        [...state].map(([chain, pauses]) => [
          { chain, subnet: knownChain(context, chain)?.subnet ?? "" },
          usualOf(pauses),
        ]),
    ),
    stalled: gauges(
      "avax_chain_stalled_seconds",
      `Time since the newest block of an EVM chain on the polled nodes of the network, of three or more the newest that two have, while it is longer than ${PAUSES} usual pauses of the chain, else 0; it goes on while no node answers; absent until the usual pause is known, and for the C-Chain of mainnet and fuji, which is never quiet (eth_getBlockByNumber latest, \`timestamp\`).`,
      ["chain", "subnet"],
      ({ state }, context) =>
        [...state].flatMap(([chain, { stoppedAt: at }]) =>
          at === undefined || isPublic(context, chain)
            ? []
            : [
                [
                  { chain, subnet: knownChain(context, chain)?.subnet ?? "" },
                  at === 0 ? 0 : Math.max(0, context.time - at),
                ] as const,
              ],
        ),
    ),
    newest: gauge(
      "avax_chain_newest_block_timestamp_seconds",
      "When the newest C-Chain block of mainnet or fuji on the polled nodes was made, of three or more the newest that two have, by its own timestamp (eth_getBlockByNumber latest, `timestampMilliseconds`, else `timestamp`; info.getNetworkID).",
      ({ state }, context) => (isOnInternet(context) ? state.get("C")?.head : undefined),
    ),
  },
  ({ stalled, newest }) => ({
    AvaxPublicChainStalled: {
      severity: "warning",
      // Of several shards one can have nodes that stand still: the network has stopped where none has a new block.
      when: { of: newest, longerThan: publicStalled, unanimous: true },
      labels: ["network"],
      for: "2m",
      noPage:
        "An operator cannot restart a public network; a validator that stands still alone pages as AvaxNodeLagging.",
      summary: "{{ $labels.network }}: no new C-Chain block on any polled node for {{ $value | humanizeDuration }}",
      over: "Public C-Chain blocks come again ({{ $labels.network }})",
      meaning:
        "The network has stopped, or none of the polled nodes receives or accepts its blocks. A single stalled node is reported by AvaxNodeLagging.",
      confirm:
        'Check `time() - avax_chain_head_timestamp_seconds{chain="C"}` of the nodes, and whether a public explorer shows new blocks.',
      commands: {
        [`call <any-node> eth_getBlockByNumber '["latest", false]'`]:
          "`timestamp` is the time of the newest block in hexadecimal seconds. Compare `number` with a public explorer, which shows whether the network makes blocks.",
      },
      action:
        "Do not restart all nodes at once. An explorer shows blocks: check peers, disks, version. It does not: follow the developers.",
      falsePositives: "The clock of the exporter's machine is minutes ahead.",
    },
    AvaxEvmChainStalled: {
      severity: "critical",
      when: { of: stalled, above: stalledFor, unanimous: true },
      labels: ["network", "chain", "subnet"],
      for: "2m",
      impact: "The chain has stopped: it accepts no transactions until its validators are brought back.",
      explainedBy: [
        {
          alert: "AvaxSubnetQuorumLost",
          equal: ["network", "subnet"],
          why: "The subnet has lost its quorum: its chains accept no blocks.",
        },
        {
          alert: "AvaxNodeBlocksUnreadable",
          equal: ["network", "chain"],
          why: "The only polled node cannot read the chain's blocks.",
        },
      ],
      summary: "{{ $labels.chain }} of {{ $labels.network }} is stalled: no block for {{ $value | humanizeDuration }}",
      over: "makes blocks again ({{ $labels.network }})",
      meaning:
        "The chain makes no blocks on any polled node, for much longer than it usually rests: too little weight of its validators is connected, or its users are gone. A single stalled node is reported by AvaxNodeLagging.",
      confirm:
        "`avax_chain_stalled_seconds` is the time without a block, `avax_chain_usual_pause_seconds` the longest usual pause of the last one to two weeks. Check `avax_chain_connected_stake_ratio` and `avax_subnet_connected_weight_ratio` of the chain's validators, and waiting transactions in `avax_evm_txpool_transactions`.",
      commands: {
        [`call <any-node> eth_getBlockByNumber '["latest", false]' --chain=<chain>`]:
          "`number` does not increase between two calls on any node.",
      },
      action:
        "Transactions wait: bring the disconnected validators back. One node polled: check its log, version and peers first.",
      falsePositives:
        "The chain's users rest for longer than before: no transaction is waiting on any node. Or all polled nodes but one stand still, which page as AvaxNodeLagging.",
    },
  }),
);

/** Public networks make a C-Chain block every few seconds: its alert has a limit of its own. */
const isPublic = (context: Context, chain: string): boolean => chain === "C" && isOnInternet(context);

/**
 * When the last block of a chain was made that has stopped, 0 while it makes blocks. While its nodes are silent the last verdict stays:
 * whoever restarts the nodes of a chain that has stopped is not told that it is well.
 */
function stoppedAt(
  { stoppedAt: last }: Pauses,
  pauses: Pauses,
  head: Newest | undefined,
  { time, someSilent }: { readonly time: number; readonly someSilent: boolean },
): number | undefined {
  if (head === undefined) return someSilent ? last : undefined;
  const usual = usualOf(pauses);
  // After weeks without a block the usual pause is forgotten, and there is a block.
  if (usual === undefined) return last === undefined ? undefined : 0;
  return time - head.madeAt > PAUSES * usual ? head.madeAt : 0;
}

/**
 * The newest block of each chain that a second node has where three or more answer: one that dates its own blocks anew would hide from whoever
 * runs the chain that it has stopped. Of two nodes the newer one counts: a node that stands still has a page of its own.
 */
function newestOf({ members }: ComparedData<typeof needs>): ReadonlyMap<string, Newest> {
  const heads = members.flatMap(({ facts, answers }) =>
    [...(answers.heads ?? [])].flatMap(([id, { value, askedAt }]) => {
      const madeAt = setTime(value.head.time);
      return madeAt === undefined ? [] : [{ chain: chainLabel(facts, id), madeAt, seenAt: askedAt }];
    }),
  );
  return new Map(
    [...Map.groupBy(heads, ({ chain }) => chain)].flatMap(([chain, found]) => {
      found.sort((a, b) => b.madeAt - a.madeAt || b.seenAt - a.seenAt);
      const confirmed = found[found.length > 2 ? 1 : 0];
      const newest = found.find(({ madeAt }) => madeAt === confirmed?.madeAt);
      return newest === undefined ? [] : [[chain, newest] as const];
    }),
  );
}

/** The pauses after an answer: a later block ends a pause, of which only what was seen counts. */
function advanced(pauses: Pauses, now: Newest): Pauses {
  const { newest } = pauses;
  if (newest === undefined || now.madeAt === newest.madeAt) return { ...pauses, newest: now };
  if (now.madeAt < newest.madeAt) return pauses;
  const pause = Math.ceil(Math.max(0, newest.seenAt - newest.madeAt));
  const { week, present, previous, count } = inWeek(pauses, Math.floor(now.madeAt / WEEK));
  const two = [...present, pause].sort((a, b) => b - a).slice(0, 2);
  return { newest: now, week, present: two, previous, count: Math.min(count + 1, LEARNED) };
}

/** Begins a new week. What is older than the previous one is forgotten. */
function inWeek(pauses: Pauses, week: number): Pauses {
  if (week === pauses.week) return pauses;
  if (week === pauses.week + 1) return { ...pauses, week, present: [], previous: pauses.present };
  return { ...UNKNOWN, week };
}

function usualOf({ present, previous, count }: Pauses): number | undefined {
  return count < LEARNED ? undefined : [...present, ...previous].sort((a, b) => b - a)[1];
}
