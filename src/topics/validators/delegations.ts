import { Peers, Upgrades } from "../../api/node/info.ts";
import { OwnDelegations, PRIMARY, Validators, type OwnValidatorRecord } from "../../api/node/platform.ts";
import { toAvax } from "../../api/wire.ts";
import { NODE_OUT } from "../define/causes.ts";
import { counters, gauge, gauges, type Context } from "../define/metric.ts";
import { optional, type Data } from "../define/needs.ts";
import { threshold } from "../define/threshold.ts";
import { reducer } from "../define/topic.ts";
import { byRange } from "../labels.ts";
import { observationOf, uptimeByPeers } from "./observation.ts";
import { heliconOf, requirementOf } from "./validator-requirement.ts";
import { END_BOUNDS, END_RANGES } from "./validators.ts";
import { recoveredAt } from "./staking-period.ts";

const needs = { own: OwnDelegations, upgrades: optional(Upgrades), sets: optional(Validators), peers: optional(Peers) };
const SOURCE = "(platform.getCurrentValidators with the node's own ID, `delegators`:";

/** Share of the validator's weight from which one delegation is missed by itself: the fees, and the vote in a quorum. */
const LARGE_RATIO = 0.05;

/** The values of `remaining` for what leaves within this time. */
export const within = (days: 7 | 30 | 90): readonly string[] =>
  END_RANGES.slice(0, END_BOUNDS.indexOf(days * 86_400) + 1);

const ending = threshold(
  "delegation-ending",
  "seconds",
  "when a delegation of at least 5 % of the validator's weight ends within this time",
  { standard: 14 * 86_400, least: 3_600, most: 365 * 86_400 },
);

/** Weights in nAVAX by transaction of the delegations in the last answer about a node ID, and what changed since the first one. */
type Changes = {
  readonly nodeId: string | undefined;
  readonly known: ReadonlyMap<string, bigint> | undefined;
  readonly began: Sum;
  readonly ended: Sum;
};
type Sum = { readonly number: number; readonly weight: bigint };

const NONE: Sum = { number: 0, weight: 0n };
const SINCE = "since the exporter started (platform.getCurrentValidators with the node's own ID, `delegators`:";

