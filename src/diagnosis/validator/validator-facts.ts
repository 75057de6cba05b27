import { labelOf, type Samples } from "../samples.ts";
import type { Reading } from "../../exposition/sample.ts";
import { polling } from "../../topics/exporter/polling.ts";
import { l1Validator } from "../../topics/l1/l1-validator.ts";
import { l1ValidatorView } from "../../topics/l1/l1-validator-view.ts";
import { hostedValidator } from "../../topics/hosted/hosted-validator.ts";
import { subnets } from "../../topics/network/subnet-chains.ts";
import { upgradeReadiness } from "../../topics/network/upgrade-readiness.ts";
import { upgrades } from "../../topics/network/upgrades.ts";
import { health } from "../../topics/node/health.ts";
import { identity, nodeLabels } from "../../topics/node/identity.ts";
import { delegations } from "../../topics/validators/delegations.ts";
import { networkVerdict } from "../../topics/validators/network-verdict.ts";
import { rewardAddress } from "../../topics/validators/reward-address.ts";
import { reward } from "../../topics/validators/reward.ts";
import { rewardVerdict } from "../../topics/validators/reward-verdict.ts";
import { uptime } from "../../topics/validators/uptime.ts";
import { validatorRequirement } from "../../topics/validators/validator-requirement.ts";
import { validator } from "../../topics/validators/validator.ts";
import { validators } from "../../topics/validators/validators.ts";

const { metrics: staked } = validator;
const { metrics: verdict } = reward;
const { metrics: observed } = networkVerdict;
const { metrics: delegated } = delegations;
const { metrics: indexed } = hostedValidator;

/** The series of a metric by the value of one label. */
export type Table = ReadonlyMap<string, readonly Reading[]>;

/** A label that is missing equals an empty one. */
type Wanted = Readonly<Record<string, string | undefined>>;

const STAKE = {
  start: staked.start,
  end: staked.end,
  /** Length of the next cycle of an auto-renewed validator; 0 when it leaves after this one. */
  nextPeriod: staked.nextPeriod,
  own: staked.weight,
  /** In the unit of the subnet. */
  weight: staked.subnetWeight,
  delegated: staked.delegated,
  delegators: staked.delegators,
  capacity: staked.capacity,
  fee: staked.fee,
  potentialReward: staked.reward,
  accruedFees: staked.accrued,
  requirement: validatorRequirement.metrics.requirement,
  wholeBudget: validatorRequirement.metrics.wholeBudget,
};
const VERDICT = {
  budget: verdict.left,
  scarce: verdict.scarce,
  shortfall: verdict.shortfall,
  attainable: verdict.attainable,
  margin: verdict.margin,
  uptime: verdict.uptime,
};
const OBSERVED = {
  budget: rewardVerdict.metrics.budget,
  uptime: rewardVerdict.metrics.uptime,
  connected: rewardVerdict.metrics.connected,
};
const VALIDATOR = {
  info: staked.info,
  inSet: staked.active,
  leftAt: staked.leftAt,
  leftEarly: staked.leftEarly,
  rewardAddressMatches: rewardAddress.metrics.matches,
  lastCompleted: indexed.lastCompleted,
  lastRewarded: indexed.lastRewarded,
  expectedRewards: indexed.potential,
};
const L1 = {
  balance: l1Validator.metrics.balance,
  active: l1Validator.metrics.active,
  weight: l1Validator.metrics.weight,
  start: l1Validator.metrics.start,
  runway: l1Validator.metrics.runway,
  uptime: l1ValidatorView.metrics.uptime,
  connected: l1ValidatorView.metrics.connected,
};
const NODE = {
  configured: nodeLabels.metrics.configured,
  up: polling.metrics.up,
  healthy: health.metrics.healthy,
  identity: identity.metrics.node,
  validates: uptime.metrics.validator,
  upgradeReady: upgradeReadiness.metrics.ready,
};
const OWN = {
  /** When a node that is not ready leaves the network's chain. */
  forksOffAt: upgradeReadiness.metrics.parting,
  /** Share of stake that reported an uptime, and whose uptime is enough for the reward. */
  observing: observed.observing,
  rewarding: observed.required,
  /** The same, of a stake that is not young. */
  votes: observed.votes,
  /** Uptimes that its peers report, in whole percents. */
  least: observed.least,
  median: observed.median,
  most: observed.most,
  /** The same by `info.uptime`. */
  reportedRewarding: uptime.metrics.rewarding,
  reportedUptime: uptime.metrics.average,
};
const DELEGATIONS = {
  /** Stake that ends before the uptime can suffice, and its reward. */
  unrewarded: delegated.unrewarded,
  unrewardedReward: delegated.unrewardedReward,
  /** When the uptime suffices; absent while it does, or is unknown. */
  recovery: delegated.recovery,
  /** If all are rewarded: what is paid for them, and the validator's part. */
  rewards: delegated.reward,
  commission: delegated.fee,
};
const DELEGATED = { ending: delegated.ending, largeEnd: delegated.largeEnd, largeShare: delegated.largeShare };
const NETWORK = {
  setSize: validators.metrics.count,
  subnet: subnets.metrics.info,
  activation: upgrades.metrics.activation,
  upgradeTime: upgradeReadiness.metrics.time,
  readyStake: upgradeReadiness.metrics.readyStake,
};

