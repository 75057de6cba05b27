import { z } from "zod";
import { EvmHead } from "../../api/node/evm-head.ts";
import { setTime } from "../../api/wire.ts";
import { chainLabel, knownChain } from "../labels.ts";
import { gauges } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";

const WEEK = 7 * 86_400;
/** Pauses of which the usual one is judged: with fewer, a quiet chain that was seen for an hour would seem to be busy. */
const LEARNED = 30;

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

/** What is known of a chain's pauses. Times are Unix seconds. */
type Pauses = Readonly<z.infer<typeof learned>> & {
  /** When the newest block was made, and when it was last asked for and was the newest; absent in a remembered state. */
  readonly newest?: { readonly madeAt: number; readonly seenAt: number };
};
type State = ReadonlyMap<string, Pauses>;

const needs = { heads: EvmHead };
const UNKNOWN: Pauses = { week: 0, present: [], previous: [], count: 0 };

const SAVED = z.array(learned.extend({ chain: z.string() }));

/** How long chains rest between two blocks: a chain that makes a block an hour is not dead after ten minutes. */
export const evmPauses = comparingTopic(
  {
    id: "evm-pauses",
    about: "How long does each EVM chain usually rest between two blocks?",
    needs,
    start: (): State => new Map(),
    compare: (state: State, data: ComparedData<typeof needs>): State => {
      const next = new Map(state);
      for (const [chain, newest] of newestOf(data)) next.set(chain, advanced(state.get(chain) ?? UNKNOWN, newest));
      return next;
    },
    saved: {
      save: (state: State) =>
        [...state].map(([chain, { week, present, previous, count }]) => ({ chain, week, present, previous, count })),
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
  },
);

/** The newest block of each chain on any node. */
function newestOf({ members }: ComparedData<typeof needs>) {
  const newest = new Map<string, { readonly madeAt: number; readonly seenAt: number }>();
  for (const { facts, answers } of members)
    for (const [id, { value, askedAt }] of answers.heads ?? []) {
      const madeAt = setTime(value.head.time);
      if (madeAt === undefined) continue;
      const chain = chainLabel(facts, id);
      const known = newest.get(chain);
      const isLater = known === undefined || madeAt > known.madeAt;
      if (isLater || (madeAt === known.madeAt && askedAt > known.seenAt))
        newest.set(chain, { madeAt, seenAt: askedAt });
    }
  return newest;
}

/** The pauses after an answer: a later block ends a pause, of which only what was seen counts. */
function advanced(pauses: Pauses, now: NonNullable<Pauses["newest"]>): Pauses {
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