/** The network decides about the reward of each delegation at its own end, by the validator's uptime since its own start. */
export const delegations = reducer(
  {
    id: "delegations",
    about:
      "Which delegations to this node's validator came and went, when do they end, and which of them will not be rewarded?",
    scope: "node",
    needs,
    start: (): Changes => ({ nodeId: undefined, known: undefined, began: NONE, ended: NONE }),
    next: (state: Changes, data, { nodeId }): Changes => {
      const now = delegationsOf(data, nodeId);
      if (now === undefined) return state;
      const known = state.nodeId === nodeId ? (state.known ?? now) : now;
      return { nodeId, known: now, began: added(state.began, now, known), ended: added(state.ended, known, now) };
    },
    formulas: [
      {
        metric: "avax_node_delegations_unrewarded_avax",
        formula:
          "sum of the delegations with (uptime · (answer - start) + (end of the delegation - answer)) / (end of the delegation - start) < requirement; uptime is the median of the peers plus half a point, and start that of the validator",
        example:
          "20 days into its period a validator with requirement 0.8 has an uptime of 75 %, 75.5 % in the middle of the whole percent. 500 AVAX end in two days, 75 AVAX in 20 days: (0.755 · 20 + 2) / 22 is 0.777, (0.755 · 20 + 20) / 40 is 0.878.",
        result: 500,
      },
      {
        metric: "avax_node_uptime_recovery_timestamp_seconds",
        formula: "(answer - uptime · (answer - start) - requirement · start) / (1 - requirement)",
        example: "After 20 days with 75.5 %, 15.1 of them, 4.9 days are missing: these are 20 % of 24.5 days.",
        result: 2_116_800,
      },
    ],
  },
  {
    ending: gauges(
      "avax_node_delegations_ending_avax",
      `Stake delegated to this node's validator by days left until the end of the delegation, at the time of the answer; absent when it is not a validator ${SOURCE} \`weight\`, \`endTime\`).`,
      ["remaining"],
      (data, { nodeId, time }) => {
        const own = ownOf(data, nodeId);
        if (own?.delegators === undefined) return [];
        const stakes = own.delegators.map(({ endTime, weight }) => [endTime - time, toAvax(weight)] as const);
        return byRange(END_BOUNDS, END_RANGES, stakes).map(([remaining, stake]) => [{ remaining }, stake]);
      },
    ),
    unrewarded: gauge(
      "avax_node_delegations_unrewarded_avax",
      `Stake of the delegations to this node's validator that end before its uptime can reach the requirement, even without further downtime: they will not be rewarded; absent while less than half of all stake reports the uptime ${SOURCE} \`weight\`, \`endTime\`; info.peers, \`observedUptime\`).`,
      (data, context) => {
        const early = judgedEarly(data, context);
        return early && toAvax(weightOf(early.lost));
      },
    ),
    unrewardedReward: gauge(
      "avax_node_delegations_unrewarded_reward_avax",
      `Reward that is lost with these delegations, the validator's fee included ${SOURCE} \`potentialReward\`, \`endTime\`; info.peers, \`observedUptime\`).`,
      (data, context) => rewardsOf(judgedEarly(data, context)?.lost),
    ),
    recovery: gauge(
      "avax_node_uptime_recovery_timestamp_seconds",
      `When the uptime of this node's validator reaches the requirement without further downtime; delegations that end earlier are not rewarded; absent while it suffices ${SOURCE} \`startTime\`; info.peers, \`observedUptime\`).`,
      (data, context) => judgedEarly(data, context)?.recovery,
    ),
    reward: gauge(
      "avax_node_delegations_potential_reward_avax",
      `Reward of the present delegations to this node's validator if the network grants all of them, the validator's fee included ${SOURCE} \`potentialReward\`).`,
      (data, { nodeId }) => rewardsOf(ownOf(data, nodeId)?.delegators),
    ),
    fee: gauge(
      "avax_node_delegations_potential_fee_avax",
      `Commission of this node's validator on the rewards of its present delegations, if the network grants all of them ${SOURCE} \`potentialReward\`; \`delegationFee\`).`,
      (data, { nodeId }) => {
        const own = ownOf(data, nodeId);
        const rewards = rewardsOf(own?.delegators);
        if (own?.delegationFee === undefined || rewards === undefined) return undefined;
        return Number((own.delegationFee * rewards).toFixed(9));
      },
    ),
    largeEnd: gauge(
      "avax_node_large_delegation_end_timestamp_seconds",
      `When the next large delegation to this node's validator ends: one of at least ${LARGE_RATIO * 100} % of its weight, delegations included; absent without one ${SOURCE} \`weight\`, \`endTime\`).`,
      (data, context) => nextLarge(data, context)?.end,
    ),
    largeShare: gauge(
      "avax_node_large_delegation_weight_ratio",
      `Share of the validator's weight, delegations included, that leaves when its next large delegation ends ${SOURCE} \`weight\`).`,
      (data, context) => nextLarge(data, context)?.share,
    ),
    changes: counters(
      "avax_node_delegation_changes_total",
      `Delegations to this node's validator that began or ended ${SINCE} \`txID\`).`,
      ["change"],
      ({ state }) => changesOf(state, ({ number }) => number),
    ),
    changedStake: counters(
      "avax_node_delegation_changes_avax_total",
      `Stake of the delegations to this node's validator that began or ended ${SINCE} \`txID\`, \`weight\`).`,
      ["change"],
      ({ state }) => changesOf(state, ({ weight }) => toAvax(weight)),
    ),
  },
  ({ unrewarded: lost, largeEnd }) => ({
    AvaxDelegationEndingSoon: {
      severity: "warning",
      when: { of: largeEnd, within: ending },
      for: "15m",
      summary: "{{ $labels.node }}: a large delegation ends in {{ $value | humanizeDuration }}",
      over: "has no large delegation that ends soon",
      meaning: `A delegation of at least ${LARGE_RATIO * 100} % of the validator's weight cannot be renewed: the delegator must delegate again after its end. The validator loses its fees and part of the vote.`,
      confirm:
        "`avax_node_large_delegation_end_timestamp_seconds` is its end, `avax_node_large_delegation_weight_ratio` its share of the weight, and `avax_node_delegations_ending_avax` the stake of all that leave.",
      commands: {
        [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<id-of-node>"]}'`]:
          "The delegation in `delegators`, with its `endTime` and the addresses of its owner.",
      },
      action:
        "Ask the delegator to delegate again, or find another one. On mainnet: at least two weeks before the validator's end.",
      falsePositives: "The delegators always delegate for short periods: lower the threshold `delegation-ending`.",
    },
    AvaxDelegationsUnrewarded: {
      severity: "warning",
      when: { of: lost, above: 0 },
      for: "15m",
      explainedBy: NODE_OUT,
      summary: '{{ $labels.node }}: {{ $value | printf "%.0f" }} AVAX of delegations end unrewarded',
      over: "can have all of its delegations rewarded",
      meaning:
        "A delegation is judged at its own end, by the validator's uptime until then. The validator itself can still be rewarded at its later end.",
      confirm:
        "`avax_node_delegations_ending_avax` shows how much stake ends when, `avax_node_observed_uptime_median_ratio` the uptime.",
      commands: {
        [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<id-of-node>"]}'`]:
          "`delegators` with the `endTime` and the owner of each, and `uptime` as this node observes it.",
      },
      action:
        "Keep the node online: each hour saves delegations that end later. Tell the delegators, and find the cause of the downtime.",
      falsePositives: "Validators with much stake observed more uptime than the median.",
    },
  }),
);

type Given = Data<typeof needs>;

/** The node's own record, where the answer is about it alone. */
function ownOf({ own }: Given, nodeId: string | undefined) {
  return own.validators.find(({ nodeID }) => nodeID === nodeId);
}

type Delegations = NonNullable<OwnValidatorRecord["delegators"]>;

/** Stake in nAVAX. */
function weightOf(delegators: Delegations): bigint {
  return delegators.reduce((sum, { weight }) => sum + weight, 0n);
}

/** `undefined` where the reward of one is unknown. */
function rewardsOf(delegators: Delegations | undefined): number | undefined {
  const rewards = delegators?.flatMap(({ potentialReward = [] }) => potentialReward);
  if (rewards === undefined || rewards.length !== delegators?.length) return undefined;
  return Number(rewards.reduce((sum, reward) => sum + reward, 0).toFixed(9));
}

/** The first delegation to end of those that are a large part of the validator's weight; the larger one of two. */
function nextLarge(data: Given, { nodeId, time }: Context) {
  const own = ownOf(data, nodeId);
  if (own?.delegators === undefined || own.weight === undefined) return undefined;
  const total = Number(own.weight + weightOf(own.delegators));
  return own.delegators
    .map(({ endTime: end, weight }) => ({ end, share: Number(weight) / total }))
    .filter(({ end, share }) => end > time && share >= LARGE_RATIO)
    .toSorted((a, b) => a.end - b.end || b.share - a.share)[0];
}

/** The delegations that end before the uptime can suffice, and when it does; `undefined` while the uptime is unknown. */
function judgedEarly(data: Given, { nodeId, times, time, subnets }: Context) {
  const own = ownOf(data, nodeId);
  if (own?.delegators === undefined || own.startTime === undefined || data.upgrades === undefined) return undefined;
  const uptime = uptimeByPeers(observationOf(data, nodeId));
  const requirement = requirementOf(own, PRIMARY, heliconOf(data.upgrades), subnets);
  if (uptime === undefined || requirement === undefined) return undefined;
  const period = { start: own.startTime, at: times["peers"] ?? time, uptime };
  const recovery = recoveredAt(period, requirement);
  // A requirement of 100 % is never reached again.
  const until = recovery ?? (uptime < requirement ? Infinity : 0);
  return { lost: own.delegators.filter(({ endTime: end }) => end > period.at && end < until), recovery };
}

/** `undefined` where the answer does not list them; none of a node that is not a validator. */
function delegationsOf(data: Given, nodeId: string | undefined): ReadonlyMap<string, bigint> | undefined {
  const own = ownOf(data, nodeId);
  if (own === undefined) return data.own.validators.length === 0 ? new Map() : undefined;
  const found = own.delegators?.flatMap(({ txID, weight }) => (txID === undefined ? [] : [[txID, weight] as const]));
  return found === undefined || found.length !== own.delegators?.length ? undefined : new Map(found);
}

/** The sum with what is in the first, but not in the second. */
function added(sum: Sum, these: ReadonlyMap<string, bigint>, others: ReadonlyMap<string, bigint>): Sum {
  const more = [...these].filter(([id]) => !others.has(id));
  return { number: sum.number + more.length, weight: more.reduce((all, [, weight]) => all + weight, sum.weight) };
}

function changesOf({ known, began, ended }: Changes, read: (sum: Sum) => number) {
  if (known === undefined) return [];
  return [[{ change: "began" }, read(began)] as const, [{ change: "ended" }, read(ended)] as const];
}