type Tables<M> = Readonly<Record<keyof M, Table>>;

/** The samples about validators: of each group of metrics by the label that it is about. */
export type ValidatorFacts = {
  readonly at: number;
  readonly atRiskBelow: number;
  /** The figures of a membership, as its view has them. */
  readonly stake: Tables<typeof STAKE>;
  /** By all observers together. */
  readonly verdict: Tables<typeof VERDICT>;
  readonly observed: Tables<typeof OBSERVED>;
  readonly validator: Tables<typeof VALIDATOR>;
  readonly l1: Tables<typeof L1>;
  readonly node: Tables<typeof NODE>;
  /** What a polled node reports about itself, as its view has it. */
  readonly own: Tables<typeof OWN>;
  readonly delegations: Tables<typeof DELEGATIONS>;
  readonly delegated: Tables<typeof DELEGATED>;
  readonly network: Tables<typeof NETWORK>;
};

/** The value of each fact of a group; `undefined` where it is unknown. */
export type Values<G extends keyof ValidatorFacts> = { readonly [F in keyof ValidatorFacts[G]]: number | undefined };

/** @param atRiskBelow the limit of AvaxDowntimeBudgetLow, seconds */
export function factsOf(samples: Samples, atRiskBelow: number): ValidatorFacts {
  function by<M extends Readonly<Record<string, { readonly name: string }>>>(label: string, metrics: M): Tables<M> {
    const tables = Object.entries(metrics).map(([fact, { name }]) => [
      fact,
      Map.groupBy(samples.samples(name), (sample) => labelOf(sample, label) ?? ""),
    ]);
    return Object.fromEntries(tables) as Tables<M>;
  }
  return {
    at: samples.now,
    atRiskBelow,
    stake: by("node_id", STAKE),
    verdict: by("node_id", VERDICT),
    observed: by("node_id", OBSERVED),
    validator: by("node_id", VALIDATOR),
    l1: by("node_id", L1),
    node: by("node", NODE),
    own: by("node", OWN),
    delegations: by("node", DELEGATIONS),
    delegated: by("node", DELEGATED),
    network: by("network", NETWORK),
  };
}

/** Every series of a fact. */
export function allOf(table: Table): readonly Reading[] {
  return [...table.values()].flat();
}

/** The series of a fact about one node ID, node or network, with these labels. */
export function rowsOf(table: Table, about = "", wanted: Wanted = {}): readonly Reading[] {
  const conditions = Object.entries(wanted);
  const found = table.get(about) ?? [];
  return found.filter((row) => conditions.every(([name, is]) => labelOf(row, name) === (is || undefined)));
}

/** The value of the first of these series. */
export function valueOf(table: Table, about: string | undefined, wanted?: Wanted): number | undefined {
  return rowsOf(table, about, wanted)[0]?.value;
}

/** The values of several facts, each `undefined` where it is unknown. */
export function valuesOf<F extends string>(
  tables: Readonly<Record<F, Table>>,
  about: string,
  wanted?: Wanted,
): Readonly<Record<F, number | undefined>> {
  const values = Object.entries<Table>(tables).map(([fact, table]) => [fact, valueOf(table, about, wanted)]);
  return Object.fromEntries(values) as Readonly<Record<F, number | undefined>>;
}

/** A gauge of 0 or 1. */
export function flagOf(value: number | undefined): boolean | undefined {
  return value === undefined ? undefined : value === 1;
}
