import { medianOfObservers } from "../../topics/validators/reward-verdict-alerts.ts";
import { parse } from "../promql/parse.ts";
import { evaluate } from "../promql/evaluate.ts";
import { labelsOf, type Labels, type Sample } from "../promql/sample.ts";
import { polling } from "../../topics/exporter/polling.ts";
import { l1Runway } from "../../topics/l1/l1-runway.ts";
import { l1Validator } from "../../topics/l1/l1-validator.ts";
import { l1ValidatorView } from "../../topics/l1/l1-validator-view.ts";
import { hostedValidator } from "../../topics/hosted/validator.ts";
import { where } from "../../topics/define/selector.ts";
import { subnets } from "../../topics/network/subnets.ts";
import { upgradeReadiness } from "../../topics/network/upgrade-readiness.ts";
import { upgrades } from "../../topics/network/upgrades.ts";
import { health } from "../../topics/node/health.ts";
import { identity, nodeLabels } from "../../topics/node/identity.ts";
import { delegations } from "../../topics/validators/delegations.ts";
import { networkVerdict } from "../../topics/validators/network-verdict.ts";
import { rewardAddress } from "../../topics/validators/reward-address.ts";
import { rewardVerdict } from "../../topics/validators/reward-verdict.ts";
import { uptime } from "../../topics/validators/uptime.ts";
import { validatorRequirement } from "../../topics/validators/validator-requirement.ts";
import { validatorView } from "../../topics/validators/validator-view.ts";
import { validator } from "../../topics/validators/validator.ts";
import { validators } from "../../topics/validators/validators.ts";
import type { Samples } from "../samples.ts";

const { metrics: staked } = validator;
const { metrics: verdict } = rewardVerdict;
const { metrics: observed } = networkVerdict;
const { metrics: delegated } = delegations;
const { metrics: indexed } = hostedValidator;

/** What is looked up, by the label whose value finds it: a metric, or an expression over metrics. */
const FACTS = {
  node_id: {
    info: staked.info,
    inSet: staked.active,
    leftAt: staked.leftAt,
    leftEarly: staked.leftEarly,
    start: staked.start,
    end: staked.end,
    nextPeriod: staked.nextPeriod,
    own: staked.weight,
    weight: staked.subnetWeight,
    delegated: staked.delegated,
    delegators: staked.delegators,
    capacity: staked.capacity,
    fee: staked.fee,
    potentialReward: staked.reward,
    accruedFees: staked.accrued,
    rewardAddressMatches: rewardAddress.metrics.matches,
    requirement: validatorRequirement.metrics.requirement,
    wholeBudget: validatorRequirement.metrics.wholeBudget,
    observedUptime: validatorView.metrics.uptime,
    connected: validatorView.metrics.connected,
    observedBudget: verdict.budget,
    budget: medianOfObservers(verdict.budget),
    margin: medianOfObservers(verdict.margin),
    attainable: medianOfObservers(verdict.attainable),
    lastCompleted: indexed.lastCompleted,
    lastRewarded: indexed.lastRewarded,
    expectedFees: where(indexed.potential, { kind: "delegation" }),
    l1Balance: l1Validator.metrics.balance,
    l1Active: l1Validator.metrics.active,
    l1Weight: l1Validator.metrics.weight,
    l1Start: l1Validator.metrics.start,
    l1Runway: l1Runway.metrics.runway,
    l1Uptime: l1ValidatorView.metrics.uptime,
    l1Connected: l1ValidatorView.metrics.connected,
  },
  node: {
    configured: nodeLabels.metrics.configured,
    up: polling.metrics.up,
    healthy: health.metrics.healthy,
    identity: identity.metrics.node,
    validates: uptime.metrics.validator,
    reportedRewarding: uptime.metrics.rewarding,
    reportedUptime: uptime.metrics.average,
    upgradeReady: upgradeReadiness.metrics.ready,
    forksOffAt: upgradeReadiness.metrics.parting,
    observing: observed.observing,
    rewarding: observed.required,
    least: observed.least,
    median: observed.median,
    most: observed.most,
    budgetUsed: observed.spent,
    delegationsEnding: delegated.ending,
    unrewarded: delegated.unrewarded,
    unrewardedReward: delegated.unrewardedReward,
    recovery: delegated.recovery,
    commission: delegated.fee,
    delegationRewards: delegated.reward,
    largeEnd: delegated.largeEnd,
    largeShare: delegated.largeShare,
  },
  network: {
    setSize: validators.metrics.count,
    subnet: subnets.metrics.info,
    activation: upgrades.metrics.activation,
    upgradeTime: upgradeReadiness.metrics.time,
    readyStake: upgradeReadiness.metrics.readyStake,
  },
} as const;

type Key = keyof typeof FACTS;
type Fact = { readonly [K in Key]: keyof (typeof FACTS)[K] }[Key];

/** A series with its value. */
export type Row = { readonly labels: Labels; readonly value: number };

/** A label that is missing equals an empty one. */
type Wanted = Readonly<Record<string, string | undefined>>;

/** The samples about validators, by fact. */
export type Facts = Readonly<ReturnType<typeof factsOf>>;

type Table = ReadonlyMap<string, readonly Row[]>;

export function factsOf(samples: Samples) {
  const tables = new Map<string, Table>();
  for (const [key, facts] of Object.entries(FACTS))
    for (const [fact, metric] of Object.entries(facts)) {
      const value = evaluate(parse(String(metric)), samples);
      tables.set(fact, typeof value === "number" ? new Map() : tableOf(value, key));
    }
  const rows = (fact: Fact, about = "", wanted: Wanted = {}): readonly Row[] => {
    const conditions = Object.entries(wanted);
    const found = tables.get(fact)?.get(about) ?? [];
    return found.filter(({ labels }) => conditions.every(([name, is]) => (labels.get(name) ?? "") === (is ?? "")));
  };
  return {
    at: samples.now,
    /** Every series of a fact. */
    all: (fact: Fact): readonly Row[] => [...(tables.get(fact)?.values() ?? [])].flat(),
    /** The series of a fact about one node ID, node or network, with these labels. */
    rows,
    /** The value of the first of these series. */
    value: (fact: Fact, about: string | undefined, wanted?: Wanted): number | undefined =>
      rows(fact, about, wanted)[0]?.value,
  };
}

function tableOf(samples: readonly Sample[], key: string): Table {
  const rows = samples.map((sample) => ({ labels: labelsOf(sample), value: sample.value }));
  return Map.groupBy(rows, ({ labels }) => labels.get(key) ?? "");
}

/** A gauge of 0 or 1. */
export function flagOf(value: number | undefined): boolean | undefined {
  return value === undefined ? undefined : value === 1;
}

/** A label; `undefined` when it is missing or empty. */
export function labelOf({ labels }: Row, name: string): string | undefined {
  const value = labels.get(name);
  return value === "" ? undefined : value;
}
