import { z } from "zod";
import type { Peers, Upgrades } from "../../api/node/info.ts";
import type { Validators, WatchedValidators } from "../../api/node/platform.ts";
import type { Member } from "../define/needs.ts";
import { isDown } from "../node/reachable-stake.ts";
import { perAnswer, valuesOf } from "../per-answer.ts";
import type { Reaches } from "../reach.ts";
import { scarceDowntime, verdictOf, type RewardFigures } from "./reward-state.ts";
import { observedPeriods, type ObservedPeriod } from "./observed-periods.ts";
import { attainableUptime, downtimeBudget, uptimeMargin, wholeBudget } from "./staking-period.ts";

/** The stakes of watched validators with what all polled nodes of a network observe of them. */

/** A polled node with what it observes. */
export type StakeObserver = Member<{
  reach: typeof Reaches;
  watched: typeof WatchedValidators;
  upgrades: typeof Upgrades;
  sets: typeof Validators;
  peers: typeof Peers;
}>;

/** A stake of a watched validator. Times are Unix seconds. */
export type WatchedStake = {
  readonly subnet: string;
  readonly nodeId: string;
  /** Names of the polled nodes that observe it. */
  readonly observers: readonly string[];
  readonly start: number;
  readonly end: number;
  /** It is renewed at its end, if it is rewarded. */
  readonly renews: boolean;
  readonly figures: RewardFigures;
};

/**
 * The stakes that are observed, and those whose observers are all silent, as they were observed last.
 * @param watch node IDs of the validators
 */
export function stakesAfter(
  before: readonly WatchedStake[],
  members: readonly StakeObserver[],
  watch: readonly string[],
  now: number,
): readonly WatchedStake[] {
  const wanted = new Set(watch);
  const found = members.flatMap(observationsOf).filter(({ nodeId }) => wanted.has(nodeId));
  const observed = Map.groupBy(found, keyOf);
  const silent = new Map(members.map((member) => [member.facts.node, isSilent(member)]));
  const isUnknown = (stake: WatchedStake): boolean => {
    const polled = stake.observers.flatMap((node) => silent.get(node) ?? []);
    return wanted.has(stake.nodeId) && stake.end > now && polled.length > 0 && polled.every(Boolean);
  };
  return [
    ...[...observed.values()].flatMap(stakeOf),
    ...before.filter((stake) => !observed.has(keyOf(stake)) && isUnknown(stake)),
  ];
}

type Observation = Pick<WatchedStake, "subnet" | "nodeId"> &
  ObservedPeriod & { readonly node: string; readonly figures: RewardFigures };

const keyOf = ({ subnet, nodeId }: Pick<WatchedStake, "subnet" | "nodeId">): string => `${subnet} ${nodeId}`;

/** It does not answer, or has not been asked since the exporter started. */
function isSilent(member: StakeObserver): boolean {
  return isDown(member) || member.answers.reach?.value.up === undefined;
}

type Answers = StakeObserver["answers"];

/** Two comparisons of all nodes read them, and of many nodes no answer is new. */
const observationsBy = perAnswer(
  (
    watched: NonNullable<Answers["watched"]>,
    facts: StakeObserver["facts"],
    upgrades: Answers["upgrades"],
    sets: Answers["sets"],
    peers: Answers["peers"],
  ): readonly Observation[] => {
    const at = Math.min(...[...watched.values()].map(({ answeredAt }) => answeredAt));
    return observedPeriods(
      { answers: valuesOf(watched), upgrades: upgrades?.value, sets: sets && valuesOf(sets), peers: peers?.value },
      facts,
      { answers: at, peers: peers?.answeredAt ?? at },
    ).map((period) => {
      const { subnet, node_id: nodeId } = period.labels;
      return { ...period, node: facts.node, subnet, nodeId, figures: figuresOf(period) };
    });
  },
);

function observationsOf({ facts, answers }: StakeObserver): readonly Observation[] {
  const { watched, upgrades, sets, peers } = answers;
  return watched === undefined ? [] : observationsBy(watched, facts, upgrades, sets, peers);
}

function stakeOf(observations: readonly Observation[]): readonly WatchedStake[] {
  const [first] = observations;
  if (first === undefined) return [];
  const { subnet, nodeId, record, period } = first;
  return [
    {
      subnet,
      nodeId,
      observers: observations.map(({ node }) => node),
      start: period.start,
      end: period.end,
      renews: (record.nextPeriod ?? 0) > 0,
      figures: verdictOf(observations.map(({ figures }) => figures)),
    },
  ];
}

function figuresOf({ period, requirement }: ObservedPeriod): RewardFigures {
  return {
    uptime: period.uptime,
    attainable: attainableUptime(period),
    ...(requirement === undefined
      ? { left: undefined, whole: undefined, margin: undefined }
      : {
          left: downtimeBudget(period, requirement),
          whole: wholeBudget(period, requirement),
          margin: uptimeMargin(period.uptime, requirement),
        }),
  };
}

const saved = z.array(
  z.object({
    subnet: z.string(),
    nodeId: z.string(),
    observers: z.array(z.string()).readonly(),
    start: z.number(),
    end: z.number(),
    renews: z.boolean(),
    left: z.number(),
    whole: z.number().optional(),
  }),
);

/** Saved budgets are whole minutes: one that moves with each answer would be written with each. Seconds. */
const ROUNDED_TO = 60;

/** The stakes that can page, as plain data: those with little downtime left, and those whose reward is lost. */
export function saveStakes(stakes: readonly WatchedStake[]): z.infer<typeof saved> {
  return stakes.flatMap(({ figures: { left, whole }, ...stake }) =>
    left === undefined || (left >= 0 && scarceDowntime(left, whole) === Infinity)
      ? []
      : [{ ...stake, left: Math.floor(left / ROUNDED_TO) * ROUNDED_TO, ...(whole === undefined ? {} : { whole }) }],
  );
}

export function restoreStakes(data: unknown): readonly WatchedStake[] {
  return saved
    .parse(data)
    .map(({ left, whole, ...stake }) => ({
      ...stake,
      figures: { left, whole, uptime: undefined, attainable: undefined, margin: undefined },
    }));
}
