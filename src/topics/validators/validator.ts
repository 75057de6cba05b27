import { PRIMARY, SecondValidators, Validators, type Validator } from "../../api/node/platform.ts";
import { Upgrades } from "../../api/node/info.ts";
import { toAvax } from "../../api/wire.ts";
import { gauges, infos, type Context } from "../define/metric.ts";
import { optional } from "../define/needs.ts";
import { reducer } from "../define/topic.ts";
import type { Runbook } from "../define/alert.ts";
import { isActive, isWeighed, share, totalWeight, type ValidatorSets } from "../stakes.ts";
import type { Value } from "../../exposition/sample.ts";
import { SAME_VALIDATOR_NODE } from "../define/causes.ts";
import { isListed, leavers, memberKey, SAVED_MEMBERS, updated, watched, type Members } from "./members.ts";
import { heliconOf } from "./validator-requirement.ts";
import { threshold } from "../define/threshold.ts";

/** Leaves time to prepare the next staking period. Seconds. */
export const ENDING_SOON = 3 * 86_400;

const ending = threshold(
  "validator-ending",
  "seconds",
  "when the staking period of a validator ends within this time, and in its last quarter",
  { standard: ENDING_SOON, least: 3_600, most: 365 * 86_400 },
);

/** In a short period a limit in days is always reached: the end is near in the last quarter of the period at the earliest. */
const LAST_RATIO = 0.25;
/** After a day a validator that left is no news. Seconds. */
const GONE_FOR = 86_400;

/**
 * Limits of AvalancheGo for own and delegated stake together, on every network: a multiple of the own stake, and nAVAX. The multiple
 * holds up to Helicon: ACP-247 makes it 25 in a later upgrade.
 */
const MOST_WEIGHT_FACTOR = 5n;
const MOST_WEIGHT = 3_000_000n * 1_000_000_000n;

/** Shortest delegation, seconds, which must end with the validator at the latest: on mainnet, and on every other network. */
const SHORTEST_DELEGATION = { mainnet: 14 * 86_400, others: 86_400 } as const;

const SOURCE = "(platform.getCurrentValidators,";
const LABELS = ["subnet", "node_id"] as const;
const LABELS_OF_SET = ["network", ...LABELS] as const;
const NOT_FOUND: Runbook["commands"] = {
  [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
    'An empty list: it is not in the set. For a subnet or L1 add `"subnetID": "<subnet>"`.',
};

export const validator = reducer(
  {
    id: "validator",
    about: "What are the stake, the end and the expected reward of each watched validator?",
    scope: "network",
    watched: true,
    needs: { sets: Validators, second: optional(SecondValidators), upgrades: optional(Upgrades) },
    start: (): Members => new Map(),
    next: (state: Members, { sets }, context): Members => updated(state, sets, context),
    saved: SAVED_MEMBERS,
    formulas: [
      {
        metric: "avax_validator_delegation_capacity_avax",
        formula:
          "max(0, min(5 · own stake, 3,000,000 AVAX) - own stake - delegated stake); 0 with less time until the end than the shortest delegation takes, two weeks on mainnet and a day elsewhere",
        example: "2,000 AVAX of its own and 625 AVAX delegated to it: 10,000 - 2,000 - 625 AVAX.",
        result: 7375,
      },
    ],
  },
  {
    active: gauges(
      "avax_validator_in_set",
      `1 while a watched validator is in the set, 0 when it left while it was watched (before a restart of the exporter only with a state file), or is configured and was never found ${SOURCE} \`nodeID\`).`,
      LABELS,
      ({ sets, state }, context) => activity(sets, state, context),
    ),
    leftAt: gauges(
      "avax_validator_left_timestamp_seconds",
      `When a watched validator left the set: the announced end of its period, or of its cycle, if that had passed at the first answer without it, else the time of this answer; absent for one in the set ${SOURCE} \`endTime\`).`,
      LABELS,
      ({ sets, state }, context) => leavers(state, sets, context).map(({ labels, at }) => [labels, at]),
    ),
    leftEarly: gauges(
      "avax_validator_left_early",
      `1 when a watched validator left the set more than 60 s before its announced end, or without one as an L1 validator; 0 when its period had ended; absent for one in the set ${SOURCE} \`endTime\`).`,
      LABELS,
      ({ sets, state }, context) => leavers(state, sets, context).map(({ labels, isEarly }) => [labels, isEarly]),
    ),
    gone: gauges(
      "avax_validator_gone",
      `1 for a day after a watched validator left the set more than 60 s before its announced end, or without one as an L1 validator; else 0, also in the set, and where a second node lists it ${SOURCE} \`nodeID\`, \`endTime\`).`,
      LABELS,
      ({ sets, second, state }, context) => goneOf(sets, second, state, context),
    ),
    info: infos(
      "avax_validator_info",
      `Configured name of a watched validator, else that of the polled node with its node ID; \`node\` is the name of this node, empty without one, and a node of another shard needs its \`node_id\` in the configuration ${SOURCE} \`nodeID\`).`,
      ["node_id", "name", "node"],
      ({ sets, state }, context) => named(sets, state, context),
    ),
    weight: ofPrimary(
      "avax_validator_stake_avax",
      `Own stake of a watched Primary Network validator ${SOURCE} \`weight\`).`,
      ({ weight }) => toAvax(weight),
    ),
    subnetWeight: ofStakers(
      "avax_validator_subnet_weight",
      `Weight of a watched validator in a permissioned or elastic subnet, in the subnet's own unit ${SOURCE} \`weight\`).`,
      ({ weight }, subnet) => (subnet === PRIMARY ? undefined : Number(weight)),
    ),
    activeShare: gauges(
      "avax_validator_active_weight_ratio",
      `Share of all weight of the Primary Network, a subnet or an L1 that a watched validator brings to its quorum, delegations included; 0 in an L1 without balance ${SOURCE} \`weight\`, \`delegatorWeight\`, \`balance\`).`,
      LABELS,
      ({ sets }, context) => activeShares(sets, context),
    ),
    delegated: ofPrimary(
      "avax_validator_delegated_stake_avax",
      `Stake delegated to a watched Primary Network validator ${SOURCE} \`delegatorWeight\`).`,
      ({ delegatorWeight }) => (delegatorWeight === undefined ? undefined : toAvax(delegatorWeight)),
    ),
    capacity: ofPrimary(
      "avax_validator_delegation_capacity_avax",
      `Stake that can still be delegated to a watched Primary Network validator: the smaller of 5 times its own stake and 3,000,000 AVAX, minus its own and its delegated stake, at least 0; 0 once no delegation can begin, two weeks before the end on mainnet and a day before it elsewhere; absent once an upgrade after Helicon is active, whose limit is unknown here ${SOURCE} \`weight\`, \`delegatorWeight\`, \`endTime\`; info.upgrades).`,
      delegationCapacity,
    ),
    delegators: ofStakers(
      "avax_validator_delegators",
      `Delegators of a watched validator ${SOURCE} \`delegatorCount\`).`,
      ({ delegatorCount }) => delegatorCount,
    ),
    fee: ofStakers(
      "avax_validator_delegation_fee_ratio",
      `Share of the delegators' rewards that a watched validator keeps ${SOURCE} \`delegationFee\`).`,
      ({ delegationFee }) => delegationFee,
    ),
    start: ofStakers(
      "avax_validator_stake_start_timestamp_seconds",
      `When the staking period of a watched validator began ${SOURCE} \`startTime\`).`,
      ({ startTime }) => startTime,
    ),
    end: ofStakers(
      "avax_validator_stake_end_timestamp_seconds",
      `When the staking period of a watched validator ends; of an auto-renewed one, the current cycle ${SOURCE} \`endTime\`).`,
      ({ endTime }) => endTime,
    ),
    ending: ofStakers(
      "avax_validator_ending_timestamp_seconds",
      `When the staking period of a watched validator ends that is not renewed automatically, in the last quarter of its period; absent before ${SOURCE} \`startTime\`, \`endTime\`, \`nextPeriod\`).`,
      ({ startTime: start, endTime: end, nextPeriod = 0 }, _subnet, { time }) =>
        nextPeriod > 0 || start === undefined || end === undefined || !isInLastQuarter({ start, end }, time)
          ? undefined
          : end,
    ),
    reward: ofPrimary(
      "avax_validator_potential_reward_avax",
      `Reward of a watched Primary Network validator if the network grants it ${SOURCE} \`potentialReward\`).`,
      ({ potentialReward }) => potentialReward,
    ),
    accrued: ofPrimary(
      "avax_validator_accrued_delegatee_reward_avax",
      `Delegation fees that a watched Primary Network validator has earned, paid at the end of its period ${SOURCE} \`accruedDelegateeReward\`).`,
      ({ accruedDelegateeReward }) => accruedDelegateeReward,
    ),
    signer: ofPrimary(
      "avax_validator_bls_registered",
      `1 when a watched Primary Network validator registered a BLS key, 0 without one, absent where its record has no such field ${SOURCE} \`signer\`).`,
      ({ signer }) => (signer === undefined ? undefined : signer !== null),
    ),
    nextPeriod: ofStakers(
      "avax_validator_next_period_seconds",
      `Length of the next cycle of an auto-renewed validator; 0 when it leaves at the end of this one; absent for others ${SOURCE} \`nextPeriod\`).`,
      ({ nextPeriod }) => nextPeriod,
    ),
    compound: ofStakers(
      "avax_validator_auto_compound_ratio",
      `Share of an auto-renewed validator's rewards that is staked again ${SOURCE} \`autoCompoundRewardShares\`).`,
      ({ autoCompoundRewardShares: parts }) => (parts === undefined ? undefined : parts / 1_000_000),
    ),
    restaked: ofPrimary(
      "avax_validator_restaked_rewards_avax",
      `Rewards of earlier cycles that an auto-renewed validator has staked again, for the stake itself and from delegation fees, part of its own stake; absent for others and where the release does not send it ${SOURCE} \`restakedValidationRewards\`, \`restakedDelegateeRewards\`).`,
      ({ restakedValidationRewards: own, restakedDelegateeRewards: fees }) =>
        own === undefined || fees === undefined ? undefined : Number((own + fees).toFixed(9)),
    ),
  },
  ({ active, ending: endsAt, gone }) => ({
    AvaxValidatorGone: {
      severity: "critical",
      when: { of: gone, equals: 1 },
      labels: LABELS_OF_SET,
      for: "2m",
      impact: "The validator earns nothing, and its weight is missing: it was removed, or its record was replaced.",
      summary: "{{ or $labels.name $labels.node_id }} left the set before its end: it earns nothing",
      over: "is in the set again, or gone for a day",
      description: "It is missing in the set ({{ or $labels.subnet_name $labels.subnet }}, {{ $labels.network }}).",
      meaning:
        "The validator was removed from its subnet or L1 before the end of its period, or the network was reset.",
      confirm:
        "`avax_validator_left_timestamp_seconds` is the time when it was first missing. Look up the node ID in an explorer.",
      commands: NOT_FOUND,
      action:
        "Find out who removed it: the subnet's owner, or the L1's validator manager. Add it again if it was a mistake.",
      falsePositives: "You removed it on purpose: silence the alert, or remove the ID from `watch.validators`.",
    },
    AvaxValidatorNotInSet: {
      severity: "warning",
      when: { of: active, equals: 0 },
      labels: LABELS_OF_SET,
      for: "5m",
      explainedBy: [
        { alert: "AvaxValidatorGone", equal: LABELS_OF_SET, why: "It left before its end: for a day that is a page." },
        {
          alert: "AvaxNodeReplaced",
          equal: SAME_VALIDATOR_NODE,
          why: "Another node answers at the address: the watched node ID is not the validator's.",
        },
      ],
      summary: "{{ or $labels.name $labels.node_id }} is not in the validator set",
      over: "is in the validator set again",
      description:
        "It ended, left more than 24 hours ago, or was never there ({{ or $labels.subnet_name $labels.subnet }}, {{ $labels.network }}).",
      meaning: "Its staking period ended, it has not joined yet, or the configured node ID is wrong.",
      confirm:
        "`avax_validator_left_timestamp_seconds` is the end of its period; it is absent for a validator that was never found. Look up the node ID in an explorer: the end of its last period, and whether its reward was paid.",
      commands: NOT_FOUND,
      action: "Stake again to continue validating. Otherwise remove the ID from `watch.validators`.",
      falsePositives: "The watched node ID joins later.",
    },
    AvaxValidatorEndingSoon: {
      severity: "warning",
      when: { of: endsAt, within: ending },
      labels: LABELS_OF_SET,
      for: "10m",
      summary:
        "{{ or $labels.name $labels.node_id }}: stake{{ if $labels.subnet_name }} in {{ $labels.subnet_name }}{{ end }} ends in {{ $value | humanizeDuration }}",
      over: "has ended its stake, or renewed it",
      description:
        "It does not renew automatically ({{ or $labels.subnet_name $labels.subnet }}, {{ $labels.network }}).",
      meaning:
        "At the end of the period the validator leaves the set with its delegators, and stake and reward are paid out. Only an auto-renewed validator continues.",
      confirm: "Check `avax_validator_stake_end_timestamp_seconds`, or the validation transaction in a wallet.",
      commands: {
        [`call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`]:
          '`endTime`, in Unix seconds. For a subnet add `"subnetID": "<subnet>"`.',
      },
      action:
        "Keep the node up until the end, when the validators decide about the reward. Prepare the next staking transaction.",
      falsePositives: "The validator is meant to stop: silence the alert until the end.",
    },
  }),
);

/** Whether a period is in its last quarter, or over. Unix seconds. */
export function isInLastQuarter({ start, end }: { readonly start: number; readonly end: number }, at: number): boolean {
  return at > end - LAST_RATIO * (end - start);
}

/** A figure of each staker: members of L1s have a topic of their own. */
function ofStakers(
  name: string,
  help: string,
  read: (validator: Validator, subnet: string, context: Context, schedule: Schedule) => Value,
) {
  return gauges(name, help, LABELS, ({ sets, upgrades }: Given, context: Context) =>
    watched(sets, context.watchNetwork)
      .filter(([, { validationID }]) => validationID === undefined)
      .map(([labels, each]) => [labels, read(each, labels.subnet, context, upgrades)] as const),
  );
}
type Schedule = ReadonlyMap<string, number> | undefined;
type Given = { readonly sets: ValidatorSets; readonly upgrades?: Schedule };

/** A figure of stakers of the Primary Network alone. */
function ofPrimary(
  name: string,
  help: string,
  read: (validator: Validator, context: Context, schedule: Schedule) => Value,
) {
  return ofStakers(name, help, (each, subnet, context, schedule) =>
    subnet === PRIMARY ? read(each, context, schedule) : undefined,
  );
}

/** A node ID can have several validations in one L1. */
function activeShares(sets: ValidatorSets, { watchNetwork }: Context) {
  return [...sets].flatMap(([subnet, set]) => {
    const total = isWeighed(set) ? totalWeight(set.validators) : 0n;
    const records = Map.groupBy(set.validators, ({ nodeID }) => nodeID);
    return watchNetwork.flatMap((nodeId) => {
      const own = records.get(nodeId);
      const labels = { subnet, node_id: nodeId };
      return own === undefined ? [] : [[labels, share(totalWeight(own.filter(isActive)), total)] as const];
    });
  });
}

/** The last time at which a delegation to a validator can begin, Unix seconds. @param end of its period */
export function lastDelegation(end: number, isMainnet: boolean): number {
  return end - (isMainnet ? SHORTEST_DELEGATION.mainnet : SHORTEST_DELEGATION.others);
}

/** Stake in AVAX that can still be delegated; `undefined` while the delegated stake is unknown. */
function delegationCapacity(
  { weight, delegatorWeight, endTime }: Validator,
  { knownNetwork, time }: Context,
  schedule: Schedule,
): number | undefined {
  const helicon = heliconOf(schedule) ?? Infinity;
  const isLaterActive = schedule?.values().some((at) => at > helicon && at <= time) === true;
  if (delegatorWeight === undefined || isLaterActive) return undefined;
  if (endTime !== undefined && lastDelegation(endTime, knownNetwork === "mainnet") < time) return 0;
  const byOwnStake = MOST_WEIGHT_FACTOR * weight;
  const most = byOwnStake < MOST_WEIGHT ? byOwnStake : MOST_WEIGHT;
  const room = most - weight - delegatorWeight;
  return room > 0n ? toAvax(room) : 0;
}

/** For each set that a watched validator was in, whether it left it early within a day, and a second node does not list it. */
function goneOf(sets: ValidatorSets, second: ValidatorSets | undefined, members: Members, context: Context) {
  const left = leavers(members, sets, context).filter(({ isEarly, at }) => isEarly && context.time - at < GONE_FOR);
  const early = new Set(left.map(({ labels: { subnet, node_id: id } }) => memberKey(subnet, id)));
  return activity(sets, members, context).map(([labels]) => {
    const { subnet, node_id: id } = labels;
    return [labels, early.has(memberKey(subnet, id)) && !isListed(second, subnet, id)] as const;
  });
}

/** The names of each validator of which it is known whether it is in a set. */
function named(sets: ValidatorSets, members: Members, context: Context) {
  const ids = new Set(activity(sets, members, context).map(([{ node_id: id }]) => id));
  return [...ids].map((id) => {
    const { name = "", node = "" } = context.watchDetails.get(id) ?? {};
    return { node_id: id, name, node };
  });
}

/**
 * 1 for each set that a watched validator is in, 0 for each that it left. A configured validator that is in no set counts as
 * missing from the Primary Network. A polled node that never validated has no sample.
 */
function activity(sets: ValidatorSets, members: Members, { watchNetwork, watchConfigured }: Context) {
  const present = [...sets].map(
    ([subnet, { validators }]) => [subnet, new Set(validators.map(({ nodeID }) => nodeID))] as const,
  );
  const configured = new Set(watchConfigured);
  return watchNetwork.flatMap((nodeId) => {
    const known = present.filter(([subnet, ids]) => ids.has(nodeId) || members.has(memberKey(subnet, nodeId)));
    const missing = known.length === 0 && sets.has(PRIMARY) && configured.has(nodeId);
    const sample = (subnet: string, active: boolean) => [{ subnet, node_id: nodeId }, active] as const;
    return missing ? [sample(PRIMARY, false)] : known.map(([subnet, ids]) => sample(subnet, ids.has(nodeId)));
  });
}
